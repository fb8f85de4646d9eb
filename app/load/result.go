package load

import (
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"
)

// Counts are the figures of a run or of a window of it.
type Counts struct {
	Start   time.Time
	Seconds float64 // of sending; the wait for the last answers is not part of it
	Sent    uint64  // requests that left in this time
	OK      uint64  // answers below 400 that came in this time
	Errors  Errors  // failures in this time
	// Codes counts the answers by status: 200, 503; for gRPC OK, NOT_FOUND. Nil if there are no answers.
	Codes map[string]uint64
	// Latency is from the intended start to the end of the body, of every answer whatever its status, and of every
	// timeout at the moment it was given up: leaving those out would make a target that hangs look fast. Failed
	// connections are only in Errors: refused at once, they would make a dead target look fast.
	Latency Latency
}

// Rate returns the requests sent per second; 0 before any time passed.
func (c *Counts) Rate() float64 { return perSecond(c.Sent, c.Seconds) }

// Throughput returns the good answers per second; 0 before any time passed.
func (c *Counts) Throughput() float64 { return perSecond(c.OK, c.Seconds) }

// ErrorShare returns the share, 0–1, of the outcomes that were errors; 0 without any outcome.
func (c *Counts) ErrorShare() float64 {
	errs := c.Errors.Total()
	if errs == 0 {
		return 0
	}
	return float64(errs) / float64(errs+c.OK)
}

func perSecond(n uint64, seconds float64) float64 {
	if seconds <= 0 {
		return 0
	}
	return float64(n) / seconds
}

// A Window is the figures of one stretch of a run. An answer belongs to the window in which it came, not to that in
// which its request left: windows are complete when they end, and a stall shows where it ended.
type Window struct {
	Index int // from 0
	Counts
	InFlight int // requests without an answer when the window ended
}

// A Result is the figures of a whole run.
type Result struct {
	Counts
	// Lag is how late requests left after their intended start. It is part of Latency.
	Lag Latency
	// Abandoned is how many requests were in flight when the run was cancelled. They are not errors of the target.
	Abandoned uint64
	// FirstErrors has the text of the first failure of each class, by the class's JSON name in Errors.
	FirstErrors map[string]string
	// Ended says why the run ended before its schedule did: errors passed their limit. "" otherwise.
	Ended string
	// CPU is what the machine and the generator used.
	CPU Usage
	// Limited says why the generator itself, not the target, bounded the figures. It is "" when it did not.
	Limited string
}

// A Latency is a distribution of durations, to 3 significant digits and 1 µs. The zero Latency is empty.
type Latency struct {
	h *hdrhistogram.Histogram
}

func newLatency(highest time.Duration) Latency {
	return Latency{hdrhistogram.New(lowestValue, int64(highest), digits)}
}

// record adds one value. A value out of range is recorded at its end.
func (l Latency) record(d time.Duration) {
	// The clamped value is inside the range, and a count of 2⁶³ is out of reach: there is no error left.
	_ = l.h.RecordValue(min(max(int64(d), 0), l.h.HighestTrackableValue()))
}

// Count returns how many values there are.
func (l Latency) Count() uint64 {
	if l.h == nil {
		return 0
	}
	return uint64(l.h.TotalCount())
}

// Quantile returns the q-quantile (0–1, nearest rank, rounded up to the histogram's resolution); 0 if empty.
func (l Latency) Quantile(q float64) time.Duration {
	if l.Count() == 0 {
		return 0
	}
	return time.Duration(l.h.ValueAtQuantile(100 * q))
}

// P50 returns the median.
func (l Latency) P50() time.Duration { return l.Quantile(0.5) }

// P99 returns the 99th percentile.
func (l Latency) P99() time.Duration { return l.Quantile(0.99) }

// P999 returns the 99.9th percentile.
func (l Latency) P999() time.Duration { return l.Quantile(0.999) }

// Max returns the largest value.
func (l Latency) Max() time.Duration {
	if l.Count() == 0 {
		return 0
	}
	return time.Duration(l.h.Max())
}

// Mean returns the arithmetic mean; 0 if empty.
func (l Latency) Mean() time.Duration {
	if l.Count() == 0 {
		return 0
	}
	return time.Duration(l.h.Mean())
}

// Histogram returns a copy of the distribution in nanoseconds, to keep or merge; nil if empty.
func (l Latency) Histogram() *hdrhistogram.Histogram {
	if l.Count() == 0 {
		return nil
	}
	return l.h.Clone()
}
