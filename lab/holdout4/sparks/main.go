// Sparks draws series of measurements as pictures for dashboards.
package main

import (
	"io"
	"log"
	"math"
	"math/rand/v2"
	"net/http"
	_ "net/http/pprof"
	"strconv"
	"sync"
	"time"

	"github.com/gorilla/mux"

	"github.com/gocasebook/casebook/lab/holdout4/internal/drive"
)

// series is a ring of the latest measurements.
type series struct {
	name, unit string

	mu     sync.Mutex
	values []float64
	next   int
}

func (s *series) add(v float64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.values[s.next] = v
	s.next = (s.next + 1) % len(s.values)
}

func (s *series) latest(n int) []float64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	n = min(n, len(s.values))
	out := make([]float64, n)
	for i := range out {
		out[i] = s.values[(s.next-n+i+len(s.values))%len(s.values)]
	}
	return out
}

func (s *series) bounds(points []float64) (low, high float64) {
	low, high = math.Inf(1), math.Inf(-1)
	for _, v := range points {
		low, high = min(low, v), max(high, v)
	}
	return low, high
}

type dashboards map[string]*series

func (d dashboards) svg(w http.ResponseWriter, r *http.Request) {
	s := d[mux.Vars(r)["name"]]
	if s == nil {
		http.NotFound(w, r)
		return
	}
	n, err := strconv.Atoi(r.URL.Query().Get("points"))
	if err != nil || n < 2 {
		n = 120
	}
	w.Header().Set("Content-Type", "image/svg+xml")
	io.WriteString(w, chart(s, s.latest(min(n, 1000))))
}

// sample measures: here it makes something up.
func (d dashboards) sample(every time.Duration) {
	for range time.Tick(every) {
		for _, s := range d {
			s.add(50 + 20*rand.NormFloat64())
		}
	}
}

var names = []string{"cpu", "memory", "disk", "requests", "errors", "latency"}

func main() {
	p := drive.Flags()
	if p.Load {
		drive.HTTP(24, func(i int) *http.Request {
			points := []int{60, 120, 480, 900}[i%4]
			return drive.Get(p.Main(), "/charts/%s.svg?points=%d", names[i%len(names)], points)
		})
	}
	d := dashboards{}
	for _, n := range names {
		s := &series{name: n, unit: "%", values: make([]float64, 2000)}
		for range s.values {
			s.add(40 + 15*rand.NormFloat64())
		}
		d[n] = s
	}
	go d.sample(time.Second)
	r := mux.NewRouter()
	r.HandleFunc("/charts/{name}.svg", d.svg)
	r.PathPrefix("/debug/pprof/").Handler(http.DefaultServeMux)
	log.Fatal(http.ListenAndServe(p.Main(), r))
}
