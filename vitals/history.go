package vitals

import (
	"math"
	"slices"
	"time"
)

// A History keeps the last samples of one target in a ring, each signal in one of its own: a target that gives forty of
// the signals takes the memory of forty. It is not safe for concurrent use.
type History struct {
	packed  bool
	times   []time.Time
	columns [NumSignals + MaxExtra]*ring //  nil for a signal that no sample had
	next    int                          // where the next sample goes
	n       int                          // how many are held
}

// NewHistory returns a history of the last size samples (at least one). Once all signals have come, Add allocates
// nothing.
func NewHistory(size int) *History {
	return &History{times: make([]time.Time, max(size, 1))}
}

// NewPackedHistory returns one that takes three fifths to three quarters of the memory with busy services, less with
// idle ones, and loses nothing. Every 64th Add allocates.
func NewPackedHistory(size int) *History {
	h := NewHistory(size)
	h.packed = true
	return h
}

// Add appends a sample, dropping the oldest when the ring is full.
func (h *History) Add(s Sample) {
	h.times[h.next] = s.Time
	for id, v := range &s.Values {
		if h.columns[id] == nil && v == v { // the first that is present
			h.columns[id] = newRing(len(h.times), h.next, h.packed)
		}
		if column := h.columns[id]; column != nil {
			column.set(h.next, v)
		}
	}
	h.next = (h.next + 1) % len(h.times)
	h.n = min(h.n+1, len(h.times))
}

// Len is how many samples are held.
func (h *History) Len() int { return h.n }

// slot is where the i-th sample is, oldest first.
func (h *History) slot(i int) int { return (h.next - h.n + i + len(h.times)) % len(h.times) }

// Time is the time of the i-th sample, oldest first.
func (h *History) Time(i int) time.Time { return h.times[h.slot(i)] }

// Get returns the value of a signal in the i-th sample, and whether it is present there.
func (h *History) Get(i int, id ID) (float64, bool) {
	if uint(id) >= uint(len(h.columns)) || h.columns[id] == nil {
		return math.NaN(), false
	}
	v := h.columns[id].at(h.slot(i))
	return v, !math.IsNaN(v)
}

// Samples returns a copy of all samples, oldest first.
func (h *History) Samples() []Sample {
	out := make([]Sample, h.n)
	for i := range out {
		out[i] = NewSample(h.Time(i))
	}
	var values cursor
	for id, column := range h.columns {
		if column == nil {
			continue
		}
		values.from(column)
		for i := range out {
			out[i].Values[id] = values.at(h.slot(i))
		}
	}
	return out
}

// Mean is the mean of a signal over the samples since a time, and how many of them had it. It allocates nothing.
func (h *History) Mean(id ID, since time.Time) (mean float64, n int) {
	if uint(id) >= uint(len(h.columns)) || h.columns[id] == nil {
		return math.NaN(), 0
	}
	first := h.since(since)
	start, count := h.slot(first), h.n-first
	end := min(start+count, len(h.times)) // of the part before the ring's seam
	sum, n := h.columns[id].sum(start, end)
	more, m := h.columns[id].sum(0, count-(end-start))
	if n += m; n == 0 {
		return math.NaN(), 0
	}
	return (sum + more) / float64(n), n
}

// since is the index of the oldest sample that is not before a time; times ascend.
func (h *History) since(t time.Time) int {
	low, high := 0, h.n
	for low < high {
		if mid := (low + high) / 2; h.Time(mid).Before(t) {
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
		if h.Time(i).Before(since) {
			break
		}
		if v, ok := h.Get(i, id); ok {
			vs = append(vs, v)
		}
	}
	if len(vs) == 0 {
		return math.NaN()
	}
	slices.Sort(vs)
	return vs[min(max(int(math.Ceil(q*float64(len(vs))))-1, 0), len(vs)-1)]
}
