package main

import (
	"math"
	"sync"
	"sync/atomic"
)

const kept = 672 // a week of quarter hours

// A substation has a week of readings and the last forecast.
type substation struct {
	mu       sync.Mutex
	readings [kept]float64
	next     int

	forecast atomic.Pointer[[]float64]
}

func (s *substation) record(mw float64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.readings[s.next%kept] = mw
	s.next++
}

func (s *substation) last() float64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.readings[(s.next+kept-1)%kept]
}

// week is a copy of the readings, the oldest first.
func (s *substation) week() []float64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	at := s.next % kept
	return append(append(make([]float64, 0, kept), s.readings[at:]...), s.readings[:at]...)
}

// grid is the substations; the set of them is fixed.
type grid struct{ all []*substation }

func newGrid(n int) *grid {
	g := &grid{}
	for i := range n {
		s := &substation{}
		for t := range kept {
			s.record(40 + 15*math.Sin(float64(t)/96*2*math.Pi) + float64((i*7+t*13)%11))
		}
		g.all = append(g.all, s)
	}
	return g
}

func (g *grid) substation(id int) (*substation, bool) {
	if id < 0 || id >= len(g.all) {
		return nil, false
	}
	return g.all[id], true
}

func (g *grid) record(id int, mw float64) bool {
	s, ok := g.substation(id)
	if ok {
		s.record(mw)
	}
	return ok
}
