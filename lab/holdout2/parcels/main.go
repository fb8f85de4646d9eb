// Parcels answers where a parcel is, and improves the rounds of the vans while parcels come in.
package main

import (
	"encoding/json"
	"flag"
	"log"
	"math"
	"math/rand/v2"
	"net/http"
	_ "net/http/pprof"
	"strconv"
	"sync"
	"time"
)

type point struct{ lat, lon float64 }

// Round is the order in which a van visits its stops.
type Round struct {
	Van   int
	stops []point
}

func (r *Round) leg(i, j int) float64 {
	a, b := r.stops[i], r.stops[j]
	return math.Hypot(a.lat-b.lat, a.lon-b.lon)
}

// Improve exchanges pairs of legs while that shortens the round (2-opt).
func (r *Round) Improve(passes int) {
	n := len(r.stops)
	for range passes {
		for i := 1; i < n-2; i++ {
			for j := i + 1; j < n-1; j++ {
				if r.leg(i-1, i)+r.leg(j, j+1) > r.leg(i-1, j)+r.leg(i, j+1) {
					for a, b := i, j; a < b; a, b = a+1, b-1 {
						r.stops[a], r.stops[b] = r.stops[b], r.stops[a]
					}
				}
			}
		}
	}
}

// Planner owns the vans.
type Planner struct {
	vans  int
	stops int
}

func (p *Planner) draw(van int) *Round {
	r := &Round{Van: van}
	for range p.stops {
		r.stops = append(r.stops, point{rand.Float64(), rand.Float64()})
	}
	return r
}

// Replan improves all rounds at once.
func (p *Planner) Replan() {
	var wg sync.WaitGroup
	for van := range p.vans {
		wg.Go(func() { p.draw(van).Improve(50) })
	}
	wg.Wait()
}

// Run plans again soon after each plan.
func (p *Planner) Run() {
	for {
		p.Replan()
		time.Sleep(350 * time.Millisecond)
	}
}

// Tracker knows where parcels are.
type Tracker struct {
	mu    sync.RWMutex
	place map[int]string
}

func (t *Tracker) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	id, _ := strconv.Atoi(r.FormValue("id"))
	t.mu.RLock()
	place, ok := t.place[id]
	t.mu.RUnlock()
	if !ok {
		place = "on its way"
	}
	json.NewEncoder(w).Encode(map[string]string{"parcel": r.FormValue("id"), "place": place})
}

func load(url string) {
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 64}}
	var dec sync.WaitGroup
	for c := range 24 {
		dec.Go(func() {
			for i := c; ; i += 24 {
				if res, err := client.Get(url + "/parcel?id=" + strconv.Itoa(i%9000)); err == nil {
					var v map[string]string
					json.NewDecoder(res.Body).Decode(&v)
					res.Body.Close()
				}
				time.Sleep(80 * time.Millisecond)
			}
		})
	}
	dec.Wait()
}

func main() {
	port := flag.Int("port", 7000, "serve here")
	asLoad := flag.Bool("load", false, "ask for parcels")
	flag.Parse()
	addr := "127.0.0.1:" + strconv.Itoa(*port)
	if *asLoad {
		load("http://" + addr)
	}
	t := &Tracker{place: make(map[int]string)}
	for i := range 8000 {
		t.place[i] = "depot " + strconv.Itoa(i%17)
	}
	go (&Planner{vans: 24, stops: 160}).Run()
	http.Handle("/parcel", t)
	log.Fatal(http.ListenAndServe(addr, nil))
}
