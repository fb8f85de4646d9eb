package diagnose

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose/known"
	"github.com/gocasebook/casebook/diagnose/stacks"
)

// A guess is what a walk is likely to be, and what says so.
type guess struct {
	walk
	purpose purpose
	why     string
	sure    float64 // part of the confidence that is left
	caller  stacks.FrameID
	calls   float64 // part of the loop's CPU below that line
}

// How much of the confidence is left. No measurement is behind these numbers: a name says more of its own function than
// of another.
const (
	sureByName  = 0.8
	sureByOther = 0.6 // the name of the caller or of the type, or growth
	sureOfPoint = 0.6 // the function's own, where a lookup that waits for memory would look the same
)

// guess says what a loop without string comparisons is likely to do. ok is false where its code, its names and its
// growth leave that open.
func (c *costView) guess(fn stacks.FuncID, l *loop) (g guess, ok bool) {
	t := c.x.t
	w, ok := l.walk(t)
	if !ok {
		return g, false
	}
	name := t.Funcs[fn].Name
	g = guess{walk: w, purpose: purposeOf(name, w.leaves), sure: sureByName,
		why: "its name, " + short(name) + ", says that it does"}
	if w.point {
		g.sure = sureOfPoint
	}
	g.caller, _ = heaviest(l.callers)
	g.calls = l.callers[g.caller] / l.total
	if g.purpose == unnamed && w.leaves && !w.point {
		g.sure = sureByOther
		g.purpose, g.why = c.byOthers(fn, l, g.caller)
	}
	switch walks := w.leaves || w.from == w.to || hasWord(name, known.PlainWords()); g.purpose {
	case matches, gathers:
		return g, walks
	case searches:
		return g, walks && l.rest(t, w) <= walkRest
	}
	return g, false
}

// byOthers is the purpose of a loop whose own name does not tell, and why.
func (c *costView) byOthers(fn stacks.FuncID, l *loop, caller stacks.FrameID) (purpose, string) {
	if caller != stacks.NoFrame {
		switch by := c.x.t.Func(caller).Name; purposeOf(by, false) {
		case searches, gathers, matches:
			return purposeOf(by, false), "the name of its caller, " + short(by) + ", says that it does"
		case different:
			return different, ""
		}
	}
	name := c.x.t.Funcs[fn].Name
	if ofList(name) {
		return searches, "the name of its type, " + short(name) + ", is that of a list"
	}
	if was, is, ok := c.grew(fn, l); ok {
		return searches, fmt.Sprintf("it used %s before the trouble and %s now, while everything else used about as "+
			"much as before: what it walks has grown", cores(was), cores(is))
	}
	return unnamed, ""
}

// Growth of a loop that says that each call costs more, and not that there are more calls.
const (
	loopGrowth = 2   // times its own CPU before the trouble
	restGrowth = 1.3 // times everything else's, at most
)

// grew reports whether a function's loop uses more than in the profiles from before the trouble, and the rest does not.
// was and is are in cores.
func (c *costView) grew(fn stacks.FuncID, l *loop) (was, is float64, ok bool) {
	before, all, span := 0.0, 0.0, 0.0
	for _, set := range c.earlier {
		ns := stacks.ByValue(set.Value("cpu", "nanoseconds"))
		for i := range set.Samples {
			s := &set.Samples[i]
			w := float64(max(ns(s), 0))
			all += w
			if id, u := c.x.t.Caller(s.Stack); u >= 0 && c.x.t.FuncID(id) == fn {
				before += w
			}
		}
		span += set.Seconds
	}
	if span <= 0 || c.cpu.set.Seconds <= 0 || before <= 0 {
		return 0, 0, false
	}
	was, is = before/1e9/span, l.total/1e9/c.cpu.set.Seconds
	rest, now := (all-before)/1e9/span, (c.cpu.total+c.cpu.idle-l.total)/1e9/c.cpu.set.Seconds
	return was, is, is >= loopGrowth*was && now <= restGrowth*rest
}

// earlier are the CPU profiles from before the trouble, when those that are judged are from during it.
func earlier(r *Reading) (out []*stacks.Set) {
	judged := r.Best(casefile.CPU)
	for _, s := range r.Sets {
		if s.Kind == casefile.CPU && s.Phase == casefile.Before && !slices.Contains(judged, s.Set) {
			out = append(out, s.Set)
		}
	}
	return out
}

// text says what a guess rests on, and what settles it.
func (g *guess) text(fn string) string {
	lines := fmt.Sprintf("line %d", g.from)
	if g.to > g.from {
		lines = fmt.Sprintf("lines %d to %d", g.from, g.to)
	}
	ends := ""
	if g.leaves {
		ends = " and can end at its comparison, as a search does"
	}
	point := ""
	if g.point {
		point = "Nearly all samples are at one instruction: a lookup in a hash table that waits for memory looks " +
			"the same. "
	}
	does := "searches"
	switch g.purpose {
	case matches:
		does = "compares two collections with each other"
	case gathers:
		does = "searches again for each element"
	}
	own := fn[strings.LastIndexByte(fn, '.')+1:]
	return fmt.Sprintf("It is likely, not certain, that the loop %s: its samples lie within %d bytes of code at %s, "+
		"it calls nothing%s; and %s. Without the source, go tool objdump -s '%s' of the binary settles it: a search "+
		"compares and jumps, arithmetic also adds, multiplies or shifts. %s", does, g.bytes, lines, ends, g.why,
		own, point)
}
