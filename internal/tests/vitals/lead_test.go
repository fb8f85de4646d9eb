package vitals_test

import (
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/gocasebook/casebook/vitals"
)

// twoTracks are tracks of two signals, of n samples a second apart. What is NaN is absent.
func twoTracks(t testing.TB, n int, a, b func(i int) float64) (x, y vitals.Track, ok bool) {
	t.Helper()
	samples := make([]vitals.Sample, n)
	for i := range samples {
		samples[i] = vitals.NewSample(start.Add(time.Duration(i) * time.Second))
		samples[i].Set(vitals.Goroutines, a(i))
		samples[i].Set(vitals.HTTPLatencyP99, b(i))
	}
	x, ok1 := vitals.NewTrack(samples, vitals.Goroutines)
	y, ok2 := vitals.NewTrack(samples, vitals.HTTPLatencyP99)
	return x, y, ok1 && ok2
}

// walk is a series in which each value is part of the one before it: memory 0 is white noise, 1 a random walk.
func walk(random *rand.Rand, n int, memory float64) []float64 {
	out := make([]float64, n)
	for i := range out {
		out[i] = random.NormFloat64()
		if i > 0 {
			out[i] += memory * out[i-1]
		}
	}
	return out
}

func TestLeads(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 7))
	base, other := walk(random, 400, 0.7), walk(random, 400, 0.7)
	at := func(i int) float64 { return base[max(i, 0)] }
	gaps := func(f func(int) float64) func(int) float64 {
		return func(i int) float64 {
			if i > 100 && i < 140 || i*7919%5 == 0 {
				return math.NaN()
			}
			return f(i)
		}
	}
	step := func(from int) func(int) float64 {
		return func(i int) float64 { return other[i] + 12*level(i >= from) }
	}
	for _, c := range []struct {
		name string
		n    int
		a, b func(i int) float64
		want time.Duration // 0: neither
	}{
		{"three seconds", 200, at, func(i int) float64 { return 5*at(i-3) + other[i] }, 3 * time.Second},
		{"the other way round", 200, func(i int) float64 { return 5*at(i-3) + other[i] }, at, -3 * time.Second},
		{"against each other", 200, at, func(i int) float64 { return -5*at(i-2) + other[i] }, 2 * time.Second},
		{"with gaps", 300, gaps(at), gaps(func(i int) float64 { return 5*at(i-3) + other[i] }), 3 * time.Second},
		{"a huge value", 200, func(i int) float64 { return at(i) + 1e9*level(i == 70) },
			func(i int) float64 { return math.Exp(at(i-3)) + 1e12*level(i == 150) }, 3 * time.Second},
		{"one level, then the other", 300, func(i int) float64 { return at(i) + 12*level(i >= 150) }, step(166),
			16 * time.Second},
		{"one level, and the other long after", 300, func(i int) float64 { return at(i) + 12*level(i >= 100) },
			step(220), 0},
		{"together", 200, at, func(i int) float64 { return 5*at(i) + other[i] }, 0},
		{"both levels at once", 300, func(i int) float64 { return at(i) + 12*level(i >= 150) }, step(150), 0},
		{"two rises", 300, func(i int) float64 { return at(i) + float64(i) }, func(i int) float64 {
			return other[i] + 3*float64(i)
		}, 0},
		{"strangers", 300, at, func(i int) float64 { return other[i] }, 0},
		{"too short", 25, at, func(i int) float64 { return at(i - 3) }, 0},
		{"hardly ever moves", 300, at, func(i int) float64 { return float64(i / 40) }, 0},
		{"one move of each", 300, func(i int) float64 { return level(i >= 150) }, func(i int) float64 {
			return level(i >= 152)
		}, 2 * time.Second},
		{"absent", 300, at, func(i int) float64 { return math.NaN() }, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			x, y, ok := twoTracks(t, c.n, c.a, c.b)
			if !ok && c.want == 0 {
				return
			}
			got, ok := x.Leads(&y, 30*time.Second, 60)
			t.Logf("%+v, %v, %+v", got, ok, got.Lag)
			if ok != (c.want != 0) || ok && (got.By-c.want).Abs() > c.want.Abs()/4 {
				t.Errorf("leads by %v (%v), want %v", got.By, ok, c.want)
			}
		})
	}
}

func level(up bool) float64 {
	if up {
		return 1
	}
	return 0
}

// TestStrangersDoNotLead: of pairs of series that have nothing to do with each other hardly any has a leader. The
// chance that the lag allows is 1 in 100 for one pair, and that of a change of level less.
func TestStrangersDoNotLead(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	const pairs = 1000
	for _, c := range []struct {
		name string
		make func() []float64
	}{
		{"noise", func() []float64 { return walk(random, 200, 0) }},
		{"memory", func() []float64 { return walk(random, 200, 0.9) }},
		{"random walks", func() []float64 { return walk(random, 200, 1) }},
		{"bursts", func() []float64 { return bursts(random, 200) }},
		{"waves of their own length", func() []float64 {
			period, phase := 10+20*random.Float64(), random.Float64()
			noise := walk(random, 200, 0)
			for i := range noise {
				noise[i] += 3 * math.Sin(2*math.Pi*(float64(i)/period+phase))
			}
			return noise
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			said, tried := 0, 0
			for range pairs {
				a, b := c.make(), c.make()
				x, y, ok := twoTracks(t, len(a), func(i int) float64 { return a[i] }, func(i int) float64 { return b[i] })
				if !ok {
					continue
				}
				tried++
				if _, ok := x.Leads(&y, 30*time.Second, 1); ok {
					said++
				}
			}
			t.Logf("%d of %d pairs have a leader", said, tried)
			if said*50 > tried {
				t.Errorf("%d of %d pairs have a leader, want 2 %% at most", said, tried)
			}
		})
	}
}

// bursts is a series that is near 0 but for a few seconds at a time.
func bursts(random *rand.Rand, n int) []float64 {
	out := walk(random, n, 0.5)
	for i := 0; i < n; i += 5 + random.IntN(20) {
		for k := i; k < min(i+3, n); k++ {
			out[k] += 20
		}
	}
	return out
}
