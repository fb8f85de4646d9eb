// Uploads takes files and passes them on: pictures to be stored, videos to be scanned. One peer does both.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"log"
	"net/http"
	"time"

	"github.com/gocasebook/casebook/lab/unseen/waits/web"
)

func newClient() *http.Client {
	var p http.Protocols
	p.SetUnencryptedHTTP2(true)
	return &http.Client{Transport: &http.Transport{Protocols: &p}, Timeout: 30 * time.Second}
}

type gateway struct {
	base            string
	quick, scanning *http.Client
}

// forward passes a body on and gives what the peer says.
func (g *gateway) forward(ctx context.Context, c *http.Client, path string, body io.Reader, n int64) (int, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, g.base+path, body)
	if err != nil {
		return 0, err
	}
	req.ContentLength = n
	resp, err := c.Do(req)
	if err != nil {
		return 0, err
	}
	defer resp.Body.Close()
	_, err = io.Copy(io.Discard, resp.Body)
	return resp.StatusCode, err
}

func (g *gateway) handle(client *http.Client, path string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		code, err := g.forward(r.Context(), client, path, r.Body, r.ContentLength)
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadGateway)
			return
		}
		w.WriteHeader(code)
	}
}

// peer stores at once. Before it scans, it looks up what it has to scan for, which takes seconds.
func peer() {
	var p http.Protocols
	p.SetUnencryptedHTTP2(true)
	mux := http.NewServeMux()
	mux.HandleFunc("/store", func(w http.ResponseWriter, r *http.Request) {
		n, _ := io.Copy(io.Discard, r.Body)
		fmt.Fprintln(w, n)
	})
	mux.HandleFunc("/scan", func(w http.ResponseWriter, r *http.Request) {
		time.Sleep(4 * time.Second)
		n, _ := io.Copy(io.Discard, r.Body)
		fmt.Fprintln(w, n)
	})
	s := &http.Server{Addr: *web.Peer, Handler: mux, Protocols: &p}
	if *web.Fixed {
		s.HTTP2 = &http.HTTP2Config{MaxReceiveBufferPerConnection: 64 << 20, MaxReceiveBufferPerStream: 4 << 20}
	}
	log.Fatal(s.ListenAndServe())
}

func main() {
	flag.Parse()
	if *web.Back {
		peer()
	}
	g := &gateway{base: "http://" + *web.Peer, quick: newClient()}
	g.scanning = g.quick
	if *web.Fixed {
		g.scanning = newClient()
	}
	mux := http.NewServeMux()
	mux.HandleFunc("/picture", g.handle(g.quick, "/store"))
	mux.HandleFunc("/video", g.handle(g.scanning, "/scan"))
	web.Serve(mux)
}
