package cache_test

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/gocasebook/casebook/remedy/cache"
)

func TestTTL(t *testing.T) {
	const ttl = time.Minute
	type step struct {
		after time.Duration
		do    string // "get", "set", "long" (a minute more), "never"
		found bool
	}
	for _, tt := range []struct {
		name  string
		cfg   cache.Config[string, string]
		steps []step
	}{
		{"exact", cache.Config[string, string]{TTL: ttl, Jitter: cache.NoJitter}, []step{
			{0, "set", true}, {ttl - time.Millisecond, "get", true}, {time.Millisecond, "get", false},
			{0, "set", true}, {time.Second, "get", true}}},
		{"jitter never prolongs", cache.Config[string, string]{TTL: ttl, Jitter: 0.5}, []step{
			{0, "set", true}, {ttl/2 - time.Millisecond, "get", true}, {ttl/2 + time.Millisecond, "get", false}}},
		{"none", cache.Config[string, string]{}, []step{{0, "set", true}, {1000 * time.Hour, "get", true}}},
		{"of its own", cache.Config[string, string]{TTL: ttl, Jitter: cache.NoJitter}, []step{
			{0, "long", true}, {2*ttl - time.Millisecond, "get", true}, {time.Millisecond, "get", false}}},
		{"never", cache.Config[string, string]{TTL: ttl}, []step{{0, "never", true}, {1000 * time.Hour, "get", true}}},
		{"sliding", cache.Config[string, string]{TTL: ttl, Sliding: true, Jitter: cache.NoJitter}, []step{
			{0, "set", true}, {ttl - time.Second, "get", true}, {ttl - time.Second, "get", true}, {ttl, "get", false}}},
		{"sliding, of its own", cache.Config[string, string]{TTL: ttl, Sliding: true, Jitter: cache.NoJitter}, []step{
			{0, "long", true}, {2*ttl - time.Second, "get", true}, {2*ttl - time.Second, "get", true},
			{2 * ttl, "get", false}}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c := mustNew(t, tt.cfg)
				for i, s := range tt.steps {
					time.Sleep(s.after)
					var err error
					switch s.do {
					case "set":
						err = c.Set("k", "v")
					case "long":
						err = c.SetTTL("k", "v", 2*ttl)
					case "never":
						err = c.SetTTL("k", "v", cache.NoTTL)
					}
					if err != nil {
						t.Fatal(err)
					}
					if _, ok := c.Get("k"); ok != s.found {
						t.Errorf("step %d: Get found it: %v, want %v", i, ok, s.found)
					}
				}
			})
		})
	}
}

// TestJitterSpreads: the lifetimes of entries that arrive together are spread evenly over the last tenth.
func TestJitterSpreads(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := mustNew(t, cache.Config[int, int]{TTL: 1000 * time.Second})
		const n = 10_000
		for k := range n {
			if err := c.Set(k, k); err != nil {
				t.Fatal(err)
			}
		}
		time.Sleep(900 * time.Second)
		for tenth := 1; tenth <= 10; tenth++ {
			time.Sleep(10 * time.Second)
			c.DeleteExpired()
			want := n - n/10*tenth
			if got := c.Len(); got < want-200 || got > want+200 {
				t.Errorf("after %d s %d of %d are held, want about %d", 900+10*tenth, got, n, want)
			}
		}
	})
}

// TestSetsSweep: expired entries are removed although nobody asks for them, as long as something is set now and then.
func TestSetsSweep(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := mustNew(t, cache.Config[int, int]{TTL: time.Minute})
		const n = 10_000
		for k := range n {
			if err := c.Set(k, k); err != nil {
				t.Fatal(err)
			}
		}
		full := c.Stats().Bytes
		time.Sleep(time.Minute)
		for k := range n {
			if err := c.SetTTL(n+k%1000, k, time.Hour); err != nil {
				t.Fatal(err)
			}
		}
		s := c.Stats()
		if s.Entries != 1000 || s.Removed[cache.Expired] != n {
			t.Errorf("%d entries are held, %d were removed as expired, want 1000 and %d", s.Entries,
				s.Removed[cache.Expired], n)
		}
		if s.Bytes > full*3/4 {
			t.Errorf("%d bytes are held, want far less than the %d before", s.Bytes, full)
		}
	})
}
