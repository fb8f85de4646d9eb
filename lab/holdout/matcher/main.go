// Matcher scans log lines for signs of attacks, with expressions that were compiled once: that is its work. Healthy.
package main

import (
	"bufio"
	"flag"
	"fmt"
	"log"
	"net"
	"net/http"
	_ "net/http/pprof"
	"regexp"
	"sync/atomic"
	"time"
)

type rule struct {
	name string
	re   *regexp.Regexp
	hits atomic.Int64
}

type scanner struct {
	rules []*rule
	lines atomic.Int64
}

func newScanner(patterns map[string]string) *scanner {
	s := &scanner{}
	for n, p := range patterns {
		s.rules = append(s.rules, &rule{name: n, re: regexp.MustCompile(p)})
	}
	return s
}

func (s *scanner) scan(line []byte) {
	s.lines.Add(1)
	for _, r := range s.rules {
		if r.re.Match(line) {
			r.hits.Add(1)
		}
	}
}

func (s *scanner) serve(c net.Conn) {
	defer c.Close()
	for sc := bufio.NewScanner(c); sc.Scan(); {
		s.scan(sc.Bytes())
	}
}

func load(addr string) {
	c, err := net.Dial("tcp", addr)
	if err != nil {
		log.Fatal(err)
	}
	for i, t := 0, time.Tick(10*time.Millisecond); ; <-t {
		for range 500 {
			i++
			fmt.Fprintf(c, "10.0.%d.%d - GET /shop/%d/../item.php?id=%d'+OR+1=1 HTTP/1.1 200 %d\n", i%250, i%13, i%77,
				i, i*31%9999)
		}
	}
}

func main() {
	port := flag.Int("port", 7000, "")
	l := flag.Bool("load", false, "")
	flag.Parse()
	feed := fmt.Sprintf("127.0.0.1:%d", *port+1)
	if *l {
		load(feed)
	}
	s := newScanner(map[string]string{
		"traversal": `(?:\.\./){1,}[a-z]+`,
		"sqli":      `(?i)('|%27)[\s+]*(or|and)[\s+]*\d+=\d+`,
		"php":       `\.php\?[a-z]+=\d+`,
		"large":     ` \d{5,}$`,
	})
	http.HandleFunc("/hits", func(w http.ResponseWriter, _ *http.Request) {
		for _, r := range s.rules {
			fmt.Fprintln(w, r.name, r.hits.Load())
		}
	})
	go func() { log.Fatal(http.ListenAndServe(fmt.Sprintf("127.0.0.1:%d", *port), nil)) }()
	ln, err := net.Listen("tcp", feed)
	if err != nil {
		log.Fatal(err)
	}
	for {
		c, err := ln.Accept()
		if err != nil {
			log.Fatal(err)
		}
		go s.serve(c)
	}
}
