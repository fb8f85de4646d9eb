// Package thread_surge serves a report from a file that an export writes under a lock.
//
// The fault: every request waits for the file's lock in flock, a system call that blocks, and holds a thread meanwhile.
package thread_surge

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"sync"
	"syscall"
	"time"

	"github.com/gocasebook/casebook/lab/faults"
)

// exporting is how long an export holds the lock.
const exporting = time.Minute

// Reports are read from a file, which a temporary one stands for.
type Reports struct {
	try  bool // answer with the last copy where the file is locked
	once sync.Once
	path string
	err  error
}

// file is the path, made at the first use.
func (s *Reports) file() (string, error) {
	s.once.Do(func() {
		f, err := os.CreateTemp("", "report")
		if err != nil {
			s.err = fmt.Errorf("making the report: %w", err)
			return
		}
		s.path = f.Name()
		_, err = f.WriteString("sold: 12\n")
		s.err = errors.Join(err, f.Close())
	})
	return s.path, s.err
}

// locked opens the file and locks it.
func (s *Reports) locked(how int) (*os.File, error) {
	path, err := s.file()
	if err != nil {
		return nil, err
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	for {
		err = syscall.Flock(int(f.Fd()), how)
		if !errors.Is(err, syscall.EINTR) {
			break
		}
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("locking %s: %w", path, err), f.Close())
	}
	return f, nil
}

// export holds the lock as the nightly export does, until ctx ends.
func (s *Reports) export(ctx context.Context) {
	for ctx.Err() == nil {
		if f, err := s.locked(syscall.LOCK_EX); err == nil {
			wait(ctx, exporting)
			f.Close()
		}
		wait(ctx, 200*time.Millisecond)
	}
	if path, err := s.file(); err == nil {
		os.Remove(path)
	}
}

func wait(ctx context.Context, d time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(d):
	}
}

// ServeHTTP answers with the report.
func (s *Reports) ServeHTTP(w http.ResponseWriter, _ *http.Request) {
	how := syscall.LOCK_SH
	if s.try {
		how |= syscall.LOCK_NB
	}
	f, err := s.locked(how)
	if errors.Is(err, syscall.EWOULDBLOCK) {
		fmt.Fprintln(w, "sold: 12 (as of before the export)")
		return
	}
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	defer f.Close()
	fmt.Fprintln(w, f.Name())
}

func service(try bool, perSecond float64) faults.Service {
	s := &Reports{try: try}
	return faults.Service{Handler: s, Background: s.export,
		Load: []faults.Call{{Path: "/report", PerSecond: perSecond}}}
}

// Fault is the kind with its variants.
func Fault() faults.Fault {
	return faults.Fault{
		Kind: "thread-surge", Text: "requests wait in flock while an export holds the file's lock",
		Culprit:  "thread_surge.(*Reports).locked",
		Faulty:   func() faults.Service { return service(false, 60) },
		Repaired: func() faults.Service { return service(true, 60) },
		Limit:    func() faults.Service { return service(false, 18) },
		Warm:     12 * time.Second,
	}
}
