package prometheus

import (
	"math"
	"net/http"
	"net/http/httptest"
	"slices"
	"testing"
	"time"

	prom "github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// A watch leaves its own requests out where a meter counts them, and only there: a meter around what users ask for has
// nine of theirs while the watch makes five.
func TestMetersAreTried(t *testing.T) {
	for _, c := range []struct {
		name    string
		counts  bool // the pages, too
		users   float64
		rate    float64 // over ten seconds
		latency bool
	}{
		{"around all, idle", true, 0, 0, false},
		{"around all, asked by users", true, 20, 2, true},
		{"around what users ask for", false, 9, 0.9, true},
		{"around what users ask for, idle", false, 0, 0, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			registry := prom.NewRegistry()
			times := prom.NewHistogramVec(prom.HistogramOpts{Name: "http_request_duration_seconds", Help: "x"},
				[]string{"code"})
			pages := prom.NewCounter(prom.CounterOpts{Name: "pages", Help: "x"})
			registry.MustRegister(times, pages)
			done := func(n float64) {
				for range int(n) {
					times.WithLabelValues("200").Observe(0.006)
				}
			}
			done(1) // a meter is on the page from the first request on
			asked := 0
			page := promhttp.HandlerFor(registry, promhttp.HandlerOpts{})
			srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				page.ServeHTTP(w, r)
				pages.Inc()
				if asked++; c.counts {
					done(1)
				}
			}))
			defer srv.Close()
			r, err := NewRequests(srv.URL+"/metrics", srv.Client(), true)
			if err != nil {
				t.Fatal(err)
			}
			before := 0
			r.LeaveOut(func(_, _, _ time.Time) ([]time.Duration, int) {
				ended := slices.Repeat([]time.Duration{10 * time.Millisecond}, asked-1-before+4)
				before = asked - 1
				return ended, 1
			})
			read := func() []float64 {
				values := slices.Repeat([]float64{math.NaN()}, numHTTP)
				r.due = time.Time{}
				if err := r.read(t.Context(), values); err != nil {
					t.Fatal(err)
				}
				return values
			}
			read()
			before = asked - 1
			for range 2 {
				done(c.users)
				if c.counts {
					done(4) // pages of profiles
				}
				r.scraper.at = r.scraper.at.Add(-10 * time.Second) // as if time had passed
				got := read()
				if !about(got[httpRate], c.rate) || math.IsNaN(got[httpP50]) == c.latency {
					t.Errorf("%g requests a second of %g s, want %g", got[httpRate], got[httpP50], c.rate)
				}
			}
		})
	}
}
