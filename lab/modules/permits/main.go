// Permits gives out numbers. Requests wait for no number: they are written down, and workers give them out, which
// several processes of this service may do at once, so that each takes a lock of a file for the counter. The form
// (-kind) says by which library: gofrs (flock), lockedfile (of the Go command, rogpeppe/go-internal), filemutex, etcd
// (client/pkg/fileutil) or juju (mutex). A second word says what is different:
//
//   - "own" gives each worker a counter, and so a lock, of its own;
//   - "inside" takes a mutex of the process before the lock;
//   - "batch" takes the lock once for 50 numbers;
//   - "leader" takes the lock at the start, and keeps it: a second process of the same waits for it for ever;
//   - "try" (gofrs) asks every 10 ms whether the lock is free;
//   - "process" has one worker here, and seven in another process that gives out the same numbers.
package main

import (
	"fmt"
	"log"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/gocasebook/casebook/lab/modules/serve"
)

const workers = 8

// A lock takes the lock of a file and says how it is given back.
type lock func(path string) (unlock func(), err error)

type office struct {
	dir    string
	lock   lock
	how    string
	inside sync.Mutex
	wanted chan int
}

// work gives out numbers for ever.
func (o *office) work(id int) {
	counter := filepath.Join(o.dir, "counter")
	if o.how == "own" {
		counter += strconv.Itoa(id)
	}
	for range o.wanted {
		var err error
		switch o.how {
		case "inside":
			o.inside.Lock()
			err = o.next(counter, 1)
			o.inside.Unlock()
		case "batch":
			o.more(49)
			err = o.next(counter, 50)
		case "leader":
			err = count(counter+strconv.Itoa(id), 1)
		default:
			err = o.next(counter, 1)
		}
		if err != nil {
			log.Print(err)
		}
	}
}

// more takes what else is wanted, for a tenth of a second at most.
func (o *office) more(n int) {
	late := time.After(100 * time.Millisecond)
	for range n {
		select {
		case <-o.wanted:
		case <-late:
			return
		}
	}
}

// next is a step of the counter under the lock of its file.
func (o *office) next(counter string, by int) error {
	unlock, err := o.lock(counter + ".lock")
	if err != nil {
		return err
	}
	defer unlock()
	return count(counter, by)
}

// count reads the counter and writes it again; the disk has it before anybody is told.
func count(file string, by int) error {
	b, err := os.ReadFile(file)
	if err != nil && !os.IsNotExist(err) {
		return err
	}
	n, _ := strconv.Atoi(strings.TrimSpace(string(b))) // none: the first
	f, err := os.Create(file + ".new")
	if err != nil {
		return err
	}
	defer f.Close()
	if _, err := fmt.Fprintln(f, n+by); err != nil {
		return err
	}
	time.Sleep(2 * time.Millisecond) // the disk of a small machine
	if err := f.Sync(); err != nil {
		return err
	}
	return os.Rename(f.Name(), file)
}

func start(o serve.Options) error {
	of, how, _ := strings.Cut(o.Kind, "-")
	l, ok := locks[of]
	if how == "try" {
		l, ok = tryFlock, true
	}
	if !ok {
		return fmt.Errorf("no lock %q", of)
	}
	p := &office{dir: o.Backend, lock: l, how: how, wanted: make(chan int, 10_000)}
	if how == "leader" {
		if _, err := l(filepath.Join(p.dir, "leader")); err != nil {
			return err
		}
		go l(filepath.Join(p.dir, "leader")) // the one that comes next
	}
	here := workers
	if how == "process" {
		here = 1
	}
	for id := range here {
		go p.work(id)
	}
	http.HandleFunc("POST /permits", func(w http.ResponseWriter, r *http.Request) {
		select {
		case p.wanted <- 1:
			w.WriteHeader(http.StatusAccepted)
		default:
			http.Error(w, "too many", http.StatusServiceUnavailable)
		}
	})
	return nil
}

// backend is the folder of the counters, and the other process.
func backend(kind string) (dir string, stop func(), err error) {
	if dir, err = os.MkdirTemp("", "permits-"); err != nil {
		return "", nil, err
	}
	of, how, _ := strings.Cut(kind, "-")
	if how == "process" {
		p := &office{dir: dir, lock: locks[of], wanted: make(chan int)}
		for id := 1; id < workers; id++ {
			go p.work(id)
		}
		go func() {
			for {
				p.wanted <- 1
			}
		}()
	}
	return dir, func() { os.RemoveAll(dir) }, nil
}

func main() {
	serve.Run(serve.Service{Start: start, Rate: 250, Method: http.MethodPost, BackendOf: backend,
		Path: func(int) string { return "/permits" }})
}
