package middleware

import (
	"math"
	"math/bits"
	"sync/atomic"
)

// An outcome is how a request ended.
type outcome int

const (
	served outcome = iota
	failed
	panicked
	aborted
	canceled
	numOutcomes
)

// A shard counts requests. Its counts only grow; for those of a time span subtract. Each request adds one to one
// outcome and one to one bucket, so that no reader can see a failure without its request.
type shard struct {
	outcomes [numOutcomes]atomic.Uint64
	buckets  [numBuckets]atomic.Uint64
	_        [128]byte // two cache lines, which adjacent-line prefetchers fetch together: shards share none
}

// Buckets are log-linear: each octave of nanoseconds is cut into 16 equal parts. The middle of a bucket is at most half
// a part from what is in it: 1/32 = 3.2 % of a value at its lower end. The first octave begins at 512 ns, the last one
// ends at 2^42 ns, 1 h 13 min; what is beyond is counted in the first or the last bucket.
const (
	partBits    = 4
	parts       = 1 << partBits
	firstOctave = 9
	lastOctave  = 41
	numBuckets  = (lastOctave - firstOctave + 1) * parts
	nanosecond  = 1e-9 // in seconds
)

// bucketOf is the index of the bucket for a time in nanoseconds.
func bucketOf(ns int64) int {
	octave := bits.Len64(uint64(max(ns, 1))) - 1
	switch {
	case octave < firstOctave:
		return 0
	case octave > lastOctave:
		return numBuckets - 1
	}
	return (octave-firstOctave)*parts + int(ns>>(octave-partBits))&(parts-1)
}

// middle is the middle of a bucket, in seconds.
func middle(bucket int) float64 {
	part := math.Ldexp(1, firstOctave+bucket/parts-partBits)
	return (float64(parts+bucket%parts) + 0.5) * part * nanosecond
}

// quantile is the middle of the bucket that holds the q-quantile (nearest rank) of what is counted, NaN of nothing.
func quantile(counts *[numBuckets]uint64, q float64) float64 {
	var total uint64
	for _, n := range counts {
		total += n
	}
	rank := max(uint64(math.Ceil(q*float64(total))), 1)
	var sum uint64
	for i, n := range counts {
		if sum += n; sum >= rank {
			return middle(i)
		}
	}
	return math.NaN()
}
