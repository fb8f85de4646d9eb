package main

import (
	"math"
	"slices"
	"sync"
	"time"
)

type courier struct {
	ID    int       `json:"id"`
	Lat   float64   `json:"lat"`
	Lon   float64   `json:"lon"`
	Jobs  int       `json:"jobs"`
	Since time.Time `json:"since"`
}

// fleet is the couriers on duty.
type fleet struct {
	mu       sync.Mutex
	couriers []courier
}

func newFleet(n int) *fleet {
	f := &fleet{}
	for i := range n {
		f.couriers = append(f.couriers, courier{ID: i, Lat: 52.4 + float64(i%20)/100, Lon: 13.2 + float64(i/20)/100})
	}
	return f
}

// nearest prefers couriers with few jobs.
func (f *fleet) nearest(lat, lon float64) int {
	f.mu.Lock()
	defer f.mu.Unlock()
	best, at := math.Inf(1), 0
	for i := range f.couriers {
		c := &f.couriers[i]
		if d := math.Hypot(c.Lat-lat, c.Lon-lon) * float64(1+c.Jobs); d < best {
			best, at = d, i
		}
	}
	return at
}

func (f *fleet) assign(id int, o order, way route) {
	f.mu.Lock()
	defer f.mu.Unlock()
	c := &f.couriers[id]
	c.Lat, c.Lon, c.Since = o.Lat, o.Lon, time.Now().Add(time.Duration(way.Seconds)*time.Second)
	c.Jobs = (c.Jobs + 1) % 5
}

// board is the fleet, the busiest first.
func (f *fleet) board() []courier {
	f.mu.Lock()
	list := slices.Clone(f.couriers)
	f.mu.Unlock()
	slices.SortFunc(list, func(a, b courier) int { return b.Jobs - a.Jobs })
	return list[:60]
}
