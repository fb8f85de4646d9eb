package view

import (
	"cmp"
	"fmt"
	"iter"
	"slices"
	"time"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose/stacks"
	"github.com/gocasebook/casebook/diagnose/traces"
	"github.com/gocasebook/casebook/internal/number"
)

// Trace is the longest execution trace that was summed up, and the basis of what is found in it; nil without one.
func (v *View) Trace() (longest *traces.Summary, basis []casefile.Basis) {
	file := ""
	for _, m := range v.Values(traces.KindSummary) {
		if s, ok := m.Value.(*traces.Summary); ok && (longest == nil || s.Span > longest.Span) {
			longest, file = s, m.Name
		}
	}
	if longest == nil {
		return nil, nil
	}
	return longest, []casefile.Basis{{File: file, Kind: casefile.Trace, Text: fmt.Sprintf("%s over %s",
		number.Things(float64(longest.Events), "event"), number.Seconds(longest.Span.Seconds()))}}
}

// Summary is the longest execution trace, or one that shows nothing: who goes through its waits then finds none.
func (v *View) Summary() *traces.Summary {
	if s, _ := v.Trace(); s != nil && s.Span > 0 {
		return s
	}
	return new(traces.Summary)
}

// Traced is the function of a frame of a trace, with its name as profiles have it.
func (v *View) Traced(f traces.Frame) stacks.Func {
	return stacks.FuncOf(f.Function, f.File, v.Build.Module)
}

// IsUsers reports whether a frame of a trace is the user's.
func (v *View) IsUsers(f traces.Frame) bool { return v.Traced(f).Owner == stacks.User }

// IsAt reports whether a line of a profile is that of a trace.
func (v *View) IsAt(id stacks.FrameID, f traces.Frame) bool {
	return v.Table.Line(id) == f.Line && v.Table.Func(id).Name == v.Traced(f).Name
}

// TracedLine is the user's line on a stack of a trace: the innermost, or else the innermost of a dependency; false
// where the stack is the standard library's and the runtime's alone.
func (v *View) TracedLine(s traces.Stack) (f traces.Frame, ok bool) {
	for _, owner := range []stacks.Owner{stacks.User, stacks.Dependency} {
		for _, f := range s {
			if v.Traced(f).Owner == owner {
				return f, true
			}
		}
	}
	return traces.Frame{}, false
}

// WaitsAt are the waits of a trace at a line of a profile.
func (v *View) WaitsAt(s *traces.Summary, at stacks.FrameID) iter.Seq[traces.Wait] {
	return func(yield func(traces.Wait) bool) {
		for _, w := range s.Blocking {
			if line, ok := v.TracedLine(w.Stack); ok && v.IsAt(at, line) && !yield(w) {
				return
			}
		}
	}
}

// A TracedSum is the time at one of the user's lines.
type TracedSum struct {
	At    traces.Frame
	Total time.Duration
	Calls int64
	P99   time.Duration // of the site with the longest
	Site  traces.Site   // that was seen first

	Starts bool // a go statement
}

// TracedLines adds up sites by TracedLine, the largest first, and says what all of them have, also those without a
// line.
func (v *View) TracedLines(sites []traces.Site) (lines []TracedSum, all time.Duration) {
	index := make(map[traces.Frame]int)
	for _, s := range sites {
		all += s.Times.Total
		f, ok := v.TracedLine(s.Stack)
		if !ok {
			continue
		}
		i, known := index[f]
		if !known {
			i = len(lines)
			index[f] = i
			lines = append(lines, TracedSum{At: f, Site: s})
		}
		l := &lines[i]
		l.Total, l.Calls, l.P99 = l.Total+s.Times.Total, l.Calls+s.Times.Count, max(l.P99, s.Times.P99)
	}
	slices.SortStableFunc(lines, func(a, b TracedSum) int { return cmp.Compare(b.Total, a.Total) })
	return lines, all
}
