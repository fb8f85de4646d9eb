// Notifications: a page asks for the next message to its user and gets it, or nothing after a moment.
package main

import (
	"flag"
	"io"
	"log"
	"net/http"
	_ "net/http/pprof"
	"time"

	"github.com/redis/go-redis/v9"
)

type server struct {
	rdb   *redis.Client
	wait  time.Duration
	close bool
}

func (s *server) events(w http.ResponseWriter, r *http.Request) {
	ctx := r.Context()
	sub := s.rdb.Subscribe(ctx, "user:"+r.PathValue("user"))
	if s.close {
		defer sub.Close()
	}
	messages := sub.Channel()
	late := time.NewTimer(s.wait)
	defer late.Stop()
	select {
	case m := <-messages:
		w.Header().Set("Content-Type", "application/json")
		io.WriteString(w, m.Payload)
	case <-late.C:
		w.WriteHeader(http.StatusNoContent)
	case <-ctx.Done():
	}
}

func (s *server) notify(w http.ResponseWriter, r *http.Request) {
	text, err := io.ReadAll(io.LimitReader(r.Body, 64<<10))
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	if err := s.rdb.Publish(r.Context(), "user:"+r.PathValue("user"), text).Err(); err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	w.WriteHeader(http.StatusAccepted)
}

func main() {
	addr := flag.String("addr", "127.0.0.1:8303", "address to serve on")
	back := flag.String("redis", "127.0.0.1:6399", "address of Redis")
	fixed := flag.Bool("fixed", false, "close the subscription")
	flag.Parse()
	s := &server{rdb: redis.NewClient(&redis.Options{Addr: *back}), wait: 700 * time.Millisecond, close: *fixed}
	http.HandleFunc("GET /events/{user}", s.events)
	http.HandleFunc("POST /events/{user}", s.notify)
	log.Fatal(http.ListenAndServe(*addr, nil))
}
