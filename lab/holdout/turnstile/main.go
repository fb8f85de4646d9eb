// Turnstile lets events through in the order of their tickets, whichever worker finished them.
package main

import (
	"bufio"
	"flag"
	"fmt"
	"hash/maphash"
	"log"
	"net"
	"net/http"
	_ "net/http/pprof"
	"runtime"
	"sync/atomic"
	"time"
)

type gate struct {
	turn atomic.Uint64
	seed maphash.Seed
	last uint64
}

// enter waits for the ticket's turn.
func (g *gate) enter(ticket uint64) {
	for g.turn.Load() != ticket {
		runtime.Gosched()
	}
}

func (g *gate) leave() { g.turn.Add(1) }

type event struct {
	ticket uint64
	text   []byte
}

func (g *gate) worker(events <-chan event) {
	for e := range events {
		h := maphash.Bytes(g.seed, e.text)
		if e.ticket%5 == 0 { // needs its customer's record
			time.Sleep(3 * time.Millisecond)
		}
		g.enter(e.ticket)
		g.last ^= h
		g.leave()
	}
}

func (g *gate) read(c net.Conn, events chan<- event) {
	var n uint64
	for sc := bufio.NewScanner(c); sc.Scan(); n++ {
		events <- event{n, append([]byte(nil), sc.Bytes()...)}
	}
}

func load(addr string) {
	c, err := net.Dial("tcp", addr)
	if err != nil {
		log.Fatal(err)
	}
	for i, t := 0, time.Tick(10*time.Millisecond); ; <-t {
		for range 10 {
			fmt.Fprintf(c, "event %d: somebody opened a door\n", i)
			i++
		}
	}
}

func main() {
	port := flag.Int("port", 7000, "")
	l := flag.Bool("load", false, "")
	flag.Parse()
	feed := fmt.Sprintf("127.0.0.1:%d", *port+1)
	if *l {
		load(feed)
	}
	go http.ListenAndServe(fmt.Sprintf("127.0.0.1:%d", *port), nil)
	ln, err := net.Listen("tcp", feed)
	if err != nil {
		log.Fatal(err)
	}
	g := &gate{seed: maphash.MakeSeed()}
	events := make(chan event, 64)
	for range 4 {
		go g.worker(events)
	}
	c, err := ln.Accept()
	if err != nil {
		log.Fatal(err)
	}
	g.read(c, events)
}
