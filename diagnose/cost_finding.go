package diagnose

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose/stacks"
	"github.com/gocasebook/casebook/internal/number"
)

// finding describes the row's cost. lines are not empty, the most expensive first. sum is their total.
func (k costKind) finding(r *Reading, lines []*lineCost, sum lineCost, score int) casefile.Finding {
	c := r.costs()
	k = k.forLogger(c, lines[0]).forClock(r, c, lines[0]).forCodec(c, lines, sum)
	first, what := lines[0], k.what
	if id, ok := first.topCall(); ok && k.whatOf[r.Table.Func(id).Name] != "" {
		what = k.whatOf[r.Table.Func(id).Name]
	}
	if first.guess != nil {
		what = k.likely
	}
	f := casefile.Finding{
		Score:       score,
		Summary:     k.summary(r, lines, sum),
		Explanation: k.explanation,
		Where:       k.where(r, lines),
		Remedies:    k.remedies(r, first),
	}
	if k.next != "" {
		f.Explanation += " " + k.next
	}
	if first.guess != nil {
		f.Explanation = first.guess.text(r.Table.Func(first.line).Name) + f.Explanation
	}
	if c.cpu == nil {
		f.Title = fmt.Sprintf("%s makes %s of the garbage, most at %s", what, percent(sum.garbage), r.Place(first.line))
		f.Confidence = Confidence(sum.garbage, sampled(c.garbage.total, c.garbage.total, c.garbage.rate))
		f.Impact = casefile.Impact{Resource: "memory", Share: roundShare(sum.garbage),
			Text: percent(sum.garbage) + " of the garbage",
			Gain: k.gainOf(lineCost{gc: sum.garbage}, "the calls make "+percent(sum.garbage)+" of the garbage")}
		f.Evidence = Basis(c.garbage.set)
		return f
	}
	f.Title = fmt.Sprintf("%s takes %s of the CPU, most at %s", what, percent(sum.share()), r.Place(first.line))
	f.Confidence = Confidence(sum.share(), c.cpu.samples)
	if first.guess != nil {
		f.Confidence = math.Round(100*first.guess.sure*f.Confidence) / 100
	}
	f.Impact = casefile.Impact{Resource: "cpu", Share: roundShare(sum.saved()),
		Text: percent(sum.share()) + " of the CPU the process used" + sum.alsoMarking(),
		Gain: k.gainOf(sum, sum.savedParts())}
	f.Evidence = Basis(c.cpu.set)
	if sum.gc > 0 {
		f.Evidence = addBasis(f.Evidence, Basis(c.garbage.set))
	}
	return f
}

// parts lists the parts of the cost: "18 % of the CPU in the calls, 4.0 % in collecting their garbage (30 % of all)".
func (l lineCost) parts() string {
	s := percent(l.cpu) + " of the CPU in the calls"
	if l.guess != nil {
		s = percent(l.cpu) + " of the CPU in the loop"
	}
	if l.gc >= 0.0005 {
		s += fmt.Sprintf(" and %s in collecting their garbage (%s of all garbage)", percent(l.gc), percent(l.garbage))
	}
	return s
}

func (k costKind) summary(r *Reading, lines []*lineCost, sum lineCost) string {
	c := r.costs()
	of := "The line " + r.Place(lines[0].line)
	if len(lines) > 1 && c.weigh(lines[1]) >= 0.05*c.weigh(lines[0]) {
		of = fmt.Sprintf("%d lines, the first is %s (%s)", len(lines), r.Place(lines[0].line),
			percent(c.weigh(lines[0])))
	}
	calls := ""
	if id, ok := lines[0].topCall(); ok {
		calls = ", calling " + short(r.Table.Func(id).Name)
	}
	if c.cpu == nil {
		return fmt.Sprintf("%s: %s of the %s of garbage%s%s.", of, percent(sum.garbage), size(c.garbage.total),
			c.garbage.span(), calls)
	}
	mean := ""
	if sum.objects >= 1 && sum.garbage >= 0.01 {
		mean = fmt.Sprintf(", %s an object on average", size(sum.bytes/sum.objects))
	}
	return fmt.Sprintf("%s: %s%s%s; %s.", of, sum.parts(), mean, calls, c.cpu.level)
}

// savedParts lists the parts of saved.
func (l lineCost) savedParts() string {
	if l.marking < 0.0005 {
		return l.parts()
	}
	return fmt.Sprintf("%s of the CPU in the calls and %s in the collector's cycles that their garbage causes (%s of "+
		"all garbage)",
		percent(l.cpu), percent(l.gc+l.marking), percent(l.garbage))
}

// alsoMarking returns the cost including the cycles that the garbage causes.
func (l lineCost) alsoMarking() string {
	if l.marking < 0.0005 {
		return ""
	}
	return fmt.Sprintf(", %s with the collector's cycles that their garbage causes", percent(l.saved()))
}

// mostSaved limits the promised gain: some cost always remains.
const mostSaved = 0.95

func (k costKind) gainOf(sum lineCost, parts string) casefile.Gain {
	gain, why := k.gain, k.gainWhy
	if k.slow != nil && 2*sum.slow > sum.cpu {
		gain, why = k.slow.gain, k.slow.gainWhy
	}
	low, high := min(sum.saved()*gain[0], mostSaved), min(sum.saved()*gain[1], mostSaved)
	return casefile.Gain{Low: roundShare(low), High: roundShare(high),
		Arithmetic: fmt.Sprintf("%s; %s, %s of it: %s",
			parts, why, number.Estimate(gain[0], gain[1]), number.Estimate(low, high))}
}

// where names the lines to change, then what the first of them calls.
func (k costKind) where(r *Reading, lines []*lineCost) []casefile.Frame {
	c := r.costs()
	var out []casefile.Frame
	for i, l := range lines {
		if share := c.weigh(l); i < 4 && share*20 >= c.weigh(lines[0]) {
			out = append(out, r.Frame(l.line, share, k.role(r, l)))
		}
	}
	for _, at := range lines[0].usedAt {
		out = slices.Insert(out, 1, r.Frame(at, c.weigh(lines[0]), "uses it first, when it allocates"))
	}
	if id, ok := lines[0].topCall(); ok {
		role := "called by the first"
		if lines[0].usedAt != nil {
			role = "called when it is first used"
		}
		out = append(out, r.Frame(id, c.weigh(lines[0]), role))
	}
	if id, ok := lines[0].maker(); ok {
		out = append(out, r.Frame(id, c.weigh(lines[0]), "makes the call, in a dependency"))
	}
	if g := lines[0].guess; g != nil && g.caller != stacks.NoFrame {
		out = append(out, r.Frame(g.caller, g.calls*c.weigh(lines[0]), "calls the function of the loop"))
	}
	return out
}

func (k costKind) role(r *Reading, l *lineCost) string {
	if l.usedAt != nil {
		return "makes it"
	}
	if id, ok := l.topCall(); ok && r.Table.Func(id).Owner != stacks.Runtime {
		return "calls " + short(r.Table.Func(id).Name)
	}
	if k.allocates() && (l.malloc > 0 || l.bytes > 0) {
		return "allocates"
	}
	return "takes the CPU"
}

// maxFixes is how many remedies a finding has: nobody reads more.
const maxFixes = 3

// remedies are the row's, for what the most expensive line calls.
func (k costKind) remedies(r *Reading, l *lineCost) []casefile.Remedy {
	call := ""
	if id, ok := l.topCall(); ok {
		call = r.Table.Func(id).Name
	}
	var out []casefile.Remedy
	if id, ok := l.maker(); ok {
		out = append(out, casefile.Remedy{Kind: casefile.Change, Title: "Make the dependency do less, or replace it",
			Text: fmt.Sprintf("The call is made in %s, below %s: look for a setting, a newer version or a package "+
				"that avoids it. The advice below is for its authors.",
				short(r.Table.Func(id).Name), r.Place(l.line)), Price: "another dependency, or a patch to its authors"})
	}
	fixes := k.fixes
	switch {
	case l.guess == nil:
	case l.guess.purpose == matches:
		fixes = slices.Concat(k.loops, k.fixes)
	default:
		fixes = slices.Concat(k.fixes, k.loops)
	}
	for _, f := range fixes {
		if strings.HasPrefix(call, f.Calls) && longest(f.Not, call) == 0 && len(out) < maxFixes {
			out = append(out, remediesAt(r.Place(l.line), f)...)
		}
	}
	return out
}
