package load_test

import (
	"context"
	"io"
	"math"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gocasebook/casebook/app/load"
)

// roundTrip is a transport made from a function.
type roundTrip func(*http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// A stalling target answers 5 ms after a request, and nothing between 1 s and 1.5 s.
const (
	service    = 5 * time.Millisecond
	stallStart = time.Second
	stallEnd   = 1500 * time.Millisecond
)

// answerAt is when a stalling target answers a request that came at an offset.
func answerAt(came time.Duration) time.Duration {
	if done := came + service; done <= stallStart || came >= stallEnd {
		return done
	}
	return stallEnd + service
}

// TestLatencyIsTheSchedulesTruth compares every quantile with the one computed from the schedule, in fake time, where a
// stall lasts exactly as long as it says.
func TestLatencyIsTheSchedulesTruth(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const rate, seconds = 1000, 3
		start := time.Now()
		stalling := roundTrip(func(*http.Request) (*http.Response, error) {
			came := time.Since(start)
			time.Sleep(answerAt(came) - came)
			return &http.Response{StatusCode: 200, Body: io.NopCloser(strings.NewReader("ok"))}, nil
		})
		var windows []load.Window
		res, err := load.Run(t.Context(), load.Config{
			Rate: rate, Duration: seconds * time.Second, Request: get("http://127.0.0.1/"),
			Client: &http.Client{Transport: stalling}, OnWindow: func(w load.Window) { windows = append(windows, w) },
		})
		if err != nil {
			t.Fatal(err)
		}
		var truth []time.Duration
		for i := range rate * seconds {
			at := time.Duration(i) * time.Second / rate
			truth = append(truth, answerAt(at)-at)
		}
		slices.Sort(truth)
		for _, q := range []float64{0.1, 0.5, 0.8, 0.84, 0.9, 0.99, 0.999, 1} {
			want := truth[max(int(math.Ceil(q*float64(len(truth))))-1, 0)]
			got := res.Latency.Quantile(q)
			if d := math.Abs(float64(got-want)) / float64(want); d > 0.001 {
				t.Errorf("quantile %v = %v, want %v within 0.1 %%", q, got, want)
			}
		}
		if res.OK != rate*seconds || res.Seconds != seconds || res.Rate() != rate || res.Errors.Total() != 0 {
			t.Errorf("OK %d in %v s (%v/s), errors %+v; want %d in %d s", res.OK, res.Seconds, res.Rate(), res.Errors,
				rate*seconds, seconds)
		}
		if res.Limited != "" || res.Lag.Max() > time.Microsecond {
			t.Errorf("lag %v, limited %q; want none in fake time", res.Lag.Max(), res.Limited)
		}
		checkWindows(t, windows, res, rate)
	})
}

// checkWindows wants three windows of a second each, which add up to the result.
func checkWindows(t *testing.T, windows []load.Window, res load.Result, rate uint64) {
	t.Helper()
	if len(windows) != 3 {
		t.Fatalf("%d windows, want 3", len(windows))
	}
	for i, w := range windows {
		// A request due at the very end of a window may be sent before or after the window is closed.
		if w.Index != i || w.Seconds != 1 || w.Sent < rate-1 || w.Sent > rate+1 {
			t.Errorf("window %d: index %d, %v s, %d sent; want 1 s and %d", i, w.Index, w.Seconds, w.Sent, rate)
		}
	}
	sum := load.Sum(windows)
	if sum.Sent != res.Sent || sum.OK != res.OK || sum.Seconds != res.Seconds || sum.Start != res.Start ||
		!sum.Latency.Histogram().Equals(res.Latency.Histogram()) {
		t.Errorf("the windows add up to %d sent, %d OK, %v s, p99 %v; want the run's %d, %d, %v, %v", sum.Sent, sum.OK,
			sum.Seconds, sum.Latency.P99(), res.Sent, res.OK, res.Seconds, res.Latency.P99())
	}
	// At 2 s all answers of the stall have arrived: they belong to the second window, in which they arrived.
	if p := windows[1].Latency.Max(); p < 500*time.Millisecond {
		t.Errorf("second window's longest latency %v, want the stall's", p)
	}
	if p := windows[2].Latency.Max(); p > 6*time.Millisecond {
		t.Errorf("third window's longest latency %v, want that of the service, 5 ms", p)
	}
}

// TestStallOfARealServer counts the requests that waited for a stalled server. A closed loop would have one per
// connection. It does not check how many wait no longer than the stall, because a busy machine adds waits of its own;
// TestLatencyIsTheSchedulesTruth does, in fake time.
func TestStallOfARealServer(t *testing.T) {
	var stall sync.RWMutex // held for writing by the stall
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		stall.RLock()
		defer stall.RUnlock()
		io.WriteString(w, "ok")
	}))
	defer srv.Close()

	const rate = 400
	const waited = 250 * time.Millisecond // far above what a busy machine adds by itself
	var locked, unlocked time.Time
	var once sync.Once
	var stalled sync.WaitGroup
	request := func(i uint64) (*http.Request, error) {
		if i == rate/2 {
			once.Do(func() {
				stalled.Go(func() {
					stall.Lock()
					defer stall.Unlock()
					locked = time.Now()
					time.Sleep(500 * time.Millisecond)
					unlocked = time.Now()
				})
			})
		}
		return http.NewRequest(http.MethodGet, srv.URL, nil)
	}
	res, err := load.Run(context.Background(), load.Config{Rate: rate, Duration: 2 * time.Second, Request: request})
	if err != nil {
		t.Fatal(err)
	}
	stalled.Wait()
	if res.OK != 2*rate {
		t.Errorf("OK = %d, want %d; errors %+v %v", res.OK, 2*rate, res.Errors, res.FirstErrors)
	}
	// Those that were due while the lock was held, and long before its end. A stall may last longer than the schedule.
	from, to := locked.Sub(res.Start), min(unlocked.Sub(res.Start)-waited, 2*time.Second)
	want := (to - from).Seconds() * rate
	var got float64
	for _, bar := range res.Latency.Histogram().Distribution() {
		if time.Duration(bar.From) >= waited {
			got += float64(bar.Count)
		}
	}
	if got < want-2 {
		t.Errorf("%v requests waited more than %v for a stall from %v on of %v, want %.0f: waits were omitted", got,
			waited, from, unlocked.Sub(locked), want)
	}
}

// TestLatenessIsCharged has a generator that is delayed for 200 ms: the requests that left late waited for that long.
func TestLatenessIsCharged(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const held = 200 * time.Millisecond
		request := func(i uint64) (*http.Request, error) {
			if i == 100 {
				time.Sleep(held + time.Millisecond) // from the 99th arrival on, 1 ms before its own
			}
			return http.NewRequest(http.MethodGet, "http://127.0.0.1/", nil)
		}
		instant := roundTrip(func(*http.Request) (*http.Response, error) {
			return &http.Response{StatusCode: 200, Body: http.NoBody}, nil
		})
		res, err := load.Run(t.Context(), load.Config{Rate: 1000, Duration: time.Second, Request: request,
			Client: &http.Client{Transport: instant}})
		if err != nil {
			t.Fatal(err)
		}
		late := 0
		for _, bar := range res.Latency.Histogram().Distribution() {
			if bar.To >= int64(time.Millisecond) {
				late += int(bar.Count)
			}
		}
		// Arrivals 100 to 299 were due before the generator continued, by 200 ms to 1 ms.
		if res.OK != 1000 || late != 200 {
			t.Errorf("%d answers, of which %d waited a millisecond or more; want 1000 and 200", res.OK, late)
		}
		if got := res.Latency.Max().Round(time.Millisecond); got != held {
			t.Errorf("longest latency %v, want %v", got, held)
		}
		if !strings.Contains(res.Limited, "late") {
			t.Errorf("Limited = %q, want that requests left late", res.Limited)
		}
	})
}
