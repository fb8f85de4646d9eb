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
	sum := 0.0
	for i := h.n - 1; i >= 0; i-- {
		s := h.At(i)
		if s.Time.Before(since) {
			break
		}
		if v, ok := s.Get(id); ok {
			sum += v
			n++
		}
	}
	if n == 0 {
		return math.NaN(), 0
	}
	return sum / float64(n), n
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
