package feature

import (
	"fmt"
	"time"

	"github.com/gocasebook/casebook/remedy/cache"
)

// A localCache holds groups in the process. It is safe for concurrent use.
type localCache interface {
	// Append appends the JSON of a group to b; false without one.
	Append(b []byte, k key) ([]byte, bool)
	// Set keeps a group, given as JSON, until its deadline.
	Set(k key, data []byte, deadline time.Time) error
	Len() int // groups held, some of them past their deadline
	Close()   // no call may follow
}

// The values of -cache.
const (
	cacheNone     = "none"
	cacheDecoded  = "decoded"  // groups ready for use, in an LRU of structs
	cacheSegments = "segments" // remedy/cache: JSON in segments without pointers
)

var cacheNames = []string{cacheNone, cacheDecoded, cacheSegments}

// groupBytes is about what a group takes in JSON, with its place in the cache.
const groupBytes = 4 << 10

// newLocalCache makes the named cache for so many groups.
func newLocalCache(name string, groups int) (localCache, error) {
	switch name {
	case cacheNone:
		return noCache{}, nil
	case cacheDecoded:
		return newDecodedCache(groups), nil
	case cacheSegments:
		return newSegmentCache(groups)
	}
	return nil, fmt.Errorf("unknown cache %q", name)
}

// noCache holds nothing.
type noCache struct{}

func (noCache) Append(b []byte, _ key) ([]byte, bool)  { return b, false }
func (noCache) Set(_ key, _ []byte, _ time.Time) error { return nil }
func (noCache) Len() int                               { return 0 }
func (noCache) Close()                                 {}

// A segmentCache is remedy/cache with groups as they are sent: the collector sees its segments, not the groups.
type segmentCache struct{ c *cache.Cache[key, []byte] }

func newSegmentCache(groups int) (localCache, error) {
	c, err := cache.New(cache.Config[key, []byte]{MaxEntries: groups, MaxBytes: int64(groups)*groupBytes + 4<<20,
		Jitter: cache.NoJitter})
	if err != nil {
		return nil, fmt.Errorf("making the cache of segments: %w", err)
	}
	return segmentCache{c}, nil
}

func (s segmentCache) Append(b []byte, k key) ([]byte, bool) { return s.c.Append(b, k) }

func (s segmentCache) Set(k key, data []byte, deadline time.Time) error {
	left := time.Until(deadline)
	if left < time.Millisecond { // the cache's grain
		return nil
	}
	if err := s.c.SetTTL(k, data, left); err != nil {
		return fmt.Errorf("caching group %s of user %d: %w", k.group(), k.user(), err)
	}
	return nil
}

func (s segmentCache) Len() int { return s.c.Len() }
func (s segmentCache) Close()   { s.c.Close() }
