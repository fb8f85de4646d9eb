package instance

import (
	"math"
	"runtime/metrics"
	"time"
)

// A pauseMeter tells how long the world was stopped while something was done.
//
// The runtime counts every stop in histograms (/sched/pauses/total/…, Go 1.22 and later), whose buckets are a quarter
// of a power of two wide, so that the answer is an upper bound and at most 25 % too high. Stops that somebody else
// caused in the meantime are in it, too.
type pauseMeter struct {
	samples []metrics.Sample
	seen    []histogram
}

// newPauseMeter measures from now on the stops that are not the collector's, and with gc those of the collector, too.
func newPauseMeter(gc bool) *pauseMeter {
	names := []string{"/sched/pauses/total/other:seconds"}
	if gc {
		names = append(names, "/sched/pauses/total/gc:seconds")
	}
	m := &pauseMeter{samples: make([]metrics.Sample, len(names)), seen: make([]histogram, len(names))}
	for i, name := range names {
		m.samples[i].Name = name
	}
	m.longest()
	return m
}

// longest is the longest stop since the last call, 0 if there was none or if this Go version does not tell.
func (m *pauseMeter) longest() time.Duration {
	metrics.Read(m.samples)
	var longest float64
	for i := range m.samples {
		m.seen[i].advance(&m.samples[i])
		if s := m.seen[i].quantile(1); !math.IsNaN(s) {
			longest = max(longest, s)
		}
	}
	return time.Duration(longest * float64(time.Second))
}
