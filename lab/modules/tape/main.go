// Tape pushes trades to whoever listens: each trade is a line, and everybody gets it at once.
package main

import (
	"bufio"
	"fmt"
	"log"
	"math/rand/v2"
	"net"
	"sync"
	"time"

	"github.com/gocasebook/casebook/lab/modules/serve"
)

type listener struct {
	conn net.Conn
	out  chan []byte
}

type tape struct {
	mu        sync.Mutex
	listeners []*listener
}

func (t *tape) trade(line []byte) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, l := range t.listeners {
		select {
		case l.out <- line:
		default: // too slow
		}
	}
}

func (l *listener) write() {
	for line := range l.out {
		if _, err := l.conn.Write(line); err != nil {
			return
		}
	}
}

func start(o serve.Options) error {
	t := &tape{}
	ln, err := net.Listen("tcp", o.Own())
	if err != nil {
		return err
	}
	go func() {
		for {
			c, err := ln.Accept()
			if err != nil {
				log.Fatal(err)
			}
			l := &listener{c, make(chan []byte, 64)}
			go l.write()
			t.mu.Lock()
			t.listeners = append(t.listeners, l)
			t.mu.Unlock()
		}
	}()
	go func() {
		for range time.Tick(800 * time.Microsecond) {
			t.trade(fmt.Appendf(nil, "%s %d.%02d\n", []string{"ABC", "XYZ"}[rand.IntN(2)], rand.IntN(90),
				rand.IntN(99)))
		}
	}()
	return nil
}

func load(o serve.Options) {
	for range 100 {
		c, err := net.Dial("tcp", o.Own())
		if err != nil {
			log.Fatal(err)
		}
		go func() {
			for in := bufio.NewScanner(c); in.Scan(); {
			}
		}()
	}
	select {}
}

func main() { serve.Run(serve.Service{Start: start, Load: load}) }
