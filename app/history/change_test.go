package history

import (
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"testing"
)

// measure is the variable that has TestMeasure print the tables of docs/evidence/history.md.
const measure = "CASEBOOK_BENCH_HISTORY"

// A noise is a stationary process around 0.
type noise struct {
	sd, rho, outliers float64 // outliers is the share of values three to ten standard deviations too large
}

func (p noise) series(r *rand.Rand, n int) []float64 {
	out, state := make([]float64, n), r.NormFloat64()
	for i := range out {
		state = p.rho*state + math.Sqrt(1-p.rho*p.rho)*r.NormFloat64()
		v := p.sd * state
		if r.Float64() < p.outliers {
			v += p.sd * (3 + 7*r.Float64())
		}
		out[i] = 1e-6 * math.Exp(v)
	}
	return out
}

// TestMeasure prints how often a change is found where there is none, and how often one of 2, 5 and 10 % is that begins
// after two thirds of the records. Found is a change in its direction whose place is at most three records off.
func TestMeasure(t *testing.T) {
	if os.Getenv(measure) == "" {
		t.Skip("it measures, for a few minutes: make bench-history")
	}
	r := rand.New(rand.NewPCG(1, 2))
	fmt.Println("| noise | autocorrelation | outliers | records | false | +2 % | +5 % | +10 % |\n|--:|--:|--:|--:|--:|--:|--:|--:|")
	for _, p := range []noise{{.01, 0, 0}, {.02, 0, 0}, {.05, 0, 0}, {.02, 0, .05}, {.02, .3, 0}, {.02, .6, 0}} {
		for _, n := range []int{30, 100} {
			fmt.Printf("| %g %% | %g | %g %% | %d %s\n", 100*p.sd, p.rho, 100*p.outliers, n,
				shares(func() []float64 { return p.series(r, n) }, 200))
		}
	}
	fmt.Println("\n| benchmark | records | changes as they came | false, in other orders | +2 % | +5 % | +10 % |\n|---|--:|--:|--:|--:|--:|--:|")
	all := recorded(t)
	for _, name := range slices.Sorted(maps.Keys(all)) {
		x := all[name]
		shuffled := func() []float64 {
			y := slices.Clone(x)
			r.Shuffle(len(y), func(a, b int) { y[a], y[b] = y[b], y[a] })
			return y
		}
		fmt.Printf("| %s | %d | %d %s\n", name, len(x), len(changes(x)), shares(shuffled, 200))
	}
}

// shares are the columns of a row.
func shares(series func() []float64, runs int) string {
	wrong := 0
	for range runs {
		if len(changes(series())) > 0 {
			wrong++
		}
	}
	text := fmt.Sprintf("| %.1f %% ", 100*float64(wrong)/float64(runs))
	for _, by := range []float64{1.02, 1.05, 1.1} {
		right := 0
		for range runs / 2 {
			x := series()
			at := 2 * len(x) / 3
			for k := at; k < len(x); k++ {
				x[k] *= by
			}
			if slices.ContainsFunc(changes(x), func(c Change) bool {
				return c.After > c.Before && c.At >= at-3 && c.At <= at+3
			}) {
				right++
			}
		}
		text += fmt.Sprintf("| %d %% ", 200*right/runs)
	}
	return text + "|"
}

// slowBest is the statistic as its formula reads.
func slowBest(x []float64) (at int, q float64) {
	at = -1
	within := func(v []float64) (s float64) {
		for i := range v {
			for _, y := range v[:i] {
				s += math.Abs(v[i] - y)
			}
		}
		return s
	}
	for k := minSegment; k <= len(x)-minSegment; k++ {
		a, b, across := float64(k), float64(len(x)-k), 0.0
		for _, v := range x[:k] {
			for _, w := range x[k:] {
				across += math.Abs(v - w)
			}
		}
		s := a * b / (a + b) * (2*across/(a*b) - 2*within(x[:k])/(a*(a-1)) - 2*within(x[k:])/(b*(b-1)))
		if at < 0 || s > q {
			at, q = k, s
		}
	}
	return at, q
}

// The fast search is the formula's, with values that are equal too.
func TestBestSplit(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for n := range 30 {
		x := make([]float64, n)
		for i := range x {
			x[i] = math.Round(20*r.Float64()) / 4
		}
		at, q := slowBest(x)
		o := newOrder(x)
		got, gotQ := o.best(o.ranks)
		if (got < 0) != (at < 0) || math.Abs(q-gotQ) > 1e-9 {
			t.Errorf("%v: %d, %g; want %d, %g", x, got, gotQ, at, q)
		}
	}
}
