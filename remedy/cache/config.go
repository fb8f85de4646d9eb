package cache

import (
	"errors"
	"fmt"
	"math"
	"runtime"
	"time"
)

// A Config says how much a cache may hold, and for how long. The zero value is a cache of 64 MiB whose entries do not
// expire. For values that make no sense New returns an error that names the field.
type Config[K, V any] struct {
	// MaxBytes bounds the memory of segments, index and ghosts together. Default DefaultMaxBytes. An entry takes about
	// 20 bytes besides its key and value. Strings that callers keep also keep their segments in memory, beyond the
	// bound: see Get.
	MaxBytes int64

	// MaxEntries bounds the entries, too. Zero: as many as MaxBytes allows.
	MaxEntries int

	// TTL is the lifetime of an entry that Set or a loader adds. Zero or NoTTL: none.
	TTL time.Duration

	// Jitter shortens each lifetime by a random part of up to this share, so that entries which came together do not
	// expire together and fall on the backend at once. Default DefaultJitter; NoJitter: lifetimes are exact.
	Jitter float64

	// Sliding makes a lifetime start again at each Get, give or take 1/32 of it. It excludes RefreshAhead and StaleFor.
	Sliding bool

	// NegativeTTL is the lifetime of entries that say that a key has no value: a loader's ErrNotFound, SetNegative.
	// Default: a tenth of TTL, or a minute without TTL. NoNegative: they are not kept.
	NegativeTTL time.Duration

	// RefreshAhead makes GetOrLoad load an entry again, in the background, in this last part of its lifetime.
	RefreshAhead time.Duration

	// StaleFor keeps entries for this long after their lifetime: GetOrLoad returns them and loads again in the
	// background. Get does not return them.
	StaleFor time.Duration

	// LoadTimeout bounds each call of a loader. Zero: as long as a caller waits.
	LoadTimeout time.Duration

	// MaxRefreshes bounds the loads that run in the background at once. Beyond that an entry is served as it is.
	// Default DefaultMaxRefreshes.
	MaxRefreshes int

	// OnRemove is called for each entry that is removed, except for negative ones, by the goroutine whose call removed
	// it and without a lock: it may call the cache. A panic in it is counted (Stats.Panics).
	OnRemove func(key K, value V, cause Cause)

	// OnError gets errors of loads in the background, which no caller sees. A panic in it is counted.
	OnError func(key K, err error)

	// KeyCodec and ValueCodec are for types that are not strings, byte slices, integers, or arrays and structs of fixed
	// size without pointers.
	KeyCodec   *Codec[K]
	ValueCodec *Codec[V]

	// Memory says where segments are. Default Heap.
	Memory Memory
}

// A Memory is where entries are kept.
type Memory int

const (
	// Heap is memory of Go, without pointers. Get needs no lock, and a string that it returns is not copied. The
	// collector does not look inside, but counts it: with GOGC=100 the heap may grow to twice the cache and more before
	// a cycle.
	Heap Memory = iota

	// Mapped is memory of the system (mmap), which Go's collector does not count, for caches that are most of a
	// process. Get takes a lock and copies, so that a string costs an allocation. The index, a quarter of a cache of
	// small entries, stays in Go's memory. Close releases the mapped memory. Not on Windows.
	Mapped
)

// Defaults and special values of Config's fields.
const (
	DefaultMaxBytes     = 64 << 20
	DefaultJitter       = 0.1
	DefaultMaxRefreshes = 64

	NoTTL      time.Duration = -1 // entries do not expire
	NoJitter   float64       = -1 // lifetimes are exact
	NoNegative time.Duration = -1 // that a key has no value is not kept
)

const (
	leastBytes    = 64 << 10
	leastMapped   = 16 << 20
	mostBytes     = 1 << 40
	mostEntries   = math.MaxInt32
	mostRefreshes = 1 << 16
	longestTTL    = 4 * 365 * 24 * time.Hour // a deadline has 38 bits of ms: 8.7 years of the cache's life

	defaultNegativePart = 10
	defaultNegativeTTL  = time.Minute
)

// validate names the fields at fault.
func (c *Config[K, V]) validate() error {
	errs := []error{
		within("MaxEntries", c.MaxEntries, mostEntries),
		within("MaxRefreshes", c.MaxRefreshes, mostRefreshes),
		within("RefreshAhead", c.RefreshAhead, longestTTL),
		within("StaleFor", c.StaleFor, longestTTL),
		within("LoadTimeout", c.LoadTimeout, longestTTL),
		checkTTL("TTL", c.TTL), checkTTL("NegativeTTL", c.NegativeTTL),
	}
	if c.MaxBytes != 0 && (c.MaxBytes < leastBytes || c.MaxBytes > mostBytes) {
		errs = append(errs, fmt.Errorf("field MaxBytes is %d, want 0 (the default, 64 MiB) or %d to %d", c.MaxBytes,
			leastBytes, int64(mostBytes)))
	}
	if c.Jitter != NoJitter && !(c.Jitter >= 0 && c.Jitter < 1) {
		errs = append(errs, fmt.Errorf("field Jitter is %v, want NoJitter, 0 (the default, %v) or less than 1",
			c.Jitter, DefaultJitter))
	}
	if c.Sliding && (c.RefreshAhead != 0 || c.StaleFor != 0) {
		errs = append(errs, errors.New("field Sliding excludes RefreshAhead and StaleFor: a Get prolongs the lifetime"))
	}
	if c.TTL <= 0 && (c.RefreshAhead != 0 || c.StaleFor != 0 || c.Sliding) {
		errs = append(errs, errors.New("fields RefreshAhead, StaleFor and Sliding need a TTL"))
	}
	if d := c.withDefaults(); c.RefreshAhead > 0 && c.TTL > 0 &&
		c.RefreshAhead >= time.Duration(float64(c.TTL)*(1-d.Jitter)) {
		errs = append(errs, fmt.Errorf("field RefreshAhead is %v, want less than what Jitter leaves of the TTL of %v",
			c.RefreshAhead, c.TTL))
	}
	if c.Memory == Mapped && c.MaxBytes != 0 && c.MaxBytes < leastMapped {
		errs = append(errs,
			fmt.Errorf("field MaxBytes is %d, want %d at least with Memory Mapped: the system gives whole pages",
				c.MaxBytes, leastMapped))
	}
	if c.Memory != Heap && c.Memory != Mapped {
		errs = append(errs, fmt.Errorf("field Memory is %d, want Heap or Mapped", c.Memory))
	}
	return errors.Join(errs...)
}

func within[N int | time.Duration](field string, v, limit N) error {
	if v < 0 || v > limit {
		return fmt.Errorf("field %s is %v, want 0 (the default) to %v", field, v, limit)
	}
	return nil
}

// checkTTL accepts -1 (NoTTL, NoNegative), too. The clock cannot measure a lifetime of less than a millisecond.
func checkTTL(field string, d time.Duration) error {
	if d != 0 && d != NoTTL && (d < time.Millisecond || d > longestTTL) {
		return fmt.Errorf("field %s is %v, want 0 (the default), -1 (none) or 1ms to %v", field, d, longestTTL)
	}
	return nil
}

func (c Config[K, V]) withDefaults() Config[K, V] {
	if c.MaxBytes == 0 {
		c.MaxBytes = DefaultMaxBytes
	}
	if c.TTL == NoTTL {
		c.TTL = 0
	}
	switch c.Jitter {
	case 0:
		c.Jitter = DefaultJitter
	case NoJitter:
		c.Jitter = 0
	}
	if c.NegativeTTL == 0 {
		if c.NegativeTTL = defaultNegativeTTL; c.TTL > 0 {
			c.NegativeTTL = max(c.TTL/defaultNegativePart, time.Millisecond)
		}
	}
	if c.MaxRefreshes == 0 {
		c.MaxRefreshes = DefaultMaxRefreshes
	}
	return c
}

const (
	// While there are fewer shards than four per processor, a shard has at least leastShard bytes and fewEntries
	// entries, so that writers rarely wait for each other. Beyond that it has shardBytes, so that its index, which a
	// writer enlarges under the lock, is small.
	leastShard = 256 << 10
	// leastMappedShard makes segments of 64 KiB, a multiple of the pages of all systems.
	leastMappedShard = 4 << 20
	shardBytes       = 32 << 20
	fewEntries       = 4096
	mostShards       = 512

	// A full shard has segmentParts segments.
	segmentParts = 64
	mostSegment  = 512 << 10
	leastSegment = 1 << 10
)

// shardsFor is how many shards a cache has: a power of two.
func shardsFor(bytes int64, entries int, m Memory) int {
	n, least := 1, int64(leastShard)
	if m == Mapped {
		least = leastMappedShard
	}
	for n < mostShards && (entries == 0 || entries >= 2*n*fewEntries) {
		few := n < 4*runtime.GOMAXPROCS(0) && bytes >= int64(2*n)*least
		if !few && bytes < int64(2*n)*shardBytes {
			break
		}
		n *= 2
	}
	return n
}

// limitsFor are the limits of each of n shards.
func limitsFor(bytes int64, entries, n int) limits {
	l := limits{bytes: int(bytes / int64(n)), entries: (entries + n - 1) / n}
	segment := leastSegment
	for segment < mostSegment && 2*segment*segmentParts <= l.bytes {
		segment *= 2
	}
	l.segmentWords = segment / wordBytes
	return l
}
