package play

import (
	"slices"

	"github.com/gocasebook/casebook/internal/number"
	"github.com/gocasebook/casebook/vitals"
)

// Goroutines is how many each form had, in the median of the samples of its watch.
type Goroutines struct {
	Sick  float64 `json:"sick"`
	Cured float64 `json:"cured"`
}

// counted keeps the goroutines of a sample.
func (t *taking) counted(s *vitals.Sample) {
	if n, ok := s.Get(vitals.Goroutines); ok {
		t.goroutines = append(t.goroutines, n)
	}
}

func median(all []float64) float64 {
	sorted := slices.Sorted(slices.Values(all))
	return sorted[len(sorted)/2]
}

// keepGoroutines notes those of both forms, where samples of both are there.
func (r *Result) keepGoroutines(sick, cured []float64) {
	if len(sick) > 0 && len(cured) > 0 {
		r.Goroutines = &Goroutines{median(sick), median(cured)}
	}
}

// notable says whether the cure changed their number at all: by half, and by more than what a connection more or less
// makes.
func (g *Goroutines) notable() bool {
	return g != nil && max(g.Sick, g.Cured) >= 20+2*min(g.Sick, g.Cured)
}

// change is that of their number: "÷40".
func (g *Goroutines) change() string { return number.Change(g.Sick, g.Cured) }
