package diagnose

import (
	"fmt"
	"slices"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose/known"
	"github.com/gocasebook/casebook/diagnose/stacks"
	"github.com/gocasebook/casebook/diagnose/traces"
)

// mostOfFact is the part of a finding's facts from which on a row is about the finding.
const mostOfFact = 0.5

// teach gives findings the cause and the change that experts know, where half or more of their facts stand at a row. If
// their own change is what would be advised in any program, the words become the row's: the facts, the place and the
// score stay. Otherwise a row about a dependency adds its change behind theirs.
func teach(r *Reading, fs []casefile.Finding) {
	for i := range fs {
		if len(fs[i].Remedies) == 0 {
			continue
		}
		best := expertOf(r, fs[i])
		switch {
		case best.advice == nil || best.part < mostOfFact:
		case fs[i].Remedies[0].Name == generalRemedy:
			best.teach(&fs[i])
		case best.advice.Modules[0].Path != known.Std:
			best.adds(&fs[i])
		}
	}
}

// expertOf is the row at which most of what a finding is about stands, at the first of its places at which anything
// does; its advice is nil without one. Goroutines that a dependency has begun are not on the stack of the user's line
// that called it: of their places that counts at which most stand, and not one at which somebody passes.
func expertOf(r *Reading, f casefile.Finding) (best taught) {
	most := 0.0
	for _, w := range f.Where {
		by, of := factsAt(r, f, w)
		if by == 0 {
			return taught{}
		}
		row, all := r.experts().most(of, func(a *known.Advice) bool {
			return (a.Show(by) || by&known.Waiting != 0 && a.Show(known.Silence) && r.silent()[a.Modules[0].Path]) &&
				(f.Kind != "mem-leak" || whyItStays(a))
		})
		if all > most {
			best, most = row, all
		}
		if all > 0 && f.Impact.Resource != effectGoroutines {
			return best
		}
	}
	return best
}

// whyItStays reports whether a row says why memory stays, and not why it is much: what grows without end is no matter
// of how large each piece is.
func whyItStays(a *known.Advice) bool {
	return a.About == known.AboutEnd || a.About == known.AboutGrowth || a.About == known.AboutFault
}

// teach writes a row's words into a finding.
func (s taught) teach(f *casefile.Finding) {
	w := f.Where[0]
	at := frameText(w)
	f.Summary = fmt.Sprintf("%s %s", s.advice.Why, f.Summary)
	f.Explanation = s.reason()
	f.Title = fmt.Sprintf("%s, at %s: %s", asTitle(s.advice.Says), at, f.Impact.Text)
	f.Brief = asTitle(s.advice.Says)
	f.Where = addPlaces(f.Where, s.frame(w.Share))
	f.Remedies = s.cures(at)
}

// adds writes a row's words behind those of a finding that knows the cause and is not from a row itself.
func (s taught) adds(f *casefile.Finding) {
	if s.advice.About == known.AboutFault || slices.ContainsFunc(f.Where, func(w casefile.Frame) bool {
		return w.Part == knownPart
	}) {
		return
	}
	w := f.Where[0]
	cure := s.cures(frameText(w))[0]
	f.Explanation += " Known of " + short(s.at.fn.Name) + ": " + s.reason()
	f.Remedies = slices.Insert(slices.Clone(f.Remedies), 1, cure)
}

// factsAt are the stacks with their weights at a place of a finding, and the facts by which a row shows there.
func factsAt(r *Reading, f casefile.Finding, w casefile.Frame) (by known.Seen, of facts) {
	switch f.Impact.Resource {
	case effectCPU:
		return known.OnCPU, spentAtPlace(r, w)
	case effectMemory:
		if f.Kind == "alloc-site" { // no CPU profile can be judged
			return known.OnCPU, garbageAt(r, w)
		}
		return known.Holding | known.Staying, memoryAt(r, w)
	case effectLatency:
		return known.Waiting, waitingAt(r, w)
	case effectGoroutines:
		return known.Staying | known.Waiting, goroutinesAt(r, w)
	}
	return 0, nil
}

// spentAtPlace is what a line takes of the CPU, with the collector's part for its garbage.
func spentAtPlace(r *Reading, w casefile.Frame) facts {
	return func(yield func([]codeFrame, float64)) {
		c := r.spent()
		if c == nil {
			return
		}
		for _, k := range c.All {
			if r.Table.Line(k.Line) == w.Line && r.Table.Func(k.Line).Name == w.Function {
				spentOn(r, k)(yield)
			}
		}
	}
}

// garbageAt is the garbage below a place.
func garbageAt(r *Reading, w casefile.Frame) facts {
	return func(yield func([]codeFrame, float64)) {
		g := newGarbage(r)
		for i := range g.set.Samples {
			s := &g.set.Samples[i]
			if bytes := g.weight(s); bytes > 0 && stands(r.Table, s.Stack, w) {
				yield(r.experts().called(s.Stack), float64(bytes))
			}
		}
	}
}

// memoryAt is the live memory below a place.
func memoryAt(r *Reading, w casefile.Frame) facts {
	return func(yield func([]codeFrame, float64)) {
		h := r.holds()
		if h == nil {
			return
		}
		for _, b := range h.Held {
			if stands(r.Table, b.Stack, w) {
				yield(r.experts().frames(b.Stack), b.Now.Bytes)
			}
		}
	}
}

// goroutinesAt are the goroutines at a place, in all captures.
func goroutinesAt(r *Reading, w casefile.Frame) facts {
	return func(yield func([]codeFrame, float64)) {
		for _, set := range r.Moments() {
			count := set.Count()
			for i := range set.Samples {
				if s := &set.Samples[i]; stands(r.Table, s.Stack, w) {
					yield(r.experts().frames(s.Stack), float64(count(s)))
				}
			}
		}
	}
}

// waitingAt are the goroutines at a place, in all captures; without any, the waits of a trace.
func waitingAt(r *Reading, w casefile.Frame) facts {
	return func(yield func([]codeFrame, float64)) {
		seen := false
		goroutinesAt(r, w)(func(stack []codeFrame, n float64) {
			seen = true
			yield(stack, n)
		})
		if seen {
			return
		}
		for _, b := range r.Summary().Blocking {
			if slices.ContainsFunc(b.Stack, func(f traces.Frame) bool {
				return f.Function == w.Function && f.Line == w.Line
			}) {
				yield(r.experts().traced(b.Stack), float64(b.Times.Total+b.Open))
			}
		}
	}
}

// stands reports whether a place is on a stack.
func stands(t *stacks.Table, stack []stacks.FrameID, w casefile.Frame) bool {
	return slices.ContainsFunc(stack, func(id stacks.FrameID) bool {
		return t.Line(id) == w.Line && t.Func(id).Name == w.Function
	})
}
