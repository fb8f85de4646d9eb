package report

import (
	"math"
	"slices"

	"github.com/gocasebook/casebook/diagnose/stacks"
)

// Bounds on building a tree. What lies beyond them is counted at the frame above, as left out, never lost.
const (
	maxDepth = 1024       // frames of a stack
	maxBuild = 1_000_000  // nodes, before pruning
	maxSteps = 50_000_000 // frames visited: some seconds of CPU, far above any profile of a live service
)

// A tree is a profile folded by function from the root down. Its values are columns, one a sample type, in units of the
// profile.
type tree struct {
	nodes []node    // nodes[0] is the root; a parent comes before its children
	self  [][]int64 // [type][node]: in the function itself
	cut   [][]int64 // [type][node]: below it, left out
}

// A node is one function called by one stack.
type node struct {
	fn     stacks.FuncID // −1 at the root
	parent int32         // −1 at the root
	line   int32         // the line that most of the node's value is at
}

// A childKey finds a node below its parent.
type childKey struct {
	parent int32
	fn     stacks.FuncID
}

// A lineKey tallies the lines of one node.
type lineKey struct{ node, line int32 }

// A nodeBuild is what a builder knows of a node beyond the tree. Most nodes have few children and one line, which need
// no look-up in a map: that was half of the time of a page.
type nodeBuild struct {
	first, next int32 // child and sibling; 0 is the root, and so none
	children    int32
	weight      int64 // of the node's first line; of further lines the builder's map has it
}

// fewChildren is how many children of a node are tried one after the other; further ones are in a map, because hostile
// evidence can have a million.
const fewChildren = 8

// A builder folds samples into a tree.
type builder struct {
	tree     tree
	table    *stacks.Table
	built    []nodeBuild // parallel to tree.nodes
	children map[childKey]int32
	lines    map[lineKey]int64
	weigh    int // the sample type that weighs lines
	steps    int
	negative bool // values below zero were seen, and counted as zero
}

// buildTree folds a set. weigh is the index of the sample type that decides which line of a function is shown.
func buildTree(set *stacks.Set, weigh int) (t *tree, negative bool) {
	b := &builder{
		table:    set.Table,
		children: make(map[childKey]int32),
		lines:    make(map[lineKey]int64),
		weigh:    weigh,
	}
	b.tree.self = make([][]int64, len(set.Types))
	b.tree.cut = make([][]int64, len(set.Types))
	b.addNode(node{fn: -1, parent: -1})
	for i := range set.Samples {
		b.addSample(&set.Samples[i])
	}
	b.settleLines()
	return &b.tree, b.negative
}

func (b *builder) addNode(n node) int32 {
	b.tree.nodes, b.built = append(b.tree.nodes, n), append(b.built, nodeBuild{})
	for k := range b.tree.self {
		b.tree.self[k] = append(b.tree.self[k], 0)
		b.tree.cut[k] = append(b.tree.cut[k], 0)
	}
	return int32(len(b.tree.nodes) - 1)
}

// addSample walks a stack from the root to the leaf. Inlined calls are frames like any other.
func (b *builder) addSample(s *stacks.Sample) {
	at, whole := int32(0), len(s.Stack) <= maxDepth
	for _, id := range slices.Backward(s.Stack[max(len(s.Stack)-maxDepth, 0):]) {
		frame := b.table.Frames[id]
		next, ok := b.step(at, frame.Func)
		if !ok {
			whole = false
			break
		}
		at = next
		b.tally(at, frame.Line, max(s.Values[b.weigh], 1))
	}
	for k := range b.tree.self {
		b.credit(at, k, s.Values[k], whole)
	}
}

func (b *builder) credit(at int32, k int, v int64, whole bool) {
	if v < 0 {
		b.negative = true
		return
	}
	if whole {
		b.tree.self[k][at] = plus(b.tree.self[k][at], v)
	} else {
		b.tree.cut[k][at] = plus(b.tree.cut[k][at], v)
	}
}

// step goes from a node to its child. It fails when a bound is reached.
func (b *builder) step(at int32, fn stacks.FuncID) (int32, bool) {
	if b.steps++; b.steps > maxSteps {
		return at, false
	}
	for c := b.built[at].first; c > 0; c = b.built[c].next {
		if b.tree.nodes[c].fn == fn {
			return c, true
		}
	}
	few := b.built[at].children < fewChildren
	if !few {
		if next, ok := b.children[childKey{at, fn}]; ok {
			return next, true
		}
	}
	if len(b.tree.nodes) >= maxBuild {
		return at, false
	}
	next := b.addNode(node{fn: fn, parent: at})
	b.built[at].children++
	if few {
		b.built[next].next, b.built[at].first = b.built[at].first, next
	} else {
		b.children[childKey{at, fn}] = next
	}
	return next, true
}

// tally counts a line of a node. The first that comes stands in the node itself.
func (b *builder) tally(at, line int32, weight int64) {
	n, of := &b.tree.nodes[at], &b.built[at]
	switch {
	case of.weight == 0 || n.line == line:
		n.line, of.weight = line, plus(of.weight, weight)
	default:
		key := lineKey{at, line}
		b.lines[key] = plus(b.lines[key], weight)
	}
}

// settleLines gives every node its heaviest line; if several are equal, the first in the file.
func (b *builder) settleLines() {
	best := make([]int64, len(b.tree.nodes))
	for i := range best {
		best[i] = b.built[i].weight
	}
	for key, v := range b.lines {
		n := &b.tree.nodes[key.node]
		if v > best[key.node] || v == best[key.node] && key.line < n.line {
			best[key.node], n.line = v, key.line
		}
	}
}

// totals sums a column over the tree: what each node and everything below it hold. Sums saturate.
func (t *tree) totals(k int) []int64 {
	sum := make([]int64, len(t.nodes))
	for i := len(t.nodes) - 1; i >= 0; i-- {
		sum[i] = plus(sum[i], plus(t.self[k][i], t.cut[k][i]))
		if i > 0 {
			p := t.nodes[i].parent
			sum[p] = plus(sum[p], sum[i])
		}
	}
	return sum
}

// plus adds two values ≥ 0 and stays at the largest integer rather than wrap around.
func plus(a, b int64) int64 {
	if a > math.MaxInt64-b {
		return math.MaxInt64
	}
	return a + b
}
