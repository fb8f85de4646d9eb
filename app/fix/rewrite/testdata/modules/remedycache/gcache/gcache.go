// Package gcache is lab/phones/cache_gcache.go.
package gcache

import (
	"strconv"
	"time"

	"github.com/bluele/gcache"
)

type gcacheLRU[K ~int64] struct{ c gcache.Cache }

func newGcache[K ~int64](size int, ttl time.Duration) gcacheLRU[K] {
	return gcacheLRU[K]{gcache.New(size).LRU().Expiration(ttl).Build()}
}

func (g gcacheLRU[K]) Get(k K) (int64, bool) {
	value, err := g.c.Get(strconv.FormatInt(int64(k), 10))
	if err != nil {
		return 0, false // gcache knows one error here: the key is not in the cache
	}
	digits, ok := value.(string)
	if !ok {
		return 0, false
	}
	n, err := strconv.ParseInt(digits, 10, 64)
	return n, err == nil
}

func (g gcacheLRU[K]) Set(k K, n int64) {
	_ = g.c.Set(strconv.FormatInt(int64(k), 10), strconv.FormatInt(n, 10))
}

func (g gcacheLRU[K]) Len() int { return g.c.Len(false) }
