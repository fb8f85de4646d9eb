package hedge

import (
	"sync/atomic"
	"time"
)

// A window counts events of the last second, in slots of 10 ms. Each slot is one word, the number of the slot above and
// the count below, so that counting needs no lock and the first event after a slot is out of date starts it again.
type window struct {
	slot [windowSize]atomic.Uint64
}

const (
	slotTime = 10 * time.Millisecond
	slots    = int(time.Second/slotTime) + 1 // complete ones, and the current one

	// muchAhead of a slot, nearly two days, is not another's later event but one from before the numbers wrapped.
	muchAhead = 1 << 24

	windowSize = 128 // at least slots; a power of two, so that numbers that wrap stay in order
)

// slotAt is the number of the slot of a time. It wraps after 497 days.
func slotAt(now time.Duration) uint32 { return uint32(now / slotTime) }

// add counts an event, unless it comes so late that its slot was taken by another.
func (w *window) add(slot uint32) {
	word := &w.slot[slot%windowSize]
	for {
		old := word.Load()
		next := uint64(slot)<<32 | 1
		switch ahead := uint32(old>>32) - slot; {
		case uint32(old) == 0: // never used
		case ahead == 0:
			next = old + 1
		case ahead < muchAhead:
			return
		}
		if word.CompareAndSwap(old, next) {
			return
		}
	}
}

// sum counts the events in the n slots that end with slot.
func (w *window) sum(slot uint32, n int) (events uint64) {
	for i := range uint32(n) {
		at := slot - i
		if word := w.slot[at%windowSize].Load(); uint32(word>>32) == at {
			events += word & 0xffffffff
		}
	}
	return events
}
