// Turnpike bills passages of lorries and reports to Prometheus.
package main

import (
	"encoding/json"
	"log"
	"net/http"
	_ "net/http/pprof"
	"strconv"
	"sync"
	"time"

	"github.com/go-chi/chi/v5"
	"github.com/go-chi/chi/v5/middleware"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promauto"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"github.com/gocasebook/casebook/lab/holdout3/internal/drive"
)

var (
	requests = promauto.NewCounterVec(prometheus.CounterOpts{
		Name: "http_requests_total", Help: "Requests by outcome.",
	}, []string{"method", "path", "code"})
	latency = promauto.NewHistogramVec(prometheus.HistogramOpts{
		Name: "http_request_duration_seconds", Help: "Time to answer.",
	}, []string{"method", "path"})
	inFlight = promauto.NewGauge(prometheus.GaugeOpts{Name: "http_in_flight", Help: "Requests being answered."})
)

func instrument(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		inFlight.Inc()
		defer inFlight.Dec()
		began := time.Now()
		ww := middleware.NewWrapResponseWriter(w, r.ProtoMajor)
		next.ServeHTTP(ww, r)
		requests.WithLabelValues(r.Method, r.URL.Path, strconv.Itoa(ww.Status())).Inc()
		latency.WithLabelValues(r.Method, r.URL.Path).Observe(time.Since(began).Seconds())
	})
}

type Passage struct {
	Plate string    `json:"plate"`
	Gate  int       `json:"gate"`
	Axles int       `json:"axles"`
	At    time.Time `json:"at"`
	Toll  int       `json:"toll_cents"`
}

// Tolls keeps the newest passages of each gate.
type Tolls struct {
	mu    sync.Mutex
	gates [64][]Passage
}

const keep = 200

func (t *Tolls) Pass(p Passage) Passage {
	p.Toll = 120 + 85*p.Axles
	t.mu.Lock()
	defer t.mu.Unlock()
	g := &t.gates[p.Gate%len(t.gates)]
	if len(*g) == keep {
		copy(*g, (*g)[1:])
		*g = (*g)[:keep-1]
	}
	*g = append(*g, p)
	return p
}

func (t *Tolls) At(gate int) []Passage {
	t.mu.Lock()
	defer t.mu.Unlock()
	g := t.gates[gate%len(t.gates)]
	return append([]Passage(nil), g[max(0, len(g)-20):]...)
}

func routes(t *Tolls) http.Handler {
	r := chi.NewRouter()
	r.Use(middleware.RequestID, middleware.Recoverer, instrument)
	r.Put("/passages/{plate}", func(w http.ResponseWriter, r *http.Request) {
		var p Passage
		if err := json.NewDecoder(r.Body).Decode(&p); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		p.Plate, p.At = chi.URLParam(r, "plate"), time.Now()
		json.NewEncoder(w).Encode(t.Pass(p))
	})
	r.Get("/gates/{gate}", func(w http.ResponseWriter, r *http.Request) {
		gate, err := strconv.Atoi(chi.URLParam(r, "gate"))
		if err != nil || gate < 0 {
			http.NotFound(w, r)
			return
		}
		json.NewEncoder(w).Encode(t.At(gate))
	})
	return r
}

func load(p drive.Ports) {
	drive.HTTP(1500, func(i int) *http.Request {
		switch {
		case i%1500 == 0:
			return drive.Get(p.Main(), "/metrics")
		case i%3 == 0:
			return drive.Get(p.Main(), "/gates/%d", i%64)
		}
		plate := strconv.FormatInt(int64(i)*7919+1_000_000, 36)
		return drive.Send(http.MethodPut, p.Main(), "/passages/"+plate, `{"gate":`+strconv.Itoa(i%64)+`,"axles":5}`)
	})
}

func main() {
	p := drive.Flags()
	if p.Load {
		load(p)
	}
	http.Handle("/metrics", promhttp.Handler())
	http.Handle("/", routes(new(Tolls)))
	log.Fatal(http.ListenAndServe(p.Main(), nil))
}
