package diagnose

import (
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/gocasebook/casebook/vitals"
)

// TestDriftByChance: goroutines that come and go are hardly ever mistaken for goroutines that stay, however many there
// are and however long each lives. A drift as large as an hour's traffic leaves behind is seen beside 200,000 that
// stay.
func TestDriftByChance(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 11))
	for _, life := range []float64{0.1, 1, 10, 100} { // seconds
		for _, mean := range []float64{50, 1000, 20_000} {
			if wrong := driftsOf(random, mean, life, 0); wrong > 2 {
				t.Errorf("%v goroutines that live for %v s: %d of %d walks drift", mean, life, wrong, driftTrials)
			}
		}
	}
	for _, standing := range []float64{100, 2000, 30_000, 200_000} {
		if seen := driftsOf(random, standing, math.Inf(1), 20); seen < driftTrials*95/100 {
			t.Errorf("20 a second beside %v that stand: seen in %d of %d", standing, seen, driftTrials)
		}
	}
}

const driftTrials = 400

// driftsOf counts the trials, of 10 s in steps of half a second, in which the number of goroutines seems to have risen
// by more than chance. They start at random, at the rate that keeps the mean, and live for a random time. Some never
// end.
func driftsOf(random *rand.Rand, mean, life, leak float64) (n int) {
	const step, steps = 0.5, 20
	for range driftTrials {
		r, now := &Reading{}, mean
		for i := range steps + 1 {
			s := vitals.Sample{Time: noon.Add(time.Duration(float64(i) * step * float64(time.Second)))}
			s.Set(vitals.Goroutines, math.Round(now))
			r.Vitals = append(r.Vitals, s)
			gone := 1 - math.Exp(-step/life)
			now += poisson(random, mean*gone+leak*step) - poisson(random, now*gone)
		}
		from, to := r.Vitals[0].Time, r.Vitals[steps].Time
		first, _ := r.Vitals[0].Get(vitals.Goroutines)
		last, _ := r.Vitals[steps].Get(vitals.Goroutines)
		g := rise{before: int64(first), after: int64(last)}
		if last-first >= max(riseLeast, chanceRise(r, from, to, g)) {
			n++
		}
	}
	return n
}

// poisson uses the normal approximation where the mean is large.
func poisson(random *rand.Rand, mean float64) float64 {
	if mean > 50 {
		return math.Max(0, math.Round(mean+random.NormFloat64()*math.Sqrt(mean)))
	}
	n, p := 0.0, random.Float64()
	for limit := math.Exp(-mean); p > limit; p *= random.Float64() {
		n++
	}
	return n
}
