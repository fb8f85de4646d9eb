package report

import "slices"

// maxPageNodes bounds the flame graph nodes of a whole page. The browser draws as many in a few milliseconds; at about
// 20 bytes each they are the page's largest part.
const maxPageNodes = 60_000

// allot shares the page's nodes between its trees: small trees get all they need, and what they leave goes to the
// large.
func allot(sizes []int, budget int) []int {
	order := make([]int, len(sizes))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return sizes[a] - sizes[b] })
	out := make([]int, len(sizes))
	for k, i := range order {
		out[i] = min(sizes[i], budget/(len(order)-k))
		budget -= out[i]
	}
	return out
}

// prune keeps at most limit nodes: those that weigh most in any sample type. The values of the rest stay with the nodes
// above, as cut. It returns the tree, and the largest share of any node that it left out.
func prune(t *tree, limit int) (pruned *tree, below float64) {
	if len(t.nodes) <= limit {
		return t, 0
	}
	weight := weights(t)
	sorted := slices.Clone(weight)
	slices.Sort(sorted)
	below = sorted[len(sorted)-max(limit, 1)-1]
	return t.keep(func(i int) bool { return i == 0 || weight[i] > below }), below
}

// weights returns each node's largest share of any sample type. A child never outweighs its parent.
func weights(t *tree) []float64 {
	w := make([]float64, len(t.nodes))
	for k := range t.self {
		totals := t.totals(k)
		if totals[0] == 0 {
			continue
		}
		for i, v := range totals {
			w[i] = max(w[i], float64(v)/float64(totals[0]))
		}
	}
	return w
}

// keep returns the tree of the nodes wanted, which must include the parent of each. Values of the others become cut
// values of the nearest node kept.
func (t *tree) keep(want func(i int) bool) *tree {
	out := &tree{self: make([][]int64, len(t.self)), cut: make([][]int64, len(t.cut))}
	place := make([]int32, len(t.nodes)) // where a node, or its nearest kept ancestor, went
	for i, n := range t.nodes {
		kept := want(i)
		if kept {
			if i > 0 {
				n.parent = place[n.parent]
			}
			place[i] = int32(len(out.nodes))
			out.nodes = append(out.nodes, n)
		} else {
			place[i] = place[n.parent]
		}
		for k := range t.self {
			if kept {
				out.self[k] = append(out.self[k], t.self[k][i])
				out.cut[k] = append(out.cut[k], t.cut[k][i])
			} else {
				out.cut[k][place[i]] = plus(out.cut[k][place[i]], plus(t.self[k][i], t.cut[k][i]))
			}
		}
	}
	return out
}
