// Visitors serves articles, of which each visitor may read so many a minute.
package main

import (
	"flag"
	"fmt"
	"log"
	"net/http"
	_ "net/http/pprof"
	"strings"
	"sync"
	"time"

	"golang.org/x/time/rate"

	"github.com/gocasebook/casebook/lab/unseen/third/form"
	"github.com/gocasebook/casebook/lab/unseen/third/web"
)

// visitor is what is known of an address.
type visitor struct {
	limit *rate.Limiter
	last  time.Time
	agent string
	reads [40]time.Time
	next  int
}

type gate struct {
	mu       sync.Mutex
	visitors map[string]*visitor
}

func (g *gate) admit(address, agent string) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	v, ok := g.visitors[address]
	if !ok {
		v = &visitor{limit: rate.NewLimiter(rate.Every(time.Second), 60), agent: strings.Clone(agent)}
		g.visitors[address] = v
	}
	v.last = time.Now()
	v.reads[v.next%len(v.reads)] = v.last
	v.next++
	return v.limit.Allow()
}

// forget drops who has not come for a while.
func (g *gate) forget(after time.Duration) {
	for range time.Tick(after) {
		g.mu.Lock()
		for address, v := range g.visitors {
			if time.Since(v.last) > after {
				delete(g.visitors, address)
			}
		}
		g.mu.Unlock()
	}
}

func (g *gate) article(w http.ResponseWriter, r *http.Request) {
	address, _, _ := strings.Cut(r.Header.Get("X-Forwarded-For"), ",")
	if !g.admit(address, r.UserAgent()) {
		http.Error(w, "slow down", http.StatusTooManyRequests)
		return
	}
	fmt.Fprintf(w, "article %s\n%s", r.PathValue("id"), strings.Repeat("some words of it. ", 60))
}

func main() {
	flag.Parse()
	g := &gate{visitors: make(map[string]*visitor)}
	if form.Fixed {
		go g.forget(5 * time.Second)
	}
	http.HandleFunc("GET /articles/{id}", g.article)
	log.Fatal(http.ListenAndServe(*web.Addr, nil))
}
