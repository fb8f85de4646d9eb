// Package io_reread applies limits that stand in a file.
//
// The fault: the file is read for every limit.
package io_reread

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"os"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/gocasebook/casebook/lab/faults"
)

// Limits are lines of a file: "name number".
type Limits struct {
	name   func() string
	kept   atomic.Pointer[[]byte]
	reread bool
}

func newLimits(reread bool) *Limits {
	l := &Limits{reread: reread}
	l.name = sync.OnceValue(func() string {
		f, err := os.CreateTemp("", "casebook-fault-limits-")
		if err != nil {
			panic(err) // no folder for temporary files: nothing can be shown
		}
		defer f.Close()
		for i := range 20 {
			f.WriteString("limit-" + strconv.Itoa(i) + " " + strconv.Itoa(i*10) + "\n")
		}
		return f.Name()
	})
	return l
}

// ServeHTTP answers with the limits that hold for an upload.
func (l *Limits) ServeHTTP(w http.ResponseWriter, _ *http.Request) {
	for _, name := range []string{"limit-2 ", "limit-3 ", "limit-5 ", "limit-7 ", "limit-11 ", "limit-13 "} {
		value, err := l.value(name)
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		w.Write(value)
		io.WriteString(w, "\n")
	}
}

func (l *Limits) value(name string) ([]byte, error) {
	b, err := l.text()
	if err != nil {
		return nil, err
	}
	_, rest, _ := bytes.Cut(b, []byte(name))
	value, _, _ := bytes.Cut(rest, []byte("\n"))
	return value, nil
}

func (l *Limits) text() ([]byte, error) {
	if kept := l.kept.Load(); kept != nil {
		return *kept, nil
	}
	return l.read()
}

func (l *Limits) read() ([]byte, error) { return os.ReadFile(l.name()) }

// Run reads the file once a second, unless it is read for every request, and removes it in the end.
func (l *Limits) Run(ctx context.Context) {
	defer os.Remove(l.name())
	t := time.NewTicker(time.Second)
	defer t.Stop()
	for {
		if b, err := l.read(); err == nil && !l.reread {
			l.kept.Store(&b)
		}
		select {
		case <-ctx.Done():
			return
		case <-t.C:
		}
	}
}

func service(reread bool, perSecond float64) faults.Service {
	l := newLimits(reread)
	return faults.Service{Handler: l, Background: l.Run, Load: []faults.Call{{Path: "/limit", PerSecond: perSecond}}}
}

// Fault is the kind with its variants.
func Fault() faults.Fault {
	return faults.Fault{
		Kind: "io-reread", Text: "a file of limits is read for every limit that is asked for",
		Culprit:  "io_reread.(*Limits).read",
		Faulty:   func() faults.Service { return service(true, 2500) },
		Repaired: func() faults.Service { return service(false, 2500) },
		Limit:    func() faults.Service { return service(true, 450) },
	}
}
