package diagnose

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose/known"
	"github.com/gocasebook/casebook/diagnose/stacks"
)

// Most of what an expert reads in a CPU profile has one shape: a line of the user's code calls something that is known
// to be expensive, and the place to change is the line, not the library. A costKind is one such thing as data; the
// engine in cost_*.go finds its calls in CPU and heap profiles, adds up what each line costs and writes the finding.
//
// The cost of a line is the CPU of the samples below its calls, plus the collector's CPU in proportion to the garbage
// the calls made. Both are shares of all CPU, so that kinds compare with each other and with what remains.

// A costKind is one row: the frames that identify it, the cost from which it matters, and what to do.
type costKind struct {
	id, kind string
	title    string                // of the detector: "Regular expressions are compiled again and again"
	whatOf   map[known.Work]string // instead of what, by what the call of the most expensive line does
	what     string                // starts a finding's title: "Compiling regular expressions"
	looks    string                // what it looks for and cannot see, for Detector.Text

	scale    Scale  // in shares of all CPU
	scaleWhy string // the reason for both limits
	cap      int    // the highest score; 0: no cap
	purpose  bool   // it may be the purpose of the service: see strain.go
	busyOnly bool   // nothing below 0.25 core: a cheaper way would not be worth the change
	// ofScheduler rows are a more exact name for what cpu-runtime adds up, too.
	ofScheduler bool
	// one change fixes all lines (a package, a setting): all of them count, not only the most expensive
	whole bool

	match match

	// gain is what part of the cost the remedies save, from and to, and why.
	gain    [2]float64
	gainWhy string
	slow    *slowForm // nil: there is none
	// rewrites: a remedy changes the code around the calls, too, and does not only replace the calls or move them
	rewrites bool
	// least is done anywhere below the user's line by the form of the calls that costs least. If it takes most of the
	// cost, the finding is a notice at most.
	least []known.Work

	explanation string
	fixes       []Remedy                              // the first three that apply are given
	own         bool                                  // they are for the user, even if a dependency makes the call
	open        func(r *Reading) []casefile.Undecided // what a profile cannot tell; nil: nothing
	// what would answer the question that a profile leaves open; "": nothing does
	next string

	before, after string
}

// A slowForm is a form of a row's calls that costs several times as much as the others: if it takes most of the cost,
// more is saved.
type slowForm struct {
	calls   []known.Work // anywhere below the user's line
	gain    [2]float64
	gainWhy string
}

// A match says how a cost is recognised.
type match struct {
	// calls are what the call does that is nearest to the user's line: it decides what a sample is.
	calls []known.Work
	// inner calls decide before any call nearer to the user's line does.
	inner bool
	// class are what the runtime did at the leaf, directly below the user's line.
	class []stacks.Class
	// own allows only the runtime, and functions that do one of through, between the user's line and the call:
	// the user cannot change what the standard library does for itself.
	own     bool
	through []known.Work
	// into are the works of what these calls write into or read from: from there on it is no part of them.
	into []known.Work
	// direct leaves out calls that the standard library makes for itself below the user's line (io, bufio and sync only
	// pass calls on).
	direct bool
	// callbacks counts functions of the user's that the call calls back (the less of a sort) as part of the call.
	callbacks bool
	// once leaves out lines of a function that calls itself, from a goroutine of its own or not: it walks a tree, and
	// asks of each part once.
	once bool
	// network counts system calls on network connections, which are left out elsewhere.
	network bool
	// scheduler counts the scheduler's work below the line.
	scheduler bool
	// sized rows divide the objects that lines make themselves by size; see resolveSizes.
	sized bool
	// heapLeaf is what the function does that a heap profile shows at the leaf instead of the runtime's.
	heapLeaf []known.Work
}

// costKinds lists the row of every built-in detector that has one, in the order of Detectors.
func costKinds() []costKind {
	var out []costKind
	for _, d := range Detectors() {
		if d.row != nil {
			out = append(out, *d.row)
		}
	}
	return out
}

// detector turns a row into a detector. What a row is decides what it means for other kinds: it says more exactly what
// uses CPU or allocates at a line, its garbage makes the collector run, and a channel's reader may be busy with it.
func (k costKind) detector() Detector {
	d := Detector{ID: k.id, Kind: k.kind, Title: k.title, Text: k.text(), Needs: k.needs(),
		Remedies: k.fixes,
		Before:   k.before, After: k.after,
		Explains: related(Mentioned, "chan-bottleneck"),
		Refines:  []string{"cpu-hot-function", "alloc-site"},
		IsWork:   k.purpose, BusyOnly: k.busyOnly,
		Run: func(_ context.Context, r *Reading) Answer { return k.run(r) },
		row: &k, promise: k.cure,
	}
	if k.allocates() {
		d.Explains = append(d.Explains, garbageExplains()...)
	}
	if k.ofScheduler {
		d.Refines = append(d.Refines, "cpu-runtime")
	}
	return d
}

// allocates reports whether the row is about garbage: the family of its ID says so.
func (k costKind) allocates() bool { return strings.HasPrefix(k.id, "AL") }

// text documents a row from its own values, so that it cannot differ from the code.
func (k costKind) text() string {
	s := fmt.Sprintf("%s\n\nWorth knowing from %.0f %% of the CPU, hurting from %.0f %%: %s The cost is the CPU "+
		"below the calls and, where there is a heap profile, the collector's CPU in proportion to their garbage.",
		k.looks, 100*k.scale.Worth, 100*k.scale.Hurts,
		k.scaleWhy)
	if k.whole {
		s += " All lines count together, because one change fixes them all."
	} else {
		s += fmt.Sprintf(" The %d most expensive lines count together, with the other lines of their functions.",
			fewLines)
	}
	if k.cap > 0 {
		s += fmt.Sprintf(" The score is never above %d: a profile shows the cost, not whether it is a fault.", k.cap)
	}
	if k.busyOnly {
		s += " Nothing is reported if less than 0.25 core is used."
	}
	if k.purpose {
		s += " It may be the purpose of the service: " + purposeText
	}
	s += " The score is capped at 74 unless the process used 70 % or more of the CPU it may use; a process that used " +
		"less than 0.05 core has nothing to gain."
	if k.match.seenInHeap() {
		s += " Without a CPU profile the share of the garbage is judged, worth knowing from 30 %, up to 74."
	}
	if k.scale == onceScale() {
		s += " Nor where it has 40 to 99 samples only: then what was allocated between two heap profiles is, a low " +
			"notice from half of it and 10 MiB a second on."
	}
	return s
}

func (k costKind) needs() []Need {
	n := Need{Kinds: []string{casefile.CPU}, Reason: "no CPU profile", Capture: captureCPU}
	if k.match.seenInHeap() {
		n = Need{Kinds: []string{casefile.CPU, casefile.Heap, casefile.Allocs},
			Reason: "no CPU profile and no heap profile", Capture: captureCPU}
	}
	return []Need{n}
}

// seenInHeap reports whether a heap profile alone can show the calls. It leaves out the runtime's frames at the leaf,
// which show how a line allocated: only library calls and sizes are seen.
func (m match) seenInHeap() bool {
	return m.sized || len(m.heapLeaf) > 0 || slices.ContainsFunc(known.DoneBy(m.calls...), func(pattern string) bool {
		return !known.Of(pattern).Does(known.OfRuntime)
	})
}

// fewLines is how many places belong to one finding: as many as one person changes at once. Changing a line of a
// function includes the lines below it that do the same.
const fewLines = 5

// oneGo is the most expensive lines and the other lines of their functions, in the order of lines.
func oneGo(t *stacks.Table, lines []*lineCost) []*lineCost {
	few := min(len(lines), fewLines)
	functions := map[stacks.FuncID]bool{}
	for _, l := range lines[:few] {
		functions[t.FuncID(l.line)] = true
	}
	out := slices.Clone(lines[:few])
	for _, l := range lines[few:] {
		if functions[t.FuncID(l.line)] {
			out = append(out, l)
		}
	}
	return out
}

// lines are those that a change is for, the most expensive first, and what they cost together.
func (k costKind) lines(r *Reading) (lines []*lineCost, sum lineCost) {
	lines = r.costs().lines[k.kind]
	if !k.whole {
		lines = oneGo(r.Table, lines)
	}
	for _, l := range lines {
		sum.add(l)
	}
	return roundTripFirst(r, lines), sum
}

// run judges the row's cost.
func (k costKind) run(r *Reading) Answer {
	c := r.costs()
	lines, sum := k.lines(r)
	if len(lines) == 0 {
		if k.open != nil {
			return Answer{Undecided: k.open(r)}
		}
		return Answer{}
	}
	if c.cpu == nil {
		return k.byGarbage(r, lines, sum)
	}
	if !sum.enough(c.garbage.rate) {
		return Answer{}
	}
	raw := k.scale.Score(sum.share())
	limit := c.cpu.level.cap()
	if !k.purpose && !k.match.sized { // whether a buffer is worth keeping depends on how often it is needed
		// without the collector's: a little garbage costs it little
		limit = c.cpu.level.wasteCap(k.scale.Score(sum.cpu))
	}
	if !c.cpu.level.saturated() {
		limit = min(limit, capUnsure)
	}
	if k.scale == onceScale() && sum.share() >= onceNoticed && r.Table.Func(lines[0].line).Owner == stacks.User {
		limit = max(limit, worthKnowing)
	}
	if k.cap > 0 {
		limit = min(limit, k.cap)
	}
	if k.isLeast(sum) {
		limit = min(limit, capNotice)
	}
	score := min(raw, limit)
	if score < worthKnowing {
		return Answer{}
	}
	return found(k.finding(r, lines, sum, score))
}

// byGarbage judges without a CPU profile: by the share of the garbage, with alloc-site's scale and floors.
func (k costKind) byGarbage(r *Reading, lines []*lineCost, sum lineCost) Answer {
	if !k.match.seenInHeap() || sampled(sum.bytes, sum.objects, r.costs().garbage.rate) < minSiteSamples {
		return Answer{}
	}
	score, _, ok := r.costs().garbage.score(r, sum.garbage)
	few := k.ofFew(r, sum)
	if few > score {
		score, ok = few, true
	}
	if k.cap > 0 {
		score = min(score, k.cap)
	}
	if !ok || score < worthKnowing {
		return Answer{} // alloc-site says what is missing
	}
	f := k.finding(r, lines, sum, score)
	if few > 0 {
		cost := sum.garbage * (r.cpu().gcShare() + r.cpu().share(stacks.Malloc))
		f.Impact.Resource, f.Impact.Share, f.Impact.Gain = effectCPU, roundShare(cost), casefile.Gain{}
		f.Summary += fmt.Sprintf(" The CPU profile has %s samples, too few to show what that costs.", count(r.cpu().samples))
	}
	return found(f)
}

// ofFew is the score of what is waste whatever its share (onceScale: the same is made again) where a CPU profile has
// too few samples for shares: what was allocated between two heap profiles has many. It is a low notice for a process
// that uses little CPU.
func (k costKind) ofFew(r *Reading, sum lineCost) int {
	v, g := r.cpu(), r.costs().garbage
	if v == nil || v.samples < countedSamples || v.level.idle() || k.scale != onceScale() || !g.diff {
		return 0
	}
	if rate, known := g.perSecond(r); !known || rate < minRate {
		return 0
	}
	raw := allocShareScale().Score(sum.garbage)
	return min(raw, v.level.wasteCap(raw), capNotice)
}
