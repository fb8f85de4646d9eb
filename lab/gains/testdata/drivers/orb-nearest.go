package main

import (
	"math/rand"

	"github.com/paulmach/orb"
	"github.com/paulmach/orb/quadtree"
)

func work() func() {
	r := rand.New(rand.NewSource(1))
	q := quadtree.New(orb.Bound{Min: orb.Point{0, 0}, Max: orb.Point{1, 1}})
	for i := 0; i < 20000; i++ {
		check(q.Add(orb.Point{r.Float64(), r.Float64()}))
	}
	var buf []orb.Pointer
	return func() {
		buf = q.KNearest(buf, orb.Point{r.Float64(), r.Float64()}, 50)
	}
}
