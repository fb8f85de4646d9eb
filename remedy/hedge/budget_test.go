package hedge

import (
	"context"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// A ledger is what the budget is judged by: when calls began and hedges were sent, in order.
type ledger struct {
	calls, hedges []time.Duration
	flying, most  int
}

// check checks the two promises: never more hedges than the share of all calls so far, and, in any second that ends
// with a hedge, no more than the share of the calls begun in it, or one.
func (l *ledger) check(t *testing.T, share float64) {
	t.Helper()
	for i, at := range l.hedges {
		all, hedges := until(l.calls, at), i+1-until(l.hedges, at-time.Second)
		calls := all - until(l.calls, at-time.Second)
		if float64(i+1) > share*float64(all) {
			t.Fatalf("at %v there were %d hedges of %d calls, more than %.2f", at, i+1, all, share)
		}
		if float64(hedges) > max(1, share*float64(calls)) {
			t.Fatalf("in the second before %v there were %d hedges of %d calls, more than %.2f", at, hedges, calls,
				share)
		}
	}
}

// until counts the times up to and including at.
func until(times []time.Duration, at time.Duration) int {
	n, _ := slices.BinarySearch(times, at+1)
	return n
}

// pattern is a random arrival pattern: phases of steady load, bursts and silence, and how long calls take in each.
type pattern struct{ rng *rand.Rand }

// gaps are the times between calls of one phase.
func (p pattern) gaps() []time.Duration {
	switch n := 1 + p.rng.IntN(600); p.rng.IntN(4) {
	case 0: // steady
		return p.fill(n, func() time.Duration { return time.Duration(p.rng.IntN(5_000_000)) })
	case 1: // all at once
		return make([]time.Duration, n)
	case 2: // Poisson
		return p.fill(n, func() time.Duration { return time.Duration(p.rng.ExpFloat64() * 2e6) })
	default: // sparse
		return p.fill(1+n/20, func() time.Duration { return time.Duration(p.rng.IntN(900_000_000)) })
	}
}

func (p pattern) fill(n int, gap func() time.Duration) []time.Duration {
	gaps := make([]time.Duration, n)
	for i := range gaps {
		gaps[i] = gap()
	}
	return gaps
}

// latency is how long an attempt takes in a phase with this share of slow ones.
func (p pattern) latency(slow float64) time.Duration {
	if p.rng.Float64() < slow {
		return time.Duration(50+p.rng.IntN(1500)) * time.Millisecond
	}
	return time.Duration(1_000_000 + p.rng.IntN(4_000_000))
}

// TestBudgetHoldsWhateverArrives drives whole calls through random arrivals and latencies, on synctest's clock.
func TestBudgetHoldsWhateverArrives(t *testing.T) {
	for seed := range uint64(12) {
		share := []float64{0.01, 0.05, 0.3, 1}[seed%4]
		synctest.Test(t, func(t *testing.T) {
			l := drive(t, Config{Budget: share, MaxInFlight: 20}, pattern{rand.New(rand.NewPCG(seed, 7))}, 4000)
			l.check(t, share)
			if l.most > 20 {
				t.Errorf("seed %d: %d hedges were in flight, more than 20", seed, l.most)
			}
			if len(l.hedges) < 10 {
				t.Errorf("seed %d: only %d hedges: this proves nothing", seed, len(l.hedges))
			}
		})
	}
}

// drive makes calls and records when they began and when hedges were sent.
func drive(t *testing.T, cfg Config, p pattern, calls int) *ledger {
	policy := newPolicy(t, cfg)
	start, l := time.Now(), &ledger{}
	var mu sync.Mutex // guards l and p
	var wg sync.WaitGroup
	call := func(slow float64) {
		_, err := Do(t.Context(), policy, func(ctx context.Context) (int, error) {
			hedge := Attempt(ctx)
			mu.Lock()
			if at := time.Since(start); hedge == 0 {
				l.calls = append(l.calls, at)
			} else {
				l.hedges = append(l.hedges, at)
			}
			l.flying += hedge
			l.most = max(l.most, l.flying)
			took := p.latency(slow)
			mu.Unlock()
			err := pause(ctx, took)
			mu.Lock()
			l.flying -= hedge
			mu.Unlock()
			return 0, err
		})
		if err != nil {
			t.Error(err)
		}
	}
	for len(l.calls) < calls {
		mu.Lock()
		gaps, slow := p.gaps(), []float64{0, 0.01, 0.1, 0.3, 1}[p.rng.IntN(5)]
		mu.Unlock()
		for _, gap := range gaps {
			time.Sleep(gap)
			wg.Go(func() { call(slow) })
		}
		synctest.Wait()
	}
	wg.Wait()
	return l
}

// pause waits for d on the bubble's clock, or for the context.
func pause(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// TestBudgetAlone asks the budget itself for far more than any policy would.
func TestBudgetAlone(t *testing.T) {
	for seed := range uint64(20) {
		rng := rand.New(rand.NewPCG(seed, 3))
		b, l, now := newBudget(0.05, 1<<30), &ledger{}, time.Duration(0)
		for range 400 {
			now += time.Duration(rng.ExpFloat64() * float64(time.Second) * []float64{0.001, 0.01, 0.1, 1}[rng.IntN(4)])
			for range rng.IntN(60) {
				b.begin(now)
				l.calls = append(l.calls, now)
			}
			for range rng.IntN(60) {
				if b.take(now) == granted {
					l.hedges = append(l.hedges, now)
				}
			}
		}
		l.check(t, 0.05)
		if len(l.hedges) < 100 {
			t.Errorf("seed %d: only %d hedges: this proves nothing", seed, len(l.hedges))
		}
	}
}

// TestBudgetIsSpentWhole: under steady load the promise must not be kept by hedging less than allowed.
func TestBudgetIsSpentWhole(t *testing.T) {
	b := newBudget(0.05, 1<<30)
	hedges := 0
	for now := time.Duration(0); now < 20*time.Second; now += time.Millisecond {
		b.begin(now)
		if b.take(now) == granted {
			hedges++
		}
	}
	if calls := 20_000; hedges < calls*48/1000 || hedges > calls*50/1000 {
		t.Errorf("%d hedges of %d calls, want nearly 5 %%", hedges, calls)
	}
}

func TestBudgetOfFewCalls(t *testing.T) {
	b := newBudget(0.05, 1)
	for i := range 20 {
		if b.take(time.Duration(i)*time.Second) != overBudget {
			t.Fatalf("a hedge was granted after %d calls", i)
		}
		b.begin(time.Duration(i) * time.Second)
	}
	if v := b.take(20 * time.Second); v != granted {
		t.Errorf("after 20 calls in 20 s the verdict is %d, want a hedge", v)
	}
	if v := b.take(20 * time.Second); v != overInFlight {
		t.Errorf("with one hedge in flight of at most one the verdict is %d, want %d", v, overInFlight)
	}
	b.leave()
	if v := b.take(20 * time.Second); v != overBudget {
		t.Errorf("with all tokens spent the verdict is %d, want %d", v, overBudget)
	}
}

func TestWindowForgetsAndWraps(t *testing.T) {
	var w window
	for _, slot := range []uint32{1<<32 - 3, 1<<32 - 1, 0, 2} {
		w.add(slot)
	}
	if got := w.sum(2, 4); got != 3 {
		t.Errorf("four slots around the wrap hold %d, want 3", got)
	}
	w.add(130)
	w.add(2) // late: its slot holds 130 now
	if got := w.sum(130, slots); got != 1 {
		t.Errorf("the second before slot 130 holds %d, want its own event", got)
	}
	if got := w.sum(2, 1); got != 0 {
		t.Errorf("a slot that was taken by another holds %d, want nothing", got)
	}
}
