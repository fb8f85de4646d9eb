package tables

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"

	"github.com/valyala/fasthttp"
)

const httpTitle = "net/http against fasthttp"

// httpClients is how many connections are kept alive, each with one request at a time.
const httpClients = 8

func httpTable(ctx context.Context, p pace) (_ Table, err error) {
	t := Table{
		Name:  "http",
		Title: httpTitle,
		Text: fmt.Sprintf("CPU time a request: a handler that answers %d bytes, over %d connections on loopback that are kept alive. Server and client are this process. The bare server parses nothing and answers ready bytes: what it takes is the kernel's and the client's part, which the third column leaves out.",
			len(httpBody), httpClients),
		Columns: []string{"server", "CPU", "without the bare", "objects", "bytes"},
		Said:    "fasthttp's README: up to 6 times faster than net/http (10 times, it said for years), measured without a network.",
		Note:    "Most of a small request over a real connection is the kernel's work, which is the same for all. What is left, net/http's own work, fasthttp does for about a quarter, without an allocation. A handler that decodes a body or asks a database hides the difference.",
	}
	servers, closeAll, err := startServers(ctx)
	if err != nil {
		return Table{}, err
	}
	defer func() { err = errors.Join(err, closeAll()) }()
	cs := make([]contestant, len(servers))
	for i, s := range servers {
		cs[i] = contestant{s.name, s.ask}
	}
	costs, err := p.measure(ctx, cs)
	if err != nil {
		return Table{}, err
	}
	bare := middleOf(costs[0], cpuOf).median
	for i, c := range cs {
		cpu := middleOf(costs[i], cpuOf)
		t.Rows = append(t.Rows, []string{c.name, cpu.timed(), duration(cpu.median - bare),
			digits(middleOf(costs[i], func(c cost) float64 { return c.allocs }).median),
			size(middleOf(costs[i], func(c cost) float64 { return c.bytes }).median)})
	}
	return t, nil
}

// A webServer is a contestant on a port of its own, with its clients.
type webServer struct {
	name     string
	serve    func(net.Listener) error // until it is shut down
	shutdown func() error
	clients  []*webClient
	listener net.Listener
	served   chan error // what serve returned, once
}

// startServers starts all contestants, the bare one first. What it returns closes them.
func startServers(ctx context.Context) ([]*webServer, func() error, error) {
	servers := []*webServer{bareServer(), netServer(), fastServer()}
	for i, s := range servers {
		if err := s.start(ctx); err != nil {
			return nil, nil, errors.Join(fmt.Errorf("starting %s: %w", s.name, err), closeServers(servers[:i]))
		}
	}
	return servers, func() error { return closeServers(servers) }, nil
}

func closeServers(servers []*webServer) error {
	var err error
	for _, s := range servers {
		err = errors.Join(err, s.close())
	}
	return err
}

func (s *webServer) start(ctx context.Context) error {
	var lc net.ListenConfig
	var err error
	if s.listener, err = lc.Listen(ctx, "tcp", "127.0.0.1:0"); err != nil {
		return err
	}
	s.served = make(chan error, 1)
	go func() { s.served <- s.serve(s.listener) }()
	for range httpClients {
		c, err := dial(ctx, s.listener.Addr().String())
		if err != nil {
			return errors.Join(err, s.close())
		}
		s.clients = append(s.clients, c)
	}
	return nil
}

// close hangs up, stops the server and waits for it.
func (s *webServer) close() error {
	for _, c := range s.clients {
		_ = c.conn.Close() // before the server waits for its connections to end
	}
	err := s.shutdown()
	if served := <-s.served; !errors.Is(served, http.ErrServerClosed) && !errors.Is(served, net.ErrClosed) {
		err = errors.Join(err, served)
	}
	return err
}

// ask spreads n requests over the clients and adds up the answers.
func (s *webServer) ask(n int) (uint64, error) {
	var group sync.WaitGroup
	sums, errs := make([]uint64, len(s.clients)), make([]error, len(s.clients))
	for i, c := range s.clients {
		group.Go(func() { sums[i], errs[i] = c.ask((n + i) / len(s.clients)) })
	}
	group.Wait()
	var total uint64
	for _, sum := range sums {
		total += sum
	}
	return total, errors.Join(errs...)
}

// httpBody is the answer.
const httpBody = "the number that a buyer may see: +79161234567\n"

func netServer() *webServer {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /phone", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/plain")
		_, _ = io.WriteString(w, httpBody)
	})
	s := &http.Server{Handler: mux, ReadTimeout: askTimeout, WriteTimeout: askTimeout}
	return &webServer{name: "net/http", serve: s.Serve, shutdown: s.Close}
}

func fastServer() *webServer {
	s := &fasthttp.Server{ReadTimeout: askTimeout, WriteTimeout: askTimeout, Handler: func(c *fasthttp.RequestCtx) {
		if string(c.Path()) != "/phone" || !c.IsGet() {
			c.SetStatusCode(fasthttp.StatusNotFound)
			return
		}
		c.SetContentType("text/plain")
		c.WriteString(httpBody)
	}}
	return &webServer{name: "fasthttp", serve: s.Serve, shutdown: s.Shutdown}
}

// bareServer answers each request with the same bytes, read up to its empty line.
func bareServer() *webServer {
	answer := []byte(fmt.Sprintf("HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: %d\r\n\r\n%s",
		len(httpBody), httpBody))
	s := &webServer{name: "bare"}
	s.serve = func(l net.Listener) error {
		var conns sync.WaitGroup
		defer conns.Wait()
		for {
			conn, err := l.Accept()
			if err != nil {
				return err
			}
			conns.Go(func() { answerBare(conn, answer) })
		}
	}
	s.shutdown = func() error { return s.listener.Close() }
	return s
}

func answerBare(conn net.Conn, answer []byte) {
	defer conn.Close()
	r := bufio.NewReader(conn)
	for {
		line, err := r.ReadSlice('\n')
		if err != nil {
			return
		}
		if strings.TrimRight(string(line), "\r\n") != "" {
			continue
		}
		if _, err := conn.Write(answer); err != nil {
			return
		}
	}
}
