// Agents answers the agents that run on the machines of customers, of which it admits so many connections at once.
package main

import (
	"flag"
	"fmt"
	"log"
	"net"
	"net/http"
	"sync"
	"time"

	"golang.org/x/net/netutil"

	"github.com/gocasebook/casebook/lab/unseen/third/form"
	"github.com/gocasebook/casebook/lab/unseen/third/web"
)

var public = flag.String("public", "127.0.0.1:7950", "where agents connect")

type fleet struct {
	mu   sync.Mutex
	seen map[string]time.Time
}

func (f *fleet) heartbeat(w http.ResponseWriter, r *http.Request) {
	f.mu.Lock()
	f.seen[r.PathValue("agent")] = time.Now()
	f.mu.Unlock()
	fmt.Fprintln(w, "ok")
}

func (f *fleet) settings(w http.ResponseWriter, r *http.Request) {
	time.Sleep(3 * time.Millisecond)
	fmt.Fprintf(w, `{"agent": %q, "interval": "20s"}`, r.PathValue("agent"))
}

func (f *fleet) serve() error {
	l, err := net.Listen("tcp", *public)
	if err != nil {
		return err
	}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /agents/{agent}", f.heartbeat)
	mux.HandleFunc("GET /agents/{agent}/settings", f.settings)
	s := &http.Server{Handler: web.Counted(mux)}
	if form.Fixed {
		s.IdleTimeout = 2 * time.Second
	}
	return s.Serve(netutil.LimitListener(l, 64))
}

func main() {
	flag.Parse()
	f := &fleet{seen: make(map[string]time.Time)}
	go func() { log.Fatal(http.ListenAndServe(*web.Addr, web.Debug())) }()
	log.Fatal(f.serve())
}
