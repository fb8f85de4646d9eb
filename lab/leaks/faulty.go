package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"
)

// timeout: the price comes after the caller has given up, over a channel without room.
func timeout() http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		price := make(chan int)
		go func() {
			time.Sleep(30 * time.Millisecond)
			price <- 42
		}()
		select {
		case p := <-price:
			fmt.Fprintln(w, p)
		case <-time.After(10 * time.Millisecond):
			http.Error(w, "too slow", http.StatusGatewayTimeout)
		}
	}
}

// fanin: five shards answer, the first error ends the reading.
func fanin() http.HandlerFunc {
	var asked atomic.Int64
	ask := func(shard int) error {
		time.Sleep(time.Duration(1+shard) * time.Millisecond)
		if asked.Add(1)%2 == 0 {
			return errors.New("no such key")
		}
		return nil
	}
	return func(w http.ResponseWriter, r *http.Request) {
		errs := make(chan error)
		for shard := range 5 {
			go func() { errs <- ask(shard) }()
		}
		for range 5 {
			if err := <-errs; err != nil {
				http.Error(w, err.Error(), http.StatusNotFound)
				return
			}
		}
	}
}

// unclosed: whoever writes rows returns without closing the channel that another ranges over.
func unclosed() http.HandlerFunc {
	var rows atomic.Int64
	count := func(ch <-chan int) {
		for range ch {
			rows.Add(1)
		}
	}
	return func(w http.ResponseWriter, r *http.Request) {
		ch := make(chan int, 8)
		go count(ch)
		for i := range 10 {
			ch <- i
		}
	}
}

// waitgroup: the path of an error forgets Done.
func waitgroup() http.HandlerFunc {
	var n atomic.Int64
	return func(w http.ResponseWriter, r *http.Request) {
		var wg sync.WaitGroup
		for range 3 {
			wg.Add(1)
			go func() {
				time.Sleep(time.Millisecond)
				if n.Add(1)%3 == 0 {
					return
				}
				wg.Done()
			}()
		}
		go func() { // closes the batch when all of it is in
			wg.Wait()
			n.Add(0)
		}()
	}
}

// cond: who gives back signals only when the pool was empty, and the waiters' condition is another.
func cond() http.HandlerFunc {
	var mu sync.Mutex
	ready := sync.NewCond(&mu)
	free := 0
	take := func() {
		mu.Lock()
		defer mu.Unlock()
		for free == 0 {
			ready.Wait()
		}
		free--
	}
	return func(w http.ResponseWriter, r *http.Request) { go take() }
}

// group: an errgroup without its context: the others block on results that nobody reads after the first error.
func group() http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		found := make(chan int)
		var g errgroup.Group
		for i := range 4 {
			g.Go(func() error {
				if i == 0 {
					return errors.New("denied")
				}
				time.Sleep(time.Millisecond)
				found <- i
				return nil
			})
		}
		go func() { g.Wait(); close(found) }()
		select {
		case <-found:
		case <-time.After(5 * time.Millisecond):
		}
	}
}

// poll: looks after a job until it is done, every 200 ms; the job's done is never closed when it fails.
func poll() http.HandlerFunc {
	var looks atomic.Int64
	return func(w http.ResponseWriter, r *http.Request) {
		done := make(chan struct{})
		go func() {
			for {
				select {
				case <-done:
					return
				case <-time.After(2 * time.Second):
					looks.Add(1)
				}
			}
		}()
	}
}

// sleeper: the same with a sleep.
func sleeper() http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		var done atomic.Bool
		go func() {
			for !done.Load() {
				time.Sleep(3 * time.Second)
			}
		}()
	}
}

// forgotten: watches a context, but the background one.
func forgotten() http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		events := make(chan string)
		ctx := context.WithoutCancel(r.Context())
		go func() {
			for {
				select {
				case e := <-events:
					fmt.Println(e)
				case <-ctx.Done():
					return
				}
			}
		}()
	}
}

// audit: every request notes itself on one channel with room for a thousand; whoever wrote the notes away has ended.
func audit() http.HandlerFunc {
	notes := make(chan string, 1000)
	go func() {
		for range 5000 { // then the disk was full
			<-notes
		}
	}()
	return func(w http.ResponseWriter, r *http.Request) {
		go func() { notes <- r.URL.Path }()
	}
}
