package instance

import (
	"context"
	"fmt"
	"time"

	"github.com/google/pprof/profile"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/internal/number"
)

// maxWaitRecords is the most records of a mutex or block profile of which the target may be asked for a delta: it
// parses and merges two profiles for that, which takes about 7 KB and 25 µs a record (heap?seconds= with 32,000
// records: 236 MB and 0.8 s in the target, Go 1.26). Beyond, two snapshots are subtracted on our side.
const maxWaitRecords = 1000

// captureWaits takes the waits for locks and channels in the next d.
func (t *HTTP) captureWaits(ctx context.Context, kind string, d time.Duration) (Profile, error) {
	if seen := t.seen.Load(); seen != nil {
		switch n := (*seen)[kind]; {
		case n == 0:
			return Profile{}, notArmed(kind)
		case n > maxWaitRecords:
			return t.captureDelta(ctx, kind, d)
		}
	}
	p, err := t.fetch(ctx, kind, kind, d)
	if err != nil || d <= 0 {
		return p, optional(err, kind)
	}
	return p, useProfile(ctx, p.Data, func(parsed *profile.Profile) error {
		if len(parsed.Sample) == 0 {
			return nothingGrew(kind, d)
		}
		return nil
	})
}

// nothingGrew says why the difference of two profiles is empty.
func nothingGrew(kind string, d time.Duration) error {
	if kind == casefile.Allocs {
		return &EmptyError{fmt.Sprintf("no allocation was published in the %s: the runtime publishes its memory "+
			"profile only when a GC cycle ends",
			number.Duration(d))}
	}
	return &EmptyError{fmt.Sprintf("no goroutine waited in the %s observed", number.Duration(d))}
}

// allocsNote is what a reader of an allocs delta should know (runtime.MemProfile).
const allocsNote = "shows allocations between the ends of two GC cycles: the runtime publishes its memory profile " +
	"only then"

// captureDelta subtracts two snapshots here: ?seconds= would have the target do that, at a high price.
func (t *HTTP) captureDelta(ctx context.Context, kind string, d time.Duration) (Profile, error) {
	first, err := t.fetch(ctx, kind, kind, 0)
	if err != nil {
		return first, optional(err, kind)
	}
	if seen := t.seen.Load(); seen != nil && (*seen)[recordsOf(kind)] > maxDeltaRecordsOutside {
		first.Note = tooBigToSubtract((*seen)[recordsOf(kind)])
		return first, nil
	}
	base, err := newBaseline(ctx, t.party, first.Data)
	if err != nil {
		return first, err
	}
	defer base.release()
	first.Data = nil // the baseline is enough, and d may be long
	first.Release()
	if err := sleep(ctx, time.Until(first.Taken.Add(d))); err != nil {
		return first, fmt.Errorf("waiting for the second %s profile: %w", kind, err)
	}
	p, err := t.fetch(ctx, kind, kind, 0)
	if err != nil {
		return p, err
	}
	span := p.Taken.Sub(first.Taken)
	p.Cost += first.Cost
	p.Taken = first.Taken
	return p, p.subtract(ctx, base, span)
}

// recordsOf is the profile whose count in the index says how many records there are.
func recordsOf(kind string) string {
	if kind == casefile.Allocs {
		return casefile.Heap
	}
	return kind
}

func tooBigToSubtract(records int) string {
	return fmt.Sprintf("the total since the process started: subtracting two profiles of %d records would take too "+
		"much memory", records)
}

// subtract leaves in p what grew since base, span before it.
func (p *Profile) subtract(ctx context.Context, base *baseline, span time.Duration) error {
	prefix := ""
	if p.Kind == casefile.Allocs {
		prefix, p.Note = "alloc_", allocsNote
	}
	data, stacks, err := base.growth(ctx, p.Data, span, prefix)
	if err != nil {
		return err
	}
	if stacks == 0 {
		return nothingGrew(p.Kind, span)
	}
	p.Data, p.Seconds = data, span.Seconds()
	return nil
}

// captureLeak asks twice and keeps the larger profile: the runtime's detector misses a leaked mutex in its first
// run and finds it in the second (tried with Go 1.26.8 and 1.27.0).
func (t *HTTP) captureLeak(ctx context.Context) (Profile, error) {
	var best Profile
	most, taken, cost := int64(0), time.Now(), time.Duration(0)
	for range 2 {
		p, err := t.fetch(ctx, casefile.GoroutineLeak, "goroutineleak", 0)
		if err != nil {
			return p, optional(err, casefile.GoroutineLeak)
		}
		n, err := goroutinesIn(ctx, p.Data)
		if err != nil {
			return p, err
		}
		if cost += p.Cost; n > most {
			best, p, most = p, best, n
		}
		p.Release()
	}
	if most == 0 {
		return Profile{Kind: casefile.GoroutineLeak, Taken: taken, Cost: cost}, errNoLeak
	}
	best.Cost = cost
	return best, nil
}

// captureDump takes every goroutine's stack as text when there are few goroutines.
func (t *HTTP) captureDump(ctx context.Context) (Profile, error) {
	c, err := t.index(ctx)
	if err != nil {
		return Profile{}, err
	}
	n, known := c["goroutine"]
	if !known {
		return Profile{},
			&EmptyError{"the pprof index does not say how many goroutines there are; a dump of many would stop the " +
				"process"}
	}
	if n > maxDumped {
		return Profile{}, tooMany(n)
	}
	return t.fetchQuery(ctx, casefile.GoroutineDump, "goroutine", "debug=2", 0)
}
