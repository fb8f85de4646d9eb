package stacks

import (
	"slices"

	"github.com/gocasebook/casebook/diagnose/known"
)

// The runtime records 64 frames of a stack in a CPU profile (128 in the others, 32 before Go 1.23) and drops the outer
// ones. A deep recursion (compiling a regular expression, encoding nested JSON, walking a tree) then loses the very
// frames that show its caller: in one recorded profile a quarter of all samples did. Most can be restored: if the
// outermost frame that is left also occurs in complete stacks, and those agree on who called it, their frames are
// added.

const (
	minTruncated = 32  // frames; the smallest limit of the runtime
	agreement    = 0.9 // of the weight of the complete stacks must come from one line of the user's, or from none
)

// A donor is what complete stacks know about the callers of a function.
type donor struct {
	total  int64 // weight of the complete stacks that contain the function
	byLine map[FrameID]*chain
	agreed *chain // the one that nearly all complete stacks have in common; nil if there is none
}

// A chain is how the function is reached from one line of the user's.
type chain struct {
	total    int64
	stack    []FrameID // the heaviest complete stack
	at, line int       // in it, of the function's outermost occurrence and of the user's line
	heaviest int64
	// The weight of the complete stacks by how many frames beyond the line they have in common with that one.
	alike []int64
}

// complete adds the outer frames to truncated stacks and returns how many stacks it completed. Beyond the user's line
// it adds a frame only if nearly all complete stacks have it: a line that two callers reach belongs to neither.
func (s *Set) complete() (completed int) {
	if len(s.Types) == 0 {
		return 0
	}
	roots := s.roots()
	donors := make(map[FuncID]*donor)
	for i := range s.Samples {
		if s.mayBeCut(i, roots) && donors[s.outermost(i)] == nil {
			donors[s.outermost(i)] = &donor{byLine: make(map[FrameID]*chain)}
		}
	}
	if len(donors) == 0 {
		return 0
	}
	s.eachDonation(roots, donors, (*donor).add)
	for _, d := range donors {
		d.agree()
	}
	s.eachDonation(roots, donors, (*donor).compare)
	for i := range s.Samples {
		if !s.mayBeCut(i, roots) {
			continue
		}
		if c := donors[s.outermost(i)].agreed; c != nil {
			stack := s.Samples[i].Stack
			s.Samples[i].Stack = append(stack[:len(stack):len(stack)], c.stack[c.at+1:c.until()]...)
			completed++
		}
	}
	return completed
}

// roots are the functions that shallow stacks begin with.
func (s *Set) roots() map[FuncID]bool {
	roots := make(map[FuncID]bool)
	for i := range s.Samples {
		if n := len(s.Samples[i].Stack); n > 0 && n < minTruncated {
			roots[s.outermost(i)] = true
		}
	}
	return roots
}

// mayBeCut reports whether a stack may be truncated: a deep one with an outermost function that no shallow stack begins
// with. A complete stack that is always deep counts as truncated as well, but no donor is found for it, or one that
// only repeats it.
func (s *Set) mayBeCut(i int, roots map[FuncID]bool) bool {
	return len(s.Samples[i].Stack) >= minTruncated && !roots[s.outermost(i)]
}

func (s *Set) outermost(i int) FuncID {
	stack := s.Samples[i].Stack
	return s.Table.FuncID(stack[len(stack)-1])
}

// A donation is a complete stack that contains a donor's function.
type donation struct {
	stack []FrameID
	// Of the function's outermost occurrence, and of the user's line that calls it; the same if no line does.
	at, line int
	weight   int64
}

// key is the user's line; NoFrame if there is none.
func (g donation) key() FrameID {
	if g.line == g.at {
		return NoFrame
	}
	return g.stack[g.line]
}

// eachDonation gives the complete stacks to the donors of the functions in them.
func (s *Set) eachDonation(roots map[FuncID]bool, donors map[FuncID]*donor, give func(*donor, donation)) {
	w := ByValue(len(s.Types) - 1)
	for i := range s.Samples {
		weight := w(&s.Samples[i])
		if len(s.Samples[i].Stack) > 0 && roots[s.outermost(i)] && weight > 0 {
			s.Table.offer(donors, s.Samples[i].Stack, weight, give)
		}
	}
}

func (t *Table) offer(donors map[FuncID]*donor, stack []FrameID, weight int64, give func(*donor, donation)) {
	var given []FuncID // a function counts once per stack, where it is outermost
	line := -1         // of the user's that calls, at any distance
	for at := len(stack) - 1; at >= 0; at-- {
		fn, own := t.FuncID(stack[at]), t.Func(stack[at]).Owner == User
		if d := donors[fn]; d != nil && (own || line >= 0) && !slices.Contains(given, fn) {
			given = append(given, fn)
			from := line
			if from < 0 {
				from = at
			}
			give(d, donation{stack, at, from, weight})
		}
		if own {
			line = at
		}
	}
}

func (d *donor) add(g donation) {
	d.total = addSat(d.total, g.weight)
	c := d.byLine[g.key()]
	if c == nil {
		c = &chain{}
		d.byLine[g.key()] = c
	}
	c.total = addSat(c.total, g.weight)
	if g.weight > c.heaviest {
		c.stack, c.at, c.line, c.heaviest = g.stack, g.at, g.line, g.weight
	}
}

func (d *donor) agree() {
	for _, c := range d.byLine {
		if float64(c.total) >= agreement*float64(d.total) {
			d.agreed = c
			c.alike = make([]int64, len(c.stack)-c.line)
		}
	}
}

// compare counts how far a stack agrees with the chosen one beyond the user's line.
func (d *donor) compare(g donation) {
	c := d.agreed
	if c == nil || c != d.byLine[g.key()] {
		return
	}
	n := 0
	for n+1 < len(c.alike) && g.line+1+n < len(g.stack) && g.stack[g.line+1+n] == c.stack[c.line+1+n] {
		n++
	}
	c.alike[n] = addSat(c.alike[n], g.weight)
}

// until is where the frames of a chain end that nearly all complete stacks have.
func (c *chain) until() int {
	sum := int64(0)
	for n := len(c.alike) - 1; n > 0; n-- {
		if sum = addSat(sum, c.alike[n]); float64(sum) >= agreement*float64(c.total) {
			return c.line + 1 + n
		}
	}
	return c.line + 1
}

// deepestKept is the smallest number of frames in a stack that the runtime truncated, inlined calls counted: it records
// 64 in CPU profiles since Go 1.23.
const deepestKept = 60

// CutWeight is the weight of the samples whose stacks lost their outer frames and did not get them back: deep ones that
// begin with a function with which no complete stack begins.
func (s *Set) CutWeight(w Weight) (sum int64) {
	roots := s.roots()
	for i := range s.Samples {
		stack := s.Samples[i].Stack
		if len(stack) < deepestKept || !s.mayBeCut(i, roots) || s.Table.Func(stack[len(stack)-1]).Does(known.BeginsStack) {
			continue
		}
		sum = addSat(sum, max(w(&s.Samples[i]), 0))
	}
	return sum
}
