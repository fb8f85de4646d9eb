package main

import (
	"context"
	"fmt"
	"strings"
	"time"
	"unsafe"

	"github.com/VictoriaMetrics/fastcache"
	"github.com/Yiling-J/theine-go"
	"github.com/allegro/bigcache/v3"
	"github.com/bluele/gcache"
	"github.com/coocood/freecache"
	"github.com/dgraph-io/ristretto/v2"
	"github.com/elastic/go-freelru"
	"github.com/hashicorp/golang-lru/v2/expirable"
	"github.com/karlseguin/ccache/v3"
	"github.com/maypok86/otter/v2"
	"github.com/zeebo/xxh3"

	"github.com/gocasebook/casebook/remedy/cache"
)

// A peer is a cache under measurement. keys and values are views: a peer that keeps them must copy them.
type peer struct {
	set func(key, value string)
	// reader makes a goroutine's own way to get a value, by the cheapest call that the cache has. It says how long it
	// is.
	reader  func() func(key string) (int, bool)
	count   func() int   // entries
	outside func() int64 // bytes that it has besides Go's heap; nil: none
	settle  func()       // waits until what was set can be got; nil: it can
	close   func()
}

// A maker makes a peer for n entries of strings of 11 to 12 bytes.
type maker struct {
	name string
	ttl  bool // it keeps a time to live with each entry
	make func(n int, ttl time.Duration) (peer, error)
	// bounded makes one that keeps about n entries and no more, for the hit ratios; nil: make does.
	bounded func(n int, ttl time.Duration) (peer, error)
}

// noCache is the process without a cache.
const noCache = "none"

const ours = "casebook cache"

// rivals are the caches without pointers. Get must be faster than theirs.
func rivals() []string {
	return []string{"allegro/bigcache v3", "coocood/freecache", "VictoriaMetrics/fastcache"}
}

func makers() []maker {
	return []maker{
		{name: noCache, make: func(int, time.Duration) (peer, error) {
			return peer{set: func(string, string) {}, reader: same(func(string) (int, bool) { return 0, false })}, nil
		}},
		{name: ours, ttl: true, make: newOurs, bounded: newOursBounded},
		{name: "bluele/gcache LRU", ttl: true, make: newGcache},
		{name: "karlseguin/ccache v3", ttl: true, make: newCcache},
		{name: "allegro/bigcache v3", ttl: true, make: newBigcache, bounded: newBigcacheBounded},
		{name: "coocood/freecache", ttl: true, make: newFreecache, bounded: newFreecacheBounded},
		{name: "VictoriaMetrics/fastcache", ttl: false, make: newFastcache},
		{name: "maypok86/otter v2", ttl: true, make: newOtter},
		{name: "Yiling-J/theine-go", ttl: true, make: newTheine},
		{name: "dgraph-io/ristretto v2", ttl: true, make: newRistretto},
		{name: "elastic/go-freelru, strings", ttl: true, make: newFreelru},
		{name: "elastic/go-freelru, [16]byte", ttl: true, make: newFreelruFixed},
		{name: "hashicorp expirable LRU", ttl: true, make: newHashicorp},
	}
}

// same is a reader without state of a goroutine's own.
func same(get func(string) (int, bool)) func() func(string) (int, bool) {
	return func() func(string) (int, bool) { return get }
}

func bytesOf(s string) []byte { return unsafe.Slice(unsafe.StringData(s), len(s)) }

func newOurs(n int, ttl time.Duration) (peer, error) { return newOursOf(n, 0, ttl) }

// newOursBounded is bounded by entries, too.
func newOursBounded(n int, ttl time.Duration) (peer, error) { return newOursOf(n, n, ttl) }

func newOursOf(n, most int, ttl time.Duration) (peer, error) {
	c, err := cache.New(cache.Config[string, string]{MaxBytes: max(int64(n)*56, 64<<10), MaxEntries: most, TTL: ttl})
	if err != nil {
		return peer{}, err
	}
	return peer{
		set: func(k, v string) { _ = c.Set(k, v) },
		reader: same(func(k string) (int, bool) {
			v, ok := c.Get(k)
			return len(v), ok
		}),
		count: c.Len,
	}, nil
}

func newGcache(n int, ttl time.Duration) (peer, error) {
	c := gcache.New(n).LRU().Expiration(ttl).Build()
	return peer{
		set: func(k, v string) { _ = c.Set(strings.Clone(k), strings.Clone(v)) },
		reader: same(func(k string) (int, bool) {
			v, err := c.Get(k)
			if err != nil {
				return 0, false
			}
			return len(v.(string)), true
		}),
		count: func() int { return c.Len(false) },
	}, nil
}

func newCcache(n int, ttl time.Duration) (peer, error) {
	c := ccache.New(ccache.Configure[string]().MaxSize(int64(n)).Buckets(64))
	return peer{
		set: func(k, v string) { c.Set(strings.Clone(k), strings.Clone(v), ttl) },
		reader: same(func(k string) (int, bool) {
			item := c.Get(k)
			if item == nil || item.Expired() {
				return 0, false
			}
			return len(item.Value()), true
		}),
		count: c.ItemCount, settle: c.SyncUpdates, close: c.Stop,
	}, nil
}

func newBigcache(n int, ttl time.Duration) (peer, error) { return newBigcacheOf(n, 0, ttl) }

// newBigcacheBounded is bounded by whole MiB: an entry takes 42 bytes of its queues.
func newBigcacheBounded(n int, ttl time.Duration) (peer, error) {
	return newBigcacheOf(n, max(n*42>>20, 1), ttl)
}

func newBigcacheOf(n, mib int, ttl time.Duration) (peer, error) {
	cfg := bigcache.DefaultConfig(ttl)
	cfg.Verbose = false
	cfg.MaxEntriesInWindow, cfg.MaxEntrySize, cfg.HardMaxCacheSize = n, 24, mib
	if mib > 0 {
		cfg.Shards, cfg.MaxEntriesInWindow = 16, n/4 // its queues begin with what this asks for, beyond the bound
	}
	c, err := bigcache.New(context.Background(), cfg)
	if err != nil {
		return peer{}, err
	}
	return peer{
		set: func(k, v string) { _ = c.Set(k, bytesOf(v)) },
		reader: same(func(k string) (int, bool) {
			v, err := c.Get(k)
			return len(v), err == nil
		}),
		count: c.Len, close: func() { _ = c.Close() },
	}, nil
}

func newFreecache(n int, ttl time.Duration) (peer, error) { return newFreecacheOf(n*72, ttl) }

// newFreecacheBounded is bounded by bytes: an entry takes 47 of its ring.
func newFreecacheBounded(n int, ttl time.Duration) (peer, error) { return newFreecacheOf(n*47, ttl) }

func newFreecacheOf(bytes int, ttl time.Duration) (peer, error) {
	c := freecache.NewCache(bytes)
	return peer{
		set: func(k, v string) { _ = c.Set(bytesOf(k), bytesOf(v), int(ttl.Seconds())) },
		reader: func() func(string) (int, bool) {
			buf := make([]byte, 64)
			return func(k string) (int, bool) {
				v, err := c.GetWithBuf(bytesOf(k), buf)
				return len(v), err == nil
			}
		},
		count: func() int { return int(c.EntryCount()) },
	}, nil
}

func newFastcache(n int, _ time.Duration) (peer, error) {
	c := fastcache.New(n * 32)
	stats := func() (s fastcache.Stats) { c.UpdateStats(&s); return s }
	return peer{
		set: func(k, v string) { c.Set(bytesOf(k), bytesOf(v)) },
		reader: func() func(string) (int, bool) {
			buf := make([]byte, 0, 64)
			return func(k string) (int, bool) {
				v, ok := c.HasGet(buf, bytesOf(k))
				return len(v), ok
			}
		},
		count:   func() int { return int(stats().EntriesCount) },
		outside: func() int64 { return int64(stats().BytesSize) }, // its chunks are mapped
		close:   c.Reset,
	}, nil
}

func newOtter(n int, ttl time.Duration) (peer, error) {
	c, err := otter.New(&otter.Options[string, string]{MaximumSize: n,
		ExpiryCalculator: otter.ExpiryWriting[string, string](ttl)})
	if err != nil {
		return peer{}, err
	}
	return peer{
		set: func(k, v string) { c.Set(strings.Clone(k), strings.Clone(v)) },
		reader: same(func(k string) (int, bool) {
			v, ok := c.GetIfPresent(k)
			return len(v), ok
		}),
		count: c.EstimatedSize, settle: c.CleanUp, close: func() { c.StopAllGoroutines() },
	}, nil
}

func newTheine(n int, ttl time.Duration) (peer, error) {
	c, err := theine.NewBuilder[string, string](int64(n)).Build()
	if err != nil {
		return peer{}, err
	}
	return peer{
		set: func(k, v string) { c.SetWithTTL(strings.Clone(k), strings.Clone(v), 1, ttl) },
		reader: same(func(k string) (int, bool) {
			v, ok := c.Get(k)
			return len(v), ok
		}),
		count: c.Len, settle: c.Wait, close: c.Close,
	}, nil
}

func newRistretto(n int, ttl time.Duration) (peer, error) {
	c, err := ristretto.NewCache(&ristretto.Config[string, string]{NumCounters: int64(n) * 10, MaxCost: int64(n),
		BufferItems: 64, IgnoreInternalCost: true})
	if err != nil {
		return peer{}, err
	}
	return peer{
		set: func(k, v string) { c.SetWithTTL(strings.Clone(k), strings.Clone(v), 1, ttl) },
		reader: same(func(k string) (int, bool) {
			v, ok := c.Get(k)
			return len(v), ok
		}),
		count: func() int { return int(c.MaxCost() - c.RemainingCost()) }, settle: c.Wait, close: c.Close,
	}, nil
}

func newFreelru(n int, ttl time.Duration) (peer, error) {
	return freelruOf(n, ttl, func(s string) uint32 { return uint32(xxh3.HashString(s)) },
		func(s string) string { return s }, strings.Clone, func(s string) int { return len(s) })
}

// sixteen is a short string by value.
type sixteen [16]byte

func pack(s string) (p sixteen) {
	p[15] = byte(copy(p[:15], s))
	return p
}

func newFreelruFixed(n int, ttl time.Duration) (peer, error) {
	return freelruOf(n, ttl, func(s sixteen) uint32 { return uint32(xxh3.Hash(s[:])) },
		pack, pack, func(s sixteen) int { return int(s[15]) })
}

// freelruOf keeps strings as T: ask makes one for a Get, keep one for a Set.
func freelruOf[T comparable](n int, ttl time.Duration, hash func(T) uint32, ask, keep func(string) T,
	length func(T) int) (peer, error) {
	c, err := freelru.NewSharded[T, T](uint32(n), hash)
	if err != nil {
		return peer{}, err
	}
	c.SetLifetime(ttl)
	return peer{
		set: func(k, v string) { c.Add(keep(k), keep(v)) },
		reader: same(func(k string) (int, bool) {
			v, ok := c.Get(ask(k))
			return length(v), ok
		}),
		count: c.Len,
	}, nil
}

func newHashicorp(n int, ttl time.Duration) (peer, error) {
	c := expirable.NewLRU[string, string](n, nil, ttl)
	return peer{
		set: func(k, v string) { c.Add(strings.Clone(k), strings.Clone(v)) },
		reader: same(func(k string) (int, bool) {
			v, ok := c.Get(k)
			return len(v), ok
		}),
		count: c.Len,
	}, nil
}

func makerOf(name string) (maker, error) {
	var names []string
	for _, m := range makers() {
		if m.name == name {
			return m, nil
		}
		names = append(names, m.name)
	}
	return maker{}, fmt.Errorf("cache %q is not known: want one of %s", name, strings.Join(names, ", "))
}
