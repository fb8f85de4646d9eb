package phones

import (
	"fmt"
	"strconv"
	"time"

	"github.com/gocasebook/casebook/lab/draw"
)

// A cache is an LRU of phones with a fixed lifetime from the last Set. It is safe for concurrent use.
type cache[K key] interface {
	Get(k K) (Phone, bool)
	Set(k K, p Phone)
	Len() int // entries held, expired ones among them
	Close()   // stops what the cache runs in the background; no call may follow
}

// A key is what a cache is asked for. String is for the caches that keep strings, hash for those that do not.
type key interface {
	comparable
	String() string
	hash() uint32
}

// A realKey asks for the real phone of a listing.
type realKey struct{ user, item uint64 }

func (k realKey) String() string {
	b := make([]byte, 0, 40) // on the stack: two ids below 2⁶³ of 19 digits each, and the colon
	b = strconv.AppendUint(b, k.user, 10)
	b = append(b, ':')
	return string(strconv.AppendUint(b, k.item, 10))
}

func (k realKey) hash() uint32 { return uint32(draw.Mix(draw.Mix(k.user)^k.item) >> 32) }

// A trackingKey asks for the call-tracking phone that stands for a real one.
type trackingKey Phone

func (k trackingKey) String() string { return Phone(k).Digits() }

func (k trackingKey) hash() uint32 { return uint32(draw.Mix(uint64(k)) >> 32) }

// caches are the two caches of the gateway.
type caches struct {
	real     cache[realKey]     // user and item → the seller's real phone
	tracking cache[trackingKey] // real phone → call-tracking phone
}

// cacheNames are the values of -cache.
var cacheNames = []string{"none", "gcache", "ccache", "freelru", "remedy"}

// The values of -cached: the article's gateway had the one for call tracking first.
const (
	cachedBoth     = "both"
	cachedTracking = "tracking"
)

var cachedNames = []string{cachedBoth, cachedTracking}

// newCaches makes both caches, each for half of size entries; the one of real phones holds nothing unless it is wanted.
func newCaches(name, cached string, size int, ttl time.Duration) (caches, error) {
	half := max(size/2, 1)
	ofReal := name
	if cached == cachedTracking {
		ofReal = "none"
	}
	real, err := newCache[realKey](ofReal, half, ttl)
	if err != nil {
		return caches{}, fmt.Errorf("making the cache of real phones: %w", err)
	}
	tracking, err := newCache[trackingKey](name, half, ttl)
	if err != nil {
		return caches{}, fmt.Errorf("making the cache of call-tracking phones: %w", err)
	}
	return caches{real: real, tracking: tracking}, nil
}

// newCache makes the named cache for size entries.
func newCache[K key](name string, size int, ttl time.Duration) (cache[K], error) {
	switch name {
	case "none":
		return noCache[K]{}, nil
	case "gcache":
		return newGcache[K](size, ttl), nil
	case "ccache":
		return newCcache[K](size, ttl), nil
	case "freelru":
		return newFreelru[K](size, ttl)
	case "remedy":
		return newRemedy[K](size, ttl)
	}
	return nil, fmt.Errorf("unknown cache %q", name)
}

// Len is how many entries both caches hold.
func (c caches) Len() int { return c.real.Len() + c.tracking.Len() }

// Close closes both caches.
func (c caches) Close() {
	c.real.Close()
	c.tracking.Close()
}
