package main

import (
	"fmt"
	"log/slog"
	"math"
	"math/rand/v2"
	"sort"
)

type driver struct {
	ID     string  `json:"id"`
	X, Y   float64 `json:"-"`
	Seats  int     `json:"seats"`
	Rating float64 `json:"rating"`
}

type ride struct {
	X, Y  float64
	Seats int
}

type candidate struct {
	Driver  driver  `json:"driver"`
	Minutes float64 `json:"minutes"`
	score   float64
}

// A finder knows the drivers of a town.
type finder struct {
	log     *slog.Logger
	drivers []driver
}

func newFinder(log *slog.Logger, n int) *finder {
	f := &finder{log: log}
	for i := range n {
		f.drivers = append(f.drivers, driver{ID: fmt.Sprintf("driver-%d", i), X: rand.Float64() * 10,
			Y:     rand.Float64() * 10,
			Seats: 1 + i%6, Rating: 3 + rand.Float64()*2})
	}
	return f
}

// find returns the five best drivers for a ride.
func (f *finder) find(r ride) []candidate {
	var found []candidate
	for _, d := range f.drivers {
		c := candidate{Driver: d, Minutes: math.Hypot(d.X-r.X, d.Y-r.Y) * 3}
		c.score = d.Rating - c.Minutes/4
		f.log.Debug(fmt.Sprintf("looking at %+v for %+v: score %.2f", c, r, c.score)) // trial:fault
		if d.Seats < r.Seats {
			continue
		}
		found = append(found, c)
	}
	sort.Slice(found, func(i, j int) bool { return found[i].score > found[j].score })
	return found[:min(5, len(found))]
}
