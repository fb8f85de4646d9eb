package escape

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/gocasebook/casebook/app/heat"
	"github.com/gocasebook/casebook/diagnose/stacks"
)

// What is looked at of what takes CPU, as shares of all CPU.
const (
	minOwn     = 0.01  // of a function by itself
	minChecked = 0.005 // of a line by itself
	maxCostly  = 15    // of each are listed
)

// hotFunctions are those that take CPU by themselves.
func hotFunctions(m *heat.Map) (out []frame) {
	for _, f := range m.Functions(heat.CPU) {
		if f.Own[heat.CPU] >= minOwn {
			out = append(out, frame{function: f.Name, pkg: f.Package, file: f.File, start: f.Start, owner: f.Owner})
		}
	}
	return out
}

// costly is what the compiler says of the functions and lines that take CPU.
func (x *index) costly(m *heat.Map) (functions []Function, bounds []Bound) {
	functions, bounds = []Function{}, []Bound{}
	for _, f := range m.Functions(heat.CPU) {
		if f.Own[heat.CPU] >= minOwn && f.Owner != stacks.Runtime && len(functions) < maxCostly {
			if one, ok := x.notInlined(f); ok {
				functions = append(functions, one)
			}
		}
	}
	slices.SortStableFunc(functions, func(a, b Function) int { return cmp.Compare(b.Own, a.Own) })
	for _, l := range m.Hottest(heat.CPU, 0) {
		if l.Own[heat.CPU] < minChecked || len(bounds) == maxCostly {
			break
		}
		if b, ok := x.bounds(l); ok {
			bounds = append(bounds, b)
		}
	}
	return functions, bounds
}

// maxOver is by how much the cost of a function may exceed the budget so that it is worth a thought: larger ones have
// their work in them, beside which a call is nothing.
const maxOver = 3

var overBudget = regexp.MustCompile(`^function too complex: cost (\d+) exceeds budget (\d+)$`)

// notInlined is why a function that is small enough to be called often is not inlined.
func (x *index) notInlined(f heat.Function) (Function, bool) {
	name := x.file(frame{function: f.Name, pkg: f.Package, file: f.File})
	if name == "" || f.Start == 0 {
		return Function{}, false
	}
	for _, r := range x.remarks[Place{File: name, Line: f.Start}] {
		if r.Code != "cannotInlineFunction" || len(r.At) > 1 {
			continue
		}
		out := Function{Function: f.Name, File: name, Line: f.Start, Own: f.Own[heat.CPU], Why: r.Message}
		if m := overBudget.FindStringSubmatch(r.Message); m != nil {
			cost, _ := strconv.Atoi(m[1])
			budget, _ := strconv.Atoi(m[2])
			if cost > maxOver*budget {
				return Function{}, false
			}
			out.Why = fmt.Sprintf("it costs %d, and the budget is %d", cost, budget)
			out.Change = "Move what is rarely needed into a function of its own, or build with a profile: then the budget " +
				"of hot calls is 2000."
			return out, true
		}
		out.Why, out.Change = inlineWords(r.Message)
		return out, out.Change != ""
	}
	return Function{}, false
}

// inlineWords is the compiler's reason in plain words, and what to do about it; no change for what is meant so, and for
// what is its work.
func inlineWords(reason string) (why, change string) {
	for _, w := range []struct{ has, why, change string }{
		{"call to recover", "it calls recover", "Recover in a function around it, and not in it."},
		{"DEFER", "it defers something", "Where nothing between can panic, call at the end instead of deferring."},
		{"recursive", "it calls itself", "Put the common case, which does not, into a function that calls it."},
		{"TYPESW", "it has a type switch", ""},
		{"SELECT", "it selects from channels", ""},
		{"GO", "it starts goroutines", ""},
		{"go:noinline", "it is marked go:noinline", ""},
	} {
		if strings.Contains(reason, w.has) {
			return w.why, w.change
		}
	}
	return reason, ""
}

// bounds are the checks of a line in a loop.
func (x *index) bounds(l heat.Line) (Bound, bool) {
	name := x.file(frame{function: l.Function, pkg: l.Package, file: l.Built})
	if name == "" {
		return Bound{}, false
	}
	columns, slicing := make(map[int]bool), false
	for _, r := range x.remarks[Place{File: name, Line: l.Line}] {
		if r.Code == "isInBounds" || r.Code == "isSliceInBounds" {
			columns[r.At[0].Column] = true
			slicing = slicing || r.Code == "isSliceInBounds"
		}
	}
	f := x.c.files[name].source()
	if len(columns) == 0 || !f.inLoop(l.Line) {
		return Bound{}, false
	}
	change := "Range over the slice, or before the loop take a part whose length the compiler can see: s = s[:n]."
	if slicing {
		change = "Check the length once before the loop: _ = s[n-1]."
	}
	return Bound{Function: l.Function, File: name, Line: l.Line, Text: x.text(name, l.Line), Own: l.Own[heat.CPU],
		Checks: len(columns), Change: change}, true
}
