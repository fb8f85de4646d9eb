package diagnose

import (
	"cmp"
	"slices"

	"github.com/gocasebook/casebook/diagnose/stacks"
)

// What a loop does, a CPU profile does not say, but it says where its instructions lie. A loop that looks for an
// element is small, calls nothing, and has two lines: the one that goes to the next element and the one that compares.
// Go's compiler puts the test whether there is a next element at the end of a loop that always goes on (a sum, a hash,
// a copy), and at its beginning if the body can leave the loop, as a search does when it has found something. So the
// addresses of the two lines tell them apart; loops that multiply matrices or index a second slice have the test in
// their middle. A loop that checks elements until the first bad one looks like a search: only its name tells.

// A walk is the code of a function's loop as its samples show it.
type walk struct {
	from, to int  // lines
	bytes    int  // of the code in which the samples are
	leaves   bool // the loop can end at its comparison
	point    bool // nearly all samples are at one instruction: a lookup that waits for memory looks the same
}

// Limits of a walk. Those that were tried are in testdata/loops.
const (
	walkSamples = 60    // at the leaf: with 60, a line with 4 % of them may have none once in ten times
	walkOwn     = 0.85  // of what the function takes at its own instructions: the rest allocates what was found
	walkLine    = 0.04  // of it at a line that counts: a short list also shows the lines around its loop
	walkCode    = 0.02  // of it at an instruction that counts: samples are attributed to a neighbour at times
	walkRest    = 0.03  // of it at other lines: a binary search takes as many steps there as at its comparison
	nestedRest  = 0.10  // for a loop in a loop, where the outer one has lines of its own
	walkLines   = 3     // the two of the loop, and that of a loop around it
	foundLine   = 0.01  // of it at a line that counts, where much is found
	foundLines  = 5     // for, for, if, n++, break
	walkSpan    = 64    // bytes of a loop; a comparison of three fields takes 50
	nextSpan    = 28    // bytes of going to the next element; hashing a key takes more
	entryCode   = 0.005 // of it at an instruction of the loop; with less it is the way into it
	behindTest  = 0.005 // of it behind the comparison, in earlier lines: a loop that always goes on has its end there
	codeGap     = 24    // bytes without samples between two copies of a loop
	pointCode   = 0.9   // at one instruction: AMD's processors leave the others of a short loop next to nothing
	strayLine   = 0.01  // of it at a line that counts beside such an instruction
	strayCode   = 0.004 // of it at an instruction that counts there: one sample of 250
)

// instruction is one address with samples.
type instruction struct {
	at     uint32
	line   int
	weight float64
}

// walk is the loop that takes nearly all of a function's own CPU; ok is false if none can be told.
func (l *loop) walk(t *stacks.Table) (w walk, ok bool) {
	codes := l.instructions(t)
	own, most, samples := 0.0, 0.0, l.ticks
	lines := map[int]float64{}
	for _, c := range codes {
		own += c.weight
		most = max(most, c.weight)
		lines[c.line] += c.weight
	}
	if own < walkOwn*(l.total+l.calls) || samples < walkSamples {
		return walk{}, false
	}
	least := walkLine
	if most >= pointCode*own {
		least = strayLine
	}
	core, to, ok := loopLines(lines, own, least)
	if !ok {
		return walk{}, false
	}
	w = walk{from: core[0], to: to, leaves: len(core) > 1}
	for _, copied := range clusters(codes) {
		if !w.add(copied, core, own) {
			return walk{}, false
		}
	}
	return w, true
}

// loopLines are a loop's lines up to its comparison, and the last line of what it does when it has found something.
// least is the share of its own CPU from which on a line counts.
func loopLines(lines map[int]float64, own, least float64) (core []int, to int, ok bool) {
	var some []int // with samples, other than a few
	rest := own
	for line, weight := range lines {
		if weight >= least*own {
			core = append(core, line)
			rest -= weight
		}
		if weight >= foundLine*own {
			some = append(some, line)
		}
	}
	slices.Sort(core)
	if n := len(core); n > 0 && n <= walkLines && core[n-1]-core[0] < tightLines && rest <= nestedRest*own {
		return core, core[n-1], true
	}
	// Lists in which much is found: the lines after the comparison follow it at once. A binary search has two branches
	// there, and so a line without code, its else, between them.
	slices.Sort(some)
	n := len(some)
	if n < 2 || n > foundLines || some[n-1]-some[0] != n-1 {
		return nil, 0, false
	}
	compares := slices.MaxFunc(some, func(a, b int) int { return cmp.Compare(lines[a], lines[b]) })
	core = some[:slices.Index(some, compares)+1]
	return core, some[n-1], len(core) > 1 && sumOf(lines, some) >= (1-nestedRest)*own
}

func sumOf(weights map[int]float64, lines []int) (sum float64) {
	for _, line := range lines {
		sum += weights[line]
	}
	return sum
}

// rest is the share of the loop's own CPU outside its lines.
func (l *loop) rest(t *stacks.Table, w walk) float64 {
	own, rest := 0.0, 0.0
	for _, c := range l.instructions(t) {
		own += c.weight
		if c.line < w.from || c.line > w.to {
			rest += c.weight
		}
	}
	return rest / own
}

// instructions are the function's own, in the order of addresses.
func (l *loop) instructions(t *stacks.Table) []instruction {
	out := make([]instruction, 0, len(l.codes))
	for k, weight := range l.codes {
		out = append(out, instruction{k.at, t.Line(k.line), weight})
	}
	slices.SortFunc(out, func(a, b instruction) int {
		return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.line, b.line))
	})
	return out
}

// clusters splits instructions where there is a gap: a function that is inlined twice has its loop twice.
func clusters(codes []instruction) (out [][]instruction) {
	from := 0
	for i := range codes {
		if i+1 == len(codes) || codes[i+1].at-codes[i].at > codeGap {
			out = append(out, codes[from:i+1])
			from = i + 1
		}
	}
	return out
}

// add looks at one copy of the loop, or at other code of the function. It reports false if that is no walk.
func (w *walk) add(codes []instruction, core []int, own float64) bool {
	sum := 0.0
	for _, c := range codes {
		sum += c.weight
	}
	if sum < 0.1*own {
		return true
	}
	most := slices.MaxFunc(codes, func(a, b instruction) int { return cmp.Compare(a.weight, b.weight) })
	point, least := most.weight >= pointCode*sum, walkCode
	if point {
		least = strayCode
	}
	var in []instruction
	for _, c := range codes {
		if c.weight >= least*sum && slices.Contains(core, c.line) {
			in = append(in, c)
		}
	}
	if len(in) == 0 {
		return false
	}
	w.point = w.point || point
	span := int(in[len(in)-1].at - in[0].at)
	w.bytes = max(w.bytes, span)
	w.leaves = w.leaves && leaves(codes, in, sum)
	return span <= walkSpan
}

// leaves reports whether a loop can end at its comparison: it begins with going to the next element and ends with the
// comparison. codes are all instructions of a cluster, in those that count.
func leaves(codes, in []instruction, sum float64) bool {
	compares := slices.MaxFunc(in, func(a, b instruction) int { return cmp.Compare(a.line, b.line) }).line
	next := 0 // the line before it
	var from, to uint32
	for _, c := range in {
		if c.line < compares {
			next = max(next, c.line)
		} else {
			to = c.at
		}
	}
	from = in[slices.IndexFunc(in, func(c instruction) bool { return c.line == compares })].at
	first := slices.IndexFunc(codes, func(c instruction) bool { return c.line == next && c.weight >= entryCode*sum })
	behind := 0.0
	for _, c := range codes {
		if c.line < compares && c.at > to {
			behind += c.weight
		}
	}
	return first >= 0 && codes[first].at < from && from-codes[first].at <= nextSpan && behind < behindTest*sum
}
