package report

import (
	"cmp"
	"slices"
	"strings"

	"github.com/gocasebook/casebook/app/sourceurl"
	"github.com/gocasebook/casebook/diagnose/stacks"
)

// flameData is what the flame graph is drawn from: one table of functions and the trees of all profiles as columns in
// preorder, which cost a fifth of nested objects.
type flameData struct {
	Files    []string    `json:"files"`
	Funcs    [][3]any    `json:"funcs"` // name, index in Files or −1, owner
	Graphs   []graphData `json:"graphs"`
	Marks    []mark      `json:"marks"`
	Findings []string    `json:"findings"`       // titles, by the findings' position
	Page     string      `json:"page,omitempty"` // where the findings are, if that is another page
	// Links are the addresses of the source by the position in Files: index in Folders, and what follows, with
	// sourceurl.LineMark for the line. A file without an address has −1. Both are absent when there are no links.
	Folders []string `json:"folders,omitempty"`
	Links   [][2]any `json:"links,omitempty"`
}

// graphData is one tree. Node 0 is the root and has no entry in Fn and Line.
type graphData struct {
	Title   string       `json:"title"`
	Types   []sampleType `json:"types"`
	Default int          `json:"default"`
	Up      []int32      `json:"up"`   // of node i+1: how many levels its parent is above node i; 0 is its first child
	Fn      []int32      `json:"fn"`   // of node i+1
	Line    []int32      `json:"line"` // of node i+1; negative where its code was inlined into its parent
	Self    [][]int64    `json:"self"` // [type][node]
	Cut     [][][2]int64 `json:"cut"`  // [type]: pairs of node and value left out below it
	Lines   *linesData   `json:"lines"`
	Diff    *diffData    `json:"diff,omitempty"`
}

// A mark is one place of a finding that a profile shows.
type mark struct {
	ID      string  `json:"id"`      // of the finding
	Finding int     `json:"finding"` // its position
	Fn      int32   `json:"fn"`
	Graph   int     `json:"graph"` // the profile to show it in
	Share   float64 `json:"share"`
}

// maxName bounds a name on the page, in bytes. Instantiated generic functions reach some hundreds.
const maxName = 2000

// An encoder numbers the functions that the drawn trees use, in the order of their appearance. Functions of one name
// are one function; a label's value is none of them, though it may have the name of one.
type encoder struct {
	table   *stacks.Table
	funcs   map[encodedFunc]int32
	files   map[string]int
	links   *sourceurl.Links // nil for none
	folders map[string]int
	out     flameData
}

type encodedFunc struct{ name, label string }

func newEncoder(table *stacks.Table) *encoder {
	return &encoder{table: table, funcs: make(map[encodedFunc]int32), files: make(map[string]int),
		folders: make(map[string]int)}
}

func (e *encoder) fn(id stacks.FuncID) int32 {
	f := &e.table.Funcs[id]
	key := encodedFunc{name: f.Name}
	if f.Owner == stacks.LabelValue {
		key.label = f.File
	}
	if n, ok := e.funcs[key]; ok {
		return n
	}
	n := int32(len(e.out.Funcs))
	e.out.Funcs = append(e.out.Funcs, [3]any{f.Name[:min(len(f.Name), maxName)], e.file(f), f.Owner})
	e.funcs[key] = n
	return n
}

// file is the position of a function's file; of a label's value, the file is its key.
func (e *encoder) file(f *stacks.Func) int {
	name := f.File[:min(len(f.File), maxName)]
	if name == "" {
		return -1
	}
	n, ok := e.files[name]
	if !ok {
		n = len(e.out.Files)
		e.out.Files = append(e.out.Files, name)
		e.files[name] = n
		if !e.links.None() {
			e.out.Links = append(e.out.Links, e.address(f))
		}
	}
	return n
}

// address splits the address of a file behind its folder, which many files share.
func (e *encoder) address(f *stacks.Func) [2]any {
	address := ""
	if f.Owner != stacks.LabelValue {
		address = e.links.File(f.Name, f.File)
	}
	if address == "" {
		return [2]any{-1, ""}
	}
	head, _, _ := strings.Cut(address, "#")
	cut := strings.LastIndexByte(head, '/') + 1
	n, ok := e.folders[address[:cut]]
	if !ok {
		n = len(e.out.Folders)
		e.out.Folders = append(e.out.Folders, address[:cut])
		e.folders[address[:cut]] = n
	}
	return [2]any{n, address[cut:]}
}

// add encodes one tree. Siblings are sorted by falling value of the default type, so that they keep their places when
// the reader changes the type.
func (e *encoder) add(g *graph) {
	t := g.tree
	order, depth := t.preorder(g.Default, e.table)
	d := graphData{Title: g.Title, Default: g.Default}
	if g.Diff != nil {
		diff := *g.Diff
		d.Diff = &diff
	}
	for i, at := range order[1:] {
		d.Up = append(d.Up, depth[i]+1-depth[i+1])
		d.Fn = append(d.Fn, e.fn(t.nodes[at].fn))
		d.Line = append(d.Line, t.nodes[at].line)
	}
	var units []int64
	for k, st := range g.Types {
		unit := divisor(t.self[k], t.cut[k], g.lineColumn(k))
		units = append(units, unit)
		st.Scale *= float64(unit)
		if d.Diff != nil {
			d.Diff.Sample[k] /= float64(unit)
		}
		d.Types = append(d.Types, st)
		self := make([]int64, len(order))
		cut := [][2]int64{}
		for i, at := range order {
			self[i] = t.self[k][at] / unit
			if c := t.cut[k][at]; c > 0 {
				cut = append(cut, [2]int64{int64(i), c / unit})
			}
		}
		d.Self, d.Cut = append(d.Self, self), append(d.Cut, cut)
	}
	d.Lines = e.lines(g, units)
	e.out.Graphs = append(e.out.Graphs, d)
}

// preorder lists the nodes with each parent before its children, heaviest child first, and their depths.
func (t *tree) preorder(k int, table *stacks.Table) (order, depth []int32) {
	sums := t.totals(k)
	f := t.family()
	for i := range t.nodes {
		// The lightest sibling first: the walk turns the order around.
		slices.SortFunc(f.children(int32(i)), func(a, b int32) int {
			if c := cmp.Compare(sums[a], sums[b]); c != 0 {
				return c
			}
			return cmp.Compare(table.Funcs[t.nodes[b].fn].Name, table.Funcs[t.nodes[a].fn].Name)
		})
	}
	return f.walk()
}

// A family has the children of all nodes: those of node i are list[start[i]:start[i+1]].
type family struct{ start, list []int32 }

func (t *tree) family() family {
	f := family{make([]int32, len(t.nodes)+1), make([]int32, len(t.nodes)-1)}
	for _, n := range t.nodes[1:] {
		f.start[n.parent+1]++
	}
	for i := range t.nodes {
		f.start[i+1] += f.start[i]
	}
	at := slices.Clone(f.start)
	for i, n := range t.nodes[1:] {
		f.list[at[n.parent]] = int32(i + 1)
		at[n.parent]++
	}
	return f
}

func (f family) children(node int32) []int32 { return f.list[f.start[node]:f.start[node+1]] }

// walk lists each node before what is below it, a node's last child first, and their depths.
func (f family) walk() (order, depth []int32) {
	type entry struct{ node, depth int32 }
	stack := []entry{{0, 0}}
	order, depth = make([]int32, 0, len(f.start)), make([]int32, 0, len(f.start))
	for len(stack) > 0 {
		top := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		order, depth = append(order, top.node), append(depth, top.depth)
		for _, child := range f.children(top.node) {
			stack = append(stack, entry{child, top.depth + 1})
		}
	}
	return order, depth
}

// divisor returns the greatest common divisor of the columns: 10,000,000 for a CPU profile, whose values are ticks of
// 10 ms. Dividing by it shortens the page and loses nothing.
func divisor(columns ...[]int64) int64 {
	var d int64
	for _, c := range columns {
		for _, v := range c {
			for v != 0 {
				d, v = v, d%v
			}
			if d == 1 {
				return 1
			}
		}
	}
	return max(d, 1)
}
