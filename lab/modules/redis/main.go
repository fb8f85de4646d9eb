// Redis is a session service over go-redis: GET, SET with an expiry, a pipeline, a subscription in the background.
package main

import (
	"context"
	"errors"
	"fmt"
	"log"
	"net"
	"net/http"
	"os"
	"os/exec"
	"sync"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/gocasebook/casebook/lab/modules/serve"
)

type sessions struct {
	rdb *redis.Client

	mu   sync.Mutex
	seen map[string]int // by user
}

func (s *sessions) load(ctx context.Context, user string) (string, error) {
	v, err := s.rdb.Get(ctx, "session:"+user).Result()
	if errors.Is(err, redis.Nil) {
		v = "session of " + user
		err = s.rdb.Set(ctx, "session:"+user, v, time.Minute).Err()
	}
	return v, err
}

// count keeps the lock for as long as Redis takes.
func (s *sessions) count(ctx context.Context, user string) (string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.seen[user]++
	if _, err := s.rdb.Incr(ctx, "seen:"+user).Result(); err != nil {
		return "", err
	}
	return s.load(ctx, user)
}

func start(o serve.Options) error {
	s := &sessions{rdb: redis.NewClient(&redis.Options{Addr: o.Backend, PoolSize: 64, MinIdleConns: 8}),
		seen: map[string]int{}}
	if err := s.rdb.Ping(context.Background()).Err(); err != nil {
		return err
	}
	go func() {
		for m := range s.rdb.Subscribe(context.Background(), "logout").Channel() {
			log.Print(m.Payload)
		}
	}()
	http.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		user := r.FormValue("u")
		get := s.load
		if o.Sick {
			get = s.count
		}
		v, err := get(r.Context(), user)
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadGateway)
			return
		}
		if _, err := s.rdb.Pipelined(r.Context(), func(p redis.Pipeliner) error {
			p.HIncrBy(r.Context(), "hits", user, 1)
			p.Expire(r.Context(), "hits", time.Hour)
			return nil
		}); err != nil {
			http.Error(w, err.Error(), http.StatusBadGateway)
			return
		}
		fmt.Fprintln(w, v)
	})
	return nil
}

// backend is Debian's redis-server behind a proxy with the delay of a network: 2 ms.
func backend() (string, func(), error) {
	dir, err := os.MkdirTemp("", "modules-redis-")
	if err != nil {
		return "", nil, err
	}
	socket := dir + "/s"
	cmd := exec.Command("redis-server", "--port", "0", "--unixsocket", socket, "--save", "", "--dir", dir)
	if err := cmd.Start(); err != nil {
		return "", nil, err
	}
	l, err := serve.Listen()
	if err != nil {
		return "", nil, err
	}
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go proxy(c, socket)
		}
	}()
	for range 100 {
		if c, err := net.Dial("unix", socket); err == nil {
			c.Close()
			return l.Addr().String(), func() { cmd.Process.Kill(); os.RemoveAll(dir) }, nil
		}
		time.Sleep(50 * time.Millisecond)
	}
	return "", nil, errors.New("redis-server does not answer")
}

func proxy(c net.Conn, socket string) {
	defer c.Close()
	r, err := net.Dial("unix", socket)
	if err != nil {
		return
	}
	defer r.Close()
	go func() {
		defer c.Close()
		pass(c, r, 0)
	}()
	pass(r, c, 2*time.Millisecond)
}

func pass(to, from net.Conn, delay time.Duration) {
	b := make([]byte, 16<<10)
	for {
		n, err := from.Read(b)
		if err != nil {
			return
		}
		time.Sleep(delay)
		if _, err := to.Write(b[:n]); err != nil {
			return
		}
	}
}

func main() {
	serve.Run(serve.Service{Start: start, Rate: 600, Backend: backend,
		Path: func(i int) string { return fmt.Sprint("/?u=", i%5000) }})
}
