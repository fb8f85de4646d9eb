// Carbon counts what its clients do, and sends all counters to Graphite eight times a second, over TLS: a line each, as
// the plaintext protocol wants it.
package main

import (
	"bufio"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"io"
	"log"
	"math/big"
	"net"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"github.com/gocasebook/casebook/lab/modules/serve"
)

type registry struct {
	mu       sync.RWMutex
	counters map[string]*atomic.Int64
}

func (r *registry) inc(name string) {
	r.mu.RLock()
	c := r.counters[name]
	r.mu.RUnlock()
	if c == nil {
		r.mu.Lock()
		if c = r.counters[name]; c == nil {
			c = new(atomic.Int64)
			r.counters[name] = c
		}
		r.mu.Unlock()
	}
	c.Add(1)
}

type graphite struct {
	conn   io.Writer
	prefix string
	r      *registry
}

func (g *graphite) flush(now time.Time) error {
	g.r.mu.RLock()
	defer g.r.mu.RUnlock()
	for name, c := range g.r.counters {
		if _, err := fmt.Fprintf(g.conn, "%s.%s.count %d %d\n", g.prefix, name, c.Load(), now.Unix()); err != nil {
			return err
		}
	}
	return nil
}

func (g *graphite) run(every time.Duration) {
	for now := range time.Tick(every) {
		if err := g.flush(now); err != nil {
			log.Fatal(err)
		}
	}
}

func start(o serve.Options) error {
	conn, err := tls.Dial("tcp", o.Backend, &tls.Config{InsecureSkipVerify: true}) // the carbon of this machine
	if err != nil {
		return err
	}
	r := &registry{counters: map[string]*atomic.Int64{}}
	for i := range 60_000 {
		r.inc(fmt.Sprintf("tenant%d.%s", i/10, []string{"reads", "writes", "errors", "hits", "misses"}[i%5]))
	}
	g := &graphite{conn: conn, prefix: "prod.edge.host17", r: r}
	if o.Kind == "buffered" {
		w := bufio.NewWriter(conn)
		g.conn = w
		go func() {
			for range time.Tick(time.Second) { // the rest of the last flush
				r.mu.Lock()
				w.Flush()
				r.mu.Unlock()
			}
		}()
	}
	go g.run(130 * time.Millisecond)
	http.HandleFunc("/", func(w http.ResponseWriter, req *http.Request) {
		r.inc("tenant" + req.FormValue("t") + ".reads")
		io.WriteString(w, "ok")
	})
	return nil
}

func backend() (string, func(), error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return "", nil, err
	}
	ca := &x509.Certificate{SerialNumber: big.NewInt(1), NotAfter: time.Now().Add(24 * time.Hour),
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}}
	der, err := x509.CreateCertificate(rand.Reader, ca, ca, &key.PublicKey, key)
	if err != nil {
		return "", nil, err
	}
	l, err := tls.Listen("tcp", "127.0.0.1:0", &tls.Config{
		Certificates: []tls.Certificate{{Certificate: [][]byte{der}, PrivateKey: key}}})
	if err != nil {
		return "", nil, err
	}
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go io.Copy(io.Discard, c)
		}
	}()
	return l.Addr().String(), func() { l.Close() }, nil
}

func main() {
	serve.Run(serve.Service{Start: start, Rate: 200, Backend: backend,
		Path: func(i int) string { return fmt.Sprint("/?t=", i%2000) }})
}
