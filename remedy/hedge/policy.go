package hedge

import (
	"context"
	"time"
)

// A Policy decides when a call is late and whether it may be hedged. It is for one kind of call; For gives those of
// other kinds, which share its budget, its cap and its counters. Make one for each group of replicas and keep it: it
// learns from every call. It starts no goroutine, and its methods are safe for concurrent use.
type Policy struct {
	shared *shared
	kind   *kind
}

// shared is what the policies of all kinds have in common.
type shared struct {
	cfg    Config
	start  time.Time
	budget budget
	kinds  kinds
	crew   crew
	counts counts
}

// New makes a Policy. The error names the field of the configuration that is wrong.
func New(cfg Config) (*Policy, error) {
	cfg, err := cfg.withDefaults()
	if err != nil {
		return nil, err
	}
	s := &shared{cfg: cfg, start: time.Now(), budget: newBudget(cfg.Budget, cfg.MaxInFlight)}
	s.kinds.limit = cfg.MaxKeys
	return &Policy{shared: s, kind: newKind(cfg, s.start)}, nil
}

// For is the policy for one kind of calls: those that normally take about equally long. A key is a name such as
// "users.Get" and not something that differs from call to call: no more than Config.MaxKeys are known at a time. Asking
// for a known key does not allocate.
func (p *Policy) For(key string) *Policy { return p.of(name{key, ""}) }

func (p *Policy) of(n name) *Policy {
	s := p.shared
	if found := s.kinds.get(n); found != nil {
		return found
	}
	return s.kinds.add(n, func() *Policy { return &Policy{shared: s, kind: newKind(s.cfg, s.start)} })
}

// Delay is the time after which a call of this kind is late at present; ok is false while too few have been measured.
func (p *Policy) Delay() (d time.Duration, ok bool) {
	d = p.kind.delay()
	return d, d > 0
}

// Wait returns when no attempt runs in a goroutine of its own any more, or with the context's error. Without
// Config.Detach there is none once the calls themselves have returned.
func (p *Policy) Wait(ctx context.Context) error { return p.shared.crew.wait(ctx) }

// now is the time since the policy was made, on the monotonic clock.
func (s *shared) now() time.Duration { return time.Since(s.start) }

// begin counts a call and returns when it began and after how long it will be late; a delay of 0 means not known.
func (p *Policy) begin() (start, delay time.Duration) {
	s, k := p.shared, p.kind
	start, delay = s.now(), k.delay()
	s.budget.begin(start)
	k.used.Store(int64(start))
	if delay > 0 {
		k.lateCalls.begin(start, delay)
	}
	return start, delay
}

// ask says whether a late call may have its hedge now. A grant must be returned with leave.
func (p *Policy) ask(start, delay time.Duration) verdict {
	now := p.shared.now()
	if v := p.kind.slow(now, start, delay); v != granted {
		return v
	}
	return p.shared.budget.take(now)
}

// leave frees the place in flight of a hedge that has returned.
func (p *Policy) leave() { p.shared.budget.leave() }

// Detached says whether the configuration was with Detach, for code that builds on Do and must know that an attempt may
// outlive it.
func (p *Policy) Detached() bool { return p.shared.cfg.Detach }
