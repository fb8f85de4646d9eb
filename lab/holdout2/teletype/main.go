// Teletype sends the state of all trains to every display that connects, four times a second, as CSV over TCP.
package main

import (
	"bufio"
	"flag"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	_ "net/http/pprof"
	"strconv"
	"sync/atomic"
	"time"
)

type train struct {
	number   int
	from, to string
	platform int
	late     time.Duration
}

type board []train

func (b board) at(tick int) board {
	next := make(board, len(b))
	for i, t := range b {
		t.platform = (t.number + tick) % 14
		t.late = time.Duration((t.number*tick)%25) * time.Minute
		next[i] = t
	}
	return next
}

// csvWriter writes fields, and remembers the first error.
type csvWriter struct {
	w   io.Writer
	err error
}

func (c *csvWriter) field(s string, last bool) {
	if c.err != nil {
		return
	}
	end := ","
	if last {
		end = "\n"
	}
	_, c.err = io.WriteString(c.w, s+end)
}

func (b board) send(w io.Writer) error {
	c := &csvWriter{w: w}
	for _, t := range b {
		c.field(strconv.Itoa(t.number), false)
		c.field(t.from, false)
		c.field(t.to, false)
		c.field(strconv.Itoa(t.platform), false)
		c.field(t.late.String(), true)
	}
	return c.err
}

type station struct {
	now      atomic.Pointer[board]
	displays atomic.Int64
}

func (s *station) run(first board) {
	for tick := 0; ; tick++ {
		b := first.at(tick)
		s.now.Store(&b)
		time.Sleep(250 * time.Millisecond)
	}
}

func (s *station) serve(c net.Conn) {
	s.displays.Add(1)
	defer s.displays.Add(-1)
	defer c.Close()
	for {
		if err := s.now.Load().send(c); err != nil {
			return
		}
		time.Sleep(250 * time.Millisecond)
	}
}

func load(addr string) {
	for range 40 {
		go func() {
			c, err := net.Dial("tcp", addr)
			if err != nil {
				log.Fatal(err)
			}
			r := bufio.NewReaderSize(c, 64<<10)
			for {
				if _, err := r.ReadSlice('\n'); err != nil {
					log.Fatal(err)
				}
			}
		}()
	}
	select {}
}

func main() {
	port := flag.Int("port", 7000, "pprof; displays on the next")
	l := flag.Bool("load", false, "be displays")
	flag.Parse()
	addr := fmt.Sprintf("127.0.0.1:%d", *port+1)
	if *l {
		load(addr)
	}
	var first board
	for i := range 400 {
		first = append(first, train{number: 100 + i*3, from: "Utrecht", to: "Zwolle"})
	}
	s := new(station)
	s.now.Store(&first)
	go s.run(first)
	ln, err := net.Listen("tcp", addr)
	if err != nil {
		log.Fatal(err)
	}
	go http.ListenAndServe(fmt.Sprintf("127.0.0.1:%d", *port), nil)
	for {
		c, err := ln.Accept()
		if err != nil {
			log.Fatal(err)
		}
		go s.serve(c)
	}
}
