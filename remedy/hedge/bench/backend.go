package main

import (
	"context"
	"math/rand/v2"
	"net/http"
	"sync"
	"sync/atomic"
	"time"
)

// A backend answers after a few milliseconds, or not.
type backend struct {
	name string
	// delay is how long the nth request waits, at a time since the server's start.
	delay func(n int64, since time.Duration) time.Duration
}

const (
	slowCall   = 300 * time.Millisecond
	slowEvery  = 80 // 1.25 %: at 1 % exactly, p99 is on the edge and luck says on which side
	stallEvery = 2 * time.Second
	stallFor   = 300 * time.Millisecond
)

// usual is what a call takes when everything is well.
func usual() time.Duration { return 4*time.Millisecond + time.Duration(rand.IntN(2_000_000)) }

var backends = []backend{
	{"1 % slow calls (one in 80)", func(n int64, _ time.Duration) time.Duration {
		if n%slowEvery == 0 {
			return slowCall
		}
		return usual()
	}},
	{"a stall shared by all", func(_ int64, since time.Duration) time.Duration {
		if at := since % stallEvery; at > stallEvery-stallFor {
			return stallEvery - at + usual()
		}
		return usual()
	}},
}

var atOnce = backend{"at once", func(int64, time.Duration) time.Duration { return 0 }}

// serve returns the handler of a backend.
func (b backend) serve() http.Handler {
	start := time.Now()
	var n atomic.Int64
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if d := b.delay(n.Add(1), time.Since(start)); d > 0 && !wait(r.Context(), d) {
			return
		}
		_, _ = w.Write(answer)
	})
}

var answer = []byte(`{"answer":42}`)

func wait(ctx context.Context, d time.Duration) bool {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return true
	case <-ctx.Done():
		return false
	}
}

// A meter counts calls and, below the library, the requests that they become.
type meter struct {
	base http.RoundTripper

	mu     sync.Mutex // guards what follows
	calls  []time.Time
	hedges []time.Time
}

type attemptsKey struct{}

// attempts are those of one call, which its context carries.
type attempts struct {
	mu sync.Mutex // guards n
	n  int
}

// begin counts a call and marks its context.
func (m *meter) begin(ctx context.Context) context.Context {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.calls = append(m.calls, time.Now())
	return context.WithValue(ctx, attemptsKey{}, &attempts{})
}

func (m *meter) RoundTrip(req *http.Request) (*http.Response, error) {
	if a, ok := req.Context().Value(attemptsKey{}).(*attempts); ok {
		a.mu.Lock()
		a.n++
		hedge := a.n > 1
		a.mu.Unlock()
		if hedge {
			m.mu.Lock()
			m.hedges = append(m.hedges, time.Now())
			m.mu.Unlock()
		}
	}
	return m.base.RoundTrip(req)
}

// extra is the share of hedges in all calls, and in the worst second that ends with one. The smallest amount that a
// budget can allow in a second is one hedge, so a second with one hedge is not an excess.
func (m *meter) extra() (all, worst float64, hedges int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for i, at := range m.hedges {
		from := at.Add(-time.Second)
		calls, sent := within(m.calls, from, at), within(m.hedges[:i+1], from, at)
		if sent > 1 {
			worst = max(worst, float64(sent)/float64(max(calls, 1)))
		}
	}
	return float64(len(m.hedges)) / float64(max(len(m.calls), 1)), worst, len(m.hedges)
}

func within(times []time.Time, from, to time.Time) (n int) {
	for i := len(times) - 1; i >= 0 && times[i].After(from); i-- {
		if !times[i].After(to) {
			n++
		}
	}
	return n
}
