package view

import (
	"slices"
	"sync"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose/stacks"
)

// All are the sets of the given kinds, oldest first.
func (v *View) All(kinds ...string) []*stacks.Set {
	var out []*stacks.Set
	for _, s := range v.Sets {
		if slices.Contains(kinds, s.Kind) {
			out = append(out, s.Set)
		}
	}
	return out
}

// Troubled are the sets of the given kinds that were not taken before the trouble, oldest first.
func (v *View) Troubled(kinds ...string) []*stacks.Set {
	var out []*stacks.Set
	for _, s := range v.Sets {
		if slices.Contains(kinds, s.Kind) && s.Phase != casefile.Before {
			out = append(out, s.Set)
		}
	}
	return out
}

// Best are the sets of the given kinds in the best phase that has any: during the trouble, otherwise no phase,
// otherwise after, otherwise before. Oldest first.
func (v *View) Best(kinds ...string) []*stacks.Set {
	rank := func(p casefile.Phase) int {
		return slices.Index([]casefile.Phase{casefile.During, "", casefile.After, casefile.Before}, p)
	}
	best := -1
	var out []*stacks.Set
	for _, s := range v.Sets {
		if !slices.Contains(kinds, s.Kind) {
			continue
		}
		k := max(rank(s.Phase), 0)
		if best < 0 || k < best {
			best, out = k, nil
		}
		if k == best {
			out = append(out, s.Set)
		}
	}
	return out
}

// Latest is the last of Best; nil where no set is of the given kinds.
func (v *View) Latest(kinds ...string) *stacks.Set {
	best := v.Best(kinds...)
	if len(best) == 0 {
		return nil
	}
	return best[len(best)-1]
}

// Gained is what a cumulative kind of evidence (heap, mutex, block) gained over a known time: the captures of the best
// phase that cover a time themselves (?seconds=N), otherwise the difference between the first and the last comparable
// captures that count since the process began. It is nil if there is neither.
func (v *View) Gained(kinds ...string) *stacks.Set {
	spans := func(s *stacks.Set) bool { return s.Seconds > 0 }
	if best := v.Best(kinds...); slices.ContainsFunc(best, spans) {
		return stacks.Merge(slices.DeleteFunc(best, func(s *stacks.Set) bool { return !spans(s) }))
	}
	all := slices.DeleteFunc(v.Troubled(kinds...), spans)
	if len(all) < 2 { // then the time before is mixed with the trouble
		all = slices.DeleteFunc(v.All(kinds...), spans)
	}
	if len(all) < 2 {
		return nil
	}
	first, last := all[0], all[len(all)-1]
	if !last.Taken.After(first.Taken) {
		return nil
	}
	d, ok := v.difference(last, first)
	if !ok {
		return nil
	}
	return d
}

// differences are those between two sets that were asked for: several detectors use the same pair, and each copy of a
// large one costs a second of CPU and hundreds of MiB.
type differences struct {
	mu     sync.Mutex // guards byPair
	byPair map[[2]*stacks.Set]func() *stacks.Set
}

// difference is what a cumulative profile gained between two captures; see stacks.Subtract. It is false where the two
// cannot be compared. Nobody may change it.
func (v *View) difference(later, earlier *stacks.Set) (*stacks.Set, bool) {
	pair := [2]*stacks.Set{later, earlier}
	v.differences.mu.Lock()
	once := v.differences.byPair[pair]
	if once == nil {
		once = sync.OnceValue(func() *stacks.Set {
			d, _ := stacks.Subtract(later, earlier)
			return d
		})
		if v.differences.byPair == nil {
			v.differences.byPair = make(map[[2]*stacks.Set]func() *stacks.Set)
		}
		v.differences.byPair[pair] = once
	}
	v.differences.mu.Unlock()
	d := once()
	return d, d != nil
}
