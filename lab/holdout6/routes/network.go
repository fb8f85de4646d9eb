package main

import (
	"math"
	"sync"
)

// A network is a grid of crossings. cost is how many seconds it takes to cross each.
type network struct {
	side    int32
	cost    []int32
	scratch sync.Pool // of *search
}

// A search is what one question needs; it is used again.
type search struct {
	dist []int32
	seen []int32 // the search that wrote dist
	run  int32
	heap []entry
}

type entry struct{ estimate, node int32 }

func newNetwork(side int32) *network {
	n := &network{side: side, cost: make([]int32, side*side)}
	for i := range n.cost {
		n.cost[i] = 3 + int32(i*2654435761>>7)&7
	}
	n.scratch.New = func() any {
		return &search{dist: make([]int32, len(n.cost)), seen: make([]int32, len(n.cost))}
	}
	return n
}

// shortest is how long it takes from one crossing to another.
func (n *network) shortest(from, to int32) int32 {
	s := n.scratch.Get().(*search)
	defer n.scratch.Put(s)
	s.run++
	s.heap = append(s.heap[:0], entry{0, from})
	s.dist[from], s.seen[from] = 0, s.run
	for len(s.heap) > 0 {
		e := s.pop()
		if e.node == to {
			return s.dist[to]
		}
		if e.estimate > s.dist[e.node]+n.bound(e.node, to) {
			continue
		}
		x, y := e.node%n.side, e.node/n.side
		for _, d := range [4][2]int32{{1, 0}, {-1, 0}, {0, 1}, {0, -1}} {
			if x+d[0] < 0 || x+d[0] >= n.side || y+d[1] < 0 || y+d[1] >= n.side {
				continue
			}
			next := (y+d[1])*n.side + x + d[0]
			took := s.dist[e.node] + n.cost[next]
			if s.seen[next] != s.run || took < s.dist[next] {
				s.dist[next], s.seen[next] = took, s.run
				s.push(entry{took + n.bound(next, to), next})
			}
		}
	}
	return math.MaxInt32
}

// bound is never more than what it takes.
func (n *network) bound(a, b int32) int32 {
	dx, dy := a%n.side-b%n.side, a/n.side-b/n.side
	return 3 * (max(dx, -dx) + max(dy, -dy))
}

func (s *search) push(e entry) {
	s.heap = append(s.heap, e)
	for i := len(s.heap) - 1; i > 0 && s.heap[i].estimate < s.heap[(i-1)/2].estimate; i = (i - 1) / 2 {
		s.heap[i], s.heap[(i-1)/2] = s.heap[(i-1)/2], s.heap[i]
	}
}

func (s *search) pop() entry {
	top, last := s.heap[0], len(s.heap)-1
	s.heap[0] = s.heap[last]
	s.heap = s.heap[:last]
	for i := 0; ; {
		c := 2*i + 1
		if c >= last {
			return top
		}
		if c+1 < last && s.heap[c+1].estimate < s.heap[c].estimate {
			c++
		}
		if s.heap[i].estimate <= s.heap[c].estimate {
			return top
		}
		s.heap[i], s.heap[c] = s.heap[c], s.heap[i]
		i = c
	}
}
