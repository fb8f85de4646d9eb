// Sieve counts the paths in access logs, which arrive over TCP.
package main

import (
	"bufio"
	"bytes"
	"flag"
	"fmt"
	"log"
	"net"
	"net/http"
	_ "net/http/pprof"
	"strings"
	"sync"
	"time"
)

type counter struct {
	sync.Mutex
	paths  map[string]int
	errors int
}

// path is the seventh field of the combined log format, without its query.
func path(line string) string {
	fields := strings.Split(line, " ")
	if len(fields) < 9 {
		return ""
	}
	return strings.Split(fields[6], "?")[0]
}

// status is the ninth.
func status(line string) string {
	fields := strings.Split(line, " ")
	if len(fields) < 9 {
		return "000"
	}
	return fields[8]
}

func (c *counter) count(line string) {
	p, failed := path(line), status(line)[0] == '5'
	c.Lock()
	defer c.Unlock()
	c.paths[p]++
	if failed {
		c.errors++
	}
}

func (c *counter) ServeHTTP(w http.ResponseWriter, _ *http.Request) {
	c.Lock()
	defer c.Unlock()
	fmt.Fprintln(w, len(c.paths), "paths", c.errors, "errors")
}

func (c *counter) read(conn net.Conn) {
	defer conn.Close()
	for in := bufio.NewScanner(conn); in.Scan(); {
		c.count(in.Text())
	}
}

func load(addr string) {
	c, err := net.Dial("tcp", addr)
	if err != nil {
		log.Fatal(err)
	}
	var b bytes.Buffer
	for i := range 1500 {
		fmt.Fprintf(&b, "10.0.%d.%d - - [23/Nov/2026:10:00:%02d +0000] \"GET /shop/%d?ref=%d HTTP/1.1\" %d %d \"-\" "+
			"\"Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0\"\n",
			i%250, i%99, i%60, i%600, i, 200+300*(i%40/39), i*13%9000)
	}
	for {
		if _, err := c.Write(b.Bytes()); err != nil {
			log.Fatal(err)
		}
		time.Sleep(8 * time.Millisecond)
	}
}

func main() {
	port := flag.Int("port", 7000, "HTTP; logs on the next")
	l := flag.Bool("load", false, "send logs")
	flag.Parse()
	addr := fmt.Sprintf("127.0.0.1:%d", *port+1)
	if *l {
		load(addr)
	}
	c := &counter{paths: make(map[string]int)}
	http.Handle("/", c)
	go http.ListenAndServe(fmt.Sprintf("127.0.0.1:%d", *port), nil)
	ln, err := net.Listen("tcp", addr)
	if err != nil {
		log.Fatal(err)
	}
	for {
		conn, err := ln.Accept()
		if err != nil {
			log.Fatal(err)
		}
		go c.read(conn)
	}
}
