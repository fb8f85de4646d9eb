package hedge

import (
	"math/bits"
	"sync/atomic"
	"time"
)

// lateCalls counts how many of the latest calls are late. Whether a call is late is known only when the delay has
// passed, so calls are counted by when they began: when one is found late, those that began before it have had enough
// time, too.
//
// Slots are at least 16.8 ms and at least an eighth of the delay wide, so that the 64 of them reach back over eight
// delays. The width is part of a slot's tag: a delay that changes begins new ones. A slot is one word: tag, calls,
// late.
type lateCalls struct {
	slot [lateSlots]atomic.Uint64
}

const (
	lateSlots  = 64
	lateWindow = 32 // this many calls are checked, more if the slots have more
	minCalls   = 8  // fewer say nothing
	countMax   = 1<<16 - 1
)

// slotOf is the number of the slot in which a call began, which is also its tag: 6 bits of width and 26 of time.
func slotOf(start, delay time.Duration) uint32 {
	width := max(24, bits.Len64(uint64(delay/8)))
	return uint32(width)<<26 | uint32(start>>width)&(1<<26-1)
}

// before is the slot i slots earlier.
func before(slot, i uint32) uint32 {
	const time = 1<<26 - 1
	return slot&^time | (slot-i)&time
}

func (t *lateCalls) begin(start, delay time.Duration) { t.add(slotOf(start, delay), 1<<16) }
func (t *lateCalls) late(start, delay time.Duration)  { t.add(slotOf(start, delay), 1) }

// add adds to one of a slot's counts. A full slot counts no more, and neither does one that another slot has replaced
// by now.
func (t *lateCalls) add(slot uint32, one uint64) {
	word := &t.slot[slot%lateSlots]
	for {
		old := word.Load()
		next := old + one
		switch {
		case uint32(old>>32) != slot && one == 1:
			return
		case uint32(old>>32) != slot:
			next = uint64(slot)<<32 | one
		case old>>16&countMax == countMax || old&countMax == countMax:
			return
		}
		if word.CompareAndSwap(old, next) {
			return
		}
	}
}

// high says that more than half of the latest calls up to the one that began at start are late.
func (t *lateCalls) high(start, delay time.Duration) bool {
	slot := slotOf(start, delay)
	var calls, late uint64
	for i := uint32(0); i < lateSlots && calls < lateWindow; i++ {
		at := before(slot, i)
		if word := t.slot[at%lateSlots].Load(); uint32(word>>32) == at {
			calls += word >> 16 & countMax
			late += word & countMax
		}
	}
	return calls >= minCalls && 2*late > calls
}
