// Stream sends the prices of shares to browsers as server-sent events.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"time"

	"github.com/gocasebook/casebook/lab/trial/kit"
)

// longest is how long one stream lasts; browsers open the next by themselves.
const longest = 3 * time.Second

type server struct {
	bus *bus
}

func (s *server) stream(w http.ResponseWriter, r *http.Request) {
	flusher, ok := w.(http.Flusher)
	if !ok {
		http.Error(w, "streams are not possible here", http.StatusNotImplemented)
		return
	}
	w.Header().Set("Content-Type", "text/event-stream")
	symbol := r.FormValue("symbol")
	prices := make(chan price, 64)
	history := make([]price, 0, 256)          // what this browser was sent, for its chart
	s.bus.subscribe("prices", func(p price) { // trial:fault
		if p.Symbol != symbol {
			return
		}
		history = appendBounded(history, p)
		select {
		case prices <- p:
		default: // the browser is slow
		}
	})
	heartbeat := time.NewTicker(500 * time.Millisecond)
	end := time.After(longest)
	for {
		select {
		case p := <-prices:
			line, err := json.Marshal(p)
			if err != nil {
				return
			}
			fmt.Fprintf(w, "data: %s\n\n", line)
			flusher.Flush()
		case <-heartbeat.C:
			fmt.Fprint(w, ": alive\n\n")
			flusher.Flush()
		case <-end:
			return
		case <-r.Context().Done():
			return
		}
	}
}

func appendBounded(history []price, p price) []price {
	if len(history) == cap(history) {
		copy(history, history[1:])
		history = history[:len(history)-1]
	}
	return append(history, p)
}

// market publishes prices as they come.
func market(ctx context.Context, b *bus) {
	ticker := time.NewTicker(20 * time.Millisecond)
	defer ticker.Stop()
	symbols := []string{"ACME", "INIT", "HOOL", "PIED"}
	for i := 0; ; i++ {
		select {
		case <-ctx.Done():
			return
		case now := <-ticker.C:
			b.publish("prices", price{Symbol: symbols[i%len(symbols)], Cents: 1000 + rand.IntN(500), At: now})
		}
	}
}

func run(ctx context.Context, env *kit.Env) error {
	b := newBus()
	go market(ctx, b)
	s := &server{bus: b}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /stream", s.stream)
	return env.Serve(ctx, mux)
}

func main() {
	env := kit.Parse("stream")
	ctx, cancel := kit.Context()
	defer cancel()
	env.Exit(run(ctx, env))
}
