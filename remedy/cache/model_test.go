package cache_test

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"

	"github.com/gocasebook/casebook/remedy/cache"
)

func mustNew[K, V any](t testing.TB, cfg cache.Config[K, V]) *cache.Cache[K, V] {
	t.Helper()
	c, err := cache.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// TestModel plays random operations on a cache and on a map. A cache without enough capacity may lose an entry, but it
// never returns anything that differs from the map.
func TestModel(t *testing.T) {
	for _, tt := range []struct {
		name     string
		cfg      cache.Config[string, string]
		keys     int
		longest  int // bytes of a value
		complete bool
	}{
		{"room for all", cache.Config[string, string]{}, 3000, 100, true},
		{"room for all, one key", cache.Config[string, string]{MaxBytes: 64 << 10}, 1, 100, true},
		{"too small", cache.Config[string, string]{MaxBytes: 64 << 10}, 3000, 100, false},
		{"too small, large values", cache.Config[string, string]{MaxBytes: 1 << 20}, 3000, 8000, false},
		{"mapped, too small", cache.Config[string, string]{MaxBytes: 16 << 20, Memory: cache.Mapped}, 3000, 40_000,
			false},
		{"few entries", cache.Config[string, string]{MaxEntries: 100}, 1000, 30, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			skipWithoutMapping(t, tt.cfg.Memory)
			r := rand.New(rand.NewPCG(1, 2))
			c := mustNew(t, tt.cfg)
			model := make(map[string]string)
			hits := 0
			for i := range 50_000 {
				key := fmt.Sprintf("%d", int(float64(tt.keys)*r.Float64()*r.Float64()))
				switch r.IntN(10) {
				case 0, 1, 2:
					value := strings.Repeat(fmt.Sprint(i, " "), 1+r.IntN(tt.longest)/7)
					if err := c.Set(key, value); err != nil {
						t.Fatal(err)
					}
					model[key] = value
				case 3:
					was := c.Delete(key)
					if _, in := model[key]; was && !in || in && !was && tt.complete {
						t.Fatalf("Delete(%q) = %v, the model says %v", key, was, in)
					}
					delete(model, key)
				default:
					got, ok := c.Get(key)
					want, in := model[key]
					if ok && got != want || ok && !in || in && !ok && tt.complete {
						t.Fatalf("step %d: Get(%q) = %.40q, %v, want %.40q, %v", i, key, got, ok, want, in)
					}
					if ok {
						hits++
					}
				}
			}
			if n := c.Len(); n > len(model) || tt.complete && n != len(model) {
				t.Errorf("Len() = %d, the model has %d", n, len(model))
			}
			c.Close()
			if hits < 2500 {
				t.Errorf("%d hits of about 30,000: want 2500 at least", hits)
			}
		})
	}
}

func skipWithoutMapping(t *testing.T, m cache.Memory) {
	t.Helper()
	if m == cache.Mapped && runtime.GOOS == "windows" {
		t.Skip("no mapped memory on Windows")
	}
}
