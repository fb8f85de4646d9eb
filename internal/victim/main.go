// Command victim is a small service with net/http/pprof that falls ill on demand: the real process of the tests of
// packages instance, casebook and cli. It prints the address of its pprof endpoint and ends when its standard input
// does, so that no test leaves one behind.
package main

import (
	"errors"
	"expvar"
	"flag"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	_ "net/http/pprof"
	"os"
	"runtime"
	"sync"
	"syscall"
	"time"
)

// A node is a small object with a pointer, as a cache of boxed values holds millions of.
type node struct {
	next *node
	_    [16]byte
}

// grow makes a list of n nodes that the collector has to walk.
func grow(n int) *node {
	var list *node
	for range n {
		list = &node{next: list}
	}
	return list
}

// churn makes garbage, pausing between pieces, so that the collector runs all the time.
func churn(pause time.Duration) {
	var keep [64][]byte
	for i := 0; ; i++ {
		keep[i%len(keep)] = make([]byte, 64<<10)
		if i%64 == 0 {
			time.Sleep(pause)
		}
	}
}

// serve makes a megabyte of garbage ten times a second, as some traffic does: the collector runs twice a second.
func serve() {
	for {
		runtime.KeepAlive(make([]byte, 1<<20))
		time.Sleep(100 * time.Millisecond)
	}
}

// park starts goroutines that wait forever at one place.
func park(n int) {
	gate := make(chan struct{})
	for range n {
		go func() { <-gate }()
	}
}

// contend has two goroutines wait for each other's lock all the time, and has the runtime record that.
func contend() {
	runtime.SetMutexProfileFraction(1)
	runtime.SetBlockProfileRate(1)
	var mu sync.Mutex
	for range 2 {
		go func() {
			for {
				mu.Lock()
				time.Sleep(time.Millisecond)
				mu.Unlock()
				served.Add(1)
			}
		}()
	}
}

// finish ends the process as services end.
func finish(how string) {
	switch how {
	case "panic":
		go func() { panic("a goroutine of a handler") }()
	case "exit1":
		os.Exit(1)
	case "exit0":
		os.Exit(0)
	}
}

// listenAgain waits for an address that is in use: one that takes the place of another may find that the kernel gave
// its port to a connection of some other test meanwhile, which holds it for a minute after its end.
func listenAgain(addr string) (l net.Listener, err error) {
	for range 1500 {
		if l, err = net.Listen("tcp", addr); !errors.Is(err, syscall.EADDRINUSE) {
			break
		}
		time.Sleep(200 * time.Millisecond)
	}
	return l, err
}

// served is published at /debug/vars.
var served = expvar.NewInt("served_total")

func main() {
	listen := flag.String("listen", "127.0.0.1:0", "address of pprof")
	after := flag.Duration("after", 0, "become sick this long after the start")
	objects := flag.Int("objects", 0, "live objects with pointers, and garbage that keeps the collector busy")
	parked := flag.Int("park", 0, "goroutines that wait at one place")
	fight := flag.Bool("contend", false, "goroutines that wait for a lock, with the mutex and block profiles on")
	traffic := flag.Bool("traffic", false, "some garbage, so that the collector runs now and then")
	plant := flag.String("plant", "", "what to fill with memory: live, garbage, holes, stacks, file, anon")
	planting := flag.Int("bytes", 64<<20, "how much of it")
	end := flag.String("end", "", "how it ends when asked at /end: panic, exit1, exit0")
	flag.Parse()
	http.HandleFunc("/end", func(http.ResponseWriter, *http.Request) { finish(*end) })

	if fill := plants[*plant]; fill != nil {
		fill(*planting)
	}
	l, err := listenAgain(*listen)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(l.Addr())
	go func() {
		time.Sleep(*after)
		if *objects > 0 {
			list := grow(*objects)
			for range 2 {
				go churn(time.Millisecond)
			}
			defer runtime.KeepAlive(list)
		}
		park(*parked)
		if *traffic {
			go serve()
		}
		if *fight {
			contend()
		}
		select {}
	}()
	go func() { log.Fatal(http.Serve(l, nil)) }()
	_, _ = io.Copy(io.Discard, os.Stdin)
}
