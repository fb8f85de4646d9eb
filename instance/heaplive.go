package instance

import (
	"math"
	"slices"
	"time"
)

// A liveHeap tells what the last GC cycle left of the heap, once a cycle. MemStats do not have the runtime's own figure
// (/gc/heap/live). Two of theirs lead to it:
//
//   - HeapAlloc less what was allocated since the cycle ended. It falls while the spans are swept, which takes a
//     fraction of a second after the cycle, so the first reading after it waits for the second; where cycles end
//     between all readings it is too high by what is not swept yet. How much was allocated since comes from the cycle's
//     time, LastGC, on the line between two readings of TotalAlloc: a second of allocations is off by a tenth.
//   - NextGC, the heap goal: the live heap times 1+GOGC/100, and the same for stacks and globals. It is free of noise,
//     but GOGC is not known from outside, GOMEMLIMIT and the least heap of 4 MiB change the goal, and programs set
//     both.
//
// So the first one says what the factor between goal and live heap is, and while that is constant, the goal shows what
// moves. For a service whose heap grew in a line from 39 to 126 MiB in 8 cycles, the first was off the line by up to 1
// MiB, the second by less than 0.6 (Go 1.26).
type liveHeap struct {
	marked  float64 // TotalAlloc when the last cycle ended, by interpolation
	pending bool    // a cycle has ended that was not reported yet

	factors []float64 // of the last cycles, from the oldest, factorsKept at most
	factor  float64   // of the goal to the live heap while it is constant, otherwise 0
}

const (
	factorsKept   = 5
	factorsWanted = 3
	factorSpread  = 1.03 // the largest over the smallest of those that are constant
	factorDrift   = 1.02 // what the median may be off the factor that is held to; a step of it would look like growth
)

// read returns what the cycle left that ended before the last reading or this one, if it was not reported yet. m is a
// reading at a time, last and before are the reading before it.
func (h *liveHeap) read(m *MemStats, at time.Time, last *memMark, before time.Time) (float64, bool) {
	if m.NumGC > last.NumGC {
		share := (float64(at.UnixNano()) - m.LastGC) / float64(at.Sub(before))
		since := (m.TotalAlloc - last.TotalAlloc) * min(max(share, 0), 1) // a clock that is not ours may say anything
		h.marked = m.TotalAlloc - since
		if again := h.pending; !again {
			h.pending = true
			return 0, false
		}
		return h.byGoal(m, max(m.HeapAlloc-since, 0)), true
	}
	if !h.pending {
		return 0, false
	}
	h.pending = false
	live := max(m.HeapAlloc-(m.TotalAlloc-h.marked), 0)
	h.learn(m.NextGC / live)
	if h.factor > 0 {
		live = m.NextGC / h.factor
	}
	return live, true
}

// byGoal is the live heap of a reading whose HeapAlloc has garbage that is not swept yet.
func (h *liveHeap) byGoal(m *MemStats, unswept float64) float64 {
	if h.factor == 0 {
		return unswept
	}
	return min(unswept, m.NextGC/h.factor)
}

// learn takes the factor of one more cycle.
func (h *liveHeap) learn(factor float64) {
	if !(factor > 1) || math.IsInf(factor, 0) { // a goal below the live heap is that of a limit
		h.factors, h.factor = h.factors[:0], 0
		return
	}
	if h.factors = append(h.factors, factor); len(h.factors) > factorsKept {
		h.factors = slices.Delete(h.factors, 0, 1)
	}
	if len(h.factors) < factorsWanted {
		return
	}
	sorted := slices.Sorted(slices.Values(h.factors))
	median := sorted[len(sorted)/2]
	switch {
	case sorted[len(sorted)-1] > factorSpread*sorted[0]:
		h.factor = 0
	case max(median/h.factor, h.factor/median) > factorDrift: // also if there is none
		h.factor = median
	}
}
