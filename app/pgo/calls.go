package pgo

import (
	"cmp"
	"iter"
	"slices"

	"github.com/google/pprof/profile"
)

// A Call is what the compiler knows of a profile: in a function, so many lines below its beginning, another one is
// called.
type Call struct {
	Caller, Callee string
	Offset         int // lines from the caller's first line
	Inlined        bool
}

// Calls are how often each was on a stack, in any unit.
type Calls map[Call]float64

// Total is the weight of all calls together.
func (c Calls) Total() (sum float64) {
	for _, w := range c {
		sum += w
	}
	return sum
}

func (c Calls) add(others Calls, factor float64) {
	for call, w := range others {
		c[call] += w * factor
	}
}

// Heaviest returns calls by weight, those that together make up share of it.
func (c Calls) Heaviest(share float64) []Call {
	all := make([]Call, 0, len(c))
	for call := range c {
		all = append(all, call)
	}
	slices.SortFunc(all, func(a, b Call) int {
		return cmp.Or(cmp.Compare(c[b], c[a]), cmp.Compare(a.Caller, b.Caller), cmp.Compare(a.Callee, b.Callee),
			cmp.Compare(a.Offset, b.Offset))
	})
	rest := c.Total() * share
	for i, call := range all {
		if rest <= 0 {
			return all[:i]
		}
		rest -= c[call]
	}
	return all
}

// A line is one of a function.
type line struct {
	function *profile.Function
	number   int64
}

func (l line) offset() int { return int(l.number - l.function.StartLine) }

// A frame is a line on a stack.
type frame struct {
	line
	inlined bool // into the frame that called it
}

// callsOf yields a sample's calls as the compiler counts them (Go 1.26, internal/profile/graph.go, NewGraph): only those
// of the function that ran, with what is inlined there and in its caller. Who is further up the stack calls rarely.
func callsOf(s *profile.Sample) iter.Seq[Call] {
	return func(yield func(Call) bool) {
		seen := make(map[[2]line]bool)
		var caller line
		for f := range framesOf(s) {
			pair := [2]line{caller, f.line}
			if caller.function != nil && f.function != nil && caller != f.line && !seen[pair] {
				seen[pair] = true
				if !yield(Call{caller.function.Name, f.function.Name, caller.offset(), f.inlined}) {
					return
				}
			}
			caller = f.line
		}
	}
}

// framesOf yields the lines of a sample's last two frames, the outermost first.
func framesOf(s *profile.Sample) iter.Seq[frame] {
	return func(yield func(frame) bool) {
		for _, l := range slices.Backward(s.Location[:min(len(s.Location), 2)]) {
			for i, at := range slices.Backward(l.Line) {
				if !yield(frame{line{at.Function, at.Line}, i != len(l.Line)-1}) {
					return
				}
			}
		}
	}
}

// keptShare is how much of the weight of all calls the profile keeps. The compiler acts on those that make up 99 %
// (PGOInlineCDFThreshold).
const keptShare = 0.9999

// Profile writes calls as a CPU profile: a sample of two frames each. It is what the compiler reads of the profiles that
// went in, without their stacks, labels, addresses and mappings.
func (c Calls) Profile() *profile.Profile {
	p := &profile.Profile{
		SampleType: []*profile.ValueType{{Type: "samples", Unit: "count"}, {Type: "cpu", Unit: "nanoseconds"}},
		PeriodType: &profile.ValueType{Type: "cpu", Unit: "nanoseconds"},
		Period:     1,
	}
	w := writer{p: p, functions: make(map[string]*profile.Function), locations: make(map[place]*profile.Location)}
	for _, call := range c.Heaviest(keptShare) {
		weight := int64(c[call] + 0.5)
		if weight == 0 {
			break
		}
		callee, caller := w.location(call.Callee, 0), w.location(call.Caller, call.Offset)
		p.Sample = append(p.Sample, &profile.Sample{
			Location: []*profile.Location{callee, caller}, Value: []int64{weight, weight},
		})
	}
	return p
}

// A place is a line of a function.
type place struct {
	function string
	offset   int
}

// A writer makes the tables of a profile.
type writer struct {
	p         *profile.Profile
	functions map[string]*profile.Function
	locations map[place]*profile.Location
}

// firstLine is where every function begins: the compiler reads the distance from it, which may be negative where a
// compiler directive moved lines.
const firstLine = 1 << 20

func (w *writer) location(function string, offset int) *profile.Location {
	at := place{function, offset}
	if l := w.locations[at]; l != nil {
		return l
	}
	f := w.functions[function]
	if f == nil {
		f = &profile.Function{ID: uint64(len(w.functions) + 1), Name: function, SystemName: function, StartLine: firstLine}
		w.functions[function], w.p.Function = f, append(w.p.Function, f)
	}
	l := &profile.Location{ID: uint64(len(w.locations) + 1),
		Line: []profile.Line{{Function: f, Line: int64(firstLine + offset)}}}
	w.locations[at], w.p.Location = l, append(w.p.Location, l)
	return l
}
