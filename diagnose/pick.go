package diagnose

import (
	"slices"
	"sync"
	"time"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose/stacks"
)

// tripLag is how long before a rule trips its trouble may have ended: a sample covers the interval before it.
const tripLag = time.Second

// promote turns evidence that was recorded until the trip, and contains the trouble itself, into evidence of the
// trouble: a spike of 200 ms is over when its rule trips, and no profile that begins then contains it.
func promote(r *Reading, tripped time.Time) {
	if tripped.IsZero() {
		return
	}
	for i := range r.sets {
		s := &r.sets[i]
		ended := s.Taken.Add(time.Duration(s.Seconds * float64(time.Second)))
		if s.phase == casefile.Before && s.Seconds > 0 && !ended.Before(tripped.Add(-tripLag)) {
			s.phase = casefile.During
		}
	}
}

// All are the sets of the given kinds, oldest first.
func (r *Reading) All(kinds ...string) []*stacks.Set {
	var out []*stacks.Set
	for _, s := range r.sets {
		if slices.Contains(kinds, s.Kind) {
			out = append(out, s.Set)
		}
	}
	return out
}

// troubled are the sets of the given kinds that were not taken before the trouble, oldest first.
func troubled(r *Reading, kinds ...string) []*stacks.Set {
	var out []*stacks.Set
	for _, s := range r.sets {
		if slices.Contains(kinds, s.Kind) && s.phase != casefile.Before {
			out = append(out, s.Set)
		}
	}
	return out
}

// Best are the sets of the given kinds in the best phase that has any: during the trouble, otherwise no phase,
// otherwise after, otherwise before. Oldest first.
func (r *Reading) Best(kinds ...string) []*stacks.Set {
	rank := func(p casefile.Phase) int {
		return slices.Index([]casefile.Phase{casefile.During, "", casefile.After, casefile.Before}, p)
	}
	best := -1
	var out []*stacks.Set
	for _, s := range r.sets {
		if !slices.Contains(kinds, s.Kind) {
			continue
		}
		k := max(rank(s.phase), 0)
		if best < 0 || k < best {
			best, out = k, nil
		}
		if k == best {
			out = append(out, s.Set)
		}
	}
	return out
}

// Latest is the last of Best; nil if there is none.
func (r *Reading) Latest(kinds ...string) *stacks.Set {
	best := r.Best(kinds...)
	if len(best) == 0 {
		return nil
	}
	return best[len(best)-1]
}

// Gained is what a cumulative kind of evidence (heap, mutex, block) gained over a known time: the captures of the best
// phase that cover a time themselves (?seconds=N), otherwise the difference between the first and the last comparable
// captures that count since the process began. It is nil if there is neither.
func (r *Reading) Gained(kinds ...string) *stacks.Set {
	spans := func(s *stacks.Set) bool { return s.Seconds > 0 }
	if best := r.Best(kinds...); slices.ContainsFunc(best, spans) {
		return stacks.Merge(slices.DeleteFunc(best, func(s *stacks.Set) bool { return !spans(s) }))
	}
	all := slices.DeleteFunc(troubled(r, kinds...), spans)
	if len(all) < 2 { // then the time before is mixed with the trouble
		all = slices.DeleteFunc(r.All(kinds...), spans)
	}
	if len(all) < 2 {
		return nil
	}
	first, last := all[0], all[len(all)-1]
	if !last.Taken.After(first.Taken) {
		return nil
	}
	d, ok := difference(r, last, first)
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

// difference is what a cumulative profile gained between two captures; see stacks.Subtract. Nobody may change it.
func difference(r *Reading, later, earlier *stacks.Set) (*stacks.Set, bool) {
	pair := [2]*stacks.Set{later, earlier}
	r.differences.mu.Lock()
	once := r.differences.byPair[pair]
	if once == nil {
		once = sync.OnceValue(func() *stacks.Set {
			d, _ := stacks.Subtract(later, earlier)
			return d
		})
		if r.differences.byPair == nil {
			r.differences.byPair = make(map[[2]*stacks.Set]func() *stacks.Set)
		}
		r.differences.byPair[pair] = once
	}
	r.differences.mu.Unlock()
	d := once()
	return d, d != nil
}
