package diagnose

import (
	"fmt"
	"slices"

	"github.com/gocasebook/casebook/casefile"
)

// A cause is a kind of finding that explains another, at any place or only where the symptom names the cause's.
type cause struct {
	symptom, cause string
	where          causePlace
}

// A causePlace is where a cause must be.
type causePlace uint8

const (
	anywhere  causePlace = iota
	sameLine             // both blame the same line
	mentioned            // the symptom names the function that the cause blames, at whatever place
)

// explainsAt reports whether a finding of the cause's kind is where it must be to explain a symptom.
func (c cause) explainsAt(f, symptom casefile.Finding) bool {
	switch c.where {
	case sameLine:
		return shareLine(f, symptom)
	case mentioned:
		return len(f.Where) > 0 && slices.ContainsFunc(symptom.Where, func(p casefile.Frame) bool { return p.Function == f.Where[0].Function })
	}
	return true
}

// causes lists what explains what.
func causes() []cause {
	return []cause{
		{"gc-cpu", "gc-pointer-heap", anywhere},
		{"gc-cpu", "alloc-site", anywhere},
		{"gc-cpu", "cpu-hot-function", sameLine}, // the line that takes the CPU allocates most, too
		{"gc-frequency", "cpu-hot-function", sameLine},
		{"gc-assist", "cpu-hot-function", sameLine},
	}
}

// relate joins findings: what says the same of the same line becomes one, symptoms name their causes, and the order is
// causes before symptoms, then by falling score.
func relate(fs []casefile.Finding) []casefile.Finding {
	slices.SortStableFunc(fs, byScore)
	fs = absorbParts(absorbGeneral(fs))
	noteIO(fs)
	fs = absorbWaits(fs)
	fs = absorb(fs)
	all := slices.Concat(causes(), garbageCauses(), runtimeCauses())
	for i := range fs {
		for _, c := range all {
			if c.symptom != fs[i].Kind {
				continue
			}
			for _, g := range fs {
				if g.Kind == c.cause && !slices.Contains(fs[i].CausedBy, g.ID) && c.explainsAt(g, fs[i]) {
					fs[i].CausedBy = append(fs[i].CausedBy, g.ID)
				}
			}
		}
	}
	return causesFirst(fs)
}

// absorb folds two findings that blame the same line, one for its allocations and one for its CPU or for the objects it
// keeps alive, into one: one change cures both. The higher score stays, and a structure's always does: its allocations
// are the entries'.
func absorb(fs []casefile.Finding) []casefile.Finding {
	gone := make([]bool, len(fs))
	for i, f := range fs {
		if f.Kind != "alloc-site" {
			continue
		}
		for j, g := range fs {
			if gone[i] || gone[j] || !sameCure(g, f) {
				continue
			}
			keep, drop := j, i
			if f.Score > g.Score && g.Kind != "gc-pointer-heap" {
				keep, drop = i, j
			}
			gone[drop] = true
			fs[keep].Summary += fmt.Sprintf(" The same line %s.", alsoText(fs[drop]))
			fs[keep].Evidence = addBasis(fs[keep].Evidence, fs[drop].Evidence)
		}
	}
	return without(fs, gone)
}

// without leaves out the findings that are gone, the i-th if gone[i].
func without(fs []casefile.Finding, gone []bool) []casefile.Finding {
	out := make([]casefile.Finding, 0, len(fs))
	for i, f := range fs {
		if !gone[i] {
			out = append(out, f)
		}
	}
	return out
}

func sameCure(g, alloc casefile.Finding) bool {
	return (g.Kind == "cpu-hot-function" || g.Kind == "gc-pointer-heap") && shareLine(g, alloc)
}

// alsoText says what an absorbed finding was about.
func alsoText(f casefile.Finding) string {
	return verb(f) + " " + f.Impact.Text
}

func verb(f casefile.Finding) string {
	if f.Kind == "alloc-site" {
		return "makes"
	}
	return "takes"
}

// addBasis appends what is not there yet.
func addBasis(to, more []casefile.Basis) []casefile.Basis {
	for _, b := range more {
		if !slices.Contains(to, b) {
			to = append(to, b)
		}
	}
	return to
}

// shareLine reports whether one of the first two places of g is the place that f wants changed: a finding on a library
// names the library's function first and the caller's line second.
func shareLine(g, f casefile.Finding) bool {
	if len(f.Where) == 0 {
		return false
	}
	w := f.Where[0]
	return slices.ContainsFunc(g.Where[:min(len(g.Where), 2)], func(p casefile.Frame) bool {
		return p.Function == w.Function && p.Line == w.Line
	})
}

// causesFirst moves every finding behind the causes it names, except for minor ones; the order is by score otherwise.
func causesFirst(fs []casefile.Finding) []casefile.Finding {
	out := make([]casefile.Finding, 0, len(fs))
	placed := make([]bool, len(fs))
	var place func(i int)
	place = func(i int) {
		if placed[i] {
			return
		}
		placed[i] = true
		for j := range fs {
			if slices.Contains(fs[i].CausedBy, fs[j].ID) && !minorGarbage(fs[i], fs[j]) {
				place(j)
			}
		}
		out = append(out, fs[i])
	}
	for i := range fs {
		place(i)
	}
	return out
}

// minorGarbage reports whether a finding is of garbage that is little of why the collector runs so often: it scores less than half
// of that. More room for the heap, which gc-frequency advises, then does more than a line that allocates less.
func minorGarbage(symptom, garbage casefile.Finding) bool {
	return symptom.Kind == "gc-frequency" && 2*garbage.Score < symptom.Score && garbage.Kind != "gc-forced"
}

// settle leaves out what is undecided although a finding decides it: memory that stays does so for the goroutines, timers or
// connections that are found to leak.
func settle(us []casefile.Undecided, fs []casefile.Finding) []casefile.Undecided {
	leaks := slices.ContainsFunc(fs, func(f casefile.Finding) bool {
		return f.Score > capUnsure && slices.Contains([]string{"goroutine-leak", "timer-leak", "connection-leak"}, f.Kind)
	})
	return slices.DeleteFunc(us, func(u casefile.Undecided) bool { return leaks && u.Kind == "mem-leak" })
}
