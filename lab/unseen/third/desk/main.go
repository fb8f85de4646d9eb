// Desk has jobs of several kinds done by people who can do one of them; a kind is staffed when its first job comes.
package main

import (
	"flag"
	"fmt"
	"net/http"
	"sync"
	"time"

	"github.com/gocasebook/casebook/lab/unseen/third/form"
	"github.com/gocasebook/casebook/lab/unseen/third/web"
)

type job struct {
	kind string
	done chan string
}

type desk struct {
	mu      sync.Mutex
	changed *sync.Cond
	waiting map[string][]*job
}

// put gives a job to who can do it.
func (d *desk) put(j *job) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if _, ok := d.waiting[j.kind]; !ok {
		for range 4 {
			go d.work(j.kind)
		}
	}
	d.waiting[j.kind] = append(d.waiting[j.kind], j)
	if form.Fixed {
		d.changed.Broadcast()
		return
	}
	d.changed.Signal()
}

// next waits for a job of the kind.
func (d *desk) next(kind string) *job {
	d.mu.Lock()
	defer d.mu.Unlock()
	for len(d.waiting[kind]) == 0 {
		d.changed.Wait()
	}
	j := d.waiting[kind][0]
	d.waiting[kind] = d.waiting[kind][1:]
	return j
}

func (d *desk) work(kind string) {
	for {
		j := d.next(kind)
		time.Sleep(8 * time.Millisecond)
		j.done <- "done: " + kind
	}
}

func (d *desk) submit(w http.ResponseWriter, r *http.Request) {
	j := &job{r.PathValue("kind"), make(chan string, 1)}
	d.put(j)
	fmt.Fprintln(w, <-j.done)
}

func (d *desk) length(w http.ResponseWriter, r *http.Request) {
	d.mu.Lock()
	defer d.mu.Unlock()
	fmt.Fprintln(w, len(d.waiting[r.PathValue("kind")]))
}

func main() {
	flag.Parse()
	d := &desk{waiting: make(map[string][]*job)}
	d.changed = sync.NewCond(&d.mu)
	mux := http.NewServeMux()
	mux.HandleFunc("POST /jobs/{kind}", d.submit)
	mux.HandleFunc("GET /jobs/{kind}", d.length)
	web.Serve(mux)
}
