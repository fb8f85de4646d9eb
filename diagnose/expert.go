package diagnose

import (
	"fmt"
	"iter"
	"slices"
	"strings"
	"sync"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose/known"
	"github.com/gocasebook/casebook/diagnose/stacks"
	"github.com/gocasebook/casebook/diagnose/traces"
	"github.com/gocasebook/casebook/diagnose/view"
)

// What experts know of modules (the rows of package known) speaks through facts: a row is asked only where CPU, a wait,
// memory or goroutines stand at one of its functions. Costs make findings of their own (expert_cost.go); of waits and
// of what stays the facts have findings already, and a row gives one its cause and its change (expert_teach.go).

// experts finds the rows that stand on stacks.
type experts struct {
	t       *stacks.Table
	release string // Go's
	ofTable []func() known.AdviceFor
	view    *view.View
}

// A codeFrame is a line of a function, and what is known of the function.
type codeFrame struct {
	fn    *stacks.Func
	line  int
	knows known.AdviceFor
}

func newExperts(r *Reading) *experts {
	e := &experts{t: r.Table, release: r.Build.GoVersion, ofTable: make([]func() known.AdviceFor, len(r.Table.Funcs)),
		view: &r.View}
	for i := range r.Table.Funcs {
		e.ofTable[i] = sync.OnceValue(func() known.AdviceFor { return knowsOf(&r.Table.Funcs[i]) })
	}
	return e
}

// knowsOf is what is known of a function of a dependency or of the standard library: the user's own code may be one of
// the modules itself.
func knowsOf(f *stacks.Func) known.AdviceFor {
	if f.Owner == stacks.User {
		return known.AdviceFor{}
	}
	return known.AdviceOf(f.Name)
}

// frames are those of a profile's stack.
func (e *experts) frames(stack []stacks.FrameID) iter.Seq[codeFrame] {
	return func(yield func(codeFrame) bool) {
		for _, id := range stack {
			if !yield(codeFrame{e.t.Func(id), e.t.Line(id), e.ofTable[e.t.FuncID(id)]()}) {
				return
			}
		}
	}
}

// traced are those of a trace's stack.
func (e *experts) traced(stack traces.Stack) iter.Seq[codeFrame] {
	return func(yield func(codeFrame) bool) {
		for _, f := range stack {
			fn := e.view.Traced(f)
			if !yield(codeFrame{&fn, f.Line, knowsOf(&fn)}) {
				return
			}
		}
	}
}

// A standing is a row that stands on a stack, and where.
type standing struct {
	advice *known.Advice
	at     codeFrame
}

// on are the rows that show by some facts and stand on a stack, that nearest to the leaf first.
func (e *experts) on(stack iter.Seq[codeFrame], by known.Seen) (out []standing) {
	var below []*known.Advice
	for f := range stack {
		for _, a := range slices.Concat(f.knows.At, f.knows.Stays) {
			seen := slices.ContainsFunc(out, func(s standing) bool { return s.advice == a })
			if !seen && a.Show(by) && (a.Below == nil || slices.Contains(below, a)) && e.holds(a, f.fn) {
				out = append(out, standing{a, f})
			}
		}
		below = append(below, f.knows.Below...)
	}
	return out
}

// holds reports whether a row is true of the release that a function is from.
func (e *experts) holds(a *known.Advice, f *stacks.Func) bool {
	for _, m := range a.Modules {
		module := m.Path
		if module == known.Std {
			module = known.GoItself
		}
		if version := versionOf(f, e.release, module); version != "" {
			return a.HoldsFor(version)
		}
	}
	return a.HoldsFor("")
}

// A taught is a row with the part of some facts that stands at it.
type taught struct {
	standing
	part float64
}

// facts are stacks with their weights.
type facts func(yield func(stack iter.Seq[codeFrame], w float64))

// most is the row at which most of some facts stand; false without one. Of rows at which the same stands it is that
// nearest to the leaf.
func (e *experts) most(of facts, by known.Seen) (best taught, ok bool) {
	parts := map[*known.Advice]*taught{}
	var order []*taught
	all := 0.0
	of(func(stack iter.Seq[codeFrame], w float64) {
		all += w
		for _, s := range e.on(stack, by) {
			if parts[s.advice] == nil {
				parts[s.advice] = &taught{standing: s}
				order = append(order, parts[s.advice])
			}
			parts[s.advice].part += w
		}
	})
	for _, p := range order {
		if p.part > best.part*(1+sameWeight) {
			best, ok = *p, true
		}
	}
	best.part /= max(all, 1e-9)
	return best, ok
}

// sameWeight is by how much weights differ that count as equal: samples beside the call itself.
const sameWeight = 0.02

// frame is where it stands, as a finding shows it.
func (s standing) frame(share float64) casefile.Frame {
	return casefile.Frame{Function: s.at.fn.Name, File: s.at.fn.File, Line: s.at.line, Share: roundShare(share),
		Role: "what is known of"}
}

// cures are the changes of a row for a place.
func (s standing) cures(at string) (out []casefile.Remedy) {
	price := s.advice.Cost
	if price == "" {
		price = "none"
	}
	for _, do := range s.advice.Do {
		title, how, two := strings.Cut(do, ": ")
		if !two {
			how = do
		}
		out = append(out, doChange(strings.TrimSuffix(title, "."), fmt.Sprintf("At %s: %s", at, asClause(how)), price))
	}
	return out
}

// reason is why it is so, with where that was read.
func (s standing) reason() string {
	m := s.advice.Modules[0]
	from := s.advice.Source
	if !strings.Contains(from, "://") {
		from = fmt.Sprintf("%s %s, %s", m.Path, m.Version, from)
	}
	return fmt.Sprintf("%s (Read in %s.)", s.advice.Why, from)
}
