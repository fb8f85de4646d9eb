package phones

import (
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gocasebook/casebook/lab/serve"
)

// BenchmarkGateway answers requests with no cache, with the first that the article's gateway had and with both: the
// upstreams take 5 ms in the median and 40 ms at p99, and the caches have room for half of the items. It reports
// quantiles, which the time of an operation does not show: a miss costs a call, and a hit nothing.
//
// Measured on a busy machine: p95 is 47 ms without a cache, 36 ms with the first and 25 ms with both.
func BenchmarkGateway(b *testing.B) {
	const items = 20_000
	up := benchUpstreams(b)
	for _, caches := range []struct{ name, cache, cached string }{
		{"none", "none", cachedBoth}, {"first", "remedy", cachedTracking}, {"both", "remedy", cachedBoth},
	} {
		b.Run("caches="+caches.name, func(b *testing.B) {
			g, err := New(Config{
				Flags: serve.DefaultFlags(), Timeout: 300 * time.Millisecond, Set: "map", Apply: "merge",
				TrackingUsers: DefaultTracking, Cache: caches.cache, Cached: caches.cached, CacheSize: items,
				CacheTTL: time.Hour, Warm: items, Users: items, Items: items,
				ItemsURL: up[0], UsersURL: up[1], TrackingURL: up[2],
			})
			if err != nil {
				b.Fatal(err)
			}
			defer g.Close()
			if err := g.Warm(b.Context()); err != nil {
				b.Fatal(err)
			}
			times := askAll(b, g, Requests(1, items, items, ""))
			slices.Sort(times)
			for _, q := range []int{50, 95} {
				b.ReportMetric(times[len(times)*q/100].Seconds()*1e3, "p"+strconv.Itoa(q)+"-ms")
			}
		})
	}
}

// benchUpstreams are the items', users' and call-tracking services.
func benchUpstreams(b *testing.B) (urls [3]string) {
	l, err := newLatency(5*time.Millisecond, 40*time.Millisecond)
	if err != nil {
		b.Fatal(err)
	}
	up := &backend{latency: l, seed: 1}
	for i, h := range []http.Handler{up.items(), up.users(), up.tracking()} {
		s := httptest.NewServer(h)
		b.Cleanup(s.Close)
		urls[i] = s.URL
	}
	return urls
}

// askAll sends b.N requests from 32 callers and returns how long each took.
func askAll(b *testing.B, g *Gateway, url func(uint64) string) []time.Duration {
	times := make([]time.Duration, b.N)
	var next atomic.Int64
	var callers sync.WaitGroup
	b.ResetTimer()
	for range 32 {
		callers.Go(func() {
			for i := int(next.Add(1)) - 1; i < b.N; i = int(next.Add(1)) - 1 {
				start := time.Now()
				w := httptest.NewRecorder()
				w.Body = nil
				g.ServeHTTP(w, httptest.NewRequest(http.MethodGet, url(uint64(i)), http.NoBody))
				times[i] = time.Since(start)
			}
		})
	}
	callers.Wait()
	b.StopTimer()
	return times
}
