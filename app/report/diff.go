package report

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose/stacks"
	"github.com/gocasebook/casebook/internal/number"
	"github.com/gocasebook/casebook/vitals"
)

// The columns of a difference: a graph like any other, with one sample type for each side.
const (
	colAfter = iota
	colBefore
)

// A diffData is what the flame graph needs in addition to its columns to colour the changes.
type diffData struct {
	// Sample is what one sample of the profiler is, in the integers of each column; 0 if the values are not counts of
	// samples. The counts of a sampling profiler scatter by their root.
	Sample [2]float64 `json:"sample"`
	Noise  float64    `json:"noise"` // share of the whole before, below which a change is none
}

// A movedRow is a function whose own cost changed.
type movedRow struct {
	Function             stacks.Func
	Before, After        string
	Change, Share        string // in the unit; of the whole before
	TotalBefore, TotalOf string // with what it calls
	Sure                 bool   // more than sampling error and noise
	change               float64
}

// maxMoved is how many functions the table of a difference lists.
const maxMoved = 20

// maxUnsure is how many of them may be within sampling error and noise.
const maxUnsure = 5

// newDiffs makes a graph of each pair. Pairs that cannot be read carry the reason.
func newDiffs(pairs []ProfilePair, nodes int, table *stacks.Table) []*graph {
	graphs := make([]*graph, len(pairs))
	sizes := make([]int, len(pairs))
	for i := range pairs {
		graphs[i] = newDiff(&pairs[i], table)
		if t := graphs[i].tree; t != nil {
			sizes[i] = len(t.nodes)
		}
	}
	for i, limit := range allot(sizes, nodes) {
		graphs[i].prune(limit, table)
	}
	return graphs
}

// sideNames returns what the columns are called.
func (p *ProfilePair) sideNames() [2]string {
	if p.Labels == [2]string{} {
		return [2]string{colAfter: "after", colBefore: "before"}
	}
	return [2]string{colAfter: p.Labels[1], colBefore: p.Labels[0]}
}

func newDiff(p *ProfilePair, table *stacks.Table) *graph {
	g := &graph{Profile: Profile{File: p.Name, Kind: p.Kind}, Title: p.Name, Notes: slices.Clone(p.Notes)}
	names := p.sideNames()
	var sets [2]*stacks.Set
	var index [2]int
	for col, data := range [2][]byte{colAfter: p.After, colBefore: p.Before} {
		side := names[col]
		one := newGraph(Profile{File: p.Name + ", " + side, Kind: p.Kind, Data: data, labels: p.frames},
			table)
		if one.Problem != "" {
			g.Problem = "the profile of the side " + side + ": " + one.Problem
			return g
		}
		set, err := table.Read(stacks.Source{Name: p.Name, Kind: p.Kind, Labels: p.frames}, data)
		if err != nil { // it was read once already
			g.Problem = err.Error()
			return g
		}
		sets[col], index[col] = set, one.Default
		for _, n := range one.Notes {
			g.Notes = append(g.Notes, "The side "+side+": "+n)
		}
	}
	if sets[0].Types[index[0]] != sets[1].Types[index[1]] {
		g.Problem = "the two sides measure different things: " + sets[0].Types[index[0]].Type + " and " +
			sets[1].Types[index[1]].Type
		return g
	}
	g.setColumns(p, joined(sets, index), sets)
	return g
}

// joined returns one set whose samples have a value in the column of their side.
func joined(sets [2]*stacks.Set, index [2]int) *stacks.Set {
	out := &stacks.Set{Table: sets[0].Table, Types: []stacks.ValueType{sets[0].Types[index[0]],
		sets[1].Types[index[1]]}}
	for col, set := range sets {
		for i := range set.Samples {
			values := make([]int64, len(sets))
			values[col] = set.Samples[i].Values[index[col]]
			out.Samples = append(out.Samples, stacks.Sample{Stack: set.Samples[i].Stack, Values: values})
		}
	}
	return out
}

var errEmptySide = errors.New("one side has no samples of this kind")

// setColumns builds the tree and says what the columns are in.
func (g *graph) setColumns(p *ProfilePair, set *stacks.Set, sets [2]*stacks.Set) {
	sums, negative := g.grow(set, colAfter)
	totals := [2]int64{g.tree.totals(colAfter)[0], g.tree.totals(colBefore)[0]}
	if totals[0] == 0 || totals[1] == 0 {
		g.Problem = errEmptySide.Error()
		return
	}
	if negative {
		g.Notes = append(g.Notes, "Values below zero are counted as zero.")
	}
	levels := [2]float64{colAfter: p.LevelAfter, colBefore: p.LevelBefore}
	unit := p.Unit
	switch known := levels[0] > 0 && levels[1] > 0; {
	case known:
	case rated(sets):
		for col := range levels {
			levels[col] = float64(totals[col]) / 1e9 / sets[col].Seconds
		}
		unit = vitals.Cores
	case set.Types[colAfter].Unit == "count" && sets[colAfter].Seconds == 0 && sets[colBefore].Seconds == 0:
		levels, unit = [2]float64{float64(totals[0]), float64(totals[1])}, vitals.Count
	case set.Types[colAfter].Unit == "bytes":
		levels, unit = [2]float64{float64(totals[0]), float64(totals[1])}, vitals.Bytes
	default:
		levels, unit = [2]float64{1, 1}, vitals.Share
		g.Notes = append(g.Notes, "The total behind each profile is unknown, so the sides are compared by their "+
			"shares.")
	}
	g.Diff = &diffData{Noise: clamp(p.Noise)}
	for col, name := range p.sideNames() {
		g.Types = append(g.Types, sampleType{Name: name, Unit: unit, Scale: levels[col] / float64(totals[col])})
		if set.Types[col].Unit == "nanoseconds" && set.Types[col].Type == "cpu" {
			g.Diff.Sample[col] = float64(max(sets[col].Period, 0))
		}
	}
	if p.places {
		g.Grown = g.grown(set)
		return
	}
	g.Moved = moved(g, sums, set.Table)
	if n := len(g.Moved); n > 0 && !slices.ContainsFunc(g.Moved, func(r movedRow) bool { return r.Sure }) {
		g.Notes = append(g.Notes, "No function changed by more than sampling error and noise.")
	}
}

// rated reports whether both sides are CPU profiles that say how long they took: then their level is known, in cores.
func rated(sets [2]*stacks.Set) bool {
	for _, s := range sets {
		if s.Kind != casefile.CPU || !(s.Seconds > 0) {
			return false
		}
	}
	return true
}

// moved ranks functions by how much their own cost changed.
func moved(g *graph, sums *costs, table *stacks.Table) []movedRow {
	all := [2]int64{colAfter: g.tree.totals(colAfter)[0], colBefore: g.tree.totals(colBefore)[0]}
	whole := g.value(colBefore, all[colBefore])
	var rows []movedRow
	of := func(columns [][]int64, fn int) [2]int64 { return [2]int64{columns[0][fn], columns[1][fn]} }
	for fn := range table.Funcs[:len(sums.funcSelf[0])] {
		self, total := of(sums.funcSelf, fn), of(sums.funcTotal, fn)
		before, after := g.value(colBefore, self[colBefore]), g.value(colAfter, self[colAfter])
		d := after - before
		if d == 0 {
			continue
		}
		unit := g.Types[0].Unit
		rows = append(rows, movedRow{
			Function: table.Funcs[fn], change: d, Sure: math.Abs(d) > max(2*g.scatter(self, all), g.Diff.Noise*whole),
			Before: quantity(before, unit), After: quantity(after, unit),
			Change: signed(d, unit), Share: signed(d/whole, vitals.Share),
			TotalBefore: quantity(g.value(colBefore, total[colBefore]), unit),
			TotalOf:     quantity(g.value(colAfter, total[colAfter]), unit),
		})
	}
	slices.SortFunc(rows, func(a, b movedRow) int {
		return cmp.Or(btoi(b.Sure)-btoi(a.Sure), cmp.Compare(math.Abs(b.change), math.Abs(a.change)),
			cmp.Compare(a.Function.Name, b.Function.Name))
	})
	sure := 0
	for sure < len(rows) && rows[sure].Sure {
		sure++
	}
	return rows[:min(len(rows), maxMoved, sure+maxUnsure)]
}

// value returns a column's integer in the unit of the page.
func (g *graph) value(col int, v int64) float64 { return float64(v) * g.Types[col].Scale }

// scatter returns the standard error of the difference of two sides; 0 if the values are not counts of samples. n of N
// samples are a binomial variable, since the level of the whole is not the profile's: their variance is n·(1−n/N).
func (g *graph) scatter(v, totals [2]int64) float64 {
	var variance float64
	for col, per := range g.Diff.Sample {
		if per > 0 {
			one := per * g.Types[col].Scale
			variance += float64(v[col]) / per * (1 - float64(v[col])/float64(totals[col])) * one * one
		}
	}
	return math.Sqrt(max(variance, 0))
}

func signed(v float64, u vitals.Unit) string { return unbroken(number.Signed(u.Format, v)) }

// diffSummary says of a difference what the whole did.
func (g *graph) diffSummary() string {
	before, after := g.value(colBefore, g.tree.totals(colBefore)[0]), g.value(colAfter, g.tree.totals(colAfter)[0])
	return fmt.Sprintf("%s %s, %s %s (%s)", quantity(before, g.Types[0].Unit), g.Types[colBefore].Name,
		quantity(after, g.Types[0].Unit),
		g.Types[colAfter].Name, change(before, after))
}
