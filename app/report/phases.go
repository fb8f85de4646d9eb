package report

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose/stacks"
	"github.com/gocasebook/casebook/vitals"
)

// maxPhaseNodes bounds the flame graph nodes of all differences within a case: the profiles themselves are on the page.
const maxPhaseNodes = 6000

// maxGrown is how many places the table of a difference lists, and minGrown the share of all growth that one has at
// least.
const (
	maxGrown = 12
	minGrown = 0.01
)

// A grownRow is a place in the code that had more of a profile in the later phase.
type grownRow struct {
	place
	Before, After, Change string
	Share                 string // of all that grew
	Sure                  bool   // more than sampling error
	change                float64
}

// phaseKinds are the kinds of profiles whose phases are held against each other.
var phaseKinds = [...]string{casefile.CPU, casefile.Heap, casefile.Goroutine}

var phases = [...]string{string(casefile.Before), string(casefile.During), string(casefile.After)}

// phasePairs returns the profiles of each kind from two phases of the case: before and during if it has both, otherwise
// during and after. Of several before, it takes the earliest, which is the nearest to when the process was well.
func phasePairs(in Input) []ProfilePair {
	var out []ProfilePair
	for _, kind := range phaseKinds {
		var by [3][]int // positions in in.Profiles by phase
		for i, p := range in.Profiles {
			if at := slices.Index(phases[:], p.Phase); at >= 0 && p.Kind == kind {
				by[at] = append(by[at], i)
			}
		}
		for at := range 2 {
			if len(by[at]) == 0 || len(by[at+1]) == 0 {
				continue
			}
			earlier, later := in.Profiles[by[at][0]], in.Profiles[by[at+1][0]]
			out = append(out, ProfilePair{
				Name: kind + ": " + earlier.Phase + " → " + later.Phase, Kind: kind, Before: earlier.Data,
				After:  later.Data,
				Labels: [2]string{earlier.Phase, later.Phase},
				Notes:  []string{phaseNote(kind, in, earlier.File, later.File)},
				places: true,
			})
			break
		}
	}
	return out
}

// phaseNote says when the two profiles were taken, and what that makes of their numbers.
func phaseNote(kind string, in Input, files ...string) string {
	var when []any
	zero := zeroOf(in)
	for _, file := range files {
		text := "at an unknown time"
		if i := slices.IndexFunc(in.Case.Evidence, func(e casefile.Evidence) bool { return e.File == file }); i >= 0 {
			e := in.Case.Evidence[i]
			text = "at " + offset(e.Taken.Sub(zero)) + " from the trigger"
			if e.Seconds > 0 {
				text += " for " + quantity(e.Seconds, vitals.Seconds)
			}
		}
		when = append(when, text)
	}
	switch kind {
	case casefile.CPU:
		return fmt.Sprintf("One was taken %s, the other %s; the CPU seconds of each are divided by the seconds that "+
			"it ran.",
			when...)
	case casefile.Heap:
		return fmt.Sprintf("Live memory at two times, not divided by time: one was taken %s, the other %s. "+
			"A heap profile shows the state after the last finished collection.", when...)
	}
	return fmt.Sprintf("The state at two times, not divided by time: one was taken %s, the other %s.", when...)
}

// grown ranks the places that had more on the later side. A stack belongs to its innermost function of the user's, else
// to the function at its root: that goroutines park in the runtime, and bytes are allocated in a library, does not say
// what to change.
func (g *graph) grown(set *stacks.Set) []grownRow {
	type tally struct {
		v     [2]int64
		lines map[stacks.FrameID]int64
	}
	by := make(map[stacks.FuncID]*tally)
	var all [2]int64
	for i := range set.Samples {
		s := &set.Samples[i]
		if len(s.Stack) == 0 {
			continue
		}
		at, depth := set.Table.UserFrame(s.Stack)
		if depth < 0 {
			at = s.Stack[len(s.Stack)-1]
		}
		fn := set.Table.Frames[at].Func
		t := by[fn]
		if t == nil {
			t = &tally{lines: make(map[stacks.FrameID]int64)}
			by[fn] = t
		}
		for col := range t.v {
			v := max(s.Values[col], 0)
			t.v[col], all[col] = plus(t.v[col], v), plus(all[col], v)
			t.lines[at] = plus(t.lines[at], v)
		}
	}
	var rows []grownRow
	sum := 0.0
	unit := g.Types[0].Unit
	for fn, t := range by {
		before, after := g.value(colBefore, t.v[colBefore]), g.value(colAfter, t.v[colAfter])
		d := after - before
		if !(d > 0) {
			continue
		}
		sum += d
		f := set.Table.Funcs[fn]
		row := grownRow{change: d, Sure: d > 2*g.scatter(t.v, all)}
		row.Before, row.After, row.Change = quantity(before, unit), quantity(after, unit), signed(d, unit)
		row.place = place{Symbol: splitSymbol(f.Name),
			Frame: casefile.Frame{Function: f.Name, File: f.File, Line: heaviestLine(set.Table, t.lines)}}
		rows = append(rows, row)
	}
	slices.SortFunc(rows, func(a, b grownRow) int {
		return cmp.Or(btoi(b.Sure)-btoi(a.Sure), cmp.Compare(b.change, a.change), cmp.Compare(a.Function, b.Function))
	})
	rows = slices.DeleteFunc(rows, func(r grownRow) bool { return r.change < minGrown*sum })
	for i := range rows {
		rows[i].Share = percent(rows[i].change / math.Max(sum, math.SmallestNonzeroFloat64))
	}
	return rows[:min(len(rows), maxGrown)]
}

func heaviestLine(table *stacks.Table, lines map[stacks.FrameID]int64) int {
	best, most := stacks.NoFrame, int64(-1)
	for id, v := range lines {
		if v > most || v == most && id < best {
			best, most = id, v
		}
	}
	return int(table.Frames[best].Line)
}
