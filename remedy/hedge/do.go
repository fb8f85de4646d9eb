package hedge

import (
	"context"
	"time"
)

// Do calls fn, calls it a second time when it is late and the policy allows, and returns what comes first. By calling
// Do the caller says that fn may run twice at the same time; WithIdempotent(ctx, false) takes that back.
//
// An attempt that fails does not beat one that is still running: if one attempt returns an error Do waits for the
// other, and if both do it returns the first attempt's. An error before the call is late is returned at once: Do
// hedges and does not retry.
//
// fn must return soon after its context ends, since Do returns when every attempt has; see Config.Detach. The contexts
// of both attempts end when Do returns: what depends on them must be read within fn. Results that must be closed need a
// Call with Release. A panic in fn is passed on to the caller, from a hedge as a *Panic.
func Do[T any](ctx context.Context, p *Policy, fn func(context.Context) (T, error)) (T, error) {
	return Call[T]{Run: fn}.Do(ctx, p)
}

// A Call is a function with what the caller knows about its results.
type Call[T any] struct {
	// Run makes one attempt. It must be safe to run twice at the same time. Attempt tells it which one it is.
	Run func(context.Context) (T, error)
	// Release disposes of the result of an attempt that no caller gets, whether it came with an error or not. It may be
	// nil, is called after the attempt's context has ended, maybe in another goroutine than Do's, and with
	// Config.Detach maybe after Do has returned.
	Release func(T)
	// Failed says that a result is no answer yet, so that the other attempt's is preferred if it is one. The default
	// is err != nil.
	Failed func(T, error) bool
}

// Do is the function Do for a Call.
func (c Call[T]) Do(ctx context.Context, p *Policy) (T, error) {
	v, cancel, err := c.run(ctx, p)
	if cancel != nil {
		cancel()
	}
	return v, err
}

// run is Do, but leaves it to the caller to end the context of the attempt whose result it got, if
// there is one to end.
func (c *Call[T]) run(ctx context.Context, p *Policy) (T, context.CancelFunc, error) {
	if m := markOf(ctx); m.hedge || m.idempotent == no {
		v, err := c.Run(ctx)
		return v, nil, err
	}
	start, delay := p.begin()
	if delay == 0 && !p.shared.cfg.Detach {
		v, err := c.Run(ctx)
		c.observe(p, start, 0, c.failed(v, err))
		return v, nil, err
	}
	r := newRace[T](p)
	r.call, r.policy, r.start, r.delay, r.ctx = *c, p, start, delay, ctx
	if p.shared.cfg.Detach {
		r.detached()
	} else {
		r.inline()
	}
	v, cancel, err := r.result()
	r.recycle()
	return v, cancel, err
}

func (c *Call[T]) failed(v T, err error) bool {
	if c.Failed != nil {
		return c.Failed(v, err)
	}
	return err != nil
}

// observe tells the policy how long a first attempt took.
func (c *Call[T]) observe(p *Policy, start, delay time.Duration, failed bool) {
	now := p.shared.now()
	p.kind.observe(now, now-start, delay, failed)
}
