// Package syscall_long answers what is in stock, from a file that an import rewrites.
//
// The fault: readers and the import lock the file with flock, so that each request waits in the kernel while the import
// writes.
package syscall_long

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"sync"
	"syscall"
	"time"

	"github.com/gocasebook/casebook/lab/faults"
)

// A Stock is a file in a temporary folder.
type Stock struct {
	writing, pause time.Duration // of the import: how long it takes, and how long until the next
	renamed        bool          // the import writes a new file and renames it: nobody needs a lock

	once sync.Once
	dir  string
	err  error
}

// file is the path, made at the first use.
func (s *Stock) file() (string, error) {
	s.once.Do(func() {
		if s.dir, s.err = os.MkdirTemp("", "stock"); s.err == nil {
			s.err = os.WriteFile(filepath.Join(s.dir, "stock"), []byte("chairs: 12\n"), 0o600)
		}
	})
	return filepath.Join(s.dir, "stock"), s.err
}

// read reads the file, locked if the import does not rename.
func (s *Stock) read() ([]byte, error) {
	path, err := s.file()
	if err != nil || s.renamed {
		return readAll(path, err)
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if err := flock(f, syscall.LOCK_SH); err != nil {
		return nil, err
	}
	return os.ReadFile(path)
}

func readAll(path string, err error) ([]byte, error) {
	if err != nil {
		return nil, err
	}
	return os.ReadFile(path)
}

// flock locks a file. A signal, which the runtime sends to preempt, interrupts the wait.
func flock(f *os.File, how int) error {
	for {
		err := syscall.Flock(int(f.Fd()), how)
		if !errors.Is(err, syscall.EINTR) {
			return err
		}
	}
}

// write is one import.
func (s *Stock) write(ctx context.Context) error {
	path, err := s.file()
	if err != nil {
		return err
	}
	if s.renamed {
		wait(ctx, s.writing)
		if err := os.WriteFile(path+".new", []byte("chairs: 11\n"), 0o600); err != nil {
			return err
		}
		return os.Rename(path+".new", path)
	}
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	defer f.Close() // this unlocks it
	if err := flock(f, syscall.LOCK_EX); err != nil {
		return err
	}
	_, err = f.WriteString("chairs: 11\n")
	wait(ctx, s.writing)
	return err
}

func wait(ctx context.Context, d time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(d):
	}
}

func (s *Stock) run(ctx context.Context) {
	for ctx.Err() == nil {
		if err := s.write(ctx); err != nil {
			fmt.Fprintln(os.Stderr, "importing the stock:", err)
		}
		wait(ctx, s.pause)
	}
	if s.dir != "" {
		os.RemoveAll(s.dir)
	}
}

// ServeHTTP answers what is in stock.
func (s *Stock) ServeHTTP(w http.ResponseWriter, _ *http.Request) {
	text, err := s.read()
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	_, _ = w.Write(text) // the client may be gone
}

func service(s *Stock) faults.Service {
	return faults.Service{Handler: s, Background: s.run, Load: []faults.Call{{Path: "/stock", PerSecond: 150}}}
}

// Fault is the kind with its variants.
func Fault() faults.Fault {
	const ms = time.Millisecond
	return faults.Fault{
		Kind: "syscall-long", Text: "each request waits in flock while an import writes",
		Culprit:  "syscall_long.flock",
		Faulty:   func() faults.Service { return service(&Stock{writing: 60 * ms, pause: 20 * ms}) },
		Repaired: func() faults.Service { return service(&Stock{writing: 60 * ms, pause: 20 * ms, renamed: true}) },
		Limit:    func() faults.Service { return service(&Stock{writing: 6 * ms, pause: 50 * ms}) },
		Trace:    true,
	}
}
