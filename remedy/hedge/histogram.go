package hedge

import (
	"math/bits"
	"sync/atomic"
	"time"
)

// A histogram estimates quantiles of a stream of latencies. Its buckets are log-linear, as in HdrHistogram (Tene): 16
// to each doubling, from 1 µs to 137 s, so a value is known to within 1/16 of itself wherever it lies, which is the
// relative-error guarantee of DDSketch (Masson, Rim and Lee, PVLDB 12(12), 2019). Old values are forgotten by halving
// all counts.
//
// P² (Jain and Chlamtac, 1985) and the frugal estimators are smaller, but follow one quantile each, and forget either
// nothing or at an unknown rate; t-digest allocates and needs a lock. Here adding is one atomic increment, and the p95
// and the median come out of one walk.
//
// A call that was cut short, because its hedge won or its caller left, is added with the time it took until then if it
// was late: a quantile asks only how many lie above it, and it does.
type histogram struct {
	bucket [buckets]atomic.Uint32
}

const (
	lowest  = 10 // log2 of the first bucket's bound in ns: 1.02 µs
	highest = 37 // 137 s
	perTwo  = 16 // buckets to a doubling
	buckets = (highest - lowest) * perTwo
)

// bucketOf is the bucket of a latency. Values out of range count in the first or the last.
func bucketOf(d time.Duration) int {
	v := uint64(min(max(d, 1<<lowest), 1<<highest-1))
	e := bits.Len64(v) - 1
	return (e-lowest)*perTwo + int(v>>(e-4)&(perTwo-1))
}

// bound is the lower bound of a bucket in ns.
func bound(bucket int) float64 {
	return float64(uint64(perTwo+bucket%perTwo) << (lowest + bucket/perTwo - 4))
}

func (h *histogram) add(d time.Duration) { h.bucket[bucketOf(d)].Add(1) }

// total is the weight of what is counted.
func (h *histogram) total() (n uint64) {
	for i := range h.bucket {
		n += uint64(h.bucket[i].Load())
	}
	return n
}

// quantile estimates a quantile, by linear interpolation within its bucket; 0 if nothing is counted.
func (h *histogram) quantile(q float64) time.Duration {
	rank, seen := q*float64(h.total()), 0.0
	last := 0
	for i := range h.bucket {
		n := float64(h.bucket[i].Load())
		if n == 0 {
			continue
		}
		if seen+n >= rank {
			return time.Duration(bound(i) + (bound(i+1)-bound(i))*(rank-seen)/n)
		}
		seen, last = seen+n, i+1
	}
	if last == 0 {
		return 0
	}
	return time.Duration(bound(last)) // another halved the counts meanwhile
}

// halve halves the weight of all that is counted. The remainder of a bucket is carried to the next, so that the ranks
// keep their proportions: rounding each bucket on its own would wipe out the tail, whose buckets hold one each.
// Increments made meanwhile are kept.
func (h *histogram) halve() {
	var carry uint32
	for i := range h.bucket {
		n := h.bucket[i].Load()
		keep := (n + carry) / 2
		carry = (n + carry) % 2
		h.bucket[i].Add(keep - n)
	}
}
