// Digest counts what users do and makes a summary of it every half minute.
package main

import (
	"cmp"
	"context"
	"encoding/json"
	"net/http"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/gocasebook/casebook/lab/trial/kit"
)

// maxPages bounds what is counted; what comes beyond counts as "other".
const maxPages = 50_000

type count struct {
	Page string `json:"page"`
	N    int    `json:"n"`
}

// A counter counts visits until the next summary.
type counter struct {
	mu    sync.Mutex // guards pages
	pages map[string]int

	summary atomic.Pointer[[]count]
}

func (c *counter) visit(page string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if _, known := c.pages[page]; !known && len(c.pages) >= maxPages {
		page = "other"
	}
	c.pages[page]++
}

// summarize keeps the hundred most visited pages and begins anew.
func (c *counter) summarize() {
	c.mu.Lock()
	pages := c.pages
	c.pages = make(map[string]int)
	c.mu.Unlock()
	all := make([]count, 0, len(pages))
	for page, n := range pages {
		all = append(all, count{page, n})
	}
	slices.SortFunc(all, func(a, b count) int { return cmp.Or(cmp.Compare(b.N, a.N), cmp.Compare(a.Page, b.Page)) })
	all = slices.Clone(all[:min(100, len(all))])
	c.summary.Store(&all)
}

func (c *counter) every(ctx context.Context, period time.Duration) {
	ticker := time.NewTicker(period)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
			c.summarize()
		}
	}
}

func run(ctx context.Context, env *kit.Env) error {
	c := &counter{pages: make(map[string]int)}
	c.summary.Store(new([]count))
	go c.every(ctx, 30*time.Second)
	mux := http.NewServeMux()
	mux.HandleFunc("POST /visits", func(w http.ResponseWriter, r *http.Request) {
		var batch []string
		if err := json.NewDecoder(http.MaxBytesReader(w, r.Body, 1<<20)).Decode(&batch); err != nil {
			http.Error(w, "not a list of pages", http.StatusBadRequest)
			return
		}
		for _, page := range batch {
			c.visit(page)
		}
		w.WriteHeader(http.StatusAccepted)
	})
	mux.HandleFunc("GET /summary", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(c.summary.Load())
	})
	return env.Serve(ctx, env.Instrument(mux))
}

func main() {
	env := kit.Parse("digest")
	ctx, cancel := kit.Context()
	defer cancel()
	env.Exit(run(ctx, env))
}
