// Podium ranks players: scores come in by HTTP, and once a second everybody is ranked anew, under the lock.
package main

import (
	"cmp"
	"flag"
	"fmt"
	"io"
	"log"
	"math/rand/v2"
	"net/http"
	_ "net/http/pprof"
	"slices"
	"strconv"
	"sync"
	"time"
)

type player struct {
	id    int
	score float64
}

type podium struct {
	mu      sync.Mutex
	players []player
	rank    map[int]int
}

func (p *podium) add(id int, points float64) int {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.players[id].score += points
	return p.rank[id]
}

func (p *podium) rerank() {
	p.mu.Lock()
	order := slices.Clone(p.players)
	slices.SortFunc(order, func(a, b player) int { return cmp.Compare(b.score, a.score) })
	for i, pl := range order {
		p.rank[pl.id] = i + 1
	}
	p.mu.Unlock()
}

func load(url string) {
	c := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 100}}
	for range 24 {
		go func() {
			for {
				u := fmt.Sprintf("%s/score?player=%d&points=%f", url, rand.IntN(400_000), rand.Float64())
				if resp, err := c.Post(u, "", nil); err == nil {
					io.Copy(io.Discard, resp.Body)
					resp.Body.Close()
				}
				time.Sleep(15 * time.Millisecond)
			}
		}()
	}
	select {}
}

func main() {
	port := flag.Int("port", 7000, "")
	l := flag.Bool("load", false, "")
	flag.Parse()
	addr := fmt.Sprintf("127.0.0.1:%d", *port)
	if *l {
		load("http://" + addr)
	}
	p := &podium{rank: map[int]int{}}
	for i := range 400_000 {
		p.players = append(p.players, player{i, rand.Float64() * 1000})
	}
	go func() {
		for {
			p.rerank()
			time.Sleep(time.Second)
		}
	}()
	http.HandleFunc("POST /score", func(w http.ResponseWriter, r *http.Request) {
		id, _ := strconv.Atoi(r.FormValue("player"))
		points, _ := strconv.ParseFloat(r.FormValue("points"), 64)
		fmt.Fprintln(w, p.add(id, points))
	})
	log.Fatal(http.ListenAndServe(addr, nil))
}
