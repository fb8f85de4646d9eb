package cli_test

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// A behaviour is what a hostile, sick or mistaken target does with a request.
type behaviour struct {
	name string
	do   func(c *call)
	// What the command says when the index page behaves like this, and when everything except the index page does; "":
	// not tried.
	index, beyond string
	found         bool // what it sends after the index page is a finding: so many goroutines
	slow          bool // it takes as long as the patience of the command, or minutes with the race detector
}

// A call is one request to a hostile target. The answer is written by hand: net/http's server would not allow wrong
// ones.
type call struct {
	net.Conn
	path    string
	witness string        // the address of another host, which nobody may contact
	over    chan struct{} // closed when the test ends
}

func (c *call) send(text string) bool {
	_, err := io.WriteString(c, text)
	return err == nil
}

// answer sends a whole answer.
func (c *call) answer(status, headers, body string) {
	c.send(fmt.Sprintf("HTTP/1.1 %s\r\n%sContent-Length: %d\r\n\r\n%s", status, headers, len(body), body))
}

// endlessly sends a text until the client stops reading.
func (c *call) endlessly(text string) {
	for c.send(text) {
	}
}

// hang does nothing until the client or the test gives up.
func (c *call) hang() {
	gone := make(chan struct{})
	go func() {
		defer close(gone)
		_, _ = c.Read(make([]byte, 1)) // ends when the client disconnects
	}()
	select {
	case <-gone:
	case <-c.over:
		_ = c.Close()
		<-gone
	}
}

// drip sends a byte at a time.
func (c *call) drip() {
	tick := time.NewTicker(50 * time.Millisecond)
	defer tick.Stop()
	for c.send(" ") {
		select {
		case <-tick.C:
		case <-c.over:
			return
		}
	}
}

// goodIndex is a page as net/http/pprof writes it.
const goodIndex = `<html><body><table><tr><td>12</td><td><a href='goroutine?debug=1'>goroutine</a></td></tr>
<tr><td>7</td><td><a href='heap?debug=1'>heap</a></td></tr><tr><td>3</td><td><a href='mutex?debug=1'>mutex</a></td></tr>
<tr><td>9</td><td><a href='threadcreate?debug=1'>threadcreate</a></td></tr></table></body></html>`

// A hostile is a target that behaves in one way, and is well as long as well is true.
type hostile struct {
	behaviour
	url     string
	well    atomic.Bool // its index page is good
	witness string
	over    chan struct{}
}

// newHostile listens on loopback. well says where the index behaves.
func newHostile(t *testing.T, b behaviour, witness string, well bool) *hostile {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	h := &hostile{behaviour: b, url: "http://" + l.Addr().String(), witness: witness, over: make(chan struct{})}
	h.well.Store(well)
	var conns sync.WaitGroup
	conns.Go(func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			conns.Go(func() { h.serve(c) })
		}
	})
	t.Cleanup(func() {
		close(h.over)
		_ = l.Close()
		conns.Wait()
	})
	return h
}

// serve answers requests until the connection cannot be used any more.
func (h *hostile) serve(c net.Conn) {
	defer c.Close()
	stop := make(chan struct{})
	defer close(stop)
	go func() {
		select {
		case <-h.over:
			_ = c.Close()
		case <-stop:
		}
	}()
	in := bufio.NewReader(c)
	for {
		req, err := http.ReadRequest(in)
		if err != nil {
			return
		}
		one := &call{Conn: c, path: req.URL.Path, witness: h.witness, over: h.over}
		if h.well.Load() && strings.HasSuffix(req.URL.Path, "/debug/pprof/") {
			one.answer("200 OK", "Content-Type: text/html\r\n", goodIndex)
			continue
		}
		h.do(one)
		return
	}
}

// A witness is a host that nobody may contact. It counts who does.
func newWitness(t *testing.T) (addr string, asked *atomic.Int64) {
	t.Helper()
	asked = new(atomic.Int64)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		asked.Add(1)
		fmt.Fprint(w, goodIndex)
	}), ReadHeaderTimeout: time.Minute}
	go func() { _ = s.Serve(l) }() // ends with Close
	t.Cleanup(func() { _ = s.Close() })
	return l.Addr().String(), asked
}
