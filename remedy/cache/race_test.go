package cache_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/gocasebook/casebook/remedy/cache"
)

// TestConcurrent has readers and writers on the same few shards, which evict, grow and are cleared meanwhile. A value
// must always be a complete value of its key, and strings that readers keep must not change.
func TestConcurrent(t *testing.T) {
	for _, memory := range []cache.Memory{cache.Heap, cache.Mapped} {
		t.Run(fmt.Sprint("memory=", memory), func(t *testing.T) {
			skipWithoutMapping(t, memory)
			cfg := cache.Config[string, string]{MaxBytes: 256 << 10}
			if memory == cache.Mapped {
				cfg = cache.Config[string, string]{MaxBytes: 16 << 20, MaxEntries: 3000, Memory: cache.Mapped}
			}
			c := mustNew(t, cfg)
			defer c.Close()
			var wg sync.WaitGroup
			for g := range 8 {
				wg.Go(func() { playConcurrent(t, c, uint64(g)) })
			}
			wg.Wait()
		})
	}
}

func playConcurrent(t *testing.T, c *cache.Cache[string, string], seed uint64) {
	r := rand.New(rand.NewPCG(seed, 0))
	var kept, copies [64]string
	for i := range 15_000 {
		key := fmt.Sprint("key ", int(20_000*r.Float64()*r.Float64()))
		switch op := r.IntN(100); {
		case op < 30:
			if err := c.Set(key, strings.Repeat(key+";", 1+r.IntN(10))); err != nil {
				t.Error(err)
			}
		case op < 35:
			c.Delete(key)
		case op == 35 && i%50 == 0:
			c.Clear()
		default:
			v, ok := c.Get(key)
			if ok && strings.ReplaceAll(v, key+";", "") != "" {
				t.Errorf("Get(%q) = %q: not a value of this key", key, v)
				return
			}
			if at := i % len(kept); ok {
				kept[at], copies[at] = v, strings.Clone(v)
			}
		}
	}
	for i := range kept {
		if kept[i] != copies[i] {
			t.Errorf("a kept string is now %q, was %q", kept[i], copies[i])
		}
	}
}

// TestClearUnderReaders has readers ask while the cache is filled and cleared again and again: a segment's id goes to a
// smaller segment then, and a place that a reader took from the index before would be behind the end of it. Built with
// -race, the runtime ends a program that makes such a pointer.
func TestClearUnderReaders(t *testing.T) {
	c := mustNew(t, cache.Config[int, string]{})
	const keys = 3000
	var readers sync.WaitGroup
	var done atomic.Bool
	for g := range 4 {
		readers.Go(func() {
			for i := g; !done.Load(); i += 7 {
				if v, ok := c.Get(i % keys); ok && v != valueOf(i%keys) {
					t.Errorf("Get(%d) = %q: not its value", i%keys, v)
					return
				}
			}
		})
	}
	for range 30 {
		for k := range keys {
			if err := c.Set(k, valueOf(k)); err != nil {
				t.Error(err)
			}
		}
		c.Clear()
	}
	done.Store(true)
	readers.Wait()
}

func valueOf(key int) string { return strings.Repeat(fmt.Sprint(key), 20) }

// TestGetSeesWhatIsThere: a key that is never removed must be found at any time, while others come and go beside it.
func TestGetSeesWhatIsThere(t *testing.T) {
	c := mustNew(t, cache.Config[int, int]{})
	const stay = 1000
	for k := range stay {
		if err := c.Set(k, k); err != nil {
			t.Fatal(err)
		}
	}
	var readers, writer sync.WaitGroup
	stop := make(chan struct{})
	writer.Go(func() {
		r := rand.New(rand.NewPCG(1, 1))
		for n := 0; ; n++ {
			select {
			case <-stop:
				return
			default:
			}
			k := stay + r.IntN(2000+n/10%100_000)
			if c.Delete(k); n%3 != 0 {
				if err := c.Set(k, k); err != nil {
					t.Error(err)
				}
			}
		}
	})
	for g := range 3 {
		readers.Go(func() {
			for i := range 100_000 {
				k := (i*7 + g) % stay
				if v, ok := c.Get(k); !ok || v != k {
					t.Errorf("Get(%d) = %d, %v, want it to be there", k, v, ok)
					return
				}
			}
		})
	}
	readers.Wait()
	close(stop)
	writer.Wait()
}
