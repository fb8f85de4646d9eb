package diagnose

import (
	"fmt"
	"strings"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose/known"
	"github.com/gocasebook/casebook/diagnose/stacks"
)

// Where a line hands on to other code, the place is below; where a function is the body of somebody else's loop, it is
// above. A profile tells both by what is on the stacks: docs/evidence/costs.md has the conditions.

// passesOn reports whether the line at position i only hands a request or the program on to code below it.
func passesOn(t *stacks.Table, stack []stacks.FrameID, i int) bool {
	if i == 0 {
		return false
	}
	callee := t.Func(stack[i-1])
	if callee.Owner == stacks.Runtime {
		return false
	}
	switch known.HandsOnByName(callee.Name[strings.LastIndexByte(callee.Name, '.')+1:]) {
	case known.HandsOnRequests:
		return true
	case known.HandsOnProgram: // templates execute as well, but that is work
		return callee.Owner != stacks.Std && !callee.Does(known.ExecutesTemplate) && !serves(t, stack[i:])
	case known.HandsOnInChain:
		return callee.Owner != stacks.Std && inChain(t, stack[i-1], stack[i+1:])
	}
	return false
}

// inChain reports whether the caller of a function was called by the function itself, or by its package, which nobody
// of the user's called: handlers stand in a chain; an iterator is asked by who opened it.
func inChain(t *stacks.Table, callee stacks.FrameID, above []stacks.FrameID) bool {
	called := false
	for _, id := range above {
		f := t.Func(id)
		if t.FuncID(id) == t.FuncID(callee) {
			return true
		}
		if f.Owner == stacks.User {
			return false
		}
		called = called || f.Package == t.Func(callee).Package
	}
	return called
}

// helpers are functions of the user's that call nothing and are called in somebody else's loop, with whose.
type helpers map[stacks.FuncID]stacks.FuncID

// Limits of a helper, in parts of its own CPU.
const (
	helperCalls = 0.1   // in what it calls, at most: more, and it is no mere step
	helperBy    = 0.8   // below one caller
	helperLoop  = 0.125 // of the caller's own CPU, around the call: who calls rarely spends nothing there
	helperShare = 0.02  // of all CPU
)

// A step is what the CPU profile has of one of the user's functions.
type step struct {
	own, all float64
	by       map[stacks.FrameID]float64 // the user's lines that call it, and nothing between
}

// helpersOf finds the helpers of a CPU profile.
func helpersOf(r *Reading, v *cpuView, w stacks.Weight) helpers {
	t, steps, lines := r.Table, make(map[stacks.FuncID]*step), make(map[stacks.FrameID]float64)
	for i := range v.set.Samples {
		s := &v.set.Samples[i]
		id, u := t.UserFrame(s.Stack)
		if weight := float64(w(s)); u >= 0 && weight > 0 {
			addSteps(t, s, u, weight, steps)
			if own, _ := t.Caller(s.Stack); own == id {
				lines[id] += weight
			}
		}
	}
	out := make(helpers)
	for fn, s := range steps {
		by, ok := heaviest(s.by)
		if !ok || s.own < helperShare*v.total || s.own < (1-helperCalls)*s.all {
			continue
		}
		loop, calls := 0.0, 0.0
		for id, weight := range lines {
			if d := t.Line(id) - t.Line(by); t.FuncID(id) == t.FuncID(by) && d > -tightLines && d < tightLines {
				loop += weight
			}
		}
		for id, weight := range s.by {
			if t.FuncID(id) == t.FuncID(by) {
				calls += weight
			}
		}
		if t.FuncID(by) != fn && calls >= helperBy*s.own && loop >= helperLoop*s.own {
			out[fn] = t.FuncID(by)
		}
	}
	for _, kind := range []string{"cpu-linear-search", "cpu-quadratic"} {
		for _, l := range r.costs().lines[kind] {
			delete(out, t.FuncID(l.line)) // it has a loop of its own
		}
	}
	return out
}

// addSteps adds a sample to the user's functions on its stack, of which the innermost is at u.
func addSteps(t *stacks.Table, s *stacks.Sample, u int, weight float64, steps map[stacks.FuncID]*step) {
	for i := u; i < len(s.Stack); i++ {
		if t.Func(s.Stack[i]).Owner != stacks.User {
			continue
		}
		fn := t.FuncID(s.Stack[i])
		x := steps[fn]
		if x == nil {
			x = &step{by: make(map[stacks.FrameID]float64)}
			steps[fn] = x
		}
		x.all += weight
		if own, _ := t.Caller(s.Stack); i == u && own == s.Stack[u] && (s.Class == stacks.None || s.Class == stacks.Hash) {
			x.own += weight
			if i+1 < len(s.Stack) && t.Func(s.Stack[i+1]).Owner == stacks.User {
				x.by[s.Stack[i+1]] += weight
			}
		}
	}
}

// has reports whether a line is of a helper.
func (h helpers) has(t *stacks.Table, id stacks.FrameID) bool {
	_, ok := h[t.FuncID(id)]
	return ok && id != stacks.NoFrame
}

// line is the user's line of a stack, and its position: of a helper that of the loop which calls it.
func (h helpers) line(t *stacks.Table, stack []stacks.FrameID) (stacks.FrameID, int) {
	id, i := t.UserFrame(stack)
	for i >= 0 && i+1 < len(stack) && h.has(t, id) && h[t.FuncID(id)] == t.FuncID(stack[i+1]) {
		i++
		id = stack[i]
	}
	return id, i
}

// calling is who calls a hot function of the user's.
type calling struct {
	line  stacks.FrameID // of another function of the user's, that calls it for half of its CPU or more; else NoFrame
	share float64        // of all CPU
	whole float64        // of all CPU, of the function of line with all that it calls
	again bool           // it calls itself for half of its CPU or more
	root  stacks.FrameID // the user's function that goroutines with most of it were started with; else NoFrame
}

// callsMore is how many times what it takes its caller takes with all that it calls, if that is worth more.
const callsMore = 1.5

func callersOf(r *Reading, v *cpuView, w stacks.Weight, fn stacks.FuncID, help helpers) (out calling) {
	t, all, again := r.Table, 0.0, 0.0
	by, roots := make(map[stacks.FrameID]float64), make(map[stacks.FrameID]float64)
	for i := range v.set.Samples {
		s := &v.set.Samples[i]
		id, at := help.line(t, s.Stack)
		weight := float64(w(s))
		if at < 0 || weight <= 0 || t.FuncID(id) != fn {
			continue
		}
		all += weight
		root := t.Root(s.Stack)
		if root != stacks.NoFrame && t.Func(root).Owner == stacks.User && !isMain(t.Func(root)) {
			roots[root] += weight
		}
		first := len(s.Stack) - 1
		for t.FuncID(s.Stack[first]) != fn {
			first--
		}
		if first > at {
			again += weight
		}
		if first+1 < len(s.Stack) && t.Func(s.Stack[first+1]).Owner == stacks.User {
			by[s.Stack[first+1]] += weight
		}
	}
	out = calling{line: stacks.NoFrame, root: stacks.NoFrame, again: 2*again >= all && all > 0}
	if id, ok := heaviest(by); ok && 2*by[id] >= all {
		_, below := linesWithin(t, v.set, w, t.FuncID(id))
		out.line, out.share, out.whole = id, by[id]/v.total, float64(below)/v.total
	}
	if id, ok := heaviest(roots); ok && 2*roots[id] >= all {
		out.root = id
	}
	return out
}

// text is a sentence about who calls.
func (c calling) text(r *Reading) string {
	switch {
	case c.line == stacks.NoFrame && c.again:
		return " It calls itself."
	case c.line == stacks.NoFrame:
		return ""
	case c.again:
		return fmt.Sprintf(" It calls itself, and %s calls it first.", r.Place(c.line))
	}
	return fmt.Sprintf(" %s calls it%s.", r.Place(c.line), c.more())
}

// more says what the caller takes in all, if that is more.
func (c calling) more() string {
	if c.whole < callsMore*c.share {
		return ""
	}
	return fmt.Sprintf(", and takes %s with all that it calls", percent(c.whole))
}

// ordersTexts reports whether a function compares texts by their order itself.
func ordersTexts(r *Reading, v *cpuView, w stacks.Weight, fn stacks.FuncID, help helpers) bool {
	all, orders := int64(0), int64(0)
	for i := range v.set.Samples {
		s := &v.set.Samples[i]
		id, at := help.line(r.Table, s.Stack)
		if at < 0 || r.Table.FuncID(id) != fn || r.Table.Has(s.Stack[at:], withWork(known.Sorts)) {
			continue
		}
		all += w(s)
		if r.Table.Has(s.Stack[:at], withWork(known.OrdersText)) && !r.Table.Has(s.Stack[:at], ofDependency) {
			orders += w(s)
		}
	}
	return orders > 0 && float64(orders) >= comparesShare*float64(all)
}

// byOrder are the remedies for an order that is made by hand.
func (h *hotspot) byOrder(at string) []casefile.Remedy {
	if !h.orders {
		return nil
	}
	return []casefile.Remedy{doChange("Let slices.SortFunc make the order", fmt.Sprintf("At %s texts are compared by "+
		"their order. Two loops that sort take n² steps, slices.SortFunc n·log n. If the smallest is sought again and "+
		"again, keep a heap (container/heap); if each new one is put in its place, find that with "+
		"slices.BinarySearchFunc.", at), "none")}
}
