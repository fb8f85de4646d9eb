package hedge

import (
	"sync"
	"sync/atomic"
	"time"
)

// A budget is a token bucket that calls fill and hedges empty, with two more bounds: on any one second, and on what is
// in flight.
//
// The bucket alone would let a minute's savings be spent in a moment. So at each hedge the second that ends there is
// checked: the hedges in it are at most the budget's share of the calls begun in it, or one, since a service of few
// calls would otherwise never have any. (More cannot be promised: a hedge comes after its call, so there is always a
// second that holds the one and not the other.) Both are counted in slots of 10 ms, calls in 100 slots and hedges in
// 101, so that rounding goes down.
type budget struct {
	perCall uint64 // micro-tokens that a call earns
	limit   int    // hedges in flight
	calls   atomic.Uint64
	begun   window

	mu       sync.Mutex // guards what follows; no other lock is taken under it
	sent     window
	last     time.Duration // the latest time told: hedges are counted in order
	earned   uint64        // calls whose share is in tokens already
	tokens   uint64        // micro-tokens
	inFlight int
}

const (
	token = 1_000_000 // micro-tokens: integers, so that no rounding adds up to a hedge too many
	// saving is how many tokens can be saved up at least; a busy service saves what one second earns.
	saving = 10 * token
)

func newBudget(share float64, inFlight int) budget {
	return budget{perCall: uint64(share * token), limit: inFlight}
}

// begin counts a call.
func (b *budget) begin(now time.Duration) {
	b.calls.Add(1)
	b.begun.add(slotAt(now))
}

// take pays for a hedge, if there is enough.
func (b *budget) take(now time.Duration) verdict {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.last = max(b.last, now)
	slot := slotAt(b.last)
	second := b.begun.sum(slot, slots-1) * b.perCall
	b.earn(max(saving, second))
	switch {
	case b.inFlight >= b.limit:
		return overInFlight
	case b.tokens < token, (b.sent.sum(slot, slots)+1)*token > max(token, second):
		return overBudget
	}
	b.tokens -= token
	b.inFlight++
	b.sent.add(slot)
	return granted
}

// earn adds the share of the calls since the last time, up to a limit.
func (b *budget) earn(limit uint64) {
	calls := b.calls.Load()
	b.tokens = min(limit, b.tokens+(calls-b.earned)*b.perCall)
	b.earned = calls
}

func (b *budget) leave() {
	b.mu.Lock()
	b.inFlight--
	b.mu.Unlock()
}

func (b *budget) running() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.inFlight
}
