package hedge

import (
	"context"
	"errors"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// TestEveryResultIsReturnedOrReleased: every result that an attempt made is either given to the caller of its own call
// or released, once, in whatever order attempts, failures and callers come and go.
func TestEveryResultIsReturnedOrReleased(t *testing.T) {
	for seed := range uint64(4) {
		synctest.Test(t, func(t *testing.T) {
			p := newPolicy(t, Config{Budget: 1, MaxInFlight: 200, Detach: seed%2 == 1})
			rng, mu := rand.New(rand.NewPCG(seed, 11)), sync.Mutex{}
			random := func(n int) int {
				mu.Lock()
				defer mu.Unlock()
				return rng.IntN(n)
			}
			b := &books{}
			var wg sync.WaitGroup
			for i := range 3000 {
				time.Sleep(time.Duration(random(2000)) * time.Microsecond)
				wg.Go(func() { b.call(t, p, int64(i), random) })
			}
			wg.Wait()
			if err := p.Wait(t.Context()); err != nil {
				t.Fatal(err)
			}
			if made, ended := b.made.Load(), b.returned.Load()+b.released.Load(); made != ended {
				t.Errorf("seed %d: %d results were made, %d returned and %d released", seed, made, b.returned.Load(),
					b.released.Load())
			}
			s := p.Stats()
			if s.Hedged < 50 || s.Won == 0 || s.Wasted == 0 || s.Hedged != s.Won+s.Wasted || s.InFlight != 0 {
				t.Errorf("seed %d: counters are %+v, want hedges that won and wasted ones, and no others", seed, s)
			}
		})
	}
}

// books count results. Each belongs to a call and ends once.
type books struct{ made, returned, released atomic.Int64 }

type result struct {
	call int64
	done atomic.Bool
}

var errRandom = errors.New("random")

func (b *books) call(t *testing.T, p *Policy, id int64, random func(int) int) {
	ctx, cancel := context.WithTimeout(t.Context(), time.Duration(5+random(200))*ms)
	defer cancel()
	c := Call[*result]{
		Run: func(ctx context.Context) (*result, error) {
			takes := time.Duration(1+random(4)) * ms
			if random(10) == 0 {
				takes *= 30
			}
			err := pause(ctx, takes)
			if err == nil && random(20) == 0 {
				err = errRandom
			}
			b.made.Add(1)
			return &result{call: id}, err
		},
		Release: func(r *result) {
			if r.done.Swap(true) {
				t.Error("a result was released that had been returned or released")
			}
			b.released.Add(1)
		},
	}
	r, _ := c.Do(ctx, p)
	if r == nil { // the caller left a detached call
		return
	}
	if r.done.Swap(true) || r.call != id {
		t.Errorf("call %d was given a result of call %d, or one that was released", id, r.call)
	}
	b.returned.Add(1)
}

// TestOnlyRacesInTimeAreRecycled: an alarm that has taken a call out of the line may still be about to notify it.
func TestOnlyRacesInTimeAreRecycled(t *testing.T) {
	p := newPolicy(t, Config{})
	for _, inTime := range []bool{false, true} {
		r := &race[int]{policy: p, ctx: t.Context(), delay: time.Hour}
		r.arm()
		if !inTime {
			p.kind.alarm.remove(&r.waiting) // as overdue does
		}
		r.settle(first, outcome[int]{})
		r.cancel[first]()
		r.recycle()
		if recycled := r.policy == nil; recycled != inTime {
			t.Errorf("in time %v: recycled %v", inTime, recycled)
		}
	}
}
