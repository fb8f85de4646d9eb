package hedge

import (
	"context"
	"sync"
	"time"
)

// The attempts of a race, and the winner when there is none.
const (
	first  = 0
	second = 1
	nobody = -1
)

// maxAsks is how often a late call asks for a hedge: at 1, 2, 4 … 128 times the delay.
const maxAsks = 8

// A race is one call of which a second attempt may be made. It is decided once: by an answer, by a panic, by the
// failure of all attempts that run, or when the caller leaves. Results that come afterwards are released.
type race[T any] struct {
	call         Call[T]
	policy       *Policy
	start, delay time.Duration
	ctx          context.Context // the caller's; kept for as long as the call, for the hedge
	waiting      waiting

	mu      sync.Mutex  // guards what follows; taken before the locks of the policy
	again   *time.Timer // asks again; nil until a hedge was refused
	asked   int
	cancel  [2]context.CancelFunc // nil of an attempt that was not made
	ended   [2]bool
	kept    [2]outcome[T] // failures that came while the other attempt was running
	decided bool
	inTime  bool // the alarm has not told it that it is late
	winner  int
	won     outcome[T]
	over    chan struct{} // closed when decided; nil if nobody waits for that
	left    chan struct{} // closed when the hedge has returned; nil if there is none
}

// newRace takes a race from the kind's pool. A kind whose calls return different types profits less.
func newRace[T any](p *Policy) *race[T] {
	if r, ok := p.kind.races.Get().(*race[T]); ok {
		return r
	}
	return new(race[T])
}

// recycle puts a race into the pool if nothing else refers to it: one that came back in time was never told that
// it is late, so no goroutine and no timer has it.
func (r *race[T]) recycle() {
	if pool := &r.policy.kind.races; r.inTime && r.over == nil {
		*r = race[T]{}
		pool.Put(r)
	}
}

// inline makes the first attempt in this goroutine, and returns when all attempts have.
func (r *race[T]) inline() {
	own := r.arm()
	returned := false
	defer func() {
		if !returned { // a panic, or runtime.Goexit
			r.abandon(outcome[T]{})
		}
		if left := r.hedged(); left != nil {
			<-left
		}
	}()
	v, err := r.call.Run(own)
	o := outcome[T]{value: v, err: err, failed: r.call.failed(v, err)}
	returned = true
	r.settle(first, o)
}

// detached makes the attempts in goroutines of their own, and returns when the race is decided.
func (r *race[T]) detached() {
	over := make(chan struct{})
	r.over = over
	own := r.arm()
	r.policy.shared.crew.enter()
	go func() {
		defer r.policy.shared.crew.leave()
		r.attempt(own, first)
	}()
	select {
	case <-over:
	case <-r.ctx.Done():
		r.abandon(outcome[T]{err: r.ctx.Err(), failed: true})
	}
}

// arm makes the first attempt's context and makes sure that late is called.
func (r *race[T]) arm() context.Context {
	own, cancel := context.WithCancel(r.ctx)
	r.mu.Lock()
	defer r.mu.Unlock()
	r.cancel[first] = cancel
	if r.delay > 0 {
		r.waiting = waiting{due: r.start + r.delay, call: r}
		r.policy.kind.alarm.add(&r.waiting, r.start)
	}
	return own
}

// late is called when the call is late, and starts the hedge if it may.
func (r *race[T]) late() {
	if own := r.enter(); own != nil {
		go r.hedge(own)
	}
}

// hedge makes the second attempt.
func (r *race[T]) hedge(own context.Context) {
	defer func() {
		r.account()
		r.policy.leave()
		r.policy.shared.crew.leave()
		close(r.left)
	}()
	r.attempt(own, second)
}

// enter returns the hedge's context, or nil if there is to be no hedge now.
func (r *race[T]) enter() context.Context {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.decided || r.ctx.Err() != nil || !r.allowed() {
		return nil
	}
	own, cancel := context.WithCancel(asHedge(r.ctx))
	r.cancel[second] = cancel
	r.left = make(chan struct{})
	r.policy.shared.crew.enter()
	r.policy.shared.counts.hedged.Add(1)
	return own
}

// allowed asks the policy, and sets a timer to ask again if the answer is no.
func (r *race[T]) allowed() bool {
	counts, firstTime := &r.policy.shared.counts, r.asked == 0
	if firstTime {
		counts.late.Add(1)
		r.policy.kind.lateCalls.late(r.start, r.delay)
	}
	v := r.policy.ask(r.start, r.delay)
	if v == granted {
		return true
	}
	if firstTime {
		counts.denied[v].Add(1)
	}
	switch r.asked++; {
	case r.asked == maxAsks:
	case r.again == nil:
		r.again = time.AfterFunc(r.delay, r.late)
	default:
		r.again.Reset(r.delay << (r.asked - 1))
	}
	return false
}

// hedged is closed when the hedge has returned; nil if there is none.
func (r *race[T]) hedged() <-chan struct{} {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.left
}

// account counts the result of the hedge.
func (r *race[T]) account() {
	r.mu.Lock()
	decided, winner := r.decided, r.winner
	r.mu.Unlock()
	if decided && winner == second {
		r.policy.shared.counts.won.Add(1)
		r.policy.kind.won()
		return
	}
	r.policy.shared.counts.wasted.Add(1)
	if winner != nobody { // a hedge whose caller left has not lost
		r.policy.kind.loses()
	}
}
