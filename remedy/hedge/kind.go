package hedge

import (
	"math"
	"sync"
	"sync/atomic"
	"time"
)

// A kind is what is known about one kind of call.
type kind struct {
	quantile   float64
	minDelay   time.Duration
	minSamples uint64
	halfLife   time.Duration

	latencies histogram
	late      atomic.Int64 // ns; 0 while not known
	risen     atomic.Bool  // the median is far above its baseline
	read      atomic.Int64 // when the histogram was last read
	used      atomic.Int64 // when a call last began
	lateCalls lateCalls
	alarm     alarm
	races     sync.Pool    // of *race[T], for the T that calls of this kind return
	lost      atomic.Int64 // hedges in a row that did not win
	probed    atomic.Int64 // when one of them was let through

	mu       sync.Mutex // guards what follows; no other lock is taken under it
	halved   time.Duration
	followed time.Duration
	baseline float64 // the median in better times, ns; 0 while not known
}

// reading is how often the histogram is read, about 1 µs each time.
const reading = 100 * time.Millisecond

func newKind(c Config, epoch time.Time) *kind {
	k := &kind{quantile: c.Quantile, minDelay: c.MinDelay, minSamples: uint64(c.MinSamples), halfLife: c.HalfLife}
	k.alarm.epoch = epoch
	k.probed.Store(math.MinInt64 / 2)
	return k
}

func (k *kind) delay() time.Duration { return time.Duration(k.late.Load()) }

// observe takes in how long a first attempt took. One that failed, or was cut short, counts only if it was late: a
// refused connection says nothing about how long an answer takes.
func (k *kind) observe(now, took, delay time.Duration, failed bool) {
	if failed && (delay == 0 || took < delay) {
		return
	}
	k.latencies.add(took)
	last := k.read.Load()
	if now-time.Duration(last) >= reading && k.read.CompareAndSwap(last, int64(now)) {
		k.update(now)
	}
}

// update reads the quantiles again and forgets what is old.
func (k *kind) update(now time.Duration) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.forget(now)
	if k.latencies.total() < k.minSamples {
		return
	}
	k.late.Store(int64(max(k.latencies.quantile(k.quantile), k.minDelay)))
	k.follow(now, k.latencies.quantile(0.5))
}

// forget halves the weights once each half-life, but keeps at least the samples that it needs: if calls are few, the
// past is all there is.
func (k *kind) forget(now time.Duration) {
	for ; now-k.halved >= k.halfLife && k.latencies.total() >= 2*k.minSamples; k.halved += k.halfLife {
		k.latencies.halve()
	}
	if now-k.halved >= k.halfLife {
		k.halved = now - k.halfLife // time without calls is not made up for later
	}
}
