// Inbox keeps people's messages and profiles in Redis. Who waits for a message asks with a long poll.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"log"
	"net/http"
	"time"

	"github.com/alicebob/miniredis/v2"
	"github.com/redis/go-redis/v9"

	"github.com/gocasebook/casebook/lab/unseen/waits/web"
)

const poll = 5 * time.Second

type store struct {
	rdb     *redis.Client
	waiting *redis.Client
}

// next is the next message of a user, or none within some seconds.
func (s *store) next(ctx context.Context, user string) (string, error) {
	got, err := s.waiting.BLPop(ctx, poll, "inbox:"+user).Result()
	if errors.Is(err, redis.Nil) {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	return got[1], nil
}

func (s *store) profile(ctx context.Context, user string) (map[string]string, error) {
	return s.rdb.HGetAll(ctx, "profile:"+user).Result()
}

func (s *store) send(ctx context.Context, user, text string) error {
	return s.rdb.RPush(ctx, "inbox:"+user, text).Err()
}

func handle(f func(r *http.Request) (any, error)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		v, err := f(r)
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		fmt.Fprintln(w, v)
	}
}

func main() {
	flag.Parse()
	if *web.Back {
		s := miniredis.NewMiniRedis()
		if err := s.StartAddr(*web.Peer); err != nil {
			log.Fatal(err)
		}
		for i := range 500 {
			s.HSet(fmt.Sprintf("profile:u%d", i), "name", "N. N.", "town", "Ulm")
		}
		select {}
	}
	rdb := redis.NewClient(&redis.Options{Addr: *web.Peer})
	s := &store{rdb: rdb, waiting: rdb}
	if *web.Fixed {
		s.waiting = redis.NewClient(&redis.Options{Addr: *web.Peer, PoolSize: 1000})
	}
	mux := http.NewServeMux()
	mux.HandleFunc("/next", handle(func(r *http.Request) (any, error) { return s.next(r.Context(), r.FormValue("user")) }))
	mux.HandleFunc("/profile", handle(func(r *http.Request) (any, error) {
		return s.profile(r.Context(), r.FormValue("user"))
	}))
	mux.HandleFunc("/send", handle(func(r *http.Request) (any, error) {
		return "sent", s.send(r.Context(), r.FormValue("user"), r.FormValue("text"))
	}))
	web.Serve(mux)
}
