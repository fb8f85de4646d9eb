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

	"github.com/gocasebook/casebook/internal/number"
)

const httpTitle = "net/http against fasthttp"

// httpClients is how many connections are kept alive, each with one request at a time.
const httpClients = 8

func httpTable(ctx context.Context, p pace) (_ Table, err error) {
	t := Table{
		Name:  "http",
		Title: httpTitle,
		Text: fmt.Sprintf("CPU time a request: a handler that answers %d bytes, over %d connections on loopback that "+
			"are kept alive. Server and client are this process. The bare server parses nothing and answers ready "+
			"bytes: what it takes is the kernel's and the client's part, which the third column leaves out. The "+
			"fourth is requests a second on all CPUs; the last, whether a connection that begins with HTTP/2 is "+
			"answered in it.",
			len(httpBody), httpClients),
		Columns: []string{"server", "CPU", "own work", "a second", "objects", "bytes", "HTTP/2"},
		Said: "fasthttp's README: up to 6 times faster than net/http (10 times, it said for years), measured " +
			"without a network. The article: 250,000 requests a second with fasthttp and 190,000 with net/http on 16 " +
			"cores; no HTTP/2 and no WebSocket in fasthttp.",
		Note: "Most of a small request over a real connection is the kernel's work, which is the same for all. What " +
			"is left, net/http's own work, fasthttp does for about a quarter, without an allocation. A handler that " +
			"decodes a body or asks a database hides the difference. WebSocket is in neither: packages beside both " +
			"take the connection over by Hijack.",
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
	asked := make([]askedServer, len(cs))
	for i, c := range cs {
		cpu := middleOf(costs[i], cpuOf)
		a := askedServer{name: c.name, cpu: cpu.median, own: cpu.median - bare,
			rate: 1e9 / middleOf(costs[i], wallOf).median}
		if a.http2, err = speaksHTTP2(ctx, servers[i].listener.Addr().String()); err != nil {
			return Table{}, fmt.Errorf("asking %s for HTTP/2: %w", c.name, err)
		}
		asked[i] = a
		t.Rows = append(t.Rows, []string{c.name, cpu.timed(), duration(a.own), number.Count(a.rate),
			number.Digits(middleOf(costs[i], func(c cost) float64 { return c.allocs }).median),
			number.Bytes(middleOf(costs[i], func(c cost) float64 { return c.bytes }).median), yesNo(a.http2)})
	}
	t.Holds = httpHolds(asked[1], asked[2])
	return t, nil
}

// An askedServer is what a request cost one server: CPU, in ns, and that without the bare server's.
type askedServer struct {
	name           string
	cpu, own, rate float64
	http2          bool
}

// httpHolds compares net/http with fasthttp.
func httpHolds(std, fast askedServer) string {
	said := "No longer true"
	switch {
	case std.own >= near*fast.own && std.cpu >= near*fast.cpu:
		said = "Still true"
	case std.own >= near*fast.own:
		said = "True of the server's own work"
	}
	two := "Neither speaks HTTP/2"
	switch {
	case std.http2 && !fast.http2:
		two = "It still lacks HTTP/2, which net/http has"
	case fast.http2:
		two = "It speaks HTTP/2 today"
	}
	return fmt.Sprintf("%s: in its own work fasthttp is %s, with the kernel's %s; it answers %s times as many "+
		"requests a second, where the "+
		"article's figures are 1.3. %s.", said, timesAs(std.own, fast.own), timesAs(std.cpu,
		fast.cpu),
		number.Digits(fast.rate/std.rate), two)
}

func yesNo(v bool) string {
	if v {
		return "yes"
	}
	return "no"
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
	var protocols http.Protocols
	protocols.SetHTTP1(true)
	protocols.SetUnencryptedHTTP2(true)
	s := &http.Server{Handler: mux, ReadTimeout: askTimeout, WriteTimeout: askTimeout, Protocols: &protocols}
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
