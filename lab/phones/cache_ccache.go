package phones

import (
	"time"

	"github.com/karlseguin/ccache/v3"
)

// ccacheBuckets is how many locks the keys are spread over.
const ccacheBuckets = 64

// ccacheLRU is the article's remedy: karlseguin/ccache with typed strings. An entry is four heap objects: the item, its
// list node and the bytes of key and value. It is less to walk than gcache's seven, but still millions of pointers.
type ccacheLRU[K key] struct {
	c   *ccache.Cache[string]
	ttl time.Duration
}

func newCcache[K key](size int, ttl time.Duration) ccacheLRU[K] {
	config := ccache.Configure[string]().MaxSize(int64(size)).Buckets(ccacheBuckets)
	return ccacheLRU[K]{ccache.New(config), ttl}
}

func (c ccacheLRU[K]) Get(k K) (Phone, bool) {
	item := c.c.Get(k.String())
	if item == nil || item.Expired() { // ccache also returns expired items
		return 0, false
	}
	phone, err := ParsePhone(item.Value())
	return phone, err == nil
}

func (c ccacheLRU[K]) Set(k K, p Phone) { c.c.Set(k.String(), p.Digits(), c.ttl) }

func (c ccacheLRU[K]) Len() int { return c.c.ItemCount() }

func (c ccacheLRU[K]) Close() { c.c.Stop() }
