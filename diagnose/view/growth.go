package view

import (
	"slices"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose/stacks"
)

// heaps are the heap profiles of this run of the process that are of one moment and have a time, oldest first: those of
// earlier evidence, too.
func (v *View) heaps() []*stacks.Set {
	sets := slices.DeleteFunc(v.All(casefile.Heap, casefile.Allocs), func(s *stacks.Set) bool {
		return s.Seconds > 0 || s.Taken.IsZero() // text has no time
	})
	if len(sets) == 0 {
		return nil
	}
	var before []*stacks.Set
	for _, s := range v.EarlierSets {
		ofHeap := s.Kind == casefile.Heap || s.Kind == casefile.Allocs
		if ofHeap && s.Taken.Before(sets[0].Taken) && s.Precedes(sets[0]) {
			before = append(before, s)
		}
	}
	return append(before, sets...)
}

// A Growth is how the live heap changed between two captures.
type Growth struct {
	Diff    *stacks.Set
	First   *stacks.Set
	Last    *stacks.Set
	Net     float64 // bytes
	Live    float64 // bytes in the end
	Seconds float64
	Sets    []*stacks.Set
	Same    bool // both show the same collection
}

// Growth is that between the first and the last of Heaps; false where there are no two.
func (v *View) Growth() (Growth, bool) {
	sets := v.heaps()
	if len(sets) < 2 {
		return Growth{}, false
	}
	first, last := sets[0], sets[len(sets)-1]
	if !last.Taken.After(first.Taken) {
		return Growth{}, false
	}
	d, ok := v.difference(last, first)
	if !ok {
		return Growth{}, false
	}
	space := stacks.ByValue(last.Value("inuse_space", "bytes"))
	before, after := float64(first.Total(space)), float64(last.Total(space))
	return Growth{Diff: d, First: first, Last: last, Net: after - before, Live: after,
		Seconds: last.Taken.Sub(first.Taken).Seconds(), Sets: sets, Same: unchanged(d)}, true
}

// Share is a part of the growth: the whole heap may have grown by less than one line, where another's memory shrank.
func (g Growth) Share(bytes float64) float64 { return min(bytes/max(g.Net, bytes, 1), 1) }

// unchanged reports whether two heap profiles are of the same collection: the runtime publishes allocations and frees
// when one ends, and two profiles of different collections that agree in every number are from a process that did
// nothing.
func unchanged(diff *stacks.Set) bool {
	return !slices.ContainsFunc(diff.Samples, func(s stacks.Sample) bool {
		return slices.ContainsFunc(s.Values, func(v int64) bool { return v != 0 })
	})
}
