// Hits counts the views of articles of a newspaper.
package main

import (
	"encoding/json"
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

type stat struct {
	Views int
	Last  time.Time
}

// Counter is safe for many goroutines.
type Counter struct{ m sync.Map }

func (c *Counter) Hit(article string, at time.Time) {
	s := stat{1, at}
	if v, ok := c.m.Load(article); ok {
		s.Views += v.(stat).Views
	}
	c.m.Store(article, s)
}

func (c *Counter) Top() map[string]stat {
	out := map[string]stat{}
	c.m.Range(func(k, v any) bool {
		if v.(stat).Views > 1000 {
			out[k.(string)] = v.(stat)
		}
		return true
	})
	return out
}

// listen reads articles' numbers, four bytes each, from as many connections as come.
func (c *Counter) listen(ln net.Listener) {
	for {
		conn, err := ln.Accept()
		if err != nil {
			log.Fatal(err)
		}
		go func() {
			defer conn.Close()
			buf := make([]byte, 4096)
			for {
				if _, err := io.ReadFull(conn, buf); err != nil {
					return
				}
				now := time.Now()
				for i := 0; i+4 <= len(buf); i += 4 {
					c.Hit(string(buf[i:i+4]), now)
				}
			}
		}()
	}
}

func load(addr string) {
	for w := range 4 {
		go func() {
			conn, err := net.Dial("tcp", addr)
			if err != nil {
				log.Fatal(err)
			}
			buf, k := make([]byte, 4096), uint32(w)
			for range time.Tick(2 * time.Millisecond) {
				for i := 0; i+4 <= len(buf); i += 4 {
					k = k*1664525 + 1013904223
					n := (k >> 8) % 3000
					copy(buf[i:], fmt.Sprintf("%04d", n))
				}
				conn.Write(buf)
			}
		}()
	}
	select {}
}

func main() {
	port := flag.Int("port", 7000, "")
	l := flag.Bool("load", false, "")
	flag.Parse()
	feed := fmt.Sprintf("127.0.0.1:%d", *port+1)
	if *l {
		load(feed)
	}
	c := &Counter{}
	ln, err := net.Listen("tcp", feed)
	if err != nil {
		log.Fatal(err)
	}
	go c.listen(ln)
	http.HandleFunc("/top", func(w http.ResponseWriter, _ *http.Request) { json.NewEncoder(w).Encode(c.Top()) })
	log.Fatal(http.ListenAndServe(fmt.Sprintf("127.0.0.1:%d", *port), nil))
}
