// Frontdoor limits how often each client may call the API behind it.
package main

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	_ "net/http/pprof"
	"os"
	"strings"
	"sync"
	"time"

	"golang.org/x/time/rate"

	"github.com/gocasebook/casebook/lab/holdout3/internal/drive"
)

type visitor struct {
	limiter  *rate.Limiter
	lastSeen time.Time
}

// visitors has a limiter for each client address seen within the last minutes.
type visitors struct {
	mu    sync.Mutex
	known map[string]*visitor
	idle  time.Duration
}

func (v *visitors) get(ip string) *rate.Limiter {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.evict()
	known, ok := v.known[ip]
	if !ok {
		known = &visitor{limiter: rate.NewLimiter(20, 40)}
		v.known[ip] = known
	}
	known.lastSeen = time.Now()
	return known.limiter
}

// evict forgets clients that were idle.
func (v *visitors) evict() {
	for ip, known := range v.known {
		if time.Since(known.lastSeen) > v.idle {
			delete(v.known, ip)
		}
	}
}

func clientIP(r *http.Request) string {
	if forwarded := r.Header.Get("X-Forwarded-For"); forwarded != "" {
		first, _, _ := strings.Cut(forwarded, ",")
		return strings.TrimSpace(first)
	}
	host, _, _ := net.SplitHostPort(r.RemoteAddr)
	return host
}

func (v *visitors) limit(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !v.get(clientIP(r)).Allow() {
			w.Header().Set("Retry-After", "1")
			http.Error(w, "slow down", http.StatusTooManyRequests)
			return
		}
		next.ServeHTTP(w, r)
	})
}

type article struct {
	ID     int      `json:"id"`
	Title  string   `json:"title"`
	Body   string   `json:"body"`
	Tags   []string `json:"tags"`
	Author struct {
		Name string `json:"name"`
		Bio  string `json:"bio"`
	} `json:"author"`
}

type newsroom []article

func publish(n int) newsroom {
	var room newsroom
	for i := range n {
		a := article{ID: i, Title: fmt.Sprintf("Article %d", i), Tags: []string{"news", "local", "sports"}}
		a.Body = strings.Repeat("The council met on Tuesday to discuss the <new> bridge. ", 12)
		a.Author.Name, a.Author.Bio = "Jo Vermeer", "Writes about towns & rivers."
		room = append(room, a)
	}
	return room
}

func (n newsroom) page(w http.ResponseWriter, r *http.Request) {
	var first int
	fmt.Sscan(r.PathValue("page"), &first)
	first = first * 10 % len(n)
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(n[first:min(first+10, len(n))])
}

func load(p drive.Ports) {
	drive.HTTP(900, func(i int) *http.Request {
		req := drive.Get(p.Main(), "/articles/%d", i%30)
		client := i * 31 % 6000
		req.Header.Set("X-Forwarded-For", fmt.Sprintf("10.%d.%d.7, 192.0.2.1", client/250, client%250))
		return req
	})
}

func main() {
	p := drive.Flags()
	if p.Load {
		load(p)
	}
	v := &visitors{known: make(map[string]*visitor), idle: 3 * time.Minute}
	room := publish(300)
	http.Handle("GET /articles/{page}", v.limit(http.HandlerFunc(room.page)))
	slog.Error("ended", "error", http.ListenAndServe(p.Main(), nil))
	os.Exit(1)
}
