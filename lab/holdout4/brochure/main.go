// Brochure serves the printed catalogues of a furniture house: documents that change a few times a year.
package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"net/http"
	_ "net/http/pprof"
	"os"
	"os/signal"
	"sync"
	"time"

	"github.com/gocasebook/casebook/lab/holdout4/brochure/etag"
	"github.com/gocasebook/casebook/lab/holdout4/internal/drive"
)

type document struct {
	title   string
	edition int
	content []byte
}

// shelf has the current edition of each document.
type shelf struct {
	mu   sync.RWMutex
	docs map[string]*document
}

func (s *shelf) Content(path string) ([]byte, string, bool) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	d, ok := s.docs[path]
	if !ok {
		return nil, "", false
	}
	return d.content, "application/pdf", true
}

func (s *shelf) publish(path string, d *document) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.docs[path] = d
}

// editor publishes a new edition now and then.
func (s *shelf) editor(ctx context.Context) {
	tick := time.NewTicker(20 * time.Second)
	defer tick.Stop()
	for edition := 2; ; edition++ {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			n := edition % documents
			s.publish(path(n), newDocument(n, edition))
		}
	}
}

const documents = 60

func path(n int) string { return fmt.Sprintf("/catalogues/%02d.pdf", n) }

func newDocument(n, edition int) *document {
	d := &document{title: fmt.Sprintf("Catalogue %d", n), edition: edition}
	d.content = make([]byte, 300<<10+n*9000)
	rnd := rand.New(rand.NewPCG(uint64(n), uint64(edition)))
	for i := range d.content {
		d.content[i] = byte(rnd.Uint32())
	}
	copy(d.content, "%PDF-1.7\n")
	return d
}

// logged writes a line for what failed or took long.
func logged(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		start := time.Now()
		next.ServeHTTP(w, r)
		if d := time.Since(start); d > time.Second {
			slog.Warn("slow", "path", r.URL.Path, "took", d)
		}
	})
}

// load is readers who mostly have the document already: every request but one in thirty asks for what is new.
func load(p drive.Ports) {
	tags := make([]string, documents)
	for n := range tags {
		tags[n] = etag.Of(newDocument(n, 1).content)
	}
	drive.HTTP(320, func(i int) *http.Request {
		n := rand.IntN(documents)
		req := drive.Get(p.Main(), "%s", path(n))
		if i%30 != 0 {
			req.Header.Set("If-None-Match", tags[n])
		}
		return req
	})
}

func main() {
	p := drive.Flags()
	if p.Load {
		load(p)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	s := &shelf{docs: map[string]*document{}}
	for n := range documents {
		s.publish(path(n), newDocument(n, 1))
	}
	go s.editor(ctx)
	http.Handle("/catalogues/", logged(etag.Handler{Source: s, MaxAge: "60"}))
	srv := &http.Server{Addr: p.Main(), ReadHeaderTimeout: 5 * time.Second}
	go func() {
		<-ctx.Done()
		srv.Close()
	}()
	if err := srv.ListenAndServe(); !errors.Is(err, http.ErrServerClosed) {
		slog.Error("serving", "err", err)
		os.Exit(1)
	}
}
