package cache_test

import (
	"math/rand/v2"
	"testing"

	"github.com/gocasebook/casebook/remedy/cache"
)

// ask gets a key, sets it if it is missing, and says whether it was there.
func ask(t *testing.T, c *cache.Cache[int, int], k int) bool {
	t.Helper()
	v, ok := c.Get(k)
	if !ok {
		if err := c.Set(k, k); err != nil {
			t.Fatal(err)
		}
	} else if v != k {
		t.Fatalf("Get(%d) = %d", k, v)
	}
	return ok
}

// TestScanPasses: popular keys survive a scan of ten times the capacity.
func TestScanPasses(t *testing.T) {
	const room, hot = 5000, 2500
	c := mustNew(t, cache.Config[int, int]{MaxEntries: room})
	for range 5 {
		for k := range hot {
			ask(t, c, k)
		}
	}
	for k := range 10 * room {
		ask(t, c, 1_000_000+k)
		ask(t, c, k%hot)
	}
	found := 0
	for k := range hot {
		if ask(t, c, k) {
			found++
		}
	}
	if found < hot*95/100 {
		t.Errorf("%d of %d popular keys are left, want 95 %% at least", found, hot)
	}
}

// TestModesFollowTheTrace: in a loop larger than the capacity, most of what fits is found; with a working set that
// shifts, most of it. An LRU finds nothing in the loop, and a cache that uses only frequency finds 30 points less of
// the set. The bounds are ten points below what a dozen runs found: the hashes, and so the sample, differ in each run.
func TestModesFollowTheTrace(t *testing.T) {
	const room, requests = 6000, 300_000
	r := rand.New(rand.NewPCG(1, 1))
	for _, tt := range []struct {
		name string
		key  func(i int) int
		want float64
	}{
		{"loop", func(i int) int { return i % (room * 3 / 2) }, 0.54},
		{"shift", func(i int) int { return i/10 + r.IntN(room*9/10) }, 0.74},
		{"both", func(i int) int {
			if i < requests/2 {
				return i % (room * 3 / 2)
			}
			return i/10 + r.IntN(room*9/10)
		}, 0.60},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c := mustNew(t, cache.Config[int, int]{MaxEntries: room})
			hits := 0
			for i := range requests {
				if ask(t, c, tt.key(i)) {
					hits++
				}
			}
			if got := float64(hits) / requests; got < tt.want {
				t.Errorf("hit ratio %.3f in mode %s, want %.2f at least", got, c.Stats().Mode, tt.want)
			} else {
				t.Logf("hit ratio %.3f in mode %s", got, c.Stats().Mode)
			}
		})
	}
}
