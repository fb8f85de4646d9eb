package prometheus

import (
	"cmp"
	"math"
	"slices"

	dto "github.com/prometheus/client_model/go"
)

// A bucket is how many observations are at most upper and above the upper bound of the bucket before.
type bucket struct {
	upper float64
	count float64
}

// ofBuckets returns the growth of the buckets of all series, by ascending bounds. Series with other bounds than the
// rest are merged by theirs: right at each bound that all have.
func (g *growth) ofBuckets(all []*dto.Metric, known bool) []bucket {
	if !g.open(all) {
		return nil
	}
	was := g.known
	g.known = g.known || known
	sum := make(map[float64]float64)
	for _, s := range all {
		uppers, now := bucketNumbers(s.GetHistogram())
		for i, v := range g.advance(s, now, was) {
			if i > 0 {
				sum[uppers[i-1]] += max(v, 0)
			}
		}
	}
	if !was {
		return nil
	}
	buckets := make([]bucket, 0, len(sum))
	for upper, count := range sum {
		buckets = append(buckets, bucket{upper, count})
	}
	slices.SortFunc(buckets, func(a, b bucket) int { return cmp.Compare(a.upper, b.upper) })
	return buckets
}

// bucketNumbers returns a histogram's bounds, ending in +Inf, and its totals: of all observations, then those of each
// bucket without the smaller ones. (On the page, buckets include the smaller ones.)
func bucketNumbers(h *dto.Histogram) (uppers, totals []float64) {
	count := h.GetSampleCountFloat()
	if count == 0 {
		count = float64(h.GetSampleCount())
	}
	totals = []float64{count}
	below := 0.0
	for _, b := range h.GetBucket() {
		if math.IsInf(b.GetUpperBound(), 1) || math.IsNaN(b.GetUpperBound()) {
			continue
		}
		cumulative := b.GetCumulativeCountFloat()
		if cumulative == 0 {
			cumulative = float64(b.GetCumulativeCount())
		}
		uppers = append(uppers, b.GetUpperBound())
		totals = append(totals, max(cumulative-below, 0))
		below = max(cumulative, below)
	}
	return append(uppers, math.Inf(1)), append(totals, max(count-below, 0))
}

// quantileBySum is quantile, but for observations below the lowest bound, which the sum of all tells more of.
// client_golang's default buckets begin at 5 ms: a service that answers in 0.3 ms is there with its median at 2.5 ms,
// and still when it takes ten times as long.
//
// The other buckets' observations add up to something between their bounds; what remains of the sum is the lowest
// bucket's. Where that tells nothing its mean is the middle, as in quantile. From a mean below the middle the
// observations are taken to lie evenly between 0 and twice the mean.
func quantileBySum(buckets []bucket, sum, q float64) float64 {
	v := quantile(buckets, q)
	if len(buckets) == 0 || !(v <= buckets[0].upper) || buckets[0].upper <= 0 || buckets[0].count == 0 ||
		math.IsNaN(sum) {
		return v
	}
	lowest := buckets[0]
	least, most, lower := sum, sum, lowest.upper
	for _, b := range buckets[1:] {
		if b.count > 0 {
			least, most, lower = least-b.upper*b.count, most-lower*b.count, b.upper
			continue
		}
		lower = b.upper
	}
	least, most = max(least/lowest.count, 0), min(most/lowest.count, lowest.upper)
	if mean := (least + most) / 2; mean > 0 && mean < lowest.upper/2 {
		v *= 2 * mean / lowest.upper
	}
	return v
}

// quantile interpolates as PromQL's histogram_quantile does: evenly inside a bucket, the first of which begins at 0 if
// its bound is positive; beyond the last finite bound nothing is known but that bound. NaN of no observations.
func quantile(buckets []bucket, q float64) float64 {
	total := 0.0
	for _, b := range buckets {
		total += b.count
	}
	if !(total > 0) {
		return math.NaN()
	}
	rank, sum, lower := q*total, 0.0, 0.0
	for i, b := range buckets {
		if sum+b.count < rank || b.count == 0 {
			sum, lower = sum+b.count, b.upper
			continue
		}
		switch {
		case math.IsInf(b.upper, 1) && i > 0:
			return lower
		case math.IsInf(b.upper, 1):
			return math.NaN() // a histogram without bounds
		case i == 0 && b.upper <= 0:
			return b.upper
		}
		return lower + (b.upper-lower)*(rank-sum)/b.count
	}
	return lower // rounding
}
