package diagnose

import (
	"fmt"
	"math"

	"github.com/gocasebook/casebook/diagnose/hold"
	"github.com/gocasebook/casebook/diagnose/stacks"
	"github.com/gocasebook/casebook/diagnose/view"
	"github.com/gocasebook/casebook/vitals"
)

// newHolds is the latest heap profile, and the first one if its growth can be judged.
func newHolds(r *Reading) *hold.Heap {
	if g, ok := r.Growth(); ok {
		return hold.New(g.Last, g.First)
	}
	if h := r.heap(); h != nil && h.set.Seconds == 0 {
		return h.held()
	}
	return nil
}

// hourly is the growth per hour, after a separator; "" for growth over less than five minutes, which may not continue.
func hourly(g view.Growth, bytes float64, sep string) string {
	if g.Seconds < leakLong {
		return ""
	}
	return fmt.Sprintf("%s%s an hour", sep, size(bytes/g.Seconds*3600))
}

// fewGrowthSamples is of how few sampled allocations growth over seconds may be chance: ±50 % at 95 %.
const fewGrowthSamples = 16

// maybeFilling says what would decide whether growth in less than a minute, or of a young process, is a leak.
func maybeFilling(r *Reading, g view.Growth) string {
	started := ""
	if young(r, g) {
		started = fmt.Sprintf(". The process started only %s before", seconds(age(r, g).Seconds()))
	}
	return started + ". " + fillingText + ": capture again in ten minutes, because a store that fills up stops growing"
}

// heapBefore reports whether the first of two profiles that are close together is known to be older than it says: the
// vitals saw no collection end in as long a time before it.
func heapBefore(r *Reading, g view.Growth) bool {
	if wasCollected(r, g.First) {
		return false
	}
	seen := 0
	for i := range r.Vitals {
		before := g.First.Taken.Sub(r.Vitals[i].Time).Seconds()
		rate, ok := r.Vitals[i].Get(vitals.GCRate)
		if !ok || before < 0 || before > g.Seconds {
			continue
		}
		if rate > 0 {
			return false
		}
		seen++
	}
	return seen >= minRates
}

// minRates is how many samples must have shown no collection.
const minRates = 3

// manyUnderWay is how many goroutines inside a function show that its memory belongs to work that piles up, and not to
// data kept after the work.
const manyUnderWay = 20

// piledUp reports whether there is so much more work inside the function than at the first profile that the work may
// own what grew. Without goroutine profiles near the heap's, all work in flight counts as new.
func piledUp(r *Reading, g view.Growth, w *grower) bool {
	name := r.Table.Funcs[w.fn].Name
	in := r.Funcs(func(f *stacks.Func) bool { return f.Name == name })
	before, ok1 := inside(r, in, g.First.Taken)
	after, ok2 := inside(r, in, g.Last.Taken)
	if ok1 && ok2 {
		return more(before, after)
	}
	return underWay(r, w.fn) >= manyUnderWay
}

// underWay is how many goroutines are inside a function.
func underWay(r *Reading, fn stacks.FuncID) int64 {
	set := r.Goroutines()
	if set == nil {
		return 0
	}
	return int64(r.Funcs(these(r.Table, fn)).Sum(set, set.Count()))
}

// stillGrowing reports whether a grower's live bytes grew in the second half of the time as well. Without a capture of
// the middle half of it nobody knows.
func stillGrowing(g view.Growth, w *grower) bool {
	var middle *stacks.Set
	off := func(s *stacks.Set) float64 { return math.Abs(s.Taken.Sub(g.First.Taken).Seconds()/g.Seconds - 0.5) }
	for _, s := range g.Sets[1 : len(g.Sets)-1] {
		if off(s) <= 0.25 && (middle == nil || off(s) < off(middle)) {
			middle = s
		}
	}
	if middle == nil {
		return true
	}
	then := hold.New(middle, nil).Sum(func(b *hold.Held) bool { return w.has(middle.Table, b) })
	return then == nil || w.Now.Bytes > 1.02*then.Now.Bytes
}
