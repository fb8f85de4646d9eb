package stacks

import "slices"

// The runtime records 64 frames of a stack in a CPU profile (128 in the others, 32 before Go 1.23) and drops the outer
// ones. A deep recursion (compiling a regular expression, encoding nested JSON, walking a tree) then loses the very
// frames that say who asked for it: in one recorded profile a quarter of all samples. They can mostly be had back:
// where the outermost frame that is left occurs in whole stacks too, and those agree on who called it, theirs is put on.

const (
	minTruncated = 32  // frames; the smallest limit of the runtime
	agreement    = 0.9 // of the weight of the whole stacks must come from one line of the user's
)

// A donor is what whole stacks know of who calls a function.
type donor struct {
	total  int64 // weight of the whole stacks that hold the function
	byLine map[FrameID]*chain
}

// A chain is how the function is reached from one line of the user's.
type chain struct {
	total    int64
	stack    []FrameID // the heaviest whole stack
	at       int       // of the function's outermost occurrence in it
	heaviest int64
}

// complete puts the outer frames on truncated stacks and returns how many it put on.
func (s *Set) complete() (completed int) {
	if len(s.Types) == 0 {
		return 0
	}
	w := ByValue(len(s.Types) - 1)
	roots, cut := s.truncated()
	if len(cut) == 0 {
		return 0
	}
	donors := make(map[FuncID]*donor)
	for _, i := range cut {
		donors[s.outermost(i)] = &donor{byLine: make(map[FrameID]*chain)}
	}
	for i := range s.Samples {
		if len(s.Samples[i].Stack) > 0 && roots[s.outermost(i)] {
			s.Table.offer(donors, s.Samples[i].Stack, w(&s.Samples[i]))
		}
	}
	for _, i := range cut {
		if c := donors[s.outermost(i)].agreed(); c != nil {
			stack := s.Samples[i].Stack
			s.Samples[i].Stack = append(stack[:len(stack):len(stack)], c.stack[c.at+1:]...)
			completed++
		}
	}
	return completed
}

// truncated finds the stacks that may be cut: deep, and with an outermost function that no shallow stack begins with. A
// whole stack that is always deep is taken for cut as well; no donor is found for it, or one that only repeats it.
func (s *Set) truncated() (roots map[FuncID]bool, cut []int) {
	roots = make(map[FuncID]bool)
	for i := range s.Samples {
		if n := len(s.Samples[i].Stack); n > 0 && n < minTruncated {
			roots[s.outermost(i)] = true
		}
	}
	for i := range s.Samples {
		if len(s.Samples[i].Stack) >= minTruncated && !roots[s.outermost(i)] {
			cut = append(cut, i)
		}
	}
	return roots, cut
}

func (s *Set) outermost(i int) FuncID {
	stack := s.Samples[i].Stack
	return s.Table.Frames[stack[len(stack)-1]].Func
}

// offer gives a whole stack to the donors of the functions in it.
func (t *Table) offer(donors map[FuncID]*donor, stack []FrameID, weight int64) {
	if weight <= 0 {
		return
	}
	var given []FuncID // a function counts once a stack, where it is outermost
	line := NoFrame    // the user's line at or above the frame, seen from the root
	for at := len(stack) - 1; at >= 0; at-- {
		if t.Func(stack[at]).Owner == User {
			line = stack[at]
		}
		fn := t.Frames[stack[at]].Func
		if d := donors[fn]; d != nil && line != NoFrame && !slices.Contains(given, fn) {
			given = append(given, fn)
			d.add(line, stack, at, weight)
		}
	}
}

func (d *donor) add(line FrameID, stack []FrameID, at int, weight int64) {
	d.total = addSat(d.total, weight)
	c := d.byLine[line]
	if c == nil {
		c = &chain{}
		d.byLine[line] = c
	}
	c.total = addSat(c.total, weight)
	if weight > c.heaviest {
		c.stack, c.at, c.heaviest = stack, at, weight
	}
}

// agreed is the chain that nearly all whole stacks have in common; nil without one.
func (d *donor) agreed() *chain {
	for _, c := range d.byLine {
		if float64(c.total) >= agreement*float64(d.total) {
			return c
		}
	}
	return nil
}
