package phones

import (
	"fmt"
	"runtime"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// keeping are the caches that keep something.
var keeping = cacheNames[1:]

func mustCache(t testing.TB, name string, size int, ttl time.Duration) cache[realKey] {
	t.Helper()
	c, err := newCache[realKey](name, size, ttl)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func nthKey(i int) realKey    { return realKey{uint64(i)%1000 + 1, uint64(i) + 1} }
func nthPhone(i int) Phone    { return firstPhone + Phone(i) }
func wantMiss(p Phone) string { return fmt.Sprintf("a miss, got %v", p) }

func TestCacheSetGet(t *testing.T) {
	for _, name := range keeping {
		t.Run(name, func(t *testing.T) {
			c := mustCache(t, name, 1000, time.Hour)
			defer c.Close()
			if p, ok := c.Get(nthKey(1)); ok {
				t.Error("an empty cache: want", wantMiss(p))
			}
			for i := range 500 {
				c.Set(nthKey(i), nthPhone(i))
			}
			c.Set(nthKey(7), nthPhone(7000)) // replaces
			for i := range 500 {
				want := nthPhone(i)
				if i == 7 {
					want = nthPhone(7000)
				}
				if p, ok := c.Get(nthKey(i)); !ok || p != want {
					t.Fatalf("Get(%v) = %v, %v, want %v", nthKey(i), p, ok, want)
				}
			}
			// The user is part of the key.
			if p, ok := c.Get(realKey{nthKey(1).user + 1, nthKey(1).item}); ok {
				t.Error("another user: want", wantMiss(p))
			}
			if c.Len() != 500 {
				t.Errorf("Len() = %d, want 500", c.Len())
			}
		})
	}
}

func TestNoCache(t *testing.T) {
	c := mustCache(t, "none", 1000, time.Hour)
	c.Set(nthKey(1), nthPhone(1))
	if p, ok := c.Get(nthKey(1)); ok || c.Len() != 0 {
		t.Error("want", wantMiss(p))
	}
}

// TestCacheTTL runs on fake time.
func TestCacheTTL(t *testing.T) {
	const ttl = 15 * time.Minute
	for _, name := range keeping {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c := mustCache(t, name, 1000, ttl)
				defer c.Close()
				c.Set(nthKey(1), nthPhone(1))
				c.Set(nthKey(2), nthPhone(2))
				time.Sleep(ttl - time.Second)
				for i := 1; i <= 2; i++ {
					if p, ok := c.Get(nthKey(i)); !ok || p != nthPhone(i) {
						t.Errorf("a second before the end: Get = %v, %v, want %v", p, ok, nthPhone(i))
					}
				}
				c.Set(nthKey(2), nthPhone(22)) // starts a new lifetime; a Get does not
				time.Sleep(2 * time.Second)
				if p, ok := c.Get(nthKey(1)); ok {
					t.Error("a second after the end: want", wantMiss(p))
				}
				if p, ok := c.Get(nthKey(2)); !ok || p != nthPhone(22) {
					t.Errorf("set again: Get = %v, %v, want %v", p, ok, nthPhone(22))
				}
				c.Set(nthKey(1), nthPhone(11))
				if p, ok := c.Get(nthKey(1)); !ok || p != nthPhone(11) {
					t.Errorf("set after it expired: Get = %v, %v, want %v", p, ok, nthPhone(11))
				}
			})
		})
	}
}

// TestCacheIsBounded fills a cache four times over: it holds no more than its size, the newest survive, and so does an
// old entry that is read all the time. ccache evicts in batches of 500 behind the writer and freelru by shards, so a
// tenth of slack is allowed.
func TestCacheIsBounded(t *testing.T) {
	const size, slack = 20_000, 2_000
	for _, name := range keeping {
		t.Run(name, func(t *testing.T) {
			c := mustCache(t, name, size, time.Hour)
			defer c.Close()
			lost := 0
			c.Set(nthKey(0), nthPhone(0))
			for i := 1; i < 4*size; i++ {
				c.Set(nthKey(i), nthPhone(i))
				if _, ok := c.Get(nthKey(0)); !ok {
					lost++
					c.Set(nthKey(0), nthPhone(0))
				}
			}
			if n := c.Len(); n > size+slack || n < size-slack {
				t.Errorf("Len() = %d after %d entries, want about %d", n, 4*size, size)
			}
			if lost > 0 {
				t.Errorf("the entry in use was evicted %d times, want 0", lost)
			}
			if p, ok := c.Get(nthKey(1)); ok {
				t.Error("the oldest entry: want", wantMiss(p))
			}
			newest := size / 2
			if name == "remedy" {
				newest = 1
			}
			for i := 4*size - newest; i < 4*size; i++ {
				if p, ok := c.Get(nthKey(i)); !ok || p != nthPhone(i) {
					t.Fatalf("entry %d of the newest %d: Get = %v, %v, want %v", i, newest, p, ok, nthPhone(i))
				}
			}
		})
	}
}

func TestCacheConcurrent(t *testing.T) {
	for _, name := range cacheNames {
		t.Run(name, func(t *testing.T) {
			c := mustCache(t, name, 500, time.Hour)
			defer c.Close()
			var wg sync.WaitGroup
			for w := range 4 {
				wg.Go(func() {
					for i := range 2000 {
						k := (i*7 + w) % 1000
						c.Set(nthKey(k), nthPhone(k))
						if p, ok := c.Get(nthKey(k)); ok && p != nthPhone(k) {
							t.Errorf("Get(%d) = %v, want %v or a miss", k, p, nthPhone(k))
						}
						c.Len()
					}
				})
			}
			wg.Wait()
		})
	}
}

// TestHeapObjects measures both the fault and its remedy: how many heap objects an entry is.
func TestHeapObjects(t *testing.T) {
	const n = 50_000
	for _, tt := range []struct {
		name      string
		low, high float64
	}{{"gcache", 6.8, 7.5}, {"ccache", 3.8, 4.5}, {"freelru", -0.1, 0.1}, {"remedy", -0.1, 0.1}} {
		t.Run(tt.name, func(t *testing.T) {
			before := heapNow()
			c := mustCache(t, tt.name, n, time.Hour)
			for i := range n {
				c.Set(nthKey(i), nthPhone(i))
			}
			after := heapNow()
			got := float64(int64(after.HeapObjects)-int64(before.HeapObjects)) / float64(c.Len())
			c.Close()
			for range 500 { // ccache's worker keeps it until it has seen the end
				if heapNow().HeapObjects < before.HeapObjects+n {
					break
				}
				time.Sleep(10 * time.Millisecond)
			}
			if got < tt.low || got > tt.high {
				t.Errorf("%.2f heap objects an entry, want %v to %v", got, tt.low, tt.high)
			}
		})
	}
}

// heapNow is the heap after a collection.
func heapNow() (m runtime.MemStats) {
	runtime.GC()
	runtime.ReadMemStats(&m)
	return m
}

func TestFreelruShards(t *testing.T) {
	for _, tt := range []struct {
		slots int
		want  uint32
	}{{1, 16}, {1 << 20, 16}, {1 << 21, 32}, {1 << 22, 64}, {1 << 26, 1024}} {
		if got := freelruShards(tt.slots); got != tt.want {
			t.Errorf("freelruShards(%d) = %d, want %d", tt.slots, got, tt.want)
		}
	}
}
