package hedge

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
)

// An outcome is how an attempt ended.
type outcome[T any] struct {
	value  T
	err    error
	failed bool // no answer: the other attempt's is preferred
	panic  *Panic
}

// A Panic is what a function panicked with in a goroutine that is not the caller's. Do panics with it in the caller's.
type Panic struct {
	Value any
	Stack []byte // of the goroutine that panicked
}

func (p *Panic) Error() string {
	return fmt.Sprintf("panic in a hedged call: %v\n\n%s", p.Value, p.Stack)
}

// Unwrap is the value, if it is an error.
func (p *Panic) Unwrap() error {
	err, _ := p.Value.(error)
	return err
}

var errGoexit = errors.New("hedge: the function ended its goroutine with runtime.Goexit and returned nothing")

// attempt makes an attempt in a goroutine of its own.
func (r *race[T]) attempt(ctx context.Context, i int) {
	o := outcome[T]{err: errGoexit, failed: true}
	defer func() { r.settle(i, o) }() // deferred, so that it runs on Goexit
	o = r.call.guarded(ctx)
}

// guarded runs the function and turns a panic into an outcome.
func (c *Call[T]) guarded(ctx context.Context) (o outcome[T]) {
	defer func() {
		if v := recover(); v != nil {
			o = outcome[T]{panic: &Panic{Value: v, Stack: debug.Stack()}}
		}
	}()
	v, err := c.Run(ctx)
	return outcome[T]{value: v, err: err, failed: c.failed(v, err)}
}

// settle records how an attempt ended, and releases results that no caller gets.
func (r *race[T]) settle(i int, o outcome[T]) {
	if i == first && o.panic == nil {
		r.call.observe(r.policy, r.start, r.delay, o.failed)
	}
	if loser, ok := r.judge(i, o); ok {
		r.drop(loser)
	}
}

// judge decides the race if it can be decided now. It returns the outcome that no caller gets, if there is one.
func (r *race[T]) judge(i int, o outcome[T]) (loser outcome[T], ok bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.ended[i] = true
	other := 1 - i
	made := r.cancel[other] != nil
	switch {
	case r.decided:
		return o, true
	case !o.failed:
		r.decide(i, o)
		return r.kept[other], r.ended[other]
	case made && !r.ended[other]:
		r.kept[i] = o
		return o, false
	case made && i == second: // both failed: the caller gets the first one's
		r.decide(first, r.kept[first])
		return o, true
	default:
		r.decide(i, o)
		return r.kept[other], r.ended[other]
	}
}

// decide ends the race. The caller holds r.mu.
func (r *race[T]) decide(winner int, o outcome[T]) {
	r.decided, r.winner, r.won = true, winner, o
	r.inTime = r.policy.kind.alarm.remove(&r.waiting)
	if r.again != nil {
		r.again.Stop()
	}
	for i, cancel := range r.cancel {
		if i != winner && cancel != nil {
			cancel()
		}
	}
	if r.over != nil {
		close(r.over)
	}
}

// abandon decides the race because the caller leaves, unless it is decided.
func (r *race[T]) abandon(o outcome[T]) {
	r.mu.Lock()
	if r.decided {
		r.mu.Unlock()
		return
	}
	r.decide(nobody, o)
	kept, ended := r.kept, r.ended
	r.mu.Unlock()
	for i := range kept {
		if ended[i] {
			r.drop(kept[i])
		}
	}
}

// drop releases a result. It may run in a goroutine where a panic would end the process, so it recovers from any.
func (r *race[T]) drop(o outcome[T]) {
	if o.panic != nil {
		r.policy.shared.counts.panics.Add(1)
		return
	}
	if r.call.Release == nil {
		return
	}
	defer func() {
		if recover() != nil {
			r.policy.shared.counts.panics.Add(1)
		}
	}()
	r.call.Release(o.value)
}

// result is what the caller gets, and what ends the context of the attempt that it came from.
func (r *race[T]) result() (T, context.CancelFunc, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	var cancel context.CancelFunc
	if r.winner != nobody {
		cancel = r.cancel[r.winner]
	}
	if r.won.panic != nil {
		cancel()
		panic(r.won.panic)
	}
	return r.won.value, cancel, r.won.err
}
