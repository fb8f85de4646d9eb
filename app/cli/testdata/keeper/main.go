// Command keeper is a service that keeps orders in a global map, and serves heap dumps to its operators. It prints the
// address of its net/http/pprof and ends with its standard input.
package main

import (
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	_ "net/http/pprof"
	"os"

	"github.com/gocasebook/casebook"
)

type order struct {
	id    int
	lines []string
	note  [100]byte
}

var orders = make(map[int]*order)

func newOrder(id int) *order { return &order{id: id, lines: make([]string, 4)} }

func main() {
	for i := range 100_000 {
		orders[i] = newOrder(i)
	}
	if len(os.Args) > 1 {
		http.Handle("/debug/casebook/heapdump", casebook.HeapDumpHandler(os.Args[1]))
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(l.Addr())
	go func() { log.Fatal(http.Serve(l, nil)) }()
	_, _ = io.Copy(io.Discard, os.Stdin)
}
