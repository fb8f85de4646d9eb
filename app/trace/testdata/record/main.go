// Command record writes the traces of this folder: a service with known numbers of requests, calls and queries. Run it
// outside of the module, with each release:
//
//	cp main.go /tmp/record && cd /tmp/record && GOTOOLCHAIN=go1.22.12 go run main.go go1.22.trace
package main

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"runtime/trace"
	"sync"
	"time"
)

const (
	requests = 20
	queries  = 3 // a request
	secure   = 2 // TLS handshakes
)

func main() {
	out, err := os.Create(os.Args[1])
	check(err)
	check(trace.Start(out))
	serve()
	trace.Stop()
	check(out.Close())
}

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func serve() {
	database, err := net.Listen("tcp", "127.0.0.1:0")
	check(err)
	go answer(database)
	db := sql.OpenDB(connector{database.Addr().String()})
	var mu sync.Mutex
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		for i := 0; i < queries; i++ {
			_, err := db.ExecContext(r.Context(), "update")
			check(err)
		}
		mu.Lock()
		time.Sleep(time.Millisecond)
		mu.Unlock()
		fmt.Fprintln(w, "done")
	}))
	var all sync.WaitGroup
	for c := 0; c < 2; c++ {
		all.Add(1)
		go func() {
			defer all.Done()
			for i := 0; i < requests/2; i++ {
				get(http.DefaultClient, srv.URL)
			}
		}()
	}
	all.Wait()
	shakeHands()
	_, err = net.DefaultResolver.LookupHost(context.Background(), "localhost")
	check(err)
	ctx, task := trace.NewTask(context.Background(), "checkout")
	trace.WithRegion(ctx, "pay", func() { time.Sleep(5 * time.Millisecond) })
	task.End()
}

// shakeHands calls a server with TLS, each time over a connection of its own.
func shakeHands() {
	srv := httptest.NewTLSServer(http.NotFoundHandler())
	defer srv.Close()
	for i := 0; i < secure; i++ {
		get(srv.Client(), srv.URL)
		srv.Client().CloseIdleConnections()
	}
}

func get(c *http.Client, url string) {
	resp, err := c.Get(url)
	check(err)
	_, err = io.Copy(io.Discard, resp.Body)
	check(err)
	resp.Body.Close()
}

// answer is a database: a byte for a byte.
func answer(l net.Listener) {
	for {
		c, err := l.Accept()
		if err != nil {
			return
		}
		go func() {
			b := make([]byte, 1)
			for {
				if _, err := c.Read(b); err != nil {
					return
				}
				time.Sleep(200 * time.Microsecond)
				c.Write(b)
			}
		}()
	}
}

// connector and conn are a driver whose statements go over a real connection.
type connector struct{ addr string }

func (c connector) Connect(context.Context) (driver.Conn, error) {
	to, err := net.Dial("tcp", c.addr)
	return &conn{to}, err
}
func (c connector) Driver() driver.Driver { return nil }

type conn struct{ net.Conn }

func (c *conn) ExecContext(context.Context, string, []driver.NamedValue) (driver.Result, error) {
	b := []byte{1}
	if _, err := c.Write(b); err != nil {
		return nil, err
	}
	_, err := c.Read(b)
	return driver.RowsAffected(1), err
}
func (c *conn) Prepare(string) (driver.Stmt, error) { return nil, errors.New("no statements") }
func (c *conn) Begin() (driver.Tx, error)           { return nil, errors.New("no transactions") }
