// Tickets prints tickets: requests put jobs into a queue, 64 printers take them out.
package main

import (
	"flag"
	"fmt"
	"hash/crc32"
	"io"
	"log"
	"net/http"
	_ "net/http/pprof"
	"runtime"
	"sync"
	"time"
)

type job struct {
	seat  string
	reply chan uint32
}

// queue is bounded; both sides wait on conditions.
type queue struct {
	mu       sync.Mutex
	notEmpty *sync.Cond
	notFull  *sync.Cond
	ring     [256]job
	head, n  int
}

func newQueue() *queue {
	q := new(queue)
	q.notEmpty, q.notFull = sync.NewCond(&q.mu), sync.NewCond(&q.mu)
	return q
}

func (q *queue) put(j job) {
	q.mu.Lock()
	for q.n == len(q.ring) {
		q.notFull.Wait()
	}
	q.ring[(q.head+q.n)%len(q.ring)] = j
	q.n++
	q.mu.Unlock()
	q.notEmpty.Signal()
}

func (q *queue) take() job {
	q.mu.Lock()
	for q.n == 0 {
		q.notEmpty.Wait()
	}
	j := q.ring[q.head]
	q.ring[q.head] = job{}
	q.head, q.n = (q.head+1)%len(q.ring), q.n-1
	q.mu.Unlock()
	q.notFull.Signal()
	return j
}

// printer makes the code of a ticket.
func (q *queue) printer() {
	picture := make([]byte, 48<<10)
	for {
		j := q.take()
		for i := range picture {
			picture[i] = j.seat[i%len(j.seat)]
		}
		j.reply <- crc32.ChecksumIEEE(picture)
	}
}

func (q *queue) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	seat := r.FormValue("seat")
	if seat == "" {
		http.Error(w, "seat?", http.StatusBadRequest)
		return
	}
	j := job{seat, make(chan uint32, 1)}
	q.put(j)
	select {
	case code := <-j.reply:
		fmt.Fprintf(w, "%s %08x\n", seat, code)
	case <-r.Context().Done():
	}
}

func load(url string) {
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 40}}
	for n := range 20 {
		go func() {
			for i := 0; ; i++ {
				if res, err := client.Get(fmt.Sprintf("%s/print?seat=R%dS%d", url, n, i%90)); err == nil {
					io.Copy(io.Discard, res.Body)
					res.Body.Close()
				}
				time.Sleep(15 * time.Millisecond)
			}
		}()
	}
	select {}
}

func main() {
	port := flag.Int("port", 7000, "")
	l := flag.Bool("load", false, "")
	flag.Parse()
	addr := fmt.Sprintf("127.0.0.1:%d", *port)
	if *l {
		load("http://" + addr)
	}
	runtime.SetMutexProfileFraction(1)
	runtime.SetBlockProfileRate(100_000)
	q := newQueue()
	for range 64 {
		go q.printer()
	}
	http.Handle("/print", q)
	log.Fatal(http.ListenAndServe(addr, nil))
}
