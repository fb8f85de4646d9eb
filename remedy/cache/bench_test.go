package cache_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"runtime"
	"testing"
	"time"

	"github.com/gocasebook/casebook/remedy/cache"
)

const benchEntries = 200_000

func filled(b *testing.B, memory cache.Memory) (*cache.Cache[string, string], []string) {
	b.Helper()
	c := mustNew(b, cache.Config[string, string]{TTL: time.Hour, Memory: memory})
	b.Cleanup(c.Close)
	keys := make([]string, benchEntries)
	for i := range keys {
		keys[i] = fmt.Sprint(79_000_000_000 + int64(i))
		if err := c.Set(keys[i], keys[i]); err != nil {
			b.Fatal(err)
		}
	}
	return c, keys
}

func BenchmarkGet(b *testing.B) {
	for _, memory := range []cache.Memory{cache.Heap, cache.Mapped} {
		b.Run(fmt.Sprint("memory=", memory), func(b *testing.B) {
			c, keys := filled(b, memory)
			b.ReportAllocs()
			b.ResetTimer()
			b.RunParallel(func(pb *testing.PB) {
				for i := rand.IntN(benchEntries); pb.Next(); i += 7919 {
					if _, ok := c.Get(keys[i%benchEntries]); !ok {
						b.Error("a key is missing")
					}
				}
			})
		})
	}
}

func BenchmarkGetOrLoadHit(b *testing.B) {
	c, keys := filled(b, cache.Heap)
	load := func(context.Context, string) (string, error) { return "", cache.ErrNotFound }
	b.ReportAllocs()
	for i := 0; b.Loop(); i += 7919 {
		if _, err := c.GetOrLoad(b.Context(), keys[i%benchEntries], load); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkSet replaces entries, and adds new ones to a full cache.
func BenchmarkSet(b *testing.B) {
	b.Run("kind=replace", func(b *testing.B) {
		c, keys := filled(b, cache.Heap)
		b.ReportAllocs()
		for i := 0; b.Loop(); i += 7919 {
			if err := c.Set(keys[i%benchEntries], "79990000001"); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("kind=evict", func(b *testing.B) {
		c := mustNew(b, cache.Config[uint64, uint64]{MaxBytes: 8 << 20})
		b.ReportAllocs()
		for i := uint64(0); b.Loop(); i++ {
			if err := c.Set(i, i); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// BenchmarkIdle is what an unused cache costs: bytes of an empty one, its goroutines, and a full collection with
// 200,000 entries in it.
func BenchmarkIdle(b *testing.B) {
	b.Run("state=empty", func(b *testing.B) {
		var before, after runtime.MemStats
		goroutines := runtime.NumGoroutine()
		runtime.GC()
		runtime.ReadMemStats(&before)
		caches := make([]*cache.Cache[string, string], 100)
		for b.Loop() {
			for i := range caches {
				caches[i] = mustNew(b, cache.Config[string, string]{TTL: time.Hour})
			}
		}
		runtime.GC()
		runtime.ReadMemStats(&after)
		b.ReportMetric(float64(after.HeapAlloc-before.HeapAlloc)/float64(len(caches)), "B/cache")
		b.ReportMetric(float64(runtime.NumGoroutine()-goroutines), "goroutines")
		runtime.KeepAlive(caches)
	})
	b.Run("state=full", func(b *testing.B) {
		c, keys := filled(b, cache.Heap)
		clear(keys)
		for b.Loop() {
			runtime.GC()
		}
		runtime.KeepAlive(c)
	})
}
