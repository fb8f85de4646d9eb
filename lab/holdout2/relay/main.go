// Relay passes TCP connections on, both ways, and counts bytes.
package main

import (
	"expvar"
	"flag"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	_ "net/http/pprof"
	"sync"
	"time"
)

var (
	open  = expvar.NewInt("open")
	bytes = expvar.NewInt("bytes")
)

func halfClose(c net.Conn) {
	if t, ok := c.(*net.TCPConn); ok {
		t.CloseWrite()
	}
}

func pipe(dst, src net.Conn, wg *sync.WaitGroup) {
	defer wg.Done()
	n, _ := io.Copy(dst, src)
	bytes.Add(n)
	halfClose(dst)
}

func pass(client net.Conn, to string) {
	open.Add(1)
	defer open.Add(-1)
	defer client.Close()
	server, err := net.DialTimeout("tcp", to, 2*time.Second)
	if err != nil {
		return
	}
	defer server.Close()
	var wg sync.WaitGroup
	wg.Add(2)
	go pipe(server, client, &wg)
	go pipe(client, server, &wg)
	wg.Wait()
}

// load is both ends: an echo, and 300 clients that talk now and then.
func load(relay, target string) {
	ln, err := net.Listen("tcp", target)
	if err != nil {
		log.Fatal(err)
	}
	for n := range 300 {
		go func() {
			c, err := net.Dial("tcp", relay)
			if err != nil {
				log.Fatal(err)
			}
			b := make([]byte, 32<<10)
			for {
				time.Sleep(time.Duration(600+n) * time.Millisecond)
				if _, err := c.Write(b); err != nil {
					log.Fatal(err)
				}
				if _, err := io.ReadFull(c, b); err != nil {
					log.Fatal(err)
				}
			}
		}()
	}
	for {
		c, err := ln.Accept()
		if err != nil {
			log.Fatal(err)
		}
		go io.Copy(c, c)
	}
}

func main() {
	port := flag.Int("port", 7000, "pprof; the relay on the next, its target on the one after")
	l := flag.Bool("load", false, "")
	flag.Parse()
	relay, target := fmt.Sprintf("127.0.0.1:%d", *port+1), fmt.Sprintf("127.0.0.1:%d", *port+2)
	if *l {
		load(relay, target)
	}
	ln, err := net.Listen("tcp", relay)
	if err != nil {
		log.Fatal(err)
	}
	go http.ListenAndServe(fmt.Sprintf("127.0.0.1:%d", *port), nil)
	for {
		c, err := ln.Accept()
		if err != nil {
			log.Fatal(err)
		}
		go pass(c, target)
	}
}
