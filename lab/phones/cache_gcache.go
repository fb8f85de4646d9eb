package phones

import (
	"time"

	"github.com/bluele/gcache"
)

// gcacheLRU is the sick form, as the article's service had it: bluele/gcache, strings in interface{}. An entry is seven
// heap objects, all found through pointers: the key's bytes and its string header in the interface, the same two for
// the value, the list element, the item and its expiry time.
type gcacheLRU[K key] struct{ c gcache.Cache }

func newGcache[K key](size int, ttl time.Duration) gcacheLRU[K] {
	return gcacheLRU[K]{gcache.New(size).LRU().Expiration(ttl).Build()}
}

func (g gcacheLRU[K]) Get(k K) (Phone, bool) {
	value, err := g.c.Get(k.String())
	if err != nil {
		return 0, false // gcache knows one error here: the key is not in the cache
	}
	digits, ok := value.(string)
	if !ok {
		return 0, false
	}
	phone, err := ParsePhone(digits)
	return phone, err == nil
}

func (g gcacheLRU[K]) Set(k K, p Phone) {
	// Its error can only come from a serialising function, and there is none.
	_ = g.c.Set(k.String(), p.Digits())
}

func (g gcacheLRU[K]) Len() int { return g.c.Len(false) }

func (g gcacheLRU[K]) Close() {}
