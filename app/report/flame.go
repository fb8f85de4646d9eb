package report

import (
	"errors"
	"fmt"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose/stacks"
	"github.com/gocasebook/casebook/vitals"
)

// A graph is one profile ready for the page.
type graph struct {
	Profile
	Title   string
	Problem string // why it cannot be drawn; the rest is empty then
	Notes   []string
	Types   []sampleType
	Default int // index in Types
	Top     []topRow
	Diff    *diffData  // of a difference of two profiles
	Moved   []movedRow // of a difference: the functions that changed most
	Grown   []grownRow // of a difference within a case: the places that grew
	Labels  []stacks.Label
	lines   []lineRow
	tree    *tree
	below   float64                  // the share of the heaviest frame that the tree does not have; 0 if it has all
	names   map[string]stacks.FuncID // the functions drawn: where a finding's place is looked up
}

// A sampleType is one column of a profile in a unit of the page.
type sampleType struct {
	Name  string      `json:"name"`
	Unit  vitals.Unit `json:"unit"`
	Scale float64     `json:"scale"` // the column's integers times this are in Unit
}

// pprofUnits maps pprof's units to those of package vitals and the factor between them.
var pprofUnits = map[string]sampleType{
	"nanoseconds":  {Unit: vitals.Seconds, Scale: 1e-9},
	"microseconds": {Unit: vitals.Seconds, Scale: 1e-6},
	"milliseconds": {Unit: vitals.Seconds, Scale: 1e-3},
	"seconds":      {Unit: vitals.Seconds, Scale: 1},
	"bytes":        {Unit: vitals.Bytes, Scale: 1},
	"kilobytes":    {Unit: vitals.Bytes, Scale: 1 << 10},
	"count":        {Unit: vitals.Count, Scale: 1},
}

// newGraphs reads all profiles and prunes their trees to what a page may carry.
func newGraphs(profiles []Profile, table *stacks.Table) []*graph {
	graphs := make([]*graph, len(profiles))
	sizes := make([]int, len(profiles))
	for i, p := range profiles {
		graphs[i] = newGraph(p, table)
		if t := graphs[i].tree; t != nil {
			sizes[i] = len(t.nodes)
		}
	}
	for i, limit := range allot(sizes, maxPageNodes) {
		graphs[i].prune(limit, table)
	}
	title(graphs)
	return graphs
}

func newGraph(in Profile, table *stacks.Table) *graph {
	g := &graph{Profile: in}
	g.Data = nil
	set, err := table.Read(stacks.Source{Name: in.File, Kind: in.Kind, Labels: in.labels}, in.Data)
	var p *stacks.Problem
	switch {
	case errors.As(err, &p):
		g.Problem = p.Reason + "; " + p.Next
		return g
	case err != nil:
		g.Problem = err.Error()
		return g
	case len(set.Samples) == 0 || len(set.Types) == 0:
		g.Problem = "it holds no samples: nothing happened, or this profiler is switched off in the target"
		return g
	}
	g.Labels = set.Labels
	g.setTypes(set)
	g.note(set)
	sums, negative := g.grow(set, g.Default)
	if negative {
		g.Notes = append(g.Notes, "Values below zero, as in the difference of two profiles, are counted as zero.")
	}
	g.Top = topFunctions(sums, g.Default, g.Types[g.Default], g.tree.totals(g.Default)[0], table)
	return g
}

// grow folds a set into a tree of as many nodes as a page may have, and adds up functions and lines.
func (g *graph) grow(set *stacks.Set, weigh int) (sums *costs, negative bool) {
	g.tree, g.below, negative = grow(set, weigh, maxPageNodes)
	sums = costsOf(set)
	g.lines = lineTable(set, sums)
	return sums, negative
}

// note says what of the file is not drawn.
func (g *graph) note(set *stacks.Set) {
	if set.Cut != "" {
		g.Notes = append(g.Notes, "Only partly read: "+set.Cut+".")
	}
	if g.Default < len(set.Observed) && set.Observed[g.Default] > 0 {
		st := g.Types[g.Default]
		g.Notes = append(g.Notes, "Left out: "+quantity(float64(set.Observed[g.Default])*st.Scale, st.Unit)+
			" that the capture itself cost.")
	}
}

// defaults are the sample types that people look at first.
var defaults = map[string]stacks.ValueType{
	casefile.CPU:    {Type: "cpu", Unit: "nanoseconds"},
	casefile.Heap:   {Type: "inuse_space", Unit: "bytes"},
	casefile.Allocs: {Type: "alloc_space", Unit: "bytes"},
	casefile.Mutex:  {Type: "delay", Unit: "nanoseconds"},
	casefile.Block:  {Type: "delay", Unit: "nanoseconds"},
}

// setTypes takes over the sample types. Where the kind has no usual one, the last is the default, as in go tool pprof.
func (g *graph) setTypes(set *stacks.Set) {
	for _, vt := range set.Types {
		st, ok := pprofUnits[vt.Unit]
		if !ok {
			st = sampleType{Unit: vitals.Unit(vt.Unit), Scale: 1}
		}
		st.Name = vt.Type
		g.Types = append(g.Types, st)
	}
	want := defaults[set.Kind]
	if g.Default = set.Value(want.Type, want.Unit); g.Default < 0 {
		g.Default = len(set.Types) - 1
	}
}

// prune limits the tree's nodes and says what that left out.
func (g *graph) prune(limit int, table *stacks.Table) {
	if g.tree == nil {
		return
	}
	t, below := prune(g.tree, limit)
	if below = max(below, g.below); below > 0 {
		g.Notes = append(g.Notes, fmt.Sprintf("Frames with %s of the profile or less are not drawn; their values are in "+
			"the frames above them.", percent(below)))
	}
	g.tree = t
	g.names = make(map[string]stacks.FuncID)
	for _, n := range t.nodes[1:] {
		if f := &table.Funcs[n.fn]; f.Owner != stacks.LabelValue {
			g.names[f.Name] = n.fn
		}
	}
}

// title names the tabs: kind and phase, and the file where those are not enough.
func title(graphs []*graph) {
	seen := make(map[string]int)
	name := func(g *graph) string {
		if g.Phase == "" {
			return g.Kind
		}
		return g.Kind + " · " + g.Phase
	}
	for _, g := range graphs {
		seen[name(g)]++
	}
	for _, g := range graphs {
		if g.Title = name(g); seen[g.Title] > 1 || g.Title == "" {
			g.Title = g.File
		}
	}
}
