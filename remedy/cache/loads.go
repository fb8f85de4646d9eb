package cache

import (
	"math/bits"
	"sync"
	"sync/atomic"
	"time"
)

// loads are the keys that are being loaded.
type loads[K, V any] struct {
	underway atomic.Int64   // flights, so that Sets need not take the lock without any
	running  sync.WaitGroup // goroutines

	mu         sync.Mutex // guards what follows; taken before a shard's
	flights    map[string]*flight[K, V]
	resting    map[string]time.Time // keys whose refresh failed, until when they are left alone
	background int
	closed     bool
	stats      LoadStats
}

// restAfterFailure is how long a key is left alone after its refresh failed: a backend that fails at once would
// otherwise be asked by every Get.
const restAfterFailure = time.Second

// forget takes a flight off the list: the next caller for its key starts another, and its result is not kept.
func (l *loads[K, V]) forget(f *flight[K, V]) {
	if l.flights[f.bytes] == f {
		delete(l.flights, f.bytes)
		l.underway.Add(-1)
	}
}

// supersede makes sure that a running load is not kept: the key is set or deleted.
func (l *loads[K, V]) supersede(key []byte) {
	if l.underway.Load() == 0 {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if f := l.flights[string(key)]; f != nil {
		l.forget(f)
	}
}

func (l *loads[K, V]) supersedeAll() {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, f := range l.flights {
		l.forget(f)
	}
}

// rests says whether a key's refresh failed a moment ago. The caller holds mu.
func (l *loads[K, V]) rests(key string) bool {
	until, ok := l.resting[key]
	if ok && time.Now().Before(until) {
		return true
	}
	delete(l.resting, key)
	return false
}

// rest remembers a key whose refresh failed; at most limit keys, beyond that none. The caller holds mu.
func (l *loads[K, V]) rest(key string, limit int) {
	if l.resting == nil {
		l.resting = make(map[string]time.Time)
	}
	if len(l.resting) >= limit {
		now := time.Now()
		for k, until := range l.resting {
			if !now.Before(until) {
				delete(l.resting, k)
			}
		}
	}
	if len(l.resting) < limit {
		l.resting[key] = time.Now().Add(restAfterFailure)
	}
}

// took counts a call of a loader for this many keys.
func (l *loads[K, V]) took(d time.Duration, keys int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.stats.Calls++
	l.stats.Keys += uint64(keys)
	l.stats.Time += d
	l.stats.Times[min(bits.Len64(uint64(d.Microseconds())), LoadBuckets-1)]++
}

// LoadBuckets is the number of classes of load times.
const LoadBuckets = 32

// LoadStats are what loaders did.
type LoadStats struct {
	Calls     uint64              // that have ended
	Keys      uint64              // of them
	Failed    uint64              // keys with an error other than ErrNotFound
	Shared    uint64              // keys that a caller found being loaded, and waited for
	Refreshes uint64              // calls in the background
	Skipped   uint64              // not begun in the background, because MaxRefreshes were running
	Time      time.Duration       // of all calls together
	Times     [LoadBuckets]uint64 // calls by time: Times[i] took less than 2ⁱ µs, and at least half of it
}
