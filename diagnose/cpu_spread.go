package diagnose

import (
	"fmt"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose/stacks"
)

// What a function does in many steps is at no line of them: encoding here, sorting there, a look-up, a copy. The place
// is then where it splits, the innermost function that has most of the CPU with what it calls, and the change is to
// call that less often.

// spreadShare is the part of all CPU that such a function has: without it the program is twice as fast.
const spreadShare = 0.5

// A spread is work that a function of the user's shares out among many lines.
type spread struct {
	at    stacks.FrameID                 // its line with most below it
	share float64                        // of all CPU
	lines []stacks.Entry[stacks.FrameID] // the user's, on the same stacks, the most expensive first
}

// findSpread finds it; ok is false where no function has as much, where one of its lines passes nearly all of it on, or
// where nobody of the user's calls it: a handler or a program is no part that could be left out.
func findSpread(r *Reading, v *cpuView) (s spread, ok bool) {
	w := func(s *stacks.Sample) int64 {
		if !computes(r.Table, s) {
			return 0
		}
		return v.weight(s)
	}
	var below []weighed
	all := 0.0
	for i := range v.set.Samples {
		sample := &v.set.Samples[i]
		if _, u := r.Table.UserFrame(sample.Stack); u >= 0 && w(sample) > 0 {
			below = append(below, weighed{sample.Stack, float64(w(sample))})
			all += float64(w(sample))
		}
	}
	fn, ns, ok := deepestCommon(r.Table, below, ofOwner(stacks.User), atLeast(spreadShare*v.total/max(all, 1)))
	if !ok || ns < spreadShare*v.total || isMain(&r.Table.Funcs[fn]) {
		return s, false
	}
	calls := 0.0
	at, lines := make(map[stacks.FrameID]int64), make(map[stacks.FrameID]int64)
	for _, b := range below {
		id, in := frameOf(r.Table, b.stack, fn)
		if !in {
			continue
		}
		at[id] += int64(b.weight)
		line, _ := r.Table.UserFrame(b.stack)
		lines[line] += int64(b.weight)
		if calledByUser(r.Table, b.stack, fn) {
			calls += b.weight
		}
	}
	s.lines = entries(lines)
	of := entries(at)
	s.at, s.share = of[0].Key, ns/v.total
	return s, float64(of[0].Value) < oneCall*ns && 2*calls >= ns
}

// calledByUser reports whether another function of the user's than main is above a function on a stack.
func calledByUser(t *stacks.Table, stack []stacks.FrameID, fn stacks.FuncID) bool {
	seen := false
	for _, id := range stack {
		switch {
		case t.FuncID(id) == fn:
			seen = true
		case seen && t.Func(id).Owner == stacks.User && !isMain(t.Func(id)):
			return true
		}
	}
	return false
}

// spreadAnswer is the answer where no line takes much, and the process lacks CPU: without that it is what a program is.
func spreadAnswer(r *Reading, v *cpuView) Answer {
	s, ok := findSpread(r, v)
	if !ok || strain(r) == "" && !trippedByClass(r, ofCPU) {
		return Answer{}
	}
	name := short(r.Table.Func(s.at).Name)
	f := casefile.Finding{
		Title: fmt.Sprintf("%s takes %s of the CPU, with what it calls", name, percent(s.share)),
		Score: min(hotScale().Score(s.share), capNotice, v.level.cap()), Confidence: Confidence(s.share, v.samples),
		Summary: fmt.Sprintf("%s below %s take %s of the CPU together, the most expensive, %s, %s; %s.",
			things(float64(len(s.lines)), "line"), name, percent(s.share), r.Place(s.lines[0].Key),
			percent(float64(s.lines[0].Value)/v.total), v.level),
		Explanation: "No line alone takes a quarter. What they do together is done as often as their function is " +
			"called.",
		Where: append([]casefile.Frame{r.Frame(s.at, s.share, "takes the CPU, with what it calls")},
			r.Frames(top(s.lines, 3), 3, v.total, "a part of it")...),
		Remedies: []casefile.Remedy{stepsRemedy(r.Place(s.at))},
		Evidence: Basis(v.set),
	}
	low, high := promised(s.share/widestGain, s.share)
	f.Impact = onCPU(s.share, casefile.Gain{Low: low, High: high, Arithmetic: "all of it where it is not called; a " +
		"third " +
		"where it is called a little less often, or a part of it goes"})
	if f.Score < worthKnowing {
		return Answer{}
	}
	return found(f)
}
