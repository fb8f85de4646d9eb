// Package io_log takes orders and keeps an audit of their positions.
//
// The fault: the audit is a log file that is open with O_SYNC, so that each line waits for the disk while the request
// and the logger's lock wait.
package io_log

import (
	"bytes"
	"io"
	"log/slog"
	"net/http"
	"os"
	"sync"

	"github.com/gocasebook/casebook/lab/faults"
)

// Orders are taken position by position.
type Orders struct {
	audit     *slog.Logger
	positions int
}

// ServeHTTP takes an order.
func (o *Orders) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	for i := range o.positions {
		o.position(r.RemoteAddr, i)
	}
	io.WriteString(w, "ordered")
}

func (o *Orders) position(customer string, i int) {
	o.audit.Info("position", "customer", customer, "article", 100+i, "pieces", 1+i%3)
}

// logFile is a file that ends with the process.
func logFile(flag int) *os.File {
	f, err := os.CreateTemp("", "casebook-fault-audit-")
	if err != nil {
		panic(err) // no folder for temporary files: nothing can be shown
	}
	defer os.Remove(f.Name())
	if flag == 0 {
		return f
	}
	defer f.Close()
	synced, err := os.OpenFile(f.Name(), os.O_WRONLY|flag, 0)
	if err != nil {
		panic(err)
	}
	return synced
}

// A gatherer writes lines together: one goroutine takes what has come in meanwhile, writes and syncs it.
type gatherer struct {
	file *os.File

	mu      sync.Mutex
	lines   bytes.Buffer // that are not written yet
	waiting bool         // somebody is about to write
}

// Write takes a line.
func (g *gatherer) Write(line []byte) (int, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.lines.Write(line)
	if !g.waiting {
		g.waiting = true
		go g.flush()
	}
	return len(line), nil
}

func (g *gatherer) flush() {
	for {
		g.mu.Lock()
		lines := bytes.Clone(g.lines.Bytes())
		g.lines.Reset()
		g.waiting = len(lines) > 0
		g.mu.Unlock()
		if len(lines) == 0 {
			return
		}
		g.file.Write(lines) // what the disk does not take is lost, as with the logger
		g.file.Sync()
	}
}

func service(to io.Writer, positions int, perSecond float64) faults.Service {
	return faults.Service{Handler: &Orders{slog.New(slog.NewJSONHandler(to, nil)), positions},
		Load: []faults.Call{{Method: http.MethodPost, Path: "/orders", PerSecond: perSecond}}}
}

// Fault is the kind with its variants.
func Fault() faults.Fault {
	return faults.Fault{
		Kind: "io-log", Text: "an audit line for each position of an order goes to a file that is open with O_SYNC",
		Culprit:  "io_log.(*Orders).position",
		Faulty:   func() faults.Service { return service(logFile(os.O_SYNC), 6, 50) },
		Repaired: func() faults.Service { return service(&gatherer{file: logFile(0)}, 6, 50) },
		Limit:    func() faults.Service { return service(logFile(os.O_SYNC), 1, 25) },
		Trace:    true,
	}
}
