package limit_test

import (
	"io"
	"math"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gocasebook/casebook/app/load"
	"github.com/gocasebook/casebook/app/load/limit"
)

// roundTrip is a transport made from a function.
type roundTrip func(*http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// TestSearchOfAQueue loads, in fake time, a server that serves one request in 5 ms: its limit is 200 a second.
func TestSearchOfAQueue(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		turn := make(chan struct{}, 1)
		queue := roundTrip(func(r *http.Request) (*http.Response, error) {
			select {
			case turn <- struct{}{}:
			case <-r.Context().Done():
				return nil, r.Context().Err()
			}
			time.Sleep(5 * time.Millisecond)
			<-turn
			return &http.Response{StatusCode: 200, Body: io.NopCloser(strings.NewReader("ok"))}, nil
		})
		cfg := load.Config{Client: &http.Client{Transport: queue}, Request: func(uint64) (*http.Request, error) {
			return http.NewRequest(http.MethodGet, "http://127.0.0.1/", nil)
		}}
		r, err := limit.Search(t.Context(), limit.Config{Objective: objective(t, "p99 < 50ms, errors < 0.1%"),
			Start: 20, Max: 10_000,
			Resolution: 0.02, Step: 10 * time.Second, Measure: limit.Measure(cfg, load.EvenArrivals, 1, 2*time.Second)})
		if err != nil {
			t.Fatal(err)
		}
		// 12 s above capacity by a share x leave a queue of 12·x s, which may be 50 ms: x is 0.4 %.
		if r.Best < 200/1.03 || r.Best > 201 {
			t.Errorf("best %v, want 200 less the resolution: %v", r.Best, r.Steps)
		}
		// A request due at the very end of the warm-up may count on either side.
		if s := r.Steps[0]; s.Figures.Sent < 199 || s.Figures.Sent > 201 || s.Figures.Seconds < 9.9 ||
			s.Figures.Seconds > 10.1 {
			t.Errorf("the first step counts %d requests in %v s, want 200 in 10: the warm-up is no part of it",
				s.Figures.Sent, s.Figures.Seconds)
		}
	})
}

// TestMeasureDropsTheWarmUp has a target that answers late at first: a warm-up of any length before the step is not
// part of it.
func TestMeasureDropsTheWarmUp(t *testing.T) {
	for _, c := range []struct{ warmup, step time.Duration }{
		{0, 2 * time.Second}, {time.Second, 10 * time.Second}, {2 * time.Second, 2 * time.Second},
		{5 * time.Second, 2 * time.Second}, {10 * time.Second, time.Second},
	} {
		t.Run(c.warmup.String()+" "+c.step.String(), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				start := time.Now()
				cold := roundTrip(func(*http.Request) (*http.Response, error) {
					if time.Since(start) < c.warmup-time.Second/2 {
						time.Sleep(200 * time.Millisecond)
					}
					return &http.Response{StatusCode: 200, Body: http.NoBody}, nil
				})
				cfg := load.Config{Client: &http.Client{Transport: cold}, Request: func(uint64) (*http.Request, error) {
					return http.NewRequest(http.MethodGet, "http://127.0.0.1/", nil)
				}}
				f, err := limit.Measure(cfg, load.EvenArrivals, 1, c.warmup)(t.Context(), 100, c.step)
				if err != nil {
					t.Fatal(err)
				}
				// A request due at the very end of the warm-up may count on either side.
				if want := 100 * c.step.Seconds(); math.Abs(float64(f.Sent)-want) > 1 ||
					math.Abs(f.Seconds-c.step.Seconds()) > 0.01 {
					t.Errorf("%d requests in %v s count, want %v in %v", f.Sent, f.Seconds, want, c.step)
				}
				if f.Latency.Max() > 100*time.Millisecond {
					t.Errorf("the longest latency is %v, want none of the warm-up", f.Latency.Max())
				}
			})
		})
	}
}
