package hedge

import (
	"context"
	"errors"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// warm is a policy that knows calls of 10 ms: its delay is about that, and it has tokens.
func warm(t *testing.T, cfg Config) *Policy {
	t.Helper()
	p := newPolicy(t, cfg)
	for range 250 {
		_, err := Do(t.Context(), p, func(ctx context.Context) (int, error) {
			return 0,
				pause(ctx, 10*time.Millisecond)
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if d, ok := p.Delay(); !ok || !near(d, 10*time.Millisecond) {
		t.Fatalf("after calls of 10 ms the delay is %v, %v", d, ok)
	}
	return p
}

// An attempt of a scripted call: how long it takes and how it ends.
type script struct {
	takes time.Duration
	err   error
	panic any
	exits bool
}

func (s script) run(ctx context.Context, value string) (string, error) {
	if err := pause(ctx, s.takes); err != nil {
		return value, err
	}
	if s.panic != nil {
		panic(s.panic)
	}
	if s.exits {
		runtime.Goexit()
	}
	return value, s.err
}

const ms = time.Millisecond

var errOne, errTwo = errors.New("one"), errors.New("two")

var races = []struct {
	name     string
	one, two script
	want     string
	err      error
	panics   any
	after    time.Duration // when Do returns, about
	hedged   uint64
	won      uint64
	released string
}{
	{name: "in time", one: script{takes: 5 * ms}, want: "one", after: 5 * ms},
	{name: "late, the hedge is first", one: script{takes: 500 * ms}, two: script{takes: 10 * ms}, want: "two",
		after: 20 * ms, hedged: 1, won: 1, released: "one"},
	{name: "late, but first all the same", one: script{takes: 15 * ms}, two: script{takes: 10 * ms}, want: "one",
		after: 15 * ms, hedged: 1, released: "two"},
	{name: "an error in time is not retried", one: script{takes: 5 * ms, err: errOne}, want: "one", err: errOne,
		after: 5 * ms},
	{name: "a late error waits for the hedge", one: script{takes: 15 * ms, err: errOne}, two: script{takes: 10 * ms},
		want: "two", after: 20 * ms, hedged: 1, won: 1, released: "one"},
	{name: "a hedge's error does not beat the first", one: script{takes: 50 * ms},
		two: script{takes: 5 * ms, err: errTwo}, want: "one", after: 50 * ms, hedged: 1, released: "two"},
	{name: "both fail, the hedge first", one: script{takes: 50 * ms, err: errOne},
		two: script{takes: 5 * ms, err: errTwo}, want: "one", err: errOne, after: 50 * ms, hedged: 1, released: "two"},
	{name: "both fail, the hedge last", one: script{takes: 15 * ms, err: errOne},
		two: script{takes: 50 * ms, err: errTwo}, want: "one", err: errOne, after: 60 * ms, hedged: 1, released: "two"},
	{name: "the first panics in time", one: script{takes: 5 * ms, panic: "boom"}, panics: "boom", after: 5 * ms},
	{name: "the first panics late", one: script{takes: 15 * ms, panic: "boom"}, two: script{takes: 50 * ms},
		panics: "boom", after: 15 * ms, hedged: 1, released: "two"},
	{name: "the hedge panics", one: script{takes: 500 * ms}, two: script{takes: 5 * ms, panic: "bang"}, panics: "bang",
		after: 15 * ms, hedged: 1, won: 1, released: "one"},
	{name: "the hedge ends its goroutine", one: script{takes: 50 * ms}, two: script{takes: 5 * ms, exits: true},
		want: "one", after: 50 * ms, hedged: 1, released: ""},
}

func TestRaces(t *testing.T) {
	for _, detach := range []bool{false, true} {
		for _, tt := range races {
			name := tt.name
			if detach {
				name += ", detached"
			}
			t.Run(name, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					p := warm(t, Config{Detach: detach})
					var released []string
					call := Call[string]{Release: func(s string) {
						if s != "" { // what Goexit left
							released = append(released, s)
						}
					}}
					call.Run = func(ctx context.Context) (string, error) {
						if Attempt(ctx) == 0 {
							return tt.one.run(ctx, "one")
						}
						return tt.two.run(ctx, "two")
					}
					start := time.Now()
					got, panicked, err := catch(func() (string, error) { return call.Do(t.Context(), p) })
					took := time.Since(start)
					synctest.Wait() // in a detached race the loser arrives later
					if got != tt.want || err != tt.err || panicked != tt.panics {
						t.Errorf("Do returned %q, %v, panic %v; want %q, %v, panic %v", got, err, panicked, tt.want,
							tt.err, tt.panics)
					}
					if took < tt.after || took > tt.after+ms {
						t.Errorf("Do took %v, want %v", took, tt.after)
					}
					if s := p.Stats(); s.Hedged != tt.hedged || s.Won != tt.won || s.Wasted != tt.hedged-tt.won ||
						s.InFlight != 0 {
						t.Errorf("counters are %+v, want %d hedged, %d won, the rest wasted", s, tt.hedged, tt.won)
					}
					if got := strings.Join(released, " "); got != tt.released {
						t.Errorf("%q was released, want %q", got, tt.released)
					}
				})
			})
		}
	}
}

// catch runs fn and returns what it panicked with, unwrapped.
func catch(fn func() (string, error)) (s string, panicked any, err error) {
	defer func() {
		panicked = recover()
		if p, ok := panicked.(*Panic); ok {
			panicked = p.Value
		}
	}()
	s, err = fn()
	return s, nil, err
}

func TestPanicOfAHedgeHasItsStack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := warm(t, Config{})
		defer func() {
			got, ok := recover().(*Panic)
			if !ok || !strings.Contains(string(got.Stack), "TestPanicOfAHedgeHasItsStack") || !errors.Is(got, errTwo) {
				t.Errorf("Do panicked with %v, want a *Panic with the function's stack and its error", got)
			}
		}()
		_, _ = Do(t.Context(), p, func(ctx context.Context) (int, error) {
			if Attempt(ctx) == 1 {
				panic(errTwo)
			}
			return 0, pause(ctx, time.Second)
		})
		t.Error("Do returned")
	})
}

func TestCallerLeaves(t *testing.T) {
	for _, detach := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			p := warm(t, Config{Detach: detach})
			ctx, cancel := context.WithTimeout(t.Context(), 30*ms)
			defer cancel()
			start, released := time.Now(), atomic.Int64{}
			call := Call[int]{
				Run: func(ctx context.Context) (int, error) {
					err := pause(ctx, time.Second)
					if detach {
						// An attempt that ends in the instant in which the caller leaves may still be its answer.
						time.Sleep(ms)
					}
					return 0, err
				},
				Release: func(int) { released.Add(1) },
			}
			_, err := call.Do(ctx, p)
			if took := time.Since(start); !errors.Is(err, context.DeadlineExceeded) || took != 30*ms {
				t.Errorf("Do returned %v after %v, want the deadline's error after 30ms", err, took)
			}
			if err := p.Wait(t.Context()); err != nil {
				t.Fatal(err)
			}
			if s := p.Stats(); s.Hedged != 1 || s.InFlight != 0 {
				t.Errorf("counters are %+v, want one hedge, none in flight", s)
			}
			if want := map[bool]int64{false: 1, true: 2}[detach]; released.Load() != want {
				t.Errorf("%d results were released, want %d", released.Load(), want)
			}
		})
	}
}

// TestDetachDoesNotWait: a function that ignores its context must not delay the caller.
func TestDetachDoesNotWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := warm(t, Config{Detach: true})
		start := time.Now()
		got, err := Do(t.Context(), p, func(ctx context.Context) (int, error) {
			if Attempt(ctx) == 0 {
				time.Sleep(time.Minute)
			}
			return Attempt(ctx), nil
		})
		if took := time.Since(start); got != 1 || err != nil || took > 20*ms {
			t.Errorf("Do returned %d, %v after %v, want the hedge's 1 in 10ms", got, err, took)
		}
		short, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if err := p.Wait(short); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("Wait returned %v while an attempt was under way", err)
		}
		if err := p.Wait(t.Context()); err != nil || time.Since(start) < time.Minute {
			t.Errorf("Wait returned %v after %v, want to wait for the attempt", err, time.Since(start))
		}
	})
}

func TestNotHedged(t *testing.T) {
	tests := []struct {
		name string
		do   func(ctx context.Context, p *Policy, fn func(context.Context) (int, error))
	}{
		{"marked as not idempotent", func(ctx context.Context, p *Policy, fn func(context.Context) (int, error)) {
			_, _ = Do(WithIdempotent(ctx, false), p, fn)
		}},
		{"a kind not known yet", func(ctx context.Context, p *Policy, fn func(context.Context) (int, error)) {
			_, _ = Do(ctx, p.For("new"), fn)
		}},
		{"within a hedge", func(ctx context.Context, p *Policy, fn func(context.Context) (int, error)) {
			_, _ = Do(asHedge(ctx), p, fn)
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				p := warm(t, Config{})
				attempts := 0
				tt.do(t.Context(), p, func(ctx context.Context) (int, error) {
					attempts++
					return 0, pause(ctx, time.Second)
				})
				if attempts != 1 {
					t.Errorf("%d attempts were made, want 1", attempts)
				}
			})
		})
	}
}

// TestRefusedCallAsksAgain: a call that waits gets tokens that arrive meanwhile.
func TestRefusedCallAsksAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := warm(t, Config{})
		p.shared.budget.tokens, p.shared.budget.earned = 0, p.shared.budget.calls.Load()
		time.Sleep(time.Second)
		go func() {
			for range 30 {
				_, _ = Do(t.Context(), p, func(ctx context.Context) (int, error) { return 0, pause(ctx, 5*ms) })
			}
		}()
		start := time.Now()
		got, err := Do(t.Context(), p, func(ctx context.Context) (int, error) {
			return Attempt(ctx), pause(ctx, time.Duration(1-Attempt(ctx))*time.Minute)
		})
		if took := time.Since(start); got != 1 || err != nil || took < 100*ms || took > 500*ms {
			t.Errorf("Do returned attempt %d, %v after %v; want the hedge once 20 calls have paid for it", got, err,
				took)
		}
		if s := p.Stats(); s.DeniedBudget != 1 || s.Late != 1 {
			t.Errorf("counters are %+v, want one late call, refused once", s)
		}
	})
}

// TestSharedStallStopsHedging: everybody waits for the same thing, and so would the hedges.
func TestSharedStallStopsHedging(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := warm(t, Config{Budget: 1, MaxInFlight: 1000})
		release := make(chan struct{})
		var hedges atomic.Int64
		for range 500 {
			time.Sleep(ms)
			go func() {
				_, _ = Do(t.Context(), p, func(ctx context.Context) (int, error) {
					hedges.Add(int64(Attempt(ctx)))
					<-release
					return 0, nil
				})
			}()
		}
		if n := hedges.Load(); n > 64 {
			t.Errorf("%d of 500 calls were hedged while none came back, and the budget allowed all; want few", n)
		}
		if s := p.Stats(); s.DeniedSlow < 400 {
			t.Errorf("counters are %+v, want most refused because all are slow", s)
		}
		close(release)
	})
}

func TestConfigNamesTheFieldAtFault(t *testing.T) {
	for field, cfg := range map[string]Config{
		"Quantile":    {Quantile: 95},
		"MinDelay":    {MinDelay: -1},
		"MinSamples":  {MinSamples: 3},
		"HalfLife":    {HalfLife: time.Microsecond},
		"Budget":      {Budget: 5},
		"MaxInFlight": {MaxInFlight: -1},
		"MaxKeys":     {MaxKeys: -1},
	} {
		if _, err := New(cfg); err == nil || !strings.Contains(err.Error(), "Config."+field+" ") {
			t.Errorf("New(%+v) returned %v, want an error that names %s", cfg, err, field)
		}
	}
}

func TestKeysAreBounded(t *testing.T) {
	p := newPolicy(t, Config{MaxKeys: 50})
	kept := p.For("kept")
	for i := range 5000 {
		p.For(string(rune('a'+i%26)) + time.Duration(i).String())
		kept.begin()
	}
	if got := p.Stats().Keys; got != 50 {
		t.Errorf("%d keys are kept, want 50", got)
	}
	if one, two := p.For("x"), p.For("x"); one != two {
		t.Error("the same key gave two policies")
	}
}
