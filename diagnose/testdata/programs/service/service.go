// Package service is what the faulty programs and their healthy twins share: a pprof listener and load at a pace.
package service

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/pprof"
	"os"
	"time"
)

// Run serves net/http/pprof on a free port of the loopback, prints its URL, and returns when stdin is closed: a program
// cannot outlive its recorder.
func Run() {
	mux := http.NewServeMux()
	mux.HandleFunc("/debug/pprof/", pprof.Index)
	mux.HandleFunc("/debug/pprof/profile", pprof.Profile)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	go http.Serve(l, mux)
	fmt.Printf("http://%s/debug/pprof/\n", l.Addr())
	io.Copy(io.Discard, os.Stdin)
}

// Load calls handle for request after request at a rate, in one goroutine. It does not catch up on more than a second:
// on a slow machine the rate falls.
func Load(perSecond int, handle func(i int)) {
	start := time.Now()
	for i := 0; ; i++ {
		due := start.Add(time.Duration(i) * time.Second / time.Duration(perSecond))
		if late := time.Since(due); late > time.Second {
			start = start.Add(late)
		} else if late < 0 {
			time.Sleep(-late)
		}
		handle(i)
	}
}
