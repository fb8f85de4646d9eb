package vitals_test

import (
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/gocasebook/casebook/vitals"
)

// courseOf is a signal over seconds, sampled with a jitter of 20 ms, with every value that keep lets pass.
func courseOf(seconds int, step float64, value func(t float64) float64, keep func(i int) bool) []vitals.Sample {
	chance := rand.New(rand.NewPCG(7, 11))
	began := time.Date(2026, 11, 23, 12, 0, 40, 0, time.UTC)
	var out []vitals.Sample
	for i := range int(float64(seconds) / step) {
		at := float64(i)*step + 0.02*step*chance.Float64()
		s := vitals.NewSample(began.Add(time.Duration(at * float64(time.Second))))
		if keep == nil || keep(i) {
			s.Set(vitals.HTTPLatencyP99, value(at)*math.Exp(0.3*chance.NormFloat64()))
		}
		out = append(out, s)
	}
	return out
}

// TestPulseByChance: of walks, bursts and spikes at random, no more than promised have a pulse.
func TestPulseByChance(t *testing.T) {
	const courses = 150
	found := 0
	for i := range courses {
		chance := rand.New(rand.NewPCG(uint64(i), 99))
		x, keep, left := 0.0, chance.Float64(), 0
		often, long := 0.08*chance.Float64(), 1+chance.IntN(12)
		value := func(float64) float64 {
			x = keep*x + chance.NormFloat64()
			if left--; left < 0 && chance.Float64() < often {
				left = chance.IntN(long)
			}
			if left >= 0 {
				return math.Exp(2 + x/4)
			}
			return math.Exp(x / 4)
		}
		if _, ok := vitals.FindPulse(courseOf(200+i, 1, value, nil), vitals.HTTPLatencyP99); ok {
			found++
		}
	}
	t.Logf("pulse: %d of %d courses without a period have one", found, courses)
	if found > 2 { // one in a hundred is promised of each
		t.Errorf("%d of %d courses without a period have a pulse; one in a hundred is promised", found, courses)
	}
}
