// Switchyard keeps the positions of points in a store that speaks RESP, and answers over HTTP.
package main

import (
	"bufio"
	"errors"
	"flag"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	_ "net/http/pprof"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"time"
)

// resp is a client of the store.
type resp struct {
	addr string
	mu   sync.Mutex
	c    net.Conn
	r    *bufio.Reader
}

func (s *resp) do(args ...string) (string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.c == nil {
		c, err := net.DialTimeout("tcp", s.addr, time.Second)
		if err != nil {
			return "", err
		}
		s.c, s.r = c, bufio.NewReader(c)
	}
	answer, err := s.roundTrip(args)
	if err != nil {
		s.c.Close()
		s.c = nil
	}
	return answer, err
}

func (s *resp) roundTrip(args []string) (string, error) {
	var b strings.Builder
	fmt.Fprintf(&b, "*%d\r\n", len(args))
	for _, a := range args {
		fmt.Fprintf(&b, "$%d\r\n%s\r\n", len(a), a)
	}
	if _, err := io.WriteString(s.c, b.String()); err != nil {
		return "", err
	}
	return readBulk(s.r)
}

func readBulk(r *bufio.Reader) (string, error) {
	head, err := r.ReadString('\n')
	if err != nil {
		return "", err
	}
	n, err := strconv.Atoi(strings.TrimSpace(head[1:]))
	if err != nil || head[0] != '$' || n > 1<<16 {
		return "", errors.New("bad answer")
	}
	b := make([]byte, n+2)
	_, err = io.ReadFull(r, b)
	return string(b[:n]), err
}

type yard struct{ store *resp }

func (y yard) position(w http.ResponseWriter, r *http.Request) {
	v, err := y.store.do("GET", "points:"+r.PathValue("n"))
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	fmt.Fprintln(w, v)
}

func (y yard) set(w http.ResponseWriter, r *http.Request) {
	if _, err := y.store.do("SET", "points:"+r.PathValue("n"), r.FormValue("to")); err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
	}
}

// store is the other side: it answers after 2 ms, as from another zone.
func store(c net.Conn) {
	for r := bufio.NewReader(c); ; {
		head, err := r.ReadString('\n')
		if err != nil {
			return
		}
		n, _ := strconv.Atoi(strings.TrimSpace(head[1:]))
		for range n {
			if _, err := readBulk(r); err != nil {
				return
			}
		}
		time.Sleep(2 * time.Millisecond)
		io.WriteString(c, "$4\r\nleft\r\n")
	}
}

func load(url, db string) {
	ln, err := net.Listen("tcp", db)
	if err != nil {
		log.Fatal(err)
	}
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 64}}
	for n := range 30 {
		go func() {
			for i := 0; ; i++ {
				u := fmt.Sprintf("%s/points/%d", url, n*i%600)
				ask := client.Get
				if i%10 == 9 {
					ask = func(u string) (*http.Response, error) { return client.Post(u+"?to=left", "", nil) }
				}
				if res, err := ask(u); err == nil {
					io.Copy(io.Discard, res.Body)
					res.Body.Close()
				}
				time.Sleep(10 * time.Millisecond)
			}
		}()
	}
	for {
		c, err := ln.Accept()
		if err != nil {
			log.Fatal(err)
		}
		go store(c)
	}
}

func main() {
	port := flag.Int("port", 7000, "")
	l := flag.Bool("load", false, "")
	flag.Parse()
	addr, db := fmt.Sprintf("127.0.0.1:%d", *port), fmt.Sprintf("127.0.0.1:%d", *port+1)
	if *l {
		load("http://"+addr, db)
	}
	runtime.SetMutexProfileFraction(1)
	y := yard{&resp{addr: db}}
	http.HandleFunc("GET /points/{n}", y.position)
	http.HandleFunc("POST /points/{n}", y.set)
	log.Fatal(http.ListenAndServe(addr, nil))
}
