package main

import (
	"cmp"
	"sync"

	"github.com/google/btree"
)

// A Standing is a player's place in the order.
type Standing struct {
	Player int `json:"player"`
	Points int `json:"points"`
}

// before orders by points, most first; players of the same points by their number.
func before(a, b Standing) bool {
	return cmp.Or(cmp.Compare(b.Points, a.Points), cmp.Compare(a.Player, b.Player)) < 0
}

// A Season keeps standings in order. The lock is held for a few steps down a tree.
type Season struct {
	mu     sync.RWMutex
	points map[int]int
	order  *btree.BTreeG[Standing]
}

func newSeason() *Season {
	return &Season{points: map[int]int{}, order: btree.NewG(32, before)}
}

// Add gives a player points.
func (s *Season) Add(player, points int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	old, known := s.points[player]
	if known {
		s.order.Delete(Standing{player, old})
	}
	s.points[player] = old + points
	s.order.ReplaceOrInsert(Standing{player, old + points})
}

// Top are the first n.
func (s *Season) Top(n int) []Standing {
	list := make([]Standing, 0, n)
	s.mu.RLock()
	defer s.mu.RUnlock()
	s.order.Ascend(func(x Standing) bool {
		list = append(list, x)
		return len(list) < n
	})
	return list
}

// Around are the n before a player, the player, and the n after.
func (s *Season) Around(player, n int) []Standing {
	list := make([]Standing, 0, 2*n+2)
	s.mu.RLock()
	defer s.mu.RUnlock()
	me := Standing{player, s.points[player]}
	s.order.DescendLessOrEqual(me, func(x Standing) bool {
		list = append(list, x)
		return len(list) < n
	})
	s.order.AscendGreaterOrEqual(me, func(x Standing) bool {
		list = append(list, x)
		return len(list) < 2*n+1
	})
	return list
}
