package casework_test

import (
	"net/http"
	"net/http/httptest"
	"net/http/pprof"
	"sync"
	"testing"
	"time"

	prom "github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"github.com/gocasebook/casebook"
	"github.com/gocasebook/casebook/app/casework"
	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/vitals"
)

// metered is a service with pprof and its metrics on the mux that users ask, and one meter around all of it, which says
// of no request what was asked for.
func metered(t *testing.T) string {
	t.Helper()
	registry := prom.NewRegistry()
	times := prom.NewHistogramVec(prom.HistogramOpts{Name: "http_request_duration_seconds", Help: "x"}, []string{"code"})
	counter := prom.NewCounterVec(prom.CounterOpts{Name: "http_requests_total", Help: "x"}, []string{"code"})
	flight := prom.NewGauge(prom.GaugeOpts{Name: "http_requests_in_flight", Help: "x"})
	registry.MustRegister(times, counter, flight)
	mux := http.NewServeMux()
	mux.HandleFunc("/debug/pprof/", pprof.Index)
	mux.HandleFunc("/debug/pprof/profile", pprof.Profile)
	mux.Handle("/metrics", promhttp.HandlerFor(registry, promhttp.HandlerOpts{}))
	mux.HandleFunc("/buy", func(http.ResponseWriter, *http.Request) {})
	s := httptest.NewServer(promhttp.InstrumentHandlerInFlight(flight,
		promhttp.InstrumentHandlerCounter(counter, promhttp.InstrumentHandlerDuration(times, mux))))
	t.Cleanup(s.Close)
	return s.URL
}

// samplesOf captures a case and returns what its samples had of a signal.
func samplesOf(t *testing.T, url string, signals ...vitals.ID) map[vitals.ID][]float64 {
	t.Helper()
	got := make(map[vitals.ID][]float64)
	var mu sync.Mutex // guards got
	_, err := casework.Capture(t.Context(), casework.CaptureRequest{
		Target: casework.Target{URL: url, Signals: casework.Signals{Requests: casework.RequestsAuto}},
		Dir:    t.TempDir(), Reason: "a test", Kinds: []string{casefile.CPU}, Before: 3 * time.Second, Profile: time.Second,
		On: func(e casework.Event) {
			if e.Kind != casebook.Sampled {
				return
			}
			mu.Lock()
			defer mu.Unlock()
			for _, id := range signals {
				if v, ok := e.Sample.Get(id); ok {
					got[id] = append(got[id], v)
				}
			}
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	return got
}

// What a capture asks a service for is not what its users do: an idle service has no requests.
func TestOwnRequestsAreNoUsers(t *testing.T) {
	url := metered(t)
	got := samplesOf(t, url, vitals.HTTPRate, vitals.HTTPLatencyP99, vitals.HTTPInFlight)
	if len(got[vitals.HTTPInFlight]) == 0 {
		t.Fatal("the page of metrics was not read")
	}
	for id, values := range got {
		for _, v := range values {
			if v > 0 {
				t.Errorf("an idle service has %s %g", id, v)
			}
		}
	}
}

// A capture sees the requests of a service with users.
func TestCaptureSeesRequests(t *testing.T) {
	url := metered(t)
	done := make(chan struct{})
	var users sync.WaitGroup
	users.Go(func() {
		for {
			select {
			case <-done:
				return
			case <-time.After(5 * time.Millisecond):
			}
			resp, err := http.Get(url + "/buy")
			if err != nil {
				t.Error(err)
				return
			}
			resp.Body.Close()
		}
	})
	defer users.Wait()
	defer close(done)
	got := samplesOf(t, url, vitals.HTTPRate, vitals.HTTPLatencyP99)
	if len(got[vitals.HTTPRate]) == 0 || len(got[vitals.HTTPLatencyP99]) == 0 {
		t.Errorf("%d rates and %d latencies were seen", len(got[vitals.HTTPRate]), len(got[vitals.HTTPLatencyP99]))
	}
}
