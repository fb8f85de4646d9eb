package instance

import (
	"math"
	"runtime/metrics"
)

// A histogram remembers the counts of a runtime histogram, to tell what came since.
type histogram struct {
	last    []uint64
	came    []uint64 // between the last two calls of advance
	total   uint64   // of came
	buckets []float64
}

// advance notes what came since the call before.
func (h *histogram) advance(m *metrics.Sample) {
	if m.Value.Kind() != metrics.KindFloat64Histogram {
		h.total = 0
		clear(h.came)
		return
	}
	now := m.Value.Float64Histogram()
	if len(h.last) != len(now.Counts) {
		h.last, h.came = make([]uint64, len(now.Counts)), make([]uint64, len(now.Counts))
	}
	h.total, h.buckets = 0, now.Buckets
	for i, c := range now.Counts {
		h.came[i] = c - h.last[i]
		h.total += h.came[i]
	}
	copy(h.last, now.Counts)
}

// quantile is the upper bound of the bucket that holds the q-quantile of what came, NaN if nothing did.
func (h *histogram) quantile(q float64) float64 {
	v, found := quantile(h.came, h.buckets, uint64(math.Ceil(q*float64(h.total))))
	if !found {
		return math.NaN()
	}
	return v
}

// quantile is the upper bound of the bucket that holds the n-th value.
func quantile(counts []uint64, buckets []float64, n uint64) (float64, bool) {
	var sum uint64
	for i, c := range counts {
		if sum += c; sum >= n && c > 0 {
			upper := buckets[i+1]
			if math.IsInf(upper, 1) {
				upper = buckets[i]
			}
			return upper, true
		}
	}
	return 0, false
}
