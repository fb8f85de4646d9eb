package pasted

import (
	"cmp"
	"regexp"
	"slices"
)

// The text of -tree and -peek has a block for each function: its callers, itself behind a bar, and what it calls.
//
//	----------------------------------------------------------+-------------
//	      flat  flat%   sum%        cum   cum%   calls calls% + context
//	----------------------------------------------------------+-------------
//	                                             3.21s   100% |   main.handle
//	     0.02s  0.47%  0.47%      3.21s 74.65%                | shop/price.Match
//	                                             3.04s 94.70% |   regexp.MustCompile
//
// That is a graph in which the same amount comes into a function as leaves it or stays in it. A graph like that is a
// sum of paths, and one such sum is the stacks that are made of it: they have the text's numbers for every function and
// every call. Which caller's work goes to which callee is not in the text, so of stacks of three and more functions
// only each pair is certain.
var (
	callsHead = regexp.MustCompile(`^ +flat +flat% +sum% +cum +cum% +calls +calls%`)
	callsRule = regexp.MustCompile(`^-{20,}\+-+$`)
	callsNode = regexp.MustCompile(`^ *([\d.]+)([a-zA-Z]*) +[\d.]+% +[\d.]+% +([\d.]+)([a-zA-Z]*) +[\d.]+% +\| (\S.*)$`)
	callsEdge = regexp.MustCompile(`^ +([\d.]+)([a-zA-Z]*) +[\d.]+% \|   (\S.*)$`)
)

// maxPaths bounds the stacks that are made of a graph: the largest come first.
const maxPaths = 10_000

// A callGraph is read from such a text.
type callGraph struct {
	index   map[place]int
	nodes   []callNode
	callers []call // of the block that is read, before its function
	self    int    // the block's function; its callees follow
	inBlock bool   // self is known
}

type callNode struct {
	at          place
	flat, cum   int64
	shown       bool // has a block: flat and cum are known
	out         []call
	into, leave int64 // sums of calls
}

// A call is what a caller passes to what it calls.
type call struct {
	to int
	n  int64
}

// line takes a line within the text.
func (g *callGraph) line(t *pprofText, text string) bool {
	if callsRule.MatchString(text) {
		g.callers, g.inBlock = nil, false
		return true
	}
	if m := callsNode.FindStringSubmatch(text); m != nil {
		g.self, g.inBlock = g.node(placeOf(m[5])), true
		n := &g.nodes[g.self]
		n.flat, n.cum, n.shown = t.amount(m[1], m[2]), t.amount(m[3], m[4]), true
		for _, c := range g.callers {
			g.calls(c.to, g.self, c.n)
		}
		return true
	}
	m := callsEdge.FindStringSubmatch(text)
	if m == nil || len(g.nodes) >= maxRows {
		t.in = 0
		return false
	}
	other, n := g.node(placeOf(m[3])), t.amount(m[1], m[2])
	if g.inBlock {
		g.calls(g.self, other, n)
	} else {
		g.callers = append(g.callers, call{other, n})
	}
	return true
}

func (g *callGraph) node(at place) int {
	if g.index == nil {
		g.index = make(map[place]int)
	}
	i, ok := g.index[at]
	if !ok {
		i = len(g.nodes)
		g.index[at], g.nodes = i, append(g.nodes, callNode{at: at})
	}
	return i
}

// calls notes a call, which the blocks of both functions have. One of a function to itself says nothing about others.
func (g *callGraph) calls(from, to int, n int64) {
	f := &g.nodes[from]
	known := slices.ContainsFunc(f.out, func(c call) bool { return c.to == to })
	if known || from == to || n <= 0 || len(f.out) >= maxPaths/len(g.nodes)+100 {
		return
	}
	f.out = append(f.out, call{to, n})
	f.leave += n
	g.nodes[to].into += n
}

// stacks takes the graph apart into stacks, the leaf first.
func (g *callGraph) stacks() (rows []row) {
	order := make([]int, len(g.nodes)) // by what begins in them: the outermost functions first
	for i := range g.nodes {
		n := &g.nodes[i]
		order[i] = i
		if !n.shown {
			n.cum = max(n.into, n.leave)
			n.flat = max(n.into-n.leave, 0)
		}
	}
	begins := func(i int) int64 { return g.nodes[i].cum - g.nodes[i].into }
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(begins(b), begins(a)) })
	on := make([]bool, len(g.nodes))
	for _, i := range order {
		for left := begins(i); left > 0 && len(rows) < maxPaths; {
			r, ok := g.path(i, left, on)
			if !ok {
				break
			}
			rows = append(rows, r)
			left -= r.value
		}
	}
	return rows
}

// path takes one path out of the graph: from a function along its largest calls to where the amount stays. on is all
// false, and is so afterwards.
func (g *callGraph) path(from int, most int64, on []bool) (row, bool) {
	type step struct{ node, call int }
	var steps []step
	at, v := from, most
	for {
		n, best := &g.nodes[at], -1
		on[at] = true
		for k, c := range n.out {
			if !on[c.to] && c.n > 0 && (best < 0 || c.n > n.out[best].n) {
				best = k
			}
		}
		stays := best < 0 || n.flat >= n.out[best].n || len(steps) >= maxDepth
		steps = append(steps, step{at, best})
		if stays {
			v = min(v, n.flat)
			break
		}
		v = min(v, n.out[best].n)
		at = n.out[best].to
	}
	r := row{value: v}
	for k, s := range slices.Backward(steps) {
		on[s.node] = false
		n := &g.nodes[s.node]
		r.stack = append(r.stack, n.at)
		if last := k == len(steps)-1; last {
			n.flat -= v
		} else {
			n.out[s.call].n -= max(v, 1)
		}
	}
	return r, v > 0
}
