package diagnose

import (
	"github.com/gocasebook/casebook/diagnose/known"
	"github.com/gocasebook/casebook/diagnose/stacks"
)

// A selectCost is the cost of a line's select over several cases. A profile does not show whether a select has a
// default, and a busy one that waits costs as much: but that one receives, sends or parks below it, and one that spins
// never does.
type selectCost struct {
	line  stacks.FrameID
	call  stacks.FrameID // runtime.selectgo
	cpu   float64        // ns
	ticks float64
	moved float64 // ticks in which it received, sent or parked
}

const (
	spinTicks = 100  // with fewer, a select that waits may show none of its moves, which are 3–8 % of its cost
	spinMoves = 0.01 // of its ticks; selects that spin had none (testdata/selects)
	// of what its function and the runtime below use: in a loop with more work the default may be right
	spinShare = 0.5
)

// A selecting holds the cost of selects by line of a profile.
type selecting struct {
	lines map[stacks.FrameID]*selectCost
	funcs map[stacks.FuncID]float64 // ns that a function takes with the runtime below it, for those with a select
}

// newSelecting walks the CPU profile.
func newSelecting(t *stacks.Table, v *cpuView) *selecting {
	x := &selecting{lines: make(map[stacks.FrameID]*selectCost), funcs: make(map[stacks.FuncID]float64)}
	ticks := stacks.ByValue(v.set.Value("samples", "count"))
	for i := range v.set.Samples {
		s := &v.set.Samples[i]
		line, u := t.UserFrame(s.Stack)
		w := float64(v.weight(s))
		if u < 0 || w <= 0 {
			continue
		}
		x.funcs[t.FuncID(line)] += w
		if u < 1 || !t.Func(s.Stack[u-1]).Does(known.Selects) {
			continue
		}
		l := x.lines[line]
		if l == nil {
			l = &selectCost{line: line, call: s.Stack[u-1]}
			x.lines[line] = l
		}
		n := float64(max(ticks(s), 0))
		l.cpu, l.ticks = l.cpu+w, l.ticks+n
		if t.Has(s.Stack[:u-1], withWork(known.MovesMessage)) {
			l.moved += n
		}
	}
	return x
}

// spins reports whether a line's select has a default, and its loop does little besides checking.
func (x *selecting) spins(t *stacks.Table, l *selectCost) bool {
	return l.ticks >= spinTicks && l.moved <= spinMoves*l.ticks && l.cpu >= spinShare*x.funcs[t.FuncID(l.line)]
}

// resolveSelects attributes selects that spin to goroutine-busy-poll.
func (c *costView) resolveSelects() {
	if c.cpu == nil {
		return
	}
	x := newSelecting(c.x.t, c.cpu)
	for _, s := range x.lines {
		if !x.spins(c.x.t, s) {
			continue
		}
		l := c.at(c.row("goroutine-busy-poll"), s.line)
		l.cpu += s.cpu / c.cpu.total
		l.ticks += s.ticks
		l.calls[s.call] += s.cpu
	}
}
