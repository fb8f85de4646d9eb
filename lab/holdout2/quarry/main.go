// Quarry shows baskets: their lines are in one table of a key-value server, what the lines are in another.
package main

import (
	"bufio"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	_ "net/http/pprof"
	"strings"
	"time"
)

type session struct {
	c net.Conn
	r *bufio.Reader
}

// store is a client with a pool. The protocol: "get TABLE KEY...\n", and a line with a value for each key.
type store struct {
	addr string
	pool chan *session
}

func (s *store) session() (*session, error) {
	select {
	case c := <-s.pool:
		return c, nil
	default:
	}
	c, err := net.Dial("tcp", s.addr)
	if err != nil {
		return nil, err
	}
	return &session{c, bufio.NewReader(c)}, nil
}

func (s *store) get(table string, keys ...string) ([]string, error) {
	c, err := s.session()
	if err != nil {
		return nil, err
	}
	if _, err := fmt.Fprintf(c.c, "get %s %s\n", table, strings.Join(keys, " ")); err != nil {
		c.c.Close()
		return nil, err
	}
	values := make([]string, len(keys))
	for i := range values {
		line, err := c.r.ReadString('\n')
		if err != nil {
			c.c.Close()
			return nil, err
		}
		values[i] = strings.TrimSuffix(line, "\n")
	}
	select {
	case s.pool <- c:
	default:
		c.c.Close()
	}
	return values, nil
}

type line struct{ Article, Title, Price string }

type shop struct{ db *store }

func (s *shop) article(id string) (line, error) {
	l := line{Article: id}
	title, err := s.db.get("title", id)
	if err != nil {
		return l, err
	}
	price, err := s.db.get("price", id)
	if err != nil {
		return l, err
	}
	l.Title, l.Price = title[0], price[0]
	return l, nil
}

func (s *shop) basket(w http.ResponseWriter, r *http.Request) {
	ids, err := s.db.get("basket", r.PathValue("id"))
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	var lines []line
	for _, id := range strings.Fields(ids[0]) {
		l, err := s.article(id)
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadGateway)
			return
		}
		lines = append(lines, l)
	}
	json.NewEncoder(w).Encode(lines)
}

// server is the other side: half a millisecond of network.
func server(c net.Conn) {
	basket := strings.TrimSpace(strings.Repeat("a17 b4 c99 d230 ", 6))
	for in := bufio.NewScanner(c); in.Scan(); {
		f := strings.Fields(in.Text())
		time.Sleep(500 * time.Microsecond)
		for _, key := range f[2:] {
			if f[1] == "basket" {
				key = basket
			}
			fmt.Fprintln(c, key)
		}
	}
}

func load(url, db string) {
	ln, err := net.Listen("tcp", db)
	if err != nil {
		log.Fatal(err)
	}
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 20}}
	for n := range 8 {
		go func() {
			for i := 0; ; i++ {
				if res, err := client.Get(fmt.Sprintf("%s/basket/%d", url, i*n)); err == nil {
					io.Copy(io.Discard, res.Body)
					res.Body.Close()
				}
				time.Sleep(40 * time.Millisecond)
			}
		}()
	}
	for {
		c, err := ln.Accept()
		if err != nil {
			log.Fatal(err)
		}
		go server(c)
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
	s := &shop{&store{addr: db, pool: make(chan *session, 32)}}
	http.HandleFunc("GET /basket/{id}", s.basket)
	log.Fatal(http.ListenAndServe(addr, nil))
}
