package phones

import (
	"fmt"
	"time"

	remedy "github.com/gocasebook/casebook/remedy/cache"
)

// entryBytes is the memory that remedy/cache gets for an entry: two words of key and one of phone, a header, and its
// place in the index (its package comment), in powers of two of the index and with a sixteenth of free room.
const entryBytes = 64

// leastCacheBytes is the smallest cache that is worth its segments.
const leastCacheBytes = 1 << 20

// remedyCache is Casebook's own remedy: keys and phones as they lie in memory, in segments without pointers.
type remedyCache[K key] struct{ c *remedy.Cache[K, Phone] }

func newRemedy[K key](size int, ttl time.Duration) (cache[K], error) {
	c, err := remedy.New(remedy.Config[K, Phone]{
		MaxBytes: max(int64(size)*entryBytes, leastCacheBytes), MaxEntries: size, TTL: ttl, Jitter: remedy.NoJitter,
	})
	if err != nil {
		return nil, fmt.Errorf("remedy/cache: %w", err)
	}
	return remedyCache[K]{c}, nil
}

func (r remedyCache[K]) Get(k K) (Phone, bool) { return r.c.Get(k) }

func (r remedyCache[K]) Set(k K, p Phone) {
	// An error says that an entry is too large for the cache, which 24 bytes are not.
	_ = r.c.Set(k, p)
}

func (r remedyCache[K]) Len() int { return r.c.Len() }

func (r remedyCache[K]) Close() { r.c.Close() }
