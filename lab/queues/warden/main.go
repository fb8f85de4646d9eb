// Warden keeps tokens that end; a janitor walks through all of them.
package main

import (
	"bufio"
	"flag"
	"fmt"
	"log"
	"math/rand/v2"
	"net"
	"net/http"
	_ "net/http/pprof"
	"strings"
	"sync"
	"time"
)

type cache struct {
	m       map[string]time.Time
	removed int
	sync.Mutex
}

func (c *cache) valid(token string) bool {
	c.Lock()
	defer c.Unlock()
	until, ok := c.m[token]
	return ok && time.Now().Before(until)
}

func (c *cache) janitor(every time.Duration) {
	for now := range time.Tick(every) {
		c.Lock()
		for token, until := range c.m {
			if now.After(until) {
				delete(c.m, token)
				c.removed++
			}
		}
		c.Unlock()
	}
}

func (c *cache) serve(conn net.Conn) {
	r := bufio.NewReader(conn)
	for {
		line, err := r.ReadString('\n')
		if err != nil {
			conn.Close()
			return
		}
		fmt.Fprintln(conn, c.valid(strings.TrimSpace(line)))
	}
}

func load(addr string) {
	for range 32 {
		go func() {
			conn, err := net.Dial("tcp", addr)
			if err != nil {
				log.Fatal(err)
			}
			r := bufio.NewReader(conn)
			for {
				fmt.Fprintf(conn, "token-%d\n", rand.IntN(1_500_000))
				if _, err := r.ReadString('\n'); err != nil {
					log.Fatal(err)
				}
				time.Sleep(5 * time.Millisecond)
			}
		}()
	}
	select {}
}

func main() {
	port := flag.Int("port", 7000, "")
	l := flag.Bool("load", false, "")
	flag.Parse()
	if *l {
		load(fmt.Sprintf("127.0.0.1:%d", *port+1))
	}
	c := &cache{m: map[string]time.Time{}}
	for i := range 1_500_000 {
		c.m[fmt.Sprintf("token-%d", i)] = time.Now().Add(time.Hour + time.Duration(i)*time.Millisecond)
	}
	go c.janitor(time.Second)
	ln, err := net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", *port+1))
	if err != nil {
		log.Fatal(err)
	}
	go func() {
		for {
			conn, err := ln.Accept()
			if err != nil {
				return
			}
			go c.serve(conn)
		}
	}()
	log.Fatal(http.ListenAndServe(fmt.Sprintf("127.0.0.1:%d", *port), nil))
}
