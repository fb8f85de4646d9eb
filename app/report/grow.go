package report

import (
	"github.com/gocasebook/casebook/diagnose/stacks"
)

// A grower folds samples into a tree by adding the heaviest node that there is, until the tree has as many as are
// wanted. A profile may have a million nodes, of which a page draws 60,000: what is below those is never walked. A
// child never outweighs its parent, so the nodes are those that pruning the whole tree would keep.
type grower struct {
	set      *stacks.Set
	weigh    int // the sample type that weighs lines
	tree     tree
	weights  []float64          // by node
	stacks   [][]stacks.FrameID // those of a node stand together, and so do their values: most steps are in the cache
	values   []int64            // [stack*types+type], none below zero
	whole    []int64            // by type
	buds     []bud              // a heap, the heaviest first
	sums     []int64            // [bud*types+type]
	steps    int
	negative bool // values below zero were seen, and counted as zero

	// What a step needs, kept for the next.
	sortedStacks [][]stacks.FrameID
	sortedValues []int64
	slots        []int32 // by position among the stacks: the child
	kids         []kid
	slotOf       []int32 // by function: its child and 1; 0 for none
	frames       []stacks.FrameID
	lineWeight   []int64 // by frame
}

// A bud is a node that is not in the tree yet, and its samples: stacks[from:to], which have depth frames in common.
type bud struct {
	node
	weight   float64 // its largest share of any sample type
	from, to int32
	depth    int32
	sums     int32 // where its values are
}

// A kid is a child of the node that is being split.
type kid struct {
	fn     stacks.FuncID
	line   int32
	weight int64 // of the line
	number int32 // of samples
	next   int32 // where the next sample goes
	sums   int32
}

// grow folds a set into at most so many nodes. No node that is left out has a larger share than below of any sample
// type; their values are in the nodes above. weigh is the sample type that decides which line of a function is shown.
func grow(set *stacks.Set, weigh, limit int) (t *tree, below float64, negative bool) {
	n, types := len(set.Samples), len(set.Types)
	g := &grower{set: set, weigh: weigh, stacks: make([][]stacks.FrameID, n), values: make([]int64, n*types),
		sortedStacks: make([][]stacks.FrameID, n), sortedValues: make([]int64, n*types),
		whole: make([]int64, types), slots: make([]int32, n),
		slotOf: make([]int32, len(set.Table.Funcs)), lineWeight: make([]int64, len(set.Table.Frames))}
	g.tree.self, g.tree.cut = make([][]int64, types), make([][]int64, types)
	for i := range n {
		g.stacks[i] = set.Samples[i].Stack
		for k, v := range set.Samples[i].Values[:types] {
			g.negative = g.negative || v < 0
			v = max(v, 0)
			g.values[i*types+k], g.whole[k] = v, plus(g.whole[k], v)
		}
	}
	g.sums = append(g.sums, g.whole...)
	g.add(&bud{node: node{fn: -1, parent: -1}, weight: 1, to: int32(n)})
	for len(g.buds) > 0 && len(g.tree.nodes) < limit {
		b := g.pop()
		g.add(&b)
	}
	return g.finish(), g.below(), g.negative
}

// below is the weight of the heaviest node that is left out.
func (g *grower) below() float64 {
	if len(g.buds) == 0 {
		return 0
	}
	return g.buds[0].weight
}

// finish counts what is left out at the nodes above it. Of nodes that weigh the same all are left out, or none.
func (g *grower) finish() *tree {
	for i := range g.buds {
		g.leaveOut(g.buds[i].parent, g.buds[i].sums)
	}
	t := &g.tree
	below, last := g.below(), len(g.weights)-1
	if len(g.buds) == 0 || g.weights[last] > below {
		return t
	}
	return t.keep(func(i int) bool { return i == 0 || g.weights[i] > below })
}

func (g *grower) leaveOut(at, sums int32) {
	for k := range g.whole {
		g.tree.cut[k][at] = plus(g.tree.cut[k][at], g.sums[int(sums)+k])
	}
}

// add makes a bud a node, and buds of its children.
func (g *grower) add(b *bud) {
	id := int32(len(g.tree.nodes))
	g.tree.nodes, g.weights = append(g.tree.nodes, b.node), append(g.weights, b.weight)
	for k := range g.whole {
		g.tree.self[k], g.tree.cut[k] = append(g.tree.self[k], 0), append(g.tree.cut[k], 0)
	}
	if g.steps += int(b.to - b.from); g.steps > maxSteps {
		g.leaveOut(id, b.sums)
		return
	}
	g.kids, g.frames = g.kids[:0], g.frames[:0]
	for i := b.from; i < b.to; i++ {
		g.slots[i] = g.place(id, i, int(b.depth))
	}
	g.settleLines()
	g.sortByChild(b)
	at := b.from
	for i := range g.kids {
		c := &g.kids[i]
		g.slotOf[c.fn] = 0
		g.push(bud{node: node{c.fn, id, c.line}, weight: g.share(c.sums), from: at, to: at + c.number,
			depth: b.depth + 1, sums: c.sums})
		at += c.number
	}
}

// place returns the child of a node that a sample goes to, or −1 when it ends there. Inlined calls are frames like
// any other.
func (g *grower) place(id, at int32, depth int) int32 {
	stack := g.stacks[at]
	types := len(g.whole)
	values := g.values[int(at)*types:][:types]
	if depth == min(len(stack), maxDepth) {
		into := g.tree.self
		if depth < len(stack) {
			into = g.tree.cut
		}
		for k, v := range values {
			into[k][id] = plus(into[k][id], v)
		}
		return -1
	}
	frame := stack[len(stack)-1-depth]
	fn := g.set.Table.Frames[frame].Func
	slot := g.slotOf[fn] - 1
	if slot < 0 {
		slot = int32(len(g.kids))
		g.slotOf[fn] = slot + 1
		g.kids = append(g.kids, kid{fn: fn, sums: int32(len(g.sums))})
		for range types {
			g.sums = append(g.sums, 0)
		}
	}
	c := &g.kids[slot]
	c.number++
	sums := g.sums[c.sums:][:types]
	for k, v := range values {
		sums[k] = plus(sums[k], v)
	}
	if g.lineWeight[frame] == 0 {
		g.frames = append(g.frames, frame)
	}
	g.lineWeight[frame] = plus(g.lineWeight[frame], max(values[g.weigh], 1))
	return slot
}

// settleLines gives every child its heaviest line; if several are equal, the first in the file.
func (g *grower) settleLines() {
	for _, id := range g.frames {
		f := g.set.Table.Frames[id]
		c, w := &g.kids[g.slotOf[f.Func]-1], g.lineWeight[id]
		if w > c.weight || w == c.weight && f.Line < max(c.line, -c.line) {
			c.weight, c.line = w, f.Line
			if g.set.Table.Inlined(id) {
				c.line = -f.Line
			}
		}
		g.lineWeight[id] = 0
	}
}

// sortByChild puts the samples of a bud that go to one child together, those that end there last.
func (g *grower) sortByChild(b *bud) {
	if len(g.kids) == 1 && g.kids[0].number == b.to-b.from {
		return
	}
	next := b.from
	for i := range g.kids {
		g.kids[i].next = next
		next += g.kids[i].number
	}
	types := len(g.whole)
	for i := int(b.from); i < int(b.to); i++ {
		if slot := g.slots[i]; slot >= 0 {
			to := int(g.kids[slot].next)
			g.kids[slot].next++
			g.sortedStacks[to] = g.stacks[i]
			for k := range types {
				g.sortedValues[to*types+k] = g.values[i*types+k]
			}
		}
	}
	from, to := int(b.from), int(next)
	copy(g.stacks[from:to], g.sortedStacks[from:to])
	copy(g.values[from*types:to*types], g.sortedValues[from*types:to*types])
}

// share is the largest that values have of the whole, of any sample type.
func (g *grower) share(sums int32) (w float64) {
	for k, whole := range g.whole {
		if whole > 0 {
			w = max(w, float64(g.sums[int(sums)+k])/float64(whole))
		}
	}
	return w
}

// push and pop are those of a binary heap. Package container/heap would allocate for each of a million buds.
func (g *grower) push(b bud) {
	g.buds = append(g.buds, b)
	for i := len(g.buds) - 1; i > 0; {
		up := (i - 1) / 2
		if g.buds[up].weight >= g.buds[i].weight {
			return
		}
		g.buds[up], g.buds[i] = g.buds[i], g.buds[up]
		i = up
	}
}

func (g *grower) pop() bud {
	top, last := g.buds[0], len(g.buds)-1
	moved := g.buds[last]
	g.buds = g.buds[:last]
	i := 0
	for {
		down := 2*i + 1
		if down+1 < last && g.buds[down+1].weight > g.buds[down].weight {
			down++
		}
		if down >= last || g.buds[down].weight <= moved.weight {
			break
		}
		g.buds[i] = g.buds[down]
		i = down
	}
	if last > 0 {
		g.buds[i] = moved
	}
	return top
}
