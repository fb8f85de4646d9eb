package facts

import (
	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose/known"
	"github.com/gocasebook/casebook/diagnose/stacks"
)

// leastAsked is the part of the CPU from which on it is a fact that the runtime spends it because the program asks.
const leastAsked = 0.1

// addAsked adds what the runtime does because a line asks for it, on stacks on which that line is not: it collects for
// runtime.GC, and schedules for runtime.Gosched.
func (b *builder) addAsked() {
	yields := b.cpu.part(func(s *stacks.Sample) bool {
		return b.r.Table.Has(s.Stack, func(f *stacks.Func) bool { return f.Does(known.SchedulesYield) })
	})
	collects := b.cpu.part(func(s *stacks.Sample) bool { return s.Class.GC() })
	b.addAskedOf(known.Yields, yields, "%s of the CPU is the scheduler's work for goroutines that yield, as %s does")
	b.addAskedOf(known.ForcesCollection, collects,
		"%s of the CPU is the collector's work, and collections are forced at %s")
}

// addAskedOf adds one sort of that work, where a line asks for it.
func (b *builder) addAskedOf(work known.Work, part float64, words string) {
	if part < leastAsked {
		return
	}
	line, stack := b.asks(work)
	if line == stacks.NoFrame {
		return
	}
	var t text
	t.say(words, shareOf("share of cpu", part), b.place(line))
	t.end()
	d := b.add(Cost, &t, b.weight.cpu*part)
	d.Stacks = []Stack{b.stack(stack, 1)}
	d.Bounds = []Bound{{"cpu", part}}
}

// asks is the line that most often asks the runtime for a work, on stacks of the CPU profile and of goroutines, and the
// stack of one of those; NoFrame where none does.
func (b *builder) asks(work known.Work) (line stacks.FrameID, stack []stacks.FrameID) {
	sums, of := make(map[stacks.FrameID]int64), make(map[stacks.FrameID][]stacks.FrameID)
	for _, set := range append(b.r.Best(casefile.CPU), b.graph.Moments...) {
		for i := range set.Samples {
			s := set.Samples[i].Stack
			if at := b.ownLine(s); at != stacks.NoFrame && b.doesBelow(s, at, work) {
				sums[at]++
				of[at] = s
			}
		}
	}
	line = stacks.NoFrame
	if most := stacks.Sorted(sums); len(most) > 0 {
		line = most[0].Key
	}
	return line, of[line]
}

// doesBelow reports whether a line of a stack calls, itself, a function that does a work.
func (b *builder) doesBelow(stack []stacks.FrameID, line stacks.FrameID, work known.Work) bool {
	for i := 1; i < len(stack); i++ {
		if stack[i] == line {
			return b.r.Table.Func(stack[i-1]).Does(work)
		}
	}
	return false
}
