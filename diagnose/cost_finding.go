package diagnose

import (
	"fmt"
	"slices"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose/stacks"
	"github.com/gocasebook/casebook/internal/number"
)

// finding describes the row's cost. lines are not empty, the most expensive first. sum is their total.
func (k costKind) finding(r *Reading, lines []*lineCost, sum lineCost, score int) casefile.Finding {
	c := r.costs()
	k = k.forKey(lines[0]).forLogger(c, lines[0]).forClock(r, c, lines[0]).forCodec(c, lines, sum).
		forContents(r, lines, sum)
	first, what := lines[0], k.what
	for work, special := range k.whatOf {
		if id, ok := first.topCall(); ok && r.Table.Func(id).Does(work) {
			what = special
		}
	}
	f := casefile.Finding{
		Score:       score,
		Summary:     k.summary(r, lines, sum),
		Explanation: k.explanation,
		Where:       k.where(r, lines),
		Remedies:    k.remedies(r, lines),
	}
	f.Summary += k.pooling(r, first).text()
	if k.next != "" {
		f.Explanation += " " + k.next
	}
	if c.cpu == nil {
		f.Brief = fmt.Sprintf("%s makes %s of the garbage", what, percent(sum.garbage))
		f.Title = f.Brief + ", most at " + r.Place(first.line)
		f.Costs = []casefile.Cost{{Of: casefile.Garbage, Share: roundShare(sum.garbage)}}
		f.Confidence = Confidence(sum.garbage, sampled(c.garbage.total, c.garbage.total, c.garbage.rate))
		f.Impact = casefile.Impact{Resource: "memory", Share: roundShare(sum.garbage),
			Text: percent(sum.garbage) + " of the garbage",
			Gain: k.garbageGain(sum)}
		f.Evidence = Basis(c.garbage.set)
		return f
	}
	f.Brief = fmt.Sprintf("%s takes %s of the CPU", what, percent(sum.share()))
	f.Title = f.Brief + titlePlace(r, lines)
	f.Costs = sum.costs()
	f.Confidence = Confidence(sum.share(), c.cpu.samples)
	f.Impact = k.impact(sum, sum.visible(c.cpu))
	f.Evidence = Basis(c.cpu.set)
	if sum.gc > 0 {
		f.Evidence = addBasis(f.Evidence, Basis(c.garbage.set))
	}
	return f
}

// parts lists the parts of the cost: "18 % of the CPU in the calls, 4.0 % in collecting their garbage (30 % of all)".
func (l lineCost) parts() string {
	s := percent(l.cpu) + " of the CPU in the calls"
	if l.loop {
		s = percent(l.cpu) + " of the CPU in the loop"
	}
	if l.namesGarbage() {
		s += fmt.Sprintf(" and %s in collecting their garbage (%s of all)", percent(l.gc), percent(l.garbage))
	}
	return s
}

// namesGarbage reports whether the garbage is worth naming among the parts.
func (l lineCost) namesGarbage() bool { return l.gc >= 0.0005 }

// costs are what parts names beside the CPU.
func (l lineCost) costs() []casefile.Cost {
	if !l.namesGarbage() {
		return nil
	}
	return []casefile.Cost{{Of: casefile.Garbage, Share: roundShare(l.garbage)}}
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
		mean = fmt.Sprintf(", %s an object", size(sum.bytes/sum.objects))
	}
	return fmt.Sprintf("%s%s: %s%s. %s.", of, calls, sum.parts(), mean, upperFirst(c.cpu.level.String()))
}

// withCycles is the whole cost, where it is more than what the collector does for their garbage by its own functions.
func (l lineCost) withCycles(cost float64) string {
	if cost < l.share()+0.0005 {
		return ""
	}
	return fmt.Sprintf(", %s with all that the collector's cycles cause", percent(cost))
}

// impact is what the calls cost, and what the remedies save of it.
func (k costKind) impact(sum lineCost, cost float64) casefile.Impact {
	least, most, why := k.saves(sum)
	low, high := min(least*cost, mostSaved), min(most*cost, mostSaved)
	return casefile.Impact{Resource: "cpu", Share: roundShare(cost),
		Text: percent(sum.share()) + " of the CPU the process used" + sum.withCycles(cost),
		Gain: casefile.Gain{Low: roundShare(low), High: roundShare(high),
			Arithmetic: fmt.Sprintf("%s%s; %s, %s of it: %s", sum.parts(), sum.withCycles(cost), why,
				number.Estimate(least, most), number.Estimate(low, high))}}
}

// visible is the cost without what is not seen below the calls or the collector.
func (l lineCost) visible(v *cpuView) float64 { return l.cpu + l.garbage*v.gcShare() }

// cure is the impact with all that the collector's cycles cost, and with what else the functions of the calls do if
// they are rewritten.
func (k costKind) cure(r *Reading, i casefile.Impact) casefile.Impact {
	c := r.costs()
	lines, sum := k.lines(r)
	if c.cpu == nil || i.Share != roundShare(sum.visible(c.cpu)) {
		return k.hidden(i) // it was found in another way: by system calls
	}
	cost := c.cpu.cured(sum.cpu, sum.garbage)
	if !k.rewrites {
		cured := k.impact(sum, cost)
		i.Share, i.Gain = max(i.Share, cured.Share), withinCost(cured).Gain
		return k.hidden(i)
	}
	rest := c.rest(lines)
	all := cost + c.cpu.cured(rest.cpu, rest.garbage)
	least, _, why := k.saves(sum)
	low, high := promised(least*cost, all)
	i.Share = max(i.Share, high)
	i.Gain = casefile.Gain{Low: low, High: high, Arithmetic: fmt.Sprintf(
		"%s%s; %s, %s of it at least; %s with what else these functions do: %s", sum.parts(), sum.withCycles(cost), why,
		number.Share(least), percent(all), number.Estimate(low, high))}
	return i
}

// hidden adds the cost that does not show below the calls, of kinds whose remedies save more than what shows: the
// scheduler's work for goroutines that give up their processor in a system call. Promises that ended at what shows were
// exceeded by each of five programs in lab/fixes, and this one is kept for them.
func (k costKind) hidden(i casefile.Impact) casefile.Impact {
	if k.gain[1] <= 1 || !i.Gain.Capped {
		return i
	}
	high := roundShare(min(k.gain[1]*i.Share, mostSaved))
	i.Share, i.Gain.High = max(i.Share, high), max(i.Gain.High, high)
	i.Gain.Capped = false
	return i
}

// garbageGain is the part of the garbage that the remedies save, without a CPU profile.
func (k costKind) garbageGain(sum lineCost) casefile.Gain {
	least, most, why := k.saves(sum)
	low, high := min(sum.garbage*least, mostSaved), min(sum.garbage*most, mostSaved)
	return casefile.Gain{Low: roundShare(low), High: roundShare(high),
		Arithmetic: fmt.Sprintf("the calls make %s of the garbage; %s, %s of it: %s", percent(sum.garbage), why,
			number.Estimate(least, most), number.Estimate(low, high))}
}

// saves is which part of the cost the remedies save, from and to, and why.
func (k costKind) saves(sum lineCost) (least, most float64, why string) {
	if k.slow != nil && 2*sum.slow > sum.cpu {
		return k.slow.gain[0], k.slow.gain[1], k.slow.gainWhy
	}
	return k.gain[0] * (1 - sum.stays/max(sum.share(), 1e-9)), k.gain[1], k.gainWhy
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
		out = append(out, as(casefile.Called, r.Frame(id, c.weigh(lines[0]), role)))
	}
	if id, ok := lines[0].maker(); ok {
		out = append(out, r.Frame(id, c.weigh(lines[0]), "makes the call, in a dependency"))
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
func (k costKind) remedies(r *Reading, lines []*lineCost) []casefile.Remedy {
	l, call := lines[0], ""
	if id, ok := l.topCall(); ok {
		call = r.Table.Func(id).Name
	}
	var out []casefile.Remedy
	straight, again := straightOn(r, lines)
	if again {
		out = append(out, straight)
	} else if once, ok := decodeOnce(r, lines); ok {
		out = append(out, once)
	}
	summed := r.costs().summed(k, l)
	if summed {
		out = append(out, remediesAt(r.Place(l.line), keepTheSum())...)
	}
	if id, ok := l.maker(); ok && k.scale == onceScale() {
		return append(out, onceInside(r, l.line, id))
	} else if ok && !k.own && !summed {
		if spent := spentAt(r, l.line); !again && spent != nil && spent.OfDependency(r.Table) {
			out = dependencyRemedies(r, spent)[:1]
		}
		out = append(out, casefile.Remedy{Kind: casefile.Change, Title: "Make the dependency do less, or replace it",
			Text: fmt.Sprintf("The call is made in %s, below %s: look for a setting, a newer version or a package "+
				"that avoids it. The advice below is for its authors.",
				short(r.Table.Func(id).Name), r.Place(l.line)), Price: "another dependency, or a patch to its authors"})
	}
	pool := k.pooling(r, l)
	out = append(out, pool.remedies(r.Place(l.line))...)
	for _, f := range k.fixes {
		if f.fits(call) && len(out) < maxFixes && !(f.Pools && pool != noPool) {
			out = append(out, remediesAt(r.Place(l.line), f)...)
		}
	}
	return out
}
