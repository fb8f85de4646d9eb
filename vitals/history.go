package vitals

import (
	"math"
	"slices"
	"time"
)

// A History keeps the last samples of one target in a ring. It is not safe for concurrent use.
type History struct {
	ring []Sample
	next int // where the next sample goes
	n    int // how many are held
}

// NewHistory returns a history of the last size samples (at least one).
func NewHistory(size int) *History {
	return &History{ring: make([]Sample, max(size, 1))}
}

// Add appends a sample, dropping the oldest when the ring is full.
func (h *History) Add(s Sample) {
	h.ring[h.next] = s
	h.next = (h.next + 1) % len(h.ring)
	h.n = min(h.n+1, len(h.ring))
}

// Len is how many samples are held.
func (h *History) Len() int { return h.n }

// At returns the i-th sample, oldest first.
func (h *History) At(i int) *Sample {
	return &h.ring[(h.next-h.n+i+len(h.ring))%len(h.ring)]
}

// Samples returns a copy of all samples, oldest first.
func (h *History) Samples() []Sample {
	out := make([]Sample, h.n)
	for i := range out {
		out[i] = *h.At(i)
	}
	return out
}

// Mean is the mean of a signal over the samples since a time, and how many of them had it. It allocates nothing.
func (h *History) Mean(id ID, since time.Time) (mean float64, n int) {
	if uint(id) >= uint(NumSignals+MaxExtra) {
		return math.NaN(), 0
	}
	first := h.since(since)
	start := (h.next - h.n + first + len(h.ring)) % len(h.ring)
	count := h.n - first
	end := min(start+count, len(h.ring)) // of the part before the ring's seam
	sum, n := sumOf(h.ring[start:end], id)
	more, m := sumOf(h.ring[:count-(end-start)], id)
	if n += m; n == 0 {
		return math.NaN(), 0
	}
	return (sum + more) / float64(n), n
}

// sumOf adds up a signal over samples that have it. It touches nothing else of them, because they are far from each
// other in memory.
func sumOf(samples []Sample, id ID) (sum float64, n int) {
	for i := range samples {
		if v := samples[i].Values[id]; v == v { // present
			sum += v
			n++
		}
	}
	return sum, n
}

// since is the index of the oldest sample that is not before a time; times ascend.
func (h *History) since(t time.Time) int {
	low, high := 0, h.n
	for low < high {
		if mid := (low + high) / 2; h.At(mid).Time.Before(t) {
			low = mid + 1
		} else {
			high = mid
		}
	}
	return low
}

// Quantile is the q-quantile (0–1, nearest rank) of a signal over the samples since a time; NaN without any.
func (h *History) Quantile(id ID, q float64, since time.Time) float64 {
	var vs []float64
	for i := h.n - 1; i >= 0; i-- {
		s := h.At(i)
		if s.Time.Before(since) {
			break
		}
		if v, ok := s.Get(id); ok {
			vs = append(vs, v)
		}
	}
	if len(vs) == 0 {
		return math.NaN()
	}
	slices.Sort(vs)
	return vs[min(max(int(math.Ceil(q*float64(len(vs))))-1, 0), len(vs)-1)]
}
