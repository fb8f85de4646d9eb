package prove_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/gocasebook/casebook/app/prove"
	"github.com/gocasebook/casebook/casefile"
)

// A process makes the rounds of one side: every figure log-normal around its level, consecutive rounds correlated by rho.
type process struct {
	r     *rand.Rand
	noise float64 // standard deviation of the logarithm
	rho   float64
}

// levels are the figures' values in a service in good health.
var levels = []struct {
	name  string
	level float64
}{
	{prove.P50, 0.005}, {prove.P99, 0.040}, {prove.P999, 0.120}, {prove.Throughput, 1500}, {prove.CPUPerRequest, 200e-6},
	{prove.CPU, 0.3}, {prove.GCCPU, 0.05}, {prove.HeapObjects, 1e6}, {prove.RSS, 1e9},
}

// side makes n rounds with cpu_per_request multiplied by slower.
func (p process) side(n int, slower float64) prove.Side {
	var s prove.Side
	state := make([]float64, len(levels))
	for i := range state {
		state[i] = p.r.NormFloat64()
	}
	for range n {
		round := prove.Round{}
		for i, f := range levels {
			state[i] = p.rho*state[i] + math.Sqrt(1-p.rho*p.rho)*p.r.NormFloat64()
			round[f.name] = f.level * math.Exp(p.noise*state[i])
		}
		round[prove.CPUPerRequest] *= slower
		s.Rounds = append(s.Rounds, round)
	}
	return s
}

// simulate compares runs times and returns the share of comparisons in which any figure got a verdict of a change, and
// that in which cpu_per_request was found worse.
func simulate(t *testing.T, runs, n int, p process, slower float64) (anyChange, found float64) {
	t.Helper()
	for range runs {
		proof, err := prove.Compare(p.side(n, 1), p.side(n, slower), prove.Options{Key: prove.CPUPerRequest})
		if err != nil {
			t.Fatal(err)
		}
		changed := false
		for _, f := range proof.Figures {
			changed = changed || f.Verdict == casefile.Better || f.Verdict == casefile.Worse
		}
		if changed {
			anyChange++
		}
		if proof.Verdict == casefile.Worse {
			found++
		}
	}
	return anyChange / float64(runs), found / float64(runs)
}

// TestNullComparisons wants at most 5 % of the comparisons of a service with itself to name any change: what Holm promises
// for independent rounds. The limit is above it by two standard errors of the simulation. For correlated rounds the
// correction is an estimate from few rounds, and is given 10 %; without it they come to 63 %.
func TestNullComparisons(t *testing.T) {
	for _, c := range []struct {
		name    string
		n, runs int
		rho     float64
		want    float64
	}{
		{"independent, 12 rounds", 12, 1000, 0, 0.05},
		{"independent, 30 rounds", 30, 200, 0, 0.05},
		{"correlated 0.5, 30 rounds", 30, 200, 0.5, 0.10},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			p := process{rand.New(rand.NewPCG(7, uint64(c.n))), 0.05, c.rho}
			got, _ := simulate(t, c.runs, c.n, p, 1)
			t.Logf("%.1f %% of %d comparisons named a change", 100*got, c.runs)
			if limit := c.want + 2*math.Sqrt(c.want*(1-c.want)/float64(c.runs)); got > limit {
				t.Errorf("%.1f %% of the comparisons named a change, want at most %.1f %%", 100*got, 100*limit)
			}
		})
	}
}

// TestPlantedChanges wants slow-downs of CPU per request to be found, with noise of 3 % and 30 rounds a side.
func TestPlantedChanges(t *testing.T) {
	for _, c := range []struct {
		slower, least float64
	}{{1.05, 0.80}, {1.10, 0.95}, {1.30, 1}} {
		p := process{rand.New(rand.NewPCG(11, 30)), 0.03, 0}
		_, found := simulate(t, 100, 30, p, c.slower)
		t.Logf("×%.2f: found in %.1f %%", c.slower, 100*found)
		if found < c.least {
			t.Errorf("a slow-down of ×%.2f was found in %.1f %% of the comparisons, want %.0f %%", c.slower, 100*found, 100*c.least)
		}
	}
}
