// The repaired twin: the channel has room for every answer. Beside it an HTTP server with 1,200 idle connections.
package main

import (
	"fmt"
	"net"
	"net/http"
	"os"
	"time"

	"github.com/gocasebook/casebook/diagnose/testdata/programs/service"
)

func ask(backend int, answers chan<- int) {
	time.Sleep(time.Duration(backend+1) * 5 * time.Millisecond)
	answers <- backend
}

func first() int {
	answers := make(chan int, 2)
	for b := range 2 {
		go ask(b, answers)
	}
	return <-answers
}

// idleConnections opens connections to a server of this process and keeps them after one request each.
func idleConnections(n int) []net.Conn {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	go http.Serve(l, http.NotFoundHandler())
	var conns []net.Conn
	for range n {
		c, err := net.Dial("tcp", l.Addr().String())
		if err != nil {
			break
		}
		fmt.Fprint(c, "GET / HTTP/1.1\r\nHost: a\r\n\r\n")
		conns = append(conns, c)
	}
	return conns
}

func main() {
	conns := idleConnections(1200)
	go service.Load(2000, func(int) { go first() })
	service.Run()
	_ = conns
}
