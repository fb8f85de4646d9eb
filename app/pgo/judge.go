package pgo

import (
	"cmp"
	"slices"
	"strings"
)

// A Match is how much of a profile's calls the source still has.
type Match struct {
	// Share of the weight of calls whose line still calls something, at the same distance from its function's first
	// line; that is how the compiler finds it.
	Share float64 `json:"share"`
	// Functions is the share of those whose function exists, wherever its lines are.
	Functions float64 `json:"functions"`
	// By owner: the main module's, dependencies', the standard library's.
	Own        Part `json:"own"`
	Dependency Part `json:"dependencies"`
	Standard   Part `json:"standard_library"`
	// Lost are the callers that lost most, the largest first.
	Lost []Loss `json:"lost,omitempty"`
}

// A Part is some calls' share of all, and how much of it the source still has.
type Part struct {
	Weight float64 `json:"weight"`
	Share  float64 `json:"share"`
}

// A Loss is a function whose calls the compiler will not find.
type Loss struct {
	Function string  `json:"function"`
	Weight   float64 `json:"weight"` // share of all calls
	Gone     bool    `json:"gone"`   // the function does not exist any more; otherwise its lines moved
}

// lostRows is how many losses are listed.
const lostRows = 5

// matchOf holds calls against a tree. Calls of the runtime's are left out: the compiler inserts most, and no line of
// source shows them.
func matchOf(c Calls, t *Tree) Match {
	var m Match
	var sum, found, functions float64
	parts := map[Owner]*Part{Own: &m.Own, Dependency: &m.Dependency, Standard: &m.Standard}
	lost := make(map[string]*Loss)
	for call, w := range c {
		if isRuntime(call.Caller) || isRuntime(call.Callee) {
			continue
		}
		sum += w
		function, line := t.has(call.Caller, call.Offset)
		part := parts[t.owner(call.Caller)]
		if part != nil {
			part.Weight += w
		}
		if function {
			functions += w
		}
		if line {
			found += w
			part.Share += w
			continue
		}
		if lost[call.Caller] == nil {
			lost[call.Caller] = &Loss{Function: call.Caller, Gone: !function}
		}
		lost[call.Caller].Weight += w
	}
	if sum == 0 {
		return m
	}
	m.Share, m.Functions = found/sum, functions/sum
	for _, p := range parts {
		if p.Weight > 0 {
			p.Share /= p.Weight
		}
		p.Weight /= sum
	}
	for _, l := range lost {
		l.Weight /= sum
		m.Lost = append(m.Lost, *l)
	}
	slices.SortFunc(m.Lost, func(a, b Loss) int {
		return cmp.Or(cmp.Compare(b.Weight, a.Weight), cmp.Compare(a.Function, b.Function))
	})
	m.Lost = m.Lost[:min(len(m.Lost), lostRows)]
	return m
}

// isRuntime reports whether a function is of the runtime, whose calls in user code are inserted by the compiler.
func isRuntime(name string) bool {
	path, _ := splitName(name)
	return path == "runtime" || strings.HasPrefix(path, "runtime/internal/") ||
		strings.HasPrefix(path, "internal/runtime/")
}

// Overlap is how alike two profiles are: the share of the calls' weight that both have, from 0 to 1. Each is made to sum
// to 1 first.
func Overlap(a, b Calls) float64 {
	ta, tb := a.Total(), b.Total()
	if ta == 0 || tb == 0 {
		return 0
	}
	var both float64
	for call, w := range a {
		both += min(w/ta, b[call]/tb)
	}
	return both
}
