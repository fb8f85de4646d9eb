// Granary is bindery with sessions enough: what it must not be told of.
package main

import (
	"bufio"
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

type session struct {
	conn net.Conn
	r    *bufio.Reader
}

type desk struct {
	mu   sync.Mutex
	more *sync.Cond
	idle []*session
}

func newDesk(addr string, n int) *desk {
	d := &desk{}
	d.more = sync.NewCond(&d.mu)
	for range n {
		c, err := net.Dial("tcp", addr)
		if err != nil {
			log.Fatal(err)
		}
		d.idle = append(d.idle, &session{c, bufio.NewReader(c)})
	}
	return d
}

func (d *desk) take() *session {
	d.mu.Lock()
	defer d.mu.Unlock()
	for len(d.idle) == 0 {
		d.more.Wait()
	}
	s := d.idle[len(d.idle)-1]
	d.idle = d.idle[:len(d.idle)-1]
	return s
}

func (d *desk) put(s *session) {
	d.mu.Lock()
	d.idle = append(d.idle, s)
	d.mu.Unlock()
	d.more.Signal()
}

func (d *desk) shelf(book string) (string, error) {
	s := d.take()
	defer d.put(s)
	fmt.Fprintln(s.conn, book)
	return s.r.ReadString('\n')
}

func catalogue(l net.Listener) {
	for {
		c, err := l.Accept()
		if err != nil {
			return
		}
		go func() {
			for in := bufio.NewScanner(c); in.Scan(); {
				time.Sleep(8 * time.Millisecond)
				fmt.Fprintln(c, "shelf of", in.Text())
			}
		}()
	}
}

func load(url string) {
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 64}}
	for reader := range 40 {
		go func() {
			for i := 0; ; i++ {
				if resp, err := client.Get(fmt.Sprintf("%s/book/%d", url, reader*i)); err == nil {
					io.Copy(io.Discard, resp.Body)
					resp.Body.Close()
				}
				time.Sleep(20 * time.Millisecond)
			}
		}()
	}
	select {}
}

func main() {
	port := flag.Int("port", 7000, "")
	l := flag.Bool("load", false, "")
	flag.Parse()
	addr, back := fmt.Sprintf("127.0.0.1:%d", *port), fmt.Sprintf("127.0.0.1:%d", *port+1)
	if *l {
		load("http://" + addr)
	}
	ln, err := net.Listen("tcp", back)
	if err != nil {
		log.Fatal(err)
	}
	go catalogue(ln)
	d := newDesk(back, 32)
	http.HandleFunc("GET /book/{id}", func(w http.ResponseWriter, r *http.Request) {
		where, err := d.shelf(r.PathValue("id"))
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadGateway)
			return
		}
		io.WriteString(w, where)
	})
	log.Fatal(http.ListenAndServe(addr, nil))
}
