package report

import (
	"math"

	"github.com/gocasebook/casebook/diagnose/stacks"
)

// Bounds on building a tree. What lies beyond them is counted at the frame above, as left out, never lost.
const (
	maxDepth = 1024       // frames of a stack
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
	line   int32         // the line that most of the node's value is at; negative where its code is inlined
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
