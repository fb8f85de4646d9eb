// Package conn_shared asks a store over a line protocol.
//
// The fault: all requests share one connection, under a lock.
package conn_shared

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"sync"
	"time"

	"github.com/gocasebook/casebook/lab/faults"
	"github.com/gocasebook/casebook/lab/faults/backend"
)

// A Link is a connection to the store.
type Link struct {
	conn    net.Conn
	answers *bufio.Reader
}

func open(addr string) (*Link, error) {
	c, err := net.Dial("tcp", addr)
	if err != nil {
		return nil, err
	}
	return &Link{c, bufio.NewReader(c)}, nil
}

// ask sends a line and reads one.
func (l *Link) ask(line string) (string, error) {
	if _, err := io.WriteString(l.conn, line+"\n"); err != nil {
		return "", err
	}
	return l.answers.ReadString('\n')
}

// An asker is a way to ask the store.
type asker interface {
	ask(line string) (string, error)
}

// Shared asks over one connection.
type Shared struct {
	addr string

	mu   sync.Mutex
	link *Link
}

func (s *Shared) ask(line string) (string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.connect(); err != nil {
		return "", err
	}
	return s.link.ask(line)
}

func (s *Shared) connect() (err error) {
	if s.link == nil {
		s.link, err = open(s.addr)
	}
	return err
}

// Pool asks over one of several connections.
type Pool struct{ free chan *Shared }

func newPool(addr string, n int) *Pool {
	p := &Pool{make(chan *Shared, n)}
	for range n {
		p.free <- &Shared{addr: addr}
	}
	return p
}

func (p *Pool) ask(line string) (string, error) {
	s := <-p.free
	defer func() { p.free <- s }()
	return s.ask(line)
}

// A Shop answers whether things are in stock.
type Shop struct {
	store   asker
	waiting chan struct{} // bounds the requests under way
}

// ServeHTTP answers with what the store says, or that there are too many requests.
func (s *Shop) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	select {
	case s.waiting <- struct{}{}:
		defer func() { <-s.waiting }()
	default:
		http.Error(w, "too many requests", http.StatusServiceUnavailable)
		return
	}
	answer, err := s.store.ask("item " + r.FormValue("i"))
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	fmt.Fprint(w, answer)
}

// conns is how many connections the repaired shop has: 50 requests a second of 30 ms use two.
const conns = 8

func service(underWay int, pooled bool) faults.Service {
	addr := (&backend.Lines{Delay: 30 * time.Millisecond}).Addr()
	shop := &Shop{store: &Shared{addr: addr}, waiting: make(chan struct{}, underWay)}
	if pooled {
		shop.store = newPool(addr, conns)
	}
	return faults.Service{Handler: shop, Load: []faults.Call{{Path: "/stock?i=1", PerSecond: 50}}}
}

// Fault is the kind with its variants.
func Fault() faults.Fault {
	return faults.Fault{
		Kind: "lock-held-io", Name: "conn-shared",
		Text:     "all requests share one connection to a store that answers after 30 ms",
		Culprit:  "conn_shared.(*Shared).ask",
		Faulty:   func() faults.Service { return service(50, false) },
		Repaired: func() faults.Service { return service(50, true) },
		Limit:    func() faults.Service { return service(12, false) },
		Twice:    13 * time.Second,
	}
}
