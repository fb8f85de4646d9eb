package vitals

import (
	"math"
	"math/rand/v2"
	"testing"
	"time"
)

// courseOf is a signal over seconds, sampled with a jitter of 20 ms, with every value that keep lets pass.
func courseOf(seconds int, step float64, value func(t float64) float64, keep func(i int) bool) []Sample {
	chance := rand.New(rand.NewPCG(7, 11))
	began := time.Date(2026, 11, 23, 12, 0, 40, 0, time.UTC)
	var out []Sample
	for i := range int(float64(seconds) / step) {
		at := float64(i)*step + 0.02*step*chance.Float64()
		s := NewSample(began.Add(time.Duration(at * float64(time.Second))))
		if keep == nil || keep(i) {
			s.Set(HTTPLatencyP99, value(at)*math.Exp(0.3*chance.NormFloat64()))
		}
		out = append(out, s)
	}
	return out
}

// every is high for a while in each period.
func every(period, from, long, height float64) func(float64) float64 {
	return func(t float64) float64 {
		if phase(t-from, period) < long {
			return height
		}
		return 0.006
	}
}

// TestPulse: spikes that come back are found with their period, and what only looks like it is not.
func TestPulse(t *testing.T) {
	chance := rand.New(rand.NewPCG(1, 2))
	random, walk := make([]bool, 7000), make([]float64, 7000)
	long := 0
	for i := range random {
		random[i] = chance.Float64() < 0.05
		if long--; long < 0 && chance.Float64() < 0.02 {
			long = 8
		}
		if i > 0 {
			walk[i] = 0.97*walk[i-1] + 0.24*chance.NormFloat64()
		}
	}
	bursts := make([]bool, 7000)
	for i, left := 0, 0; i < len(bursts); i++ {
		if left--; left < 0 && chance.Float64() < 0.015 {
			left = 6 + chance.IntN(6)
		}
		bursts[i] = left > 0
	}
	for _, c := range []struct {
		name    string
		seconds int
		step    float64
		value   func(float64) float64
		keep    func(int) bool
		period  float64 // 0: none
	}{
		// must be found
		{"ten seconds of each minute", 620, 1, every(60, 20, 10, 0.04), nil, 60},
		{"one second of each minute, four times", 250, 1, every(60, 20, 1, 0.25), nil, 60},
		{"a ticker of 17.3 s", 300, 1, every(17.3, 3, 2, 0.08), nil, 17.3},
		{"each 45 s, every third sample missing", 600, 1, every(45, 9, 4, 0.05),
			func(i int) bool { return i*7919%3 != 0 }, 45},
		{"each minute, with a gap of two", 620, 1, every(60, 20, 8, 0.05),
			func(i int) bool { return i < 200 || i > 320 }, 60},
		{"within a second", 10, 0.05, every(1, 0.4, 0.3, 0.1), nil, 1},
		{"each 20 s on a slow rise", 400, 1, func(t float64) float64 { return every(20, 4, 2, 0.03)(t) * (1 + t/200) },
			nil, 20},
		{"two of three minutes", 620, 1, func(t float64) float64 {
			if int(t+40)/60%4 == 3 {
				return 0.006
			}
			return every(60, 20, 6, 0.05)(t)
		}, nil, 60},
		// must not
		{"noise", 620, 1, func(float64) float64 { return 0.006 }, nil, 0},
		{"spikes at random", 620, 1, func(t float64) float64 {
			if random[int(t)] {
				return 0.08
			}
			return 0.006
		}, nil, 0},
		{"bursts at random", 620, 1, func(t float64) float64 {
			if bursts[int(t)] {
				return 0.08
			}
			return 0.006
		}, nil, 0},
		{"a walk", 620, 1, func(t float64) float64 { return 0.006 * math.Exp(walk[int(t)]) }, nil, 0},
		{"a rise", 620, 1, func(t float64) float64 { return 0.006 * (1 + t/60) }, nil, 0},
		{"a deploy", 620, 1, func(t float64) float64 {
			if t > 300 && t < 330 {
				return 0.3
			}
			return 0.006
		}, nil, 0},
		{"two spikes a minute apart", 300, 1, func(t float64) float64 {
			if t > 100 && t < 105 || t > 160 && t < 165 {
				return 0.3
			}
			return 0.006
		}, nil, 0},
		{"a constant", 620, 1, func(float64) float64 { return 0 }, nil, 0},
		{"too few values", 30, 1, every(5, 0, 1, 0.1), nil, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			p, ok := FindPulse(courseOf(c.seconds, c.step, c.value, c.keep), HTTPLatencyP99)
			switch {
			case c.period == 0 && ok:
				t.Errorf("found %+v, want none", p)
			case c.period > 0 && (!ok || math.Abs(p.Period-c.period) > 0.02*c.period):
				t.Errorf("found %v %+v, want a period of %g s", ok, p, c.period)
			case ok && p.In < 2*p.Between:
				t.Errorf("%+v: in the pulse it is not twice as high", p)
			}
		})
	}
}
