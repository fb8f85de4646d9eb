package diagnose

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose/known"
	"github.com/gocasebook/casebook/diagnose/stacks"
)

// The kinds of this file are algorithms that cost more than they need. A profile does not show what a loop does; the
// evidence is the library's searches, string comparisons in a tight loop and, for quadratic work, names. What any other
// loop does, its source says (package settle of the command).

const readSource = "Only the source at the line shows what the loop looks for and how long the list is. Compare the " +
	"cost of one call before and after the data has doubled to see whether it grows."

func cpuLinearSearch() Detector {
	return costKind{
		id: "CPU008", kind: "cpu-linear-search", title: "A search walks through all elements",
		what:   "Searching element by element",
		whatOf: map[known.Work]string{known.StepsMap: "Going through a whole map"},
		looks: "Looks for slices.Index, Contains and their Func forms, for substring searches, and for tight loops " +
			"in the user's code (80 % of a function's own CPU within six lines) that compare strings, or whose " +
			"caller spends a fifth of their CPU or more on copying: it removes or inserts at the place that the " +
			"loop found. All others are undecided: a profile does not show the purpose of a loop. Of requests " +
			"that go through a map, those count whose loop makes nothing: it allocates and fills less than a tenth of " +
			"its time, and the runtime's steps are a tenth or more of it and twenty times what beginning takes, so that " +
			"the map is not small.",
		scale: Scale{Worth: 0.15, Hurts: 0.50, Top: 1}, scaleWhy: "a map answers in 20 ns, so nearly all of a " +
			"visible search can be saved; short lists stay far below.",
		cap: capUnsure,
		match: match{callbacks: true, direct: true, class: []stacks.Class{stacks.Hash},
			calls: []known.Work{known.Searches}},
		gain:        [2]float64{0.7, 0.98},
		gainWhy:     "a map or a binary search leaves a fraction of a search over a hundred elements or more",
		explanation: "Every walk over a list costs in proportion to its length. It was fast when the list was short.",
		fixes: append([]Remedy{
			byChange(known.Strings, "Search an index, not the text", "At {line}: put words or prefixes into a map when "+
				"the text changes; suffix arrays (index/suffixarray) find any substring.",
				"memory, and the index must follow the data"),
			byChange("", "Look it up in a map",
				"At {line}: map[key]element, built where the list is loaded or changed; a set is map[key]struct{}.",
				"memory, and the map must follow the list").but(known.DoneBy(known.StepsMap)...),
			byChange("", "Search a sorted slice",
				"slices.BinarySearchFunc takes 20 steps for a million elements and needs no second structure.",
				"inserting moves elements").but(known.DoneBy(known.StepsMap)...),
		}, mapWalkFixes()...),
		open:   openLoops,
		next:   readSource,
		before: `for _, u := range users { if u.ID == id { return u } }`,
		after:  `return usersByID[id]`,
	}.detector()
}

func cpuQuadratic() Detector {
	return costKind{
		id: "CPU009", kind: "cpu-quadratic", title: "The work grows with the square of the data",
		what: "Searching again for each element",
		looks: "Looks for linear searches (see cpu-linear-search; not in texts) in a function that also appends to a " +
			"slice, or whose name says that it compares collections: dedup, unique, distinct, intersect, diff, " +
			"union, merge, group, join. Such a function searches once for each element. Only two " +
			"captures with different amounts of data can show that the cost really grows that way. A whole that is " +
			"made again for each of its parts shows by itself: below one line each request allocates many objects " +
			"whose sizes grow by equal steps (docs/evidence/costs.md).",
		scale: Scale{Worth: 0.15, Hurts: 0.50, Top: 1}, scaleWhy: "what takes a seventh of the CPU today costs four " +
			"times " +
			"as much when the data has doubled.", cap: capUnsure,
		match: match{},
		gain:  [2]float64{0.7, 0.98}, gainWhy: "with a map each element costs one lookup",
		explanation: "A search over n elements for each of n elements takes n² steps: 1,000 elements are fast, " +
			"100,000 take ten thousand times as long.",
		fixes: []Remedy{
			byChange("", "Keep what was seen in a map",
				"At {line}: seen := make(map[K]struct{}, len(in)); one lookup and one insertion for each element.",
				"memory for the keys"),
			byChange("", "Sort, then walk once",
				"slices.Sort and slices.Compact, or two sorted lists side by side, need n·log n and no map.",
				"the order changes"),
		},
		next:   readSource,
		before: `for _, x := range in { if !slices.Contains(out, x) { out = append(out, x) } }`,
		after:  `for _, x := range in { if _, ok := seen[x]; !ok { seen[x] = struct{}{}; out = append(out, x) } }`,
	}.detector().or(wholeForPart().worst).refines("cpu-json", "cpu-xml", "cpu-protobuf", "alloc-oversized",
		"alloc-grow", "alloc-poolable", "cpu-copy")
}

// loops adds up, for each of the user's functions, the CPU of its own lines, comparisons of strings included.
type loops map[stacks.FuncID]*loop

type loop struct {
	total, compares, ticks float64
	orders                 float64 // of compares: which of two texts comes first, for no sort of a library
	lines                  map[stacks.FrameID]float64
	callers                map[stacks.FrameID]float64 // the user's lines that call it
}

func (ls loops) add(t *stacks.Table, s *stacks.Sample, w, ticks float64) {
	id, u := t.Caller(s.Stack)
	if u < 0 || t.Func(id).Owner != stacks.User || t.Func(s.Stack[0]).Does(known.Preempts) {
		return // preempted: the line is where a loop may be interrupted, not where it takes its time
	}
	l := ls.at(t.FuncID(id))
	switch s.Class {
	case stacks.None, stacks.Hash:
	default:
		return // the runtime's, which it asked for, or was interrupted by
	}
	l.total += w
	l.ticks += ticks
	l.lines[id] += w
	if by, i := t.UserFrame(s.Stack[u+1:]); i >= 0 {
		l.callers[by] += w
	}
	if s.Class == stacks.Hash {
		l.compares += w
		if t.Has(s.Stack[:u], withWork(known.OrdersText)) {
			l.orders += w
		}
	}
}

func (ls loops) at(fn stacks.FuncID) *loop {
	l := ls[fn]
	if l == nil {
		l = &loop{lines: map[stacks.FrameID]float64{}, callers: map[stacks.FrameID]float64{}}
		ls[fn] = l
	}
	return l
}

// Limits of a tight loop.
const (
	tightLines    = 6   // in the source
	tightShare    = 0.8 // of the function's own CPU
	comparesShare = 0.1 // of it in string comparisons
)

// tight is the loop's most expensive line, if its CPU lies within a few lines.
func (l *loop) tight(t *stacks.Table) (stacks.FrameID, bool) {
	if len(l.lines) == 0 {
		return stacks.NoFrame, false
	}
	es := make([]stacks.FrameID, 0, len(l.lines))
	for id := range l.lines {
		es = append(es, id)
	}
	slices.SortFunc(es, func(a, b stacks.FrameID) int {
		return cmp.Or(cmp.Compare(l.lines[b], l.lines[a]),
			cmp.Compare(a, b))
	})
	near := 0.0
	for _, id := range es {
		if d := t.Line(id) - t.Line(es[0]); d > -tightLines && d < tightLines {
			near += l.lines[id]
		}
	}
	return es[0], near >= tightShare*l.total
}

// resolveLoops puts tight loops that are searches into the row of searches, and searches of functions that go through a
// collection into that of quadratic work.
func (c *costView) resolveLoops() {
	if c.cpu == nil {
		return
	}
	search, quadratic := c.row("cpu-linear-search"), c.row("cpu-quadratic")
	for fn, l := range c.loops {
		if l.makesOrder() {
			c.dropCompares(fn)
		}
		id, ok := l.tight(c.x.t)
		if !ok {
			continue
		}
		shifts := c.shifts(l)
		if l.looks() || len(shifts) > 0 {
			by := c.walker(l, id)
			if by != id {
				delete(c.byLine, costKey{search, id}) // it is a part of the loop
			}
			at := c.at(search, by)
			total := l.total
			if around := c.loops[c.x.t.FuncID(by)]; by != id && around != nil {
				total += around.total
			}
			at.cpu, at.ticks = max(at.cpu, total/c.cpu.total), max(at.ticks, l.ticks)
		}
		for _, k := range shifts {
			c.move(k, search)
		}
	}
	appends := map[stacks.FuncID]bool{}
	for k := range c.byLine {
		if c.x.kinds[k.kind].kind == "alloc-grow" {
			appends[c.x.t.FuncID(k.line)] = true
		}
	}
	for k, l := range c.byLine {
		fn := c.x.t.FuncID(k.line)
		if k.kind == search && (appends[fn] && !c.inText(l) || hasWord(c.x.t.Funcs[fn].Name, known.QuadraticWords())) {
			c.move(k, quadratic)
		}
	}
}

// walker is the line that walks the elements: the loop's own, or where a function literal only compares two, the line
// that calls it.
func (c *costView) walker(l *loop, own stacks.FrameID) stacks.FrameID {
	name := c.x.t.Func(own).Name
	i := strings.LastIndex(name, ".func")
	by, ok := heaviest(l.callers)
	if i < 0 || !ok || strings.HasPrefix(c.x.t.Func(by).Name, name[:i]) &&
		!strings.Contains(c.x.t.Func(by).Name, "[...]") || 2*l.callers[by] < l.total {
		return own
	}
	return by
}

// shiftShare is how much of a loop's CPU its caller must spend on copying: moving the elements after the found one
// takes as many bytes as finding it, but in larger steps.
const shiftShare = 0.2

// shifts are the lines that copy within the function that calls a loop most, if they take their share: the loop finds
// the place in a slice where the caller removes or inserts an element.
func (c *costView) shifts(l *loop) []costKey {
	copying := c.row("cpu-copy")
	if !c.has(copying) {
		return nil
	}
	most, by := c.mostCalls(l)
	sum := 0.0
	var out []costKey
	for k, line := range c.byLine {
		if k.kind == copying && most > 0 && c.x.t.FuncID(k.line) == by {
			out = append(out, k)
			sum += line.cpu * c.cpu.total
		}
	}
	if 2*most < l.total || sum < shiftShare*l.total {
		return nil
	}
	return out
}

// has reports whether any line has a cost of this row.
func (c *costView) has(row int) bool {
	for k := range c.byLine {
		if k.kind == row {
			return true
		}
	}
	return false
}

// mostCalls is the function that calls a loop most, and the weight of its calls.
func (c *costView) mostCalls(l *loop) (most float64, by stacks.FuncID) {
	calls := map[stacks.FuncID]float64{}
	for id, w := range l.callers {
		calls[c.x.t.FuncID(id)] += w
	}
	for fn, w := range calls {
		if w > most || w == most && fn < by {
			most, by = w, fn
		}
	}
	return most, by
}

// inText reports whether a search is for a substring: code that splits a text appends the pieces, and walks it once.
func (c *costView) inText(l *lineCost) bool {
	id, ok := l.topCall()
	return ok && (c.x.t.Func(id).Package == "strings" || c.x.t.Func(id).Package == "bytes")
}

// openLoops are the tight loops that take much of the CPU without evidence of what they do.
func openLoops(r *Reading) []casefile.Undecided {
	c := r.costs()
	if c.cpu == nil {
		return nil
	}
	var out []casefile.Undecided
	for fn, l := range c.loops {
		if c.judged(l) {
			continue
		}
		share := l.total / c.cpu.total
		id, ok := l.tight(r.Table)
		if !ok || share < hotScale().Worth || l.ticks < minCostTicks {
			continue
		}
		out = append(out, casefile.Undecided{
			Reason: fmt.Sprintf("a tight loop at %s takes %s of the CPU; a profile does not show whether %s "+
				"searches, compares all with all, or does necessary work",
				r.Place(id), percent(share), short(r.Table.Funcs[fn].Name)),
			CaptureNext: fmt.Sprintf("read the source at %s; or capture again when there is twice the data and "+
				"compare: casebook diagnose --base A B",
				r.Place(id)),
		})
	}
	slices.SortFunc(out, func(a, b casefile.Undecided) int { return strings.Compare(a.Reason, b.Reason) })
	return out
}

// judged reports whether a loop is a search already: it compares strings, or its caller moves what it found.
func (c *costView) judged(l *loop) bool {
	return l.looks() || len(c.shifts(l)) > 0
}

// looks reports whether a loop compares texts to find one.
func (l *loop) looks() bool { return l.compares >= comparesShare*l.total && !l.makesOrder() }

// makesOrder reports whether a loop compares texts by their order, for the most part: no map answers which is first.
func (l *loop) makesOrder() bool { return l.orders > 0 && 2*l.orders >= l.compares }

// dropCompares takes a function's own comparing of texts for no search.
func (c *costView) dropCompares(fn stacks.FuncID) {
	for k, l := range c.byLine {
		if k.kind == c.row("cpu-linear-search") && c.x.t.FuncID(k.line) == fn && len(l.calls) == 1 &&
			l.calls[stacks.NoFrame] > 0 {
			delete(c.byLine, k)
		}
	}
}

// hasWord reports whether one of the words is a word of a function's own name: "userIndex", "find_all", not "hash".
func hasWord(name string, words []string) bool {
	return slices.ContainsFunc(nameWords(name), func(w string) bool { return slices.Contains(words, w) })
}

// nameWords are the words of a function's name without its package and receiver, in lower case. For a function literal
// they are those of the function around it.
func nameWords(name string) []string {
	parts := strings.Split(strings.ReplaceAll(short(name), "[...]", ""), ".")
	own := parts[len(parts)-1]
	for i := len(parts) - 1; i > 1 && strings.HasPrefix(own, "func"); i-- {
		own = parts[i-1]
	}
	var words []string
	from := 0
	for i, r := range own {
		if r == '_' || r >= 'A' && r <= 'Z' {
			words = append(words, strings.ToLower(own[from:i]))
			from = i
		}
		if r == '_' {
			from = i + 1
		}
	}
	return append(words, strings.ToLower(own[from:]))
}
