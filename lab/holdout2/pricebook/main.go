// Pricebook serves prices over a line protocol ("GET sku", "SET sku cents", "REPORT") for tills and for the office.
package main

import (
	"bufio"
	"flag"
	"fmt"
	"log"
	"math"
	"net"
	"net/http"
	_ "net/http/pprof"
	"runtime"
	"strings"
	"sync"
	"time"
)

type entry struct {
	cents   int64
	changed int64
}

type book struct {
	sync.RWMutex
	prices map[string]entry
}

func (b *book) get(sku string) int64 {
	b.RLock()
	defer b.RUnlock()
	return b.prices[sku].cents
}

func (b *book) set(sku string, cents int64) {
	b.Lock()
	b.prices[sku] = entry{cents, time.Now().Unix()}
	b.Unlock()
}

// report is the spread of the prices, for the office.
func (b *book) report() string {
	b.RLock()
	defer b.RUnlock()
	var n, sum, squares float64
	for _, e := range b.prices {
		l := math.Log(float64(e.cents + 1))
		n, sum, squares = n+1, sum+l, squares+l*l
	}
	mean := sum / n
	return fmt.Sprintf("n=%.0f mean=%.3f sd=%.3f", n, mean, math.Sqrt(squares/n-mean*mean))
}

func (b *book) answer(line string) string {
	verb, rest, _ := strings.Cut(line, " ")
	switch verb {
	case "GET":
		return fmt.Sprint(b.get(rest))
	case "SET":
		var sku string
		var cents int64
		fmt.Sscan(rest, &sku, &cents)
		b.set(sku, cents)
		return "OK"
	case "REPORT":
		return b.report()
	}
	return "ERR"
}

func (b *book) talk(c net.Conn) {
	defer c.Close()
	for in := bufio.NewScanner(c); in.Scan(); {
		if _, err := fmt.Fprintln(c, b.answer(in.Text())); err != nil {
			return
		}
	}
}

// client asks what next says, again and again.
func client(addr string, pause time.Duration, next func(i int) string) {
	c, err := net.Dial("tcp", addr)
	if err != nil {
		log.Fatal(err)
	}
	in := bufio.NewReader(c)
	for i := 0; ; i++ {
		fmt.Fprintln(c, next(i))
		if _, err := in.ReadString('\n'); err != nil {
			log.Fatal(err)
		}
		time.Sleep(pause)
	}
}

func load(addr string) {
	for till := range 30 {
		go client(addr, 10*time.Millisecond, func(i int) string { return fmt.Sprintf("GET sku-%d", i*37+till) })
	}
	go client(addr, 5*time.Millisecond, func(i int) string { return fmt.Sprintf("SET sku-%d %d", i%5000, i) })
	client(addr, 150*time.Millisecond, func(int) string { return "REPORT" })
}

func main() {
	port := flag.Int("port", 7000, "pprof; prices on the next")
	l := flag.Bool("load", false, "be tills and office")
	flag.Parse()
	addr := fmt.Sprintf("127.0.0.1:%d", *port+1)
	if *l {
		load(addr)
	}
	runtime.SetMutexProfileFraction(5)
	runtime.SetBlockProfileRate(1e6)
	b := &book{prices: make(map[string]entry)}
	for i := range 600_000 {
		b.prices[fmt.Sprintf("sku-%d", i)] = entry{cents: int64(i%9973) * 5}
	}
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
		go b.talk(c)
	}
}
