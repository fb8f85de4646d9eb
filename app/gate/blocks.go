package gate

import (
	"math"
	"slices"

	"github.com/gocasebook/casebook/app/prove"
	"github.com/gocasebook/casebook/app/stat"
)

// blockFigures returns the pairs of a service's blocks: of each the two starts of the base, whose geometric mean is the
// pair's base, and the head. The two starts of the base show how much it differs from itself.
func blockFigures(subject string, blocks []prove.Block) []Figure {
	var out []Figure
	for _, name := range blockNames(blocks) {
		f := Figure{Subject: subject, Name: name, Unit: unitOf(name)}
		for _, b := range blocks {
			x, okX := b.A[name]
			y, okY := b.A2[name]
			z, okZ := b.B[name]
			if okX && okY && okZ {
				f.Pairs = append(f.Pairs, Pair{middle(x, y), z})
				f.Again = append(f.Again, Pair{x, y})
			}
		}
		if len(f.Pairs) > 0 {
			out = append(out, f)
		}
	}
	return out
}

// blockNames returns the figures of the head's blocks, sorted.
func blockNames(blocks []prove.Block) []string {
	var names []string
	for _, b := range blocks {
		for name := range b.B {
			if !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	slices.Sort(names)
	return names
}

func unitOf(name string) string {
	for _, f := range prove.Figures() {
		if f.Name == name {
			return string(f.Unit)
		}
	}
	return ""
}

// middle returns the geometric mean, or the arithmetic one if there is no logarithm.
func middle(x, y float64) float64 {
	if x > 0 && y > 0 {
		return math.Sqrt(x) * math.Sqrt(y)
	}
	return (x + y) / 2
}

// medians returns the medians of both sides.
func (f *Figure) medians() [2]float64 {
	var sides [2][]float64
	for _, p := range f.Pairs {
		sides[baseSide] = append(sides[baseSide], p.Base)
		sides[headSide] = append(sides[headSide], p.Head)
	}
	return [2]float64{stat.Median(sides[baseSide]), stat.Median(sides[headSide])}
}
