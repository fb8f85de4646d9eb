package phones

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"testing"
	"testing/synctest"
	"time"
)

// TestWarmServesTheLoad: after the warm-up every cache answers the load's requests.
func TestWarmServesTheLoad(t *testing.T) {
	const users, items = 30_000, 4000
	for _, name := range keeping {
		t.Run(name, func(t *testing.T) {
			b := &backend{}
			g := gatewayOn(t, b, Config{Cache: name})
			g.config.Users, g.config.Items, g.config.Warm, g.warm.goal = users, items, items, items
			if err := g.Warm(t.Context()); err != nil {
				t.Fatal(err)
			}
			if n := g.caches.Len(); n != items {
				t.Errorf("%d entries after the warm-up, want %d", n, items)
			}
			if real := g.caches.real.Len(); real != items/2 {
				t.Errorf("%d entries in the cache of real phones, want half: %d", real, items/2)
			}
			load := Requests(1, users, items, "")
			anonymousChecks := uint64(0)
			if _, _, err := g.set.Apply(trackingUsers(DefaultTracking)); err != nil {
				t.Fatal(err)
			}
			for i := range uint64(300) {
				req := httptest.NewRequest(http.MethodGet, load(i), nil)
				if c, _ := lookupCategory(req.URL.Query().Get("category")); c.anonymous {
					anonymousChecks++
				}
				rec := httptest.NewRecorder()
				g.ServeHTTP(rec, req)
				if rec.Code != http.StatusOK {
					t.Fatalf("%s: %d %s", load(i), rec.Code, rec.Body)
				}
			}
			if got := b.calls.Load(); got != anonymousChecks {
				t.Errorf("%d calls of upstreams, want %d: the anonymous checks alone", got, anonymousChecks)
			}
		})
	}
}

// trackingUsers switches the users 1 to n on.
func trackingUsers(n uint64) map[uint64]bool {
	users := make(map[uint64]bool, n)
	for user := range n {
		users[user+1] = true
	}
	return users
}

// TestWarmRate runs on fake time.
func TestWarmRate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newGateway(t, Config{}, "http://h", "http://h", "http://h")
		g.config.Warm, g.config.WarmRate, g.warm.goal = 5000, 500, 5000
		start := time.Now()
		if err := g.Warm(t.Context()); err != nil {
			t.Fatal(err)
		}
		if got := time.Since(start); got != 10*time.Second {
			t.Errorf("5,000 entries at 500/s took %v, want 10s", got)
		}
	})
}

func TestWarmStops(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	g := newGateway(t, Config{}, "http://h", "http://h", "http://h")
	g.config.Warm, g.warm.goal = 5000, 5000
	if err := g.Warm(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("Warm with an ended context = %v, want context.Canceled", err)
	}
	if n := g.warm.loaded.Load(); n != warmBatch {
		t.Errorf("%d entries loaded after the context ended, want %d", n, warmBatch)
	}
}
