package casebook

import (
	"context"
	"math"
	"slices"
	"time"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/instance"
	"github.com/gocasebook/casebook/vitals"
)

// A heap profile shows the heap at the end of a collection: of the last one if that was asked for, otherwise of the one
// before it, whose sweep has ended (runtime/mprof.go, mProfCycle). Two profiles of the same collection are one. A
// process with a large heap collects every few minutes: no profile shows what happened in between, and the moment that
// the first one shows is unknown. So a heap profile waits for collections. If none end, the target is asked to run one,
// if the budget allows.

// gcPatience is how long a case waits for a GC cycle to end, and how old the last one may be for the first heap
// profile.
const gcPatience = 5 * time.Second

// laterCycles is how many GC cycles have to end after a heap profile until the next one shows a later moment than the
// first was taken at.
const laterCycles = 2

// A collector is a target that can be asked to collect its garbage.
type collector interface {
	ForceGC(ctx context.Context) error
}

// heap takes a heap profile that shows the present heap, as far as possible.
func (t *taking) heap(ctx context.Context, phase casefile.Phase) {
	since, cycles, tells := time.Now().Add(-gcPatience), 1, vitals.GCRate
	if phase == casefile.After && !t.heapAt.IsZero() {
		// The rate of cycles needs two readings of the heap; on a busy machine there may be one by now.
		since, cycles, tells = t.heapAt, laterCycles, vitals.HeapAlloc
		t.awaitGC(ctx, since, cycles)
		since = laterHalf(t.heapAt, time.Now())
	}
	if t.collected(since) < cycles && t.told(tells) && t.answers() {
		t.fresh = t.collect(ctx)
	}
	if t.heapAt.IsZero() {
		t.heapAt = time.Now()
	}
	t.capture(ctx, casefile.Heap, phase, 0)
	t.fresh = false
}

// awaitGC waits until so many GC cycles have ended since a moment. A process that collects rarely is not waited for
// long.
func (t *taking) awaitGC(ctx context.Context, since time.Time, cycles int) {
	look := time.NewTicker(t.w.Settings().Interval)
	defer look.Stop()
	limit := time.NewTimer(gcPatience)
	defer limit.Stop()
	for t.collected(since) < cycles {
		select {
		case <-ctx.Done():
			return
		case <-limit.C:
			return
		case <-look.C:
		}
	}
}

// laterHalf is the moment since which laterCycles must have ended for the second heap profile: if they ended soon after
// the first one, it would show hardly more than that.
func laterHalf(first, now time.Time) time.Time { return first.Add(now.Sub(first) / 2) }

// collected is how many GC cycles were seen to end since a moment.
func (t *taking) collected(since time.Time) int { return cyclesIn(t.w.since(since)) }

// cyclesIn counts the GC cycles of samples. The first sample that tells is only where the count begins: it also covers
// the time before, and a collection of ours.
func cyclesIn(samples []vitals.Sample) int {
	var last time.Time
	cycles := 0.0
	for _, s := range samples {
		rate, ok := s.Get(vitals.GCRate)
		if !ok {
			continue
		}
		if !last.IsZero() {
			cycles += rate * s.Time.Sub(last).Seconds()
		}
		last = s.Time
	}
	return int(math.Round(cycles))
}

// told reports whether the samples have a signal at all. If they say nothing about the heap, a profile of it is taken
// as it is.
func (t *taking) told(id vitals.ID) bool {
	return slices.ContainsFunc(t.w.since(time.Now().Add(-6*gcPatience)), func(s vitals.Sample) bool {
		_, ok := s.Get(id)
		return ok
	})
}

// collect has the target run a collection; false if it cannot, or if the budget does not allow it. The ledger counts a
// rejected collection, and the diagnosis says what the profile then does not show.
func (t *taking) collect(ctx context.Context) bool {
	c, ok := ability[collector](t.w.layers)
	if !ok || t.full.Load() || ctx.Err() != nil {
		return false
	}
	spent, err := t.w.ask("gc", 0)
	if err != nil {
		return false
	}
	began := time.Now()
	err = guard("collecting garbage", func() error { return c.ForceGC(ctx) })
	spent.settle(instance.Profile{Cost: time.Since(began)}, err)
	if err != nil {
		t.w.fail(err)
	}
	return err == nil
}
