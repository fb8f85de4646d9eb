package hedge

import (
	"context"
	"net/http"
	"testing"
	"time"
)

func work(context.Context) (int, error) { return 1, nil }

// BenchmarkDo is what a call in time costs: nothing is hedged. state=learning is before the delay is known.
func BenchmarkDo(b *testing.B) {
	for _, state := range []string{"learning", "armed", "refused"} {
		b.Run("state="+state, func(b *testing.B) {
			p := newPolicy(b, Config{MinDelay: time.Second})
			ctx := context.Background()
			switch state {
			case "learning":
				p.kind.minSamples = 1 << 60
			case "armed":
				p.kind.late.Store(int64(time.Second))
			case "refused":
				ctx = WithIdempotent(ctx, false)
			}
			b.ReportAllocs()
			for b.Loop() {
				if _, err := Do(ctx, p, work); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkDoParallel shows whether the counters that all calls share slow them down.
func BenchmarkDoParallel(b *testing.B) {
	p := newPolicy(b, Config{MinDelay: time.Second})
	p.kind.late.Store(int64(time.Second))
	b.ReportAllocs()
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			if _, err := Do(context.Background(), p, work); err != nil {
				b.Error(err)
			}
		}
	})
}

// BenchmarkIdle is what an unused policy costs: it has no goroutine and no timer, so time passes for free.
func BenchmarkIdle(b *testing.B) {
	p := newPolicy(b, Config{})
	b.ReportAllocs()
	for b.Loop() {
		if p.Stats().Calls != 0 {
			b.Fatal("an idle policy has counted calls")
		}
	}
}

// BenchmarkUpdate reads the quantiles, which happens at most ten times per second and kind.
func BenchmarkUpdate(b *testing.B) {
	p := newPolicy(b, Config{})
	feed(p.kind, 0, 1000, 20*time.Millisecond)
	b.ReportAllocs()
	for b.Loop() {
		p.kind.update(time.Minute)
	}
}

// BenchmarkAsk is one late call that asks for a hedge.
func BenchmarkAsk(b *testing.B) {
	p := newPolicy(b, Config{})
	b.ReportAllocs()
	for b.Loop() {
		if p.ask(0, time.Millisecond) == granted {
			b.Fatal("a hedge was granted without a call")
		}
	}
}

func BenchmarkFor(b *testing.B) {
	p := newPolicy(b, Config{})
	b.ReportAllocs()
	for b.Loop() {
		p.of(name{"GET", "127.0.0.1:8080"})
	}
}

// BenchmarkTransport is what Transport adds to a request in time. As http.Transport does, the base derives a context
// that can be cancelled.
func BenchmarkTransport(b *testing.B) {
	resp := &http.Response{StatusCode: 200}
	base := roundTripper(func(req *http.Request) (*http.Response, error) {
		_, cancel := context.WithCancelCause(req.Context())
		defer cancel(nil)
		resp.Body = http.NoBody
		return resp, nil
	})
	p := newPolicy(b, Config{MinDelay: time.Minute})
	p.of(name{"GET", "127.0.0.1"}).kind.late.Store(int64(time.Minute))
	for _, path := range []struct {
		name string
		http.RoundTripper
	}{{"plain", base}, {"hedge", &Transport{Policy: p, Base: base}}} {
		b.Run("path="+path.name, func(b *testing.B) {
			ctx, cancel := context.WithCancel(b.Context())
			defer cancel()
			req, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://127.0.0.1/", nil)
			if err != nil {
				b.Fatal(err)
			}
			b.ReportAllocs()
			for b.Loop() {
				resp, err := path.RoundTrip(req)
				if err != nil {
					b.Fatal(err)
				}
				resp.Body.Close()
			}
		})
	}
}
