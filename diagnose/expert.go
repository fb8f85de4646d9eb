package diagnose

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose/cost"
	"github.com/gocasebook/casebook/diagnose/known"
	"github.com/gocasebook/casebook/diagnose/stacks"
	"github.com/gocasebook/casebook/diagnose/traces"
	"github.com/gocasebook/casebook/diagnose/view"
)

// What experts know of modules (the rows of package known) speaks through facts: a row is asked only where CPU, a wait,
// memory or goroutines stand at one of its functions. The facts have findings already; a row gives one its cause and its
// change (expert_teach.go). Only what is made anew each time is found by rows alone: it is waste whatever its share.

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
func (e *experts) frames(stack []stacks.FrameID) []codeFrame {
	out := make([]codeFrame, len(stack))
	for i, id := range stack {
		out[i] = codeFrame{e.t.Func(id), e.t.Line(id), e.ofTable[e.t.FuncID(id)]()}
	}
	return out
}

// traced are those of a trace's stack.
func (e *experts) traced(stack traces.Stack) []codeFrame {
	out := make([]codeFrame, len(stack))
	for i, f := range stack {
		fn := e.view.Traced(f)
		out[i] = codeFrame{&fn, f.Line, knowsOf(&fn)}
	}
	return out
}

// A standing is a row that stands on a stack, and where.
type standing struct {
	advice *known.Advice
	at     codeFrame
}

// shows wants rows that show by some facts.
func shows(by known.Seen) func(*known.Advice) bool {
	return func(a *known.Advice) bool { return a.Show(by) }
}

// on are the rows that are wanted and stand on a stack, that nearest to the leaf first.
func (e *experts) on(stack []codeFrame, want func(*known.Advice) bool) (out []standing) {
	var below []*known.Advice
	for _, f := range stack {
		if f.knows.None() {
			continue
		}
		for _, a := range slices.Concat(f.knows.At, f.knows.Stays) {
			seen := slices.ContainsFunc(out, func(s standing) bool { return s.advice == a })
			if !seen && want(a) && (a.Below == nil || slices.Contains(below, a)) && e.holds(a, f.fn) {
				out = append(out, standing{a, f})
			}
		}
		below = append(below, f.knows.Below...)
	}
	return out
}

// called are the frames of a stack of the CPU's, without what is known of functions that are called by nobody, as the
// first one of a goroutine is (it is no call of the function whose closure it may be), and of those that call their
// caller back: what costs is the caller's own work.
func (e *experts) called(stack []stacks.FrameID) []codeFrame {
	out := e.frames(stack)
	for i := range out {
		if i == len(out)-1 || callsCallerBack(out, i) {
			out[i].knows = known.AdviceFor{}
		}
	}
	return out
}

// callsCallerBack reports whether the function at a place of a stack calls the package back that called it.
func callsCallerBack(stack []codeFrame, at int) bool {
	caller := stack[at+1].fn.Package
	return slices.ContainsFunc(stack[:at], func(f codeFrame) bool { return f.fn.Package == caller }) &&
		caller != stack[at].fn.Package
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
type facts func(yield func(stack []codeFrame, w float64))

// most is the row at which most of some facts stand, whose advice is nil without one, and the weight of all facts. Of
// rows at which the same stands it is a fault of the release, or that nearest to the leaf.
func (e *experts) most(of facts, want func(*known.Advice) bool) (best taught, all float64) {
	var rows groups[*known.Advice, taught]
	of(func(stack []codeFrame, w float64) {
		all += w
		for _, s := range e.on(stack, want) {
			t, first := rows.of(s.advice)
			if first {
				t.standing = s
			}
			t.part += w
		}
	})
	for _, t := range rows.all {
		if fault := t.advice.About == known.AboutFault; t.part > best.part*(1+sameWeight) ||
			fault && t.part >= best.part*(1-sameWeight) {
			best = *t
		}
	}
	best.part /= max(all, 1e-9)
	return best, all
}

// sameWeight is by how much weights differ that count as equal: samples beside the call itself.
const sameWeight = 0.02

// frame is where it stands, as a finding shows it.
func (s standing) frame(share float64) casefile.Frame {
	return casefile.Frame{Function: s.at.fn.Name, File: s.at.fn.File, Line: s.at.line, Share: roundShare(share),
		Role: "what is known of", Part: knownPart}
}

// cures are the changes of a row for a place.
func (s standing) cures(at string) (out []casefile.Remedy) {
	price := s.advice.Cost
	if price == "" {
		price = "none"
	}
	for _, do := range s.advice.Do {
		title, how := known.Titled(do)
		text := "At " + at + "."
		if how != "" {
			text = fmt.Sprintf("At %s: %s", at, asClause(how))
		}
		out = append(out, doChange(title, text, price))
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

// madeAnew is what a row about a dependency says is made once and kept, and takes CPU again and again.
func madeAnew() costRow {
	return expertRow(onceScale(), [2]float64{0.7, 1}, onceGainWhy,
		func(a *known.Advice) bool { return a.About == known.AboutOnce })
}

// knownCost is what a row about a dependency says costs more than it need, beside a line that costs more.
func knownCost() costRow {
	return expertRow(knownShareScale(), [2]float64{0.3, 0.95}, "a better call leaves some of it",
		func(a *known.Advice) bool { return a.About != known.AboutOnce })
}

// expertRow finds the most expensive line of which a row about a dependency speaks.
func expertRow(scale Scale, gain [2]float64, why string, want func(*known.Advice) bool) costRow {
	return costRow{scale: scale, limit: capUnsure, gain: gain, why: why,
		find: func(r *Reading, k *cost.Cost) (a costAnswer, ok bool) {
			best, _ := r.experts().most(spentOn(r, k), func(a *known.Advice) bool {
				return want(a) && a.Show(known.OnCPU) && a.Modules[0].Path != known.Std
			})
			if best.advice == nil || k.Share*best.part < scale.Worth {
				return a, false
			}
			at := r.Place(k.Line)
			return costAnswer{part: best.part, places: []casefile.Frame{best.frame(best.part * k.Share)},
				title: fmt.Sprintf("%s, %s of the CPU, at %s", asTitle(best.advice.Says), percent(k.Share*best.part), at),
				summary: fmt.Sprintf("%s of what the line %s costs is below %s. %s", percent(best.part), at,
					short(best.at.fn.Name), best.advice.Why),
				explanation: best.reason(), remedies: best.cures(at)}, true
		}}
}

// spentOn is what a line takes of the CPU, with the collector's part for its garbage.
func spentOn(r *Reading, k *cost.Cost) facts {
	return func(yield func([]codeFrame, float64)) {
		r.spent().Each(k, func(stack []stacks.FrameID, share float64) { yield(r.experts().called(stack), share) })
	}
}
