package gctune

import "time"

// gcShare measures which part of the available CPU the collector takes. The runtime's counters move only when a cycle
// ends, so the share is that between two ends of cycles at least shareWindow apart. When no cycle ends for longer than
// that interval, the share falls as time passes.
type gcShare struct {
	at       time.Duration
	cycles   uint64 // at the look before
	gc, all  float64
	known    bool
	measured float64       // share of the last interval
	length   time.Duration // of that interval
	told     time.Duration // when observe last said fresh
	value    float64
}

// shareWindow is long enough for some cycles of a process in trouble, and short enough to help it in time.
const shareWindow = time.Second

// observe returns the share, and whether it is worth looking at again.
func (s *gcShare) observe(r *reading) (share float64, fresh bool) {
	if !s.known {
		s.restart(r)
		return 0, false
	}
	past, ended := r.at-s.at, r.cycles != s.cycles
	s.cycles = r.cycles
	switch {
	case past < shareWindow:
		return s.value, false
	case ended: // just now: the interval consists of whole cycles
		if all := r.cpu - s.all; all > 0 {
			s.measured = min(max((r.gcCPU-s.gc)/all, 0), 1)
		}
		s.value, s.length = s.measured, past
		s.restart(r)
		return s.value, true
	case past > s.length && s.value > 0:
		s.value = s.measured * float64(s.length) / float64(past)
		if r.at-s.told >= shareWindow {
			s.told = r.at
			return s.value, true
		}
	}
	return s.value, false
}

func (s *gcShare) restart(r *reading) {
	s.at, s.told, s.cycles, s.gc, s.all, s.known = r.at, r.at, r.cycles, r.gcCPU, r.cpu, true
}
