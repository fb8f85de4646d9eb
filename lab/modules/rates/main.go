// Rates answers what a currency costs. What it takes a while to find out is kept in one of the usual caches (-kind),
// whose entries end together or do not, while jobs run beside it or do not. One period is 20 s.
package main

import (
	"context"
	"fmt"
	"io"
	"log"
	"math"
	"math/rand/v2"
	"net/http"
	"strconv"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"github.com/gocasebook/casebook/lab/modules/serve"
)

const (
	period = 20 * time.Second
	pairs  = 300
)

// slot is the number of the period that a moment is in.
func slot(t time.Time) int64 { return t.UnixNano() / int64(period) }

// untilNext is the time to the end of the period.
func untilNext() time.Duration { return time.Until(time.Now().Truncate(period).Add(period)) }

// A source answers for a pair.
type source interface {
	rate(ctx context.Context, pair string) (string, error)
}

func start(o serve.Options) error {
	s, err := newSource(o)
	if err != nil {
		return err
	}
	took := prometheus.NewHistogramVec(prometheus.HistogramOpts{Name: "http_request_duration_seconds",
		Help: "Time to answer.", Buckets: prometheus.ExponentialBuckets(0.0002, 1.6, 22)}, []string{"code"})
	prometheus.MustRegister(took)
	answer := func(w http.ResponseWriter, r *http.Request) {
		v, err := s.rate(r.Context(), r.FormValue("pair"))
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadGateway)
			return
		}
		fmt.Fprintf(w, `{"pair":%q,"rate":%s}`, r.FormValue("pair"), v)
	}
	http.Handle("/rate", promhttp.InstrumentHandlerDuration(took, http.HandlerFunc(answer)))
	http.Handle("/metrics", promhttp.Handler())
	return nil
}

// exchange is the service that knows the rates: 4 answers at a time of some 20 ms, which is less than what is asked
// where nothing is kept. For those who keep nothing it is quick (/quick); with kind "checkpoint" it stops for a second
// and a half in each period, with "random" at any time.
func exchange() (addr string, stop func(), err error) {
	l, err := serve.Listen()
	if err != nil {
		return "", nil, err
	}
	var pause sync.RWMutex
	hold := func(d time.Duration) {
		pause.Lock()
		time.Sleep(d)
		pause.Unlock()
	}
	mux := http.NewServeMux()
	mux.HandleFunc("/checkpoint", func(http.ResponseWriter, *http.Request) {
		go func() {
			for {
				time.Sleep(untilNext())
				hold(1500 * time.Millisecond)
			}
		}()
	})
	mux.HandleFunc("/random", func(http.ResponseWriter, *http.Request) {
		go func() {
			for {
				time.Sleep(time.Duration(rand.ExpFloat64() * float64(period) * 0.8))
				hold(time.Duration(300+rand.IntN(1500)) * time.Millisecond)
			}
		}()
	})
	answer := func(w http.ResponseWriter, r *http.Request, took time.Duration) {
		pause.RLock()
		pause.RUnlock()
		time.Sleep(took/2 + rand.N(took))
		id, _ := strconv.Atoi(r.FormValue("pair"))
		fmt.Fprintf(w, "%.5f", 1+math.Mod(float64(id)*0.37, 3))
	}
	slots := make(chan struct{}, 4)
	mux.HandleFunc("/rate", func(w http.ResponseWriter, r *http.Request) {
		slots <- struct{}{}
		defer func() { <-slots }()
		answer(w, r, 20*time.Millisecond)
	})
	mux.HandleFunc("/quick", func(w http.ResponseWriter, r *http.Request) { answer(w, r, 3*time.Millisecond) })
	go http.Serve(l, mux)
	return l.Addr().String(), func() { l.Close() }, nil
}

// A remote asks the exchange.
type remote struct {
	addr, path string
	client     *http.Client
}

func newRemote(addr string) *remote {
	return &remote{addr, "/rate", &http.Client{Timeout: 5 * time.Second,
		Transport: &http.Transport{MaxIdleConnsPerHost: 64}}}
}

func (r *remote) rate(ctx context.Context, pair string) (string, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+r.addr+r.path+"?pair="+pair, nil)
	if err != nil {
		return "", err
	}
	res, err := r.client.Do(req)
	if err != nil {
		return "", err
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	return string(body), err
}

// tell switches something on at the exchange.
func (r *remote) tell(what string) error {
	res, err := r.client.Get("http://" + r.addr + "/" + what)
	if err != nil {
		return err
	}
	return res.Body.Close()
}

// load sends requests at random moments; the kind says how many a second, and when.
func load(o serve.Options) {
	client := &http.Client{Timeout: 10 * time.Second, Transport: &http.Transport{MaxIdleConnsPerHost: 256}}
	chance, began := rand.New(rand.NewPCG(5, 6)), time.Now()
	zipf := rand.NewZipf(chance, 1.05, 20, pairs-1)
	for next := time.Now(); ; {
		next = next.Add(time.Duration(chance.ExpFloat64() / perSecond(o.Kind, began, next) * 1e9))
		time.Sleep(time.Until(next))
		url := fmt.Sprintf("http://127.0.0.1:%d/rate?pair=%d", o.Port, zipf.Uint64())
		go func() {
			if res, err := client.Get(url); err == nil {
				io.Copy(io.Discard, res.Body)
				res.Body.Close()
			}
		}()
	}
}

// perSecond is the rate of requests at a moment.
func perSecond(kind string, began, now time.Time) float64 {
	const usual = 300
	switch kind {
	case "callers": // jobs of others that all begin with the period
		if now.Sub(now.Truncate(period)) < 2*time.Second {
			return 6 * usual
		}
	case "morning": // more and more people
		return usual * (0.5 + now.Sub(began).Minutes())
	}
	return usual
}

func main() {
	log.SetFlags(0)
	serve.Run(serve.Service{Start: start, Load: load, Backend: exchange})
}
