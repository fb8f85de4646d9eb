package diagnose

import (
	"fmt"
	"slices"
	"time"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose/known"
	"github.com/gocasebook/casebook/diagnose/stacks"
)

// What a process does once at its start is not what it does all day: a profile of that minute shows the start, and the
// finding about it is true and of little use.

// startPart is the part of what a finding blames that must be the start's.
const startPart = 0.8

// onceApart is how far two captures must be apart to show that one Once is at work all the time between them.
const onceApart = time.Second

// markStart says of findings that they are about the start only, and makes them notices. What lives was often built at
// the start, and costs all day: only findings about work are meant.
func (t relations) markStart(r *Reading, fs []casefile.Finding) {
	b := newBeginning(r)
	for i := range fs {
		f := &fs[i]
		if d := t.kind(f.Kind); !d.IsWork && d.row == nil && d.Kind != "alloc-site" {
			continue
		}
		if why := b.why(r, f); why != "" {
			f.Summary += " " + why
			f.Score = min(f.Score, capNotice)
		}
	}
}

// A beginning is what runs at the start of a process, as far as the evidence shows.
type beginning struct {
	onces map[string]bool // functions that call a Once which is at work throughout
	// main serves in the end, in a function that has others answer: what is below main otherwise was before that.
	main bool
}

func newBeginning(r *Reading) beginning {
	s := beginning{onces: make(map[string]bool)}
	sets := r.All(casefile.Goroutine)
	calls := make([][]*firstCall, len(sets))
	for i, set := range sets {
		calls[i] = firstCalls(r, set)
		for k, was := range calls[:i] {
			for _, c := range was {
				if lapse(sets[k], set) >= onceApart && c.lasts(calls[i]) {
					s.onces[r.Table.Func(c.caller).Name] = true
				}
			}
		}
	}
	if n := len(sets); n > 0 {
		s.main = slices.ContainsFunc(sets[n-1].Samples, func(g stacks.Sample) bool {
			return r.Table.Has(g.Stack, isMain) && servesBeside(r.Table, g.Stack)
		})
	}
	return s
}

func isMain(f *stacks.Func) bool { return f.Name == "main.main" } // and not what main starts

// lasts reports whether the same Once is at work later: whoever waited for it still does. Waiters of Onces of several
// entries come and go.
func (c *firstCall) lasts(later []*firstCall) bool {
	return c.running == 1 && c.waiting > 0 && slices.ContainsFunc(later, func(d *firstCall) bool {
		return d.caller == c.caller && d.running == 1 && d.waiting >= c.waiting
	})
}

// servesBeside reports whether a stack is in a server that answers in goroutines of their own.
func servesBeside(t *stacks.Table, stack []stacks.FrameID) bool {
	return t.Has(stack, withWork(known.AcceptsForServer))
}

// why says what of the start a finding is about; "" if it is not about the start.
func (s *beginning) why(r *Reading, f *casefile.Finding) string {
	if len(f.Where) == 0 {
		return ""
	}
	set, weight := countedBy(r, f)
	if set == nil {
		return ""
	}
	below := r.Funcs(func(fn *stacks.Func) bool { return fn.Name == f.Where[0].Function })
	all, parts := int64(0), make(map[string]int64)
	for i := range set.Samples {
		sample := &set.Samples[i]
		w := weight(sample)
		if w <= 0 || !below.In(r.Table, sample.Stack) {
			continue
		}
		all += w
		parts[s.part(r.Table, sample.Stack)] += w
	}
	for part, w := range parts {
		if part != "" && float64(w) >= startPart*float64(all) {
			return fmt.Sprintf("That is at the start only: %s.", part)
		}
	}
	return ""
}

// countedBy is the evidence whose weights a finding is made of, a CPU profile or one of allocations; nil if it is of
// another kind.
func countedBy(r *Reading, f *casefile.Finding) (*stacks.Set, stacks.Weight) {
	rests := func(kinds ...string) bool {
		return slices.ContainsFunc(f.Evidence, func(b casefile.Basis) bool { return slices.Contains(kinds, b.Kind) })
	}
	switch {
	case r.cpu() != nil && rests(casefile.CPU):
		return r.cpu().set, r.cpu().weight
	case r.heap() != nil && rests(casefile.Heap, casefile.Allocs):
		g := newGarbage(r)
		return g.set, stacks.ByValue(g.set.Value("alloc_space", "bytes"))
	}
	return nil, nil
}

// part is the part of the start that a stack belongs to; "" if none.
func (s *beginning) part(t *stacks.Table, stack []stacks.FrameID) string {
	for i, id := range stack {
		switch f := t.Func(id); {
		case f.Does(known.StartsPackages):
			return "it is below the initialization of a package"
		case f.Does(known.RunsOnce):
			if s.onces[t.Func(onceCaller(t, stack[i:])).Name] {
				return "it is below a sync.Once"
			}
		case f.Name == "main.main":
			if s.main && !servesBeside(t, stack) {
				return "it is below main, before it serves"
			}
		}
	}
	return ""
}
