package heapdump

// A graph has the objects and the roots as nodes: objects first, in the order of the file, then the roots. Edges are
// compressed sparse rows: those of node n are to[from[n]:from[n+1]].
type graph struct {
	from []uint32
	to   []uint32
}

// maxEdges is what an index of 32 bits can count: 16 GiB of pointers.
const maxEdges = 1<<32 - 1

// begin begins the edges of the next node.
func (g *graph) begin() { g.from = append(g.from, uint32(len(g.to))) }

// edge adds an edge of the node that was begun last.
func (g *graph) edge(to uint32) {
	if len(g.to) < maxEdges {
		g.to = append(g.to, to)
	}
}

// edges are the nodes that a node points to.
func (g *graph) edges(n uint32) []uint32 {
	end := uint32(len(g.to))
	if int(n)+1 < len(g.from) {
		end = g.from[n+1]
	}
	return g.to[g.from[n]:end]
}

func (g *graph) nodes() int { return len(g.from) }

// A tier is how lasting a root is. What a root of a lower tier reaches is its own, whoever else has a pointer to it: a
// goroutine that walks over a global cache for a moment is not who holds it, and the runtime's own lists (all
// goroutines, all timers) hold everything.
type tier uint8

const (
	globals tier = iota
	goroutines
	finalizers // and other roots of the runtime
	timers     // of the scheduler
	words      // of stacks that the dump does not call pointers: variables whose address is taken are among them
	own        // the runtime's
	tiers
)

// A numbering is the graph in the preorder of a depth-first search from the roots, tier by tier. Number 0 is above all
// roots. Every number below is one of this order.
type numbering struct {
	node   []uint32          // by number
	number []uint32          // by node; 0: not reached; until the samples have theirs
	parent []uint32          // by number, in the tree of the search
	begin  [tiers + 1]uint32 // the first number of each tier
	preds  graph             // by number: who points to it, as far as that counts

	next  map[uint32]uint32 // of a search backwards: the number from which another one was reached
	queue []uint32          // of that search
}

// newNumbering searches the graph. roots are the nodes below number 0, by tier.
func newNumbering(g *graph, roots [tiers][]uint32) *numbering {
	most := g.nodes() + 1
	x := &numbering{number: make([]uint32, g.nodes()), node: make([]uint32, 1, most), parent: make([]uint32, 1, most)}
	cursor := make([]uint32, 1, most) // by number: the edge to go on with
	for t := range tiers {
		x.begin[t] = uint32(len(x.node))
		for _, root := range roots[t] {
			cursor = x.search(g, root, cursor)
		}
	}
	x.begin[tiers] = uint32(len(x.node))
	return x
}

// search numbers what a root reaches. The tree of the search is its stack.
func (x *numbering) search(g *graph, root uint32, cursor []uint32) []uint32 {
	if x.number[root] != 0 {
		return cursor
	}
	cursor = x.add(root, 0, cursor)
	for at := x.number[root]; at != 0; {
		edges := g.edges(x.node[at])
		i := cursor[at]
		for int(i) < len(edges) && x.number[edges[i]] != 0 {
			i++
		}
		cursor[at] = i
		if int(i) == len(edges) {
			at = x.parent[at]
			continue
		}
		cursor = x.add(edges[i], at, cursor)
		at = x.number[edges[i]]
	}
	return cursor
}

func (x *numbering) add(node, parent uint32, cursor []uint32) []uint32 {
	x.number[node] = uint32(len(x.node))
	x.node = append(x.node, node)
	x.parent = append(x.parent, parent)
	return append(cursor, 0)
}

// turn makes the edges backwards. An edge from a later tier into an earlier one does not count.
func (x *numbering) turn(g *graph, roots [tiers][]uint32) {
	count := make([]uint32, len(x.node)+1)
	x.each(g, roots, func(_, to uint32) { count[to+1]++ })
	for i := 1; i < len(count); i++ {
		count[i] += count[i-1]
	}
	x.preds.to = make([]uint32, count[len(count)-1])
	x.each(g, roots, func(from, to uint32) {
		x.preds.to[count[to]] = from
		count[to]++
	})
	copy(count[1:], count) // count[n] has become the end of n
	count[0] = 0
	x.preds.from = count[:len(x.node)]
}

// each calls f for every edge that counts.
func (x *numbering) each(g *graph, roots [tiers][]uint32, f func(from, to uint32)) {
	for t := range tiers {
		for _, r := range roots[t] {
			if n := x.number[r]; n >= x.begin[t] {
				f(0, n)
			}
		}
		for from := x.begin[t]; from < x.begin[t+1]; from++ {
			for _, e := range g.edges(x.node[from]) {
				if to := x.number[e]; to >= x.begin[t] {
					f(from, to)
				}
			}
		}
	}
}

// tier is the tier of a number.
func (x *numbering) tier(n uint32) tier {
	t := own
	for t > globals && n < x.begin[t] {
		t--
	}
	return t
}
