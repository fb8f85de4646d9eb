package cache_test

import (
	"testing"
	"time"

	"github.com/gocasebook/casebook/remedy/cache"
)

type point struct{ X, Y int32 }

// TestAllocations: what Get and Set allocate, on average.
func TestAllocations(t *testing.T) {
	text := mustNew(t, cache.Config[string, string]{TTL: time.Hour})
	flat := mustNew(t, cache.Config[uint64, point]{Sliding: true, TTL: time.Hour})
	blob := mustNew(t, cache.Config[[]byte, []byte]{})
	key, buffer := []byte("key"), make([]byte, 0, 100)
	for _, tt := range []struct {
		name string
		want float64
		f    func()
	}{
		{"Set string", 0, func() { _ = text.Set("key", "value") }},
		{"Get string", 0, func() { text.Get("key") }},
		{"Get string, a miss", 0, func() { text.Get("no key") }},
		{"Set struct", 0, func() { _ = flat.Set(7, point{1, 2}) }},
		{"Get struct", 0, func() { flat.Get(7) }},
		{"Set bytes", 0, func() { _ = blob.Set(key, key) }},
		{"Append bytes", 0, func() { blob.Append(buffer, key) }},
		{"Get bytes", 1, func() { blob.Get(key) }},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := testing.AllocsPerRun(10_000, tt.f); got != tt.want {
				t.Errorf("%v allocations, want %v", got, tt.want)
			}
		})
	}
}
