package diagnose

import "github.com/gocasebook/casebook/diagnose/stacks"

// groups are what is gathered by a key, in the order in which the keys came.
type groups[K comparable, V any] struct {
	by  map[K]*V
	all []*V
}

// of is what a key has, and whether it was made just now.
func (g *groups[K, V]) of(key K) (v *V, first bool) {
	if v = g.by[key]; v != nil {
		return v, false
	}
	if g.by == nil {
		g.by = make(map[K]*V)
	}
	v = new(V)
	g.by[key], g.all = v, append(g.all, v)
	return v, true
}

// mostOfAll is the one with the greatest weight, of equal ones the first; nil without any.
func mostOfAll[V any](all []*V, weight func(*V) float64) (most *V) {
	for _, v := range all {
		if most == nil || weight(v) > weight(most) {
			most = v
		}
	}
	return most
}

// A lineSum adds up by line.
type lineSum map[stacks.FrameID]int64

func (l *lineSum) add(at stacks.FrameID, n int64) {
	if *l == nil {
		*l = make(lineSum)
	}
	(*l)[at] += n
}
