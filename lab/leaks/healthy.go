package main

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"time"
)

// pool: eight workers; what comes in bursts waits for one.
func pool() http.HandlerFunc {
	type job struct{ done chan int }
	jobs := make(chan job)
	for range 8 {
		go func() {
			for j := range jobs {
				time.Sleep(20 * time.Millisecond)
				j.done <- 1
			}
		}()
	}
	return func(w http.ResponseWriter, r *http.Request) {
		j := job{make(chan int, 1)}
		jobs <- j
		fmt.Fprintln(w, <-j.done)
	}
}

// backlog: mails are accepted at once and sent by eight workers; after a newsletter some thousands wait.
func backlog() http.HandlerFunc {
	mails := make(chan string)
	for range 8 {
		go func() {
			for m := range mails {
				time.Sleep(20*time.Millisecond + time.Duration(len(m)))
			}
		}()
	}
	return func(w http.ResponseWriter, r *http.Request) {
		go func() { mails <- r.URL.Path }()
		w.WriteHeader(http.StatusAccepted)
	}
}

// limiter: a token every 2 ms; who has none waits.
func limiter() http.HandlerFunc {
	tokens := make(chan struct{})
	go func() {
		for range time.Tick(2 * time.Millisecond) {
			tokens <- struct{}{}
		}
	}()
	return func(w http.ResponseWriter, r *http.Request) { <-tokens }
}

// pipeline: three stages, the last of which writes slowly.
func pipeline() http.HandlerFunc {
	parsed, priced, written := make(chan int), make(chan int), make(chan int, 100)
	stage := func(n int, in <-chan int, out chan<- int, work time.Duration) {
		for range n {
			go func() {
				for v := range in {
					time.Sleep(work)
					out <- v
				}
			}()
		}
	}
	stage(60, parsed, priced, time.Millisecond)
	stage(40, priced, written, 2*time.Millisecond)
	go func() {
		for range written {
			time.Sleep(5 * time.Millisecond)
		}
	}()
	go func() {
		for i := 0; ; i++ {
			parsed <- i
		}
	}()
	return func(w http.ResponseWriter, r *http.Request) {}
}

// longpoll: a client asks for news and waits up to 20 s for them.
func longpoll() http.HandlerFunc {
	news := make(chan struct{})
	return func(w http.ResponseWriter, r *http.Request) {
		select {
		case <-news:
		case <-r.Context().Done():
		case <-time.After(time.Duration(5+rand.IntN(15)) * time.Second):
		}
	}
}

// sockets: two goroutines for each connection that a browser keeps open, one of which waits for what there is to send.
func sockets() http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		hj, ok := w.(http.Hijacker)
		if !ok {
			return
		}
		conn, rw, err := hj.Hijack()
		if err != nil {
			return
		}
		fmt.Fprint(rw, "HTTP/1.1 101 Switching Protocols\r\n\r\n")
		rw.Flush()
		send, gone := make(chan string, 16), make(chan struct{})
		go func() {
			defer conn.Close()
			for {
				select {
				case s := <-send:
					fmt.Fprintln(conn, s)
				case <-gone:
					return
				}
			}
		}()
		go func() {
			defer close(gone)
			for {
				if _, err := rw.ReadString('\n'); err != nil {
					return
				}
			}
		}()
	}
}

// workers: five thousand, as many as there may be calls of a slow neighbour.
func workers() http.HandlerFunc {
	calls := make(chan chan int)
	for range 5000 {
		go func() {
			for answer := range calls {
				time.Sleep(time.Duration(1+rand.ExpFloat64()*400) * time.Millisecond)
				answer <- 1
			}
		}()
	}
	return func(w http.ResponseWriter, r *http.Request) {
		answer := make(chan int, 1)
		calls <- answer
		<-answer
	}
}

// sessions: each visitor has a goroutine that ends some seconds after the last click.
func sessions() http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		click := make(chan struct{})
		go func() {
			idle := time.NewTimer(time.Duration(rand.ExpFloat64() * 4e9))
			for {
				select {
				case <-click:
				case <-idle.C:
					return
				}
			}
		}()
	}
}
