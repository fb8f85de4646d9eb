// Toggles decides feature flags for other services, over net/rpc.
package main

import (
	"flag"
	"hash/fnv"
	"log"
	"net"
	"net/http"
	_ "net/http/pprof"
	"net/rpc"
	"strconv"
	"sync"
	"time"
)

type toggle struct {
	percent uint32
	salt    uint32
}

// Set is read by everybody and written by the weekly rollout.
type Set struct {
	mu  sync.RWMutex
	all map[string]toggle
}

func (s *Set) lookup(name string) (toggle, bool) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	t, ok := s.all[name]
	return t, ok
}

func (s *Set) On(name string, user uint32) bool {
	t, ok := s.lookup(name)
	return ok && (user^t.salt)%100 < t.percent
}

type Args struct {
	Users []uint32
	Names []string
}

type Reply struct{ On []int }

type Toggles struct{ set *Set }

// Decide tells for each user how many of the toggles are on. The users are shared out among two goroutines.
func (t *Toggles) Decide(a *Args, r *Reply) error {
	r.On = make([]int, len(a.Users))
	var wg sync.WaitGroup
	half := len(a.Users) / 2
	for _, part := range [][2]int{{0, half}, {half, len(a.Users)}} {
		wg.Go(func() {
			for i := part[0]; i < part[1]; i++ {
				for _, n := range a.Names {
					if t.set.On(n, a.Users[i]) {
						r.On[i]++
					}
				}
			}
		})
	}
	wg.Wait()
	return nil
}

func names() (all []string) {
	for i := range 60 {
		all = append(all, "checkout.step."+strconv.Itoa(i))
	}
	return all
}

func load(addr string) {
	client, err := rpc.Dial("tcp", addr)
	if err != nil {
		log.Fatal(err)
	}
	users := make([]uint32, 500)
	for i := range users {
		users[i] = uint32(i * 2654435761)
	}
	for range time.Tick(3 * time.Millisecond) {
		client.Go("Toggles.Decide", &Args{users, names()}, &Reply{}, make(chan *rpc.Call, 1))
	}
}

func main() {
	port := flag.Int("port", 7000, "port of pprof; rpc on the next one")
	l := flag.Bool("load", false, "ask")
	flag.Parse()
	addr := net.JoinHostPort("127.0.0.1", strconv.Itoa(*port+1))
	if *l {
		load(addr)
	}
	set := &Set{all: map[string]toggle{}}
	for _, n := range names() {
		h := fnv.New32a()
		h.Write([]byte(n))
		set.all[n] = toggle{h.Sum32() % 100, h.Sum32()}
	}
	if err := rpc.Register(&Toggles{set}); err != nil {
		log.Fatal(err)
	}
	ln, err := net.Listen("tcp", addr)
	if err != nil {
		log.Fatal(err)
	}
	go rpc.Accept(ln)
	log.Fatal(http.ListenAndServe(net.JoinHostPort("127.0.0.1", strconv.Itoa(*port)), nil))
}
