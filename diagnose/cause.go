package diagnose

import (
	"cmp"
	"slices"

	"github.com/gocasebook/casebook/casefile"
)

// Findings name their causes (Explains, Joins). Here these edges become chains: from a root, which nothing explains, to
// what is noticed. Each link says why it follows. What the vitals show of the last finding goes on at its end.

// A causeGraph is findings and the edges between them, by their places in the list. A kind may be found twice with one
// ID; an edge then leads to the first of them.
type causeGraph struct {
	t  relations
	fs []casefile.Finding
	to [][]int // the symptoms of each finding
	by [][]int // the causes of each finding
}

func (t relations) graph(fs []casefile.Finding) *causeGraph {
	g := &causeGraph{t: t, fs: fs, to: make([][]int, len(fs)), by: make([][]int, len(fs))}
	for symptom := range fs {
		for _, id := range fs[symptom].CausedBy {
			cause := slices.IndexFunc(fs, func(f casefile.Finding) bool { return f.ID == id })
			if cause < 0 || cause == symptom || g.leads(symptom, cause) {
				continue
			}
			g.to[cause] = append(g.to[cause], symptom)
			g.by[symptom] = append(g.by[symptom], cause)
		}
	}
	return g
}

// leads reports whether a finding explains another one, over others or not. So no edge closes a circle.
func (g *causeGraph) leads(from, to int) bool {
	return from == to || slices.ContainsFunc(g.to[from], func(next int) bool { return g.leads(next, to) })
}

// chains are the ways through the graph: from each root the longest, then one that ends at each finding that is not on
// any yet.
func (g *causeGraph) chains() [][]int {
	var out [][]int
	seen := make([]bool, len(g.fs))
	keep := func(path []int) {
		for _, i := range path {
			seen[i] = true
		}
		out = append(out, path)
	}
	for i := range g.fs {
		if len(g.by[i]) == 0 {
			keep(g.longest(i, g.to))
		}
	}
	for i := range g.fs {
		if !seen[i] {
			path := g.longest(i, g.by)
			slices.Reverse(path)
			keep(path)
		}
	}
	return out
}

// longest is the longest way from a finding along edges; of two, the one whose next finding has the higher score.
func (g *causeGraph) longest(from int, edges [][]int) []int {
	var best []int
	for _, next := range edges[from] {
		path := g.longest(next, edges)
		if c := cmp.Compare(len(path), len(best)); c > 0 || c == 0 && g.fs[path[0]].Score > g.fs[best[0]].Score {
			best = path
		}
	}
	return append([]int{from}, best...)
}

// cause writes a chain, with the signals that the evidence shows at its end.
func (g *causeGraph) cause(r *Reading, path []int) casefile.Cause {
	var c casefile.Cause
	for k, i := range path {
		f := g.fs[i]
		l := casefile.Link{ID: f.ID, Kind: f.Kind, Text: f.Title}
		if k > 0 {
			l.Why = g.t.why(g.fs[path[k-1]], f)
		}
		c.Links = append(c.Links, l)
	}
	c.Links = append(c.Links, movedSignals(r, g.t, g.onPath(path))...)
	return c
}

func (g *causeGraph) onPath(path []int) []casefile.Finding {
	out := make([]casefile.Finding, 0, len(path))
	for _, i := range path {
		out = append(out, g.fs[i])
	}
	return out
}

// why is the reason why a symptom follows from a cause, with what the cause costs.
func (t relations) why(cause, symptom casefile.Finding) string {
	why := t.kind(symptom.Kind).Follows
	if e := to(symptom.Kind, t.kind(cause.Kind).Explains); e != nil && e.Why != "" {
		why = e.Why
	}
	if why == "" || cause.Impact.Text == "" {
		return cmp.Or(why, cause.Impact.Text)
	}
	return why + " (" + cause.Impact.Text + ")"
}
