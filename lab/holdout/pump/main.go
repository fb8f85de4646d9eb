// Pump moves readings of sensors from a TCP stream to hourly sums. A sensor that is silent for a minute is given up.
package main

import (
	"bufio"
	"flag"
	"fmt"
	"net"
	"net/http"
	_ "net/http/pprof"
	"os"
	"strconv"
	"strings"
	"time"
)

const patience = time.Minute

type reading struct {
	sensor int
	value  float64
}

type pump struct {
	in   chan reading
	quit chan struct{}
	sums [256]float64
	seen [256]int
}

func newPump() *pump {
	return &pump{in: make(chan reading, 512), quit: make(chan struct{})}
}

func (p *pump) run() {
	for {
		select {
		case r := <-p.in:
			p.sums[r.sensor&255] += r.value
			p.seen[r.sensor&255]++
		case <-time.After(patience):
			fmt.Fprintln(os.Stderr, "silence")
		case <-p.quit:
			return
		}
	}
}

func parse(line string) (reading, bool) {
	id, v, ok := strings.Cut(line, " ")
	if !ok {
		return reading{}, false
	}
	n, err1 := strconv.Atoi(id)
	f, err2 := strconv.ParseFloat(v, 64)
	return reading{n, f}, err1 == nil && err2 == nil
}

func (p *pump) read(c net.Conn) {
	defer c.Close()
	for sc := bufio.NewScanner(c); sc.Scan(); {
		if r, ok := parse(sc.Text()); ok {
			p.in <- r
		}
	}
}

func load(addr string) {
	c, err := net.Dial("tcp", addr)
	if err != nil {
		os.Exit(1)
	}
	var b strings.Builder
	for i := 0; i < 4000; i++ {
		fmt.Fprintf(&b, "%d %.3f\n", i%97, float64(i*i%1013)/7)
	}
	for t := range time.NewTicker(6 * time.Millisecond).C {
		_ = t
		if _, err := c.Write([]byte(b.String())); err != nil {
			os.Exit(0)
		}
	}
}

func main() {
	port := flag.Int("port", 7000, "pprof; readings on the next one")
	l := flag.Bool("load", false, "send readings")
	flag.Parse()
	addr := "127.0.0.1:" + strconv.Itoa(*port+1)
	if *l {
		load(addr)
	}
	p := newPump()
	go p.run()
	go http.ListenAndServe("127.0.0.1:"+strconv.Itoa(*port), nil)
	ln, err := net.Listen("tcp", addr)
	if err != nil {
		panic(err)
	}
	for {
		c, err := ln.Accept()
		if err != nil {
			panic(err)
		}
		go p.read(c)
	}
}
