package gctune

import (
	"math"
	"time"
)

// An allowance follows how much memory is left for the Go runtime after all others have theirs: what the process has by
// other means (C, mmap), and its neighbours in the cgroup. It returns the number to compute with.
//
// The runtime counts a page from when it may use it, the kernel from when it is touched. So after a large allocation
// the others seem too small for a moment: a rise of the allowance is followed slowly, a fall at once.
type allowance struct {
	recent [fallSamples]seen // a ring
	next   int
	level  int64
	at     time.Duration
	known  bool
}

type seen struct {
	at    time.Duration
	bytes int64
}

const (
	// fallWindow is how far back a fall is looked at. Before the tuner can act, others are expected to take expectFall
	// times what they took in that time. Acting takes until its next look, a collection, and the return of its pages: a
	// few 100 ms together, and some more while the heap's own peak is uncertain.
	fallWindow  = 500 * time.Millisecond
	expectFall  = 2
	fallSamples = 64 // more than the window holds at the shortest interval

	// settle is the time after which half of a rise is followed. It is several cycles of a busy service.
	settle = 2 * time.Second
)

// observe takes the bytes at a moment and returns those to compute with, including a fall in the near future.
func (a *allowance) observe(at time.Duration, bytes int64) int64 {
	most := bytes
	if a.known {
		for _, s := range a.recent {
			if s.bytes > most && at-s.at <= fallWindow {
				most = s.bytes
			}
		}
	}
	a.recent[a.next] = seen{at, bytes}
	a.next = (a.next + 1) % fallSamples

	expected := bytes - expectFall*(most-bytes)
	if !a.known || expected <= a.level {
		a.level = expected
	} else {
		believed := 1 - math.Exp2(-float64(at-a.at)/float64(settle))
		a.level += int64(float64(expected-a.level) * believed)
	}
	a.at, a.known = at, true
	return a.level
}
