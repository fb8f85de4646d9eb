package load_test

import (
	"context"
	"io"
	"math"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gocasebook/casebook/app/load"
)

// TestWaitsAreTheTheory loads a server that handles one request at a time, 10 ms each, in fake time. With random
// arrivals the mean wait is ρ/(2(1−ρ)) times 10 ms (an M/D/1 queue, by Pollaczek and Khinchine). With evenly spaced
// ones nobody waits.
func TestWaitsAreTheTheory(t *testing.T) {
	const service = 10 * time.Millisecond
	for _, rate := range []float64{30, 60, 80} {
		rho := rate * service.Seconds()
		theory := rho / (2 * (1 - rho)) * service.Seconds()
		if got := meanWait(t, load.EvenArrivals, rate, service, 100*time.Second); got > 2e-6 {
			t.Errorf("evenly spaced at %v/s: waits of %.6f s, want none", rate, got)
		}
		// Waits are similar to their neighbours: after 1,000 s the mean is known to a few percent at ρ = 0.8. The
		// arrivals are always the same.
		got := meanWait(t, load.RandomArrivals, rate, service, 1000*time.Second)
		if math.Abs(got/theory-1) > 0.1 {
			t.Errorf("random at %v/s: a mean wait of %.5f s, want %.5f within a tenth", rate, got, theory)
		}
		t.Logf("at %v/s: %.2f ms, theory %.2f ms", rate, 1e3*got, 1e3*theory)
	}
}

// meanWait is the mean latency minus the service time.
func meanWait(t *testing.T, kind load.Arrivals, rate float64, service, length time.Duration) (mean float64) {
	synctest.Test(t, func(t *testing.T) {
		var mu sync.Mutex
		free := time.Now() // guarded by mu: when the server has handled everything that came
		queue := roundTrip(func(*http.Request) (*http.Response, error) {
			mu.Lock()
			if now := time.Now(); free.Before(now) {
				free = now
			}
			free = free.Add(service)
			wait := time.Until(free)
			mu.Unlock()
			time.Sleep(wait)
			return &http.Response{StatusCode: 200, Body: io.NopCloser(strings.NewReader("ok"))}, nil
		})
		sum, n := time.Duration(0), 0
		_, err := load.Run(context.Background(), load.Config{Pace: kind.Of(rate, 1), Duration: length,
			Request: get("http://127.0.0.1/"),
			Client:  &http.Client{Transport: queue}, OnDone: func(_, latency time.Duration, c load.Class) {
				if c == load.ClassOK {
					sum += latency - service
					n++
				}
			}})
		if err != nil {
			t.Fatal(err)
		}
		mean = sum.Seconds() / float64(n)
	})
	return mean
}
