package unboundedgo

import (
	"net"
	"net/http"
	"os"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"
)

type message struct{ body []byte }

func handle(m message) {}

func consume(in chan message) {
	for m := range in {
		go handle(m) // want `a goroutine for each message`
	}
}

func consumeForever(in <-chan message) {
	for {
		m, ok := <-in
		if !ok {
			return
		}
		go func() { handle(m) }() // want `a goroutine for each message`
	}
}

func fetchAll(urls []string) {
	var wg sync.WaitGroup
	for _, u := range urls {
		wg.Add(1)
		go func() { // want `a goroutine for each element`
			defer wg.Done()
			http.Get(u)
		}()
	}
	wg.Wait()
}

func fetchGroup(urls map[string]string) error {
	var g errgroup.Group
	for _, u := range urls {
		g.Go(func() error { // want `a goroutine for each element`
			_, err := http.Get(u)
			return err
		})
	}
	return g.Wait()
}

func read(name string) error {
	_, err := os.ReadFile(name)
	return err
}

func readAll(names []string) {
	for _, n := range names {
		go read(n) // want `a goroutine for each element`
	}
}

// What follows is fine.

func limited(urls []string) error {
	var g errgroup.Group
	g.SetLimit(8)
	for _, u := range urls {
		g.Go(func() error { _, err := http.Get(u); return err })
	}
	return g.Wait()
}

func semaphore(in chan message) {
	sem := make(chan struct{}, 8)
	for m := range in {
		sem <- struct{}{}
		go func() { defer func() { <-sem }(); handle(m) }()
	}
}

func tokens(in chan message, free chan struct{}) {
	for m := range in {
		<-free
		go handle(m)
	}
}

func workers(n int, in chan message) {
	for i := 0; i < n; i++ {
		go consume(in)
	}
}

func accept(l net.Listener) {
	for {
		conn, err := l.Accept()
		if err != nil {
			return
		}
		go conn.Close()
	}
}

func ticks(t *time.Ticker) {
	for range t.C {
		go http.Get("http://localhost")
	}
}

func signals(c chan os.Signal) {
	for range c {
		go handle(message{})
	}
}

func computes(parts [][]byte) {
	for _, p := range parts {
		go handle(message{p})
	}
}

type server struct{ listeners []net.Listener }

func (s *server) serve() {
	for _, l := range s.listeners {
		go func() { http.Get(l.Addr().String()) }()
	}
}

func inTurn(urls []string) {
	for _, u := range urls {
		done := make(chan struct{})
		go func() { http.Get(u); close(done) }()
		<-done
	}
}
