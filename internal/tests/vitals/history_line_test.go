package vitals_test

import (
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/gocasebook/casebook/internal/race"
	"github.com/gocasebook/casebook/vitals"
)

// lineOf fits a line to values one second apart. The last one is not in the history.
func lineOf(values ...float64) vitals.Line {
	n := len(values) - 1
	h := series(n, values[:n]...)
	last := vitals.NewSample(start.Add(time.Duration(n) * time.Second))
	last.Set(vitals.Goroutines, values[n])
	return h.Line(vitals.Goroutines, start, &last)
}

func TestLine(t *testing.T) {
	nan := math.NaN()
	for _, c := range []struct {
		name   string
		values []float64
		want   vitals.Line
	}{
		{"perfect", []float64{5, 7, 9, 11}, vitals.Line{N: 4, Span: 3 * time.Second, Level: 11, Slope: 2, Freedom: 2}},
		{"flat", []float64{5, 5, 5}, vitals.Line{N: 3, Span: 2 * time.Second, Level: 5, Freedom: 1}},
		{"with a gap", []float64{5, nan, nan, 11, 13},
			vitals.Line{N: 3, Span: 4 * time.Second, Level: 13, Slope: 2, Freedom: 1}},
		{"two values", []float64{5, 7}, vitals.Line{N: 2, Span: time.Second}},
		{"absent now", []float64{5, 7, 9, nan}, vitals.Line{}},
		// y = 0, 1, 1, 2 by hand: slope 0.6, level 1.9, residuals −0.1, 0.3, −0.3, 0.1: SSE 0.2, Sxx 5.
		{"by hand", []float64{0, 1, 1, 2}, vitals.Line{N: 4, Span: 3 * time.Second, Level: 1.9, Slope: 0.6,
			StdErr: math.Sqrt(0.02), Freedom: 2}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := lineOf(c.values...)
			if got.N != c.want.N || got.Span != c.want.Span || !near(got.Level, c.want.Level) ||
				!near(got.Slope, c.want.Slope) ||
				!near(got.StdErr, c.want.StdErr) || !near(got.Freedom, c.want.Freedom) {
				t.Errorf("%+v, want %+v", got, c.want)
			}
		})
	}
}

func near(a, b float64) bool { return math.Abs(a-b) < 1e-9 }

func TestLineHonoursSince(t *testing.T) {
	h := series(10, 1000, 0, 1, 2)
	last := vitals.NewSample(start.Add(4 * time.Second))
	last.Set(vitals.Goroutines, 3)
	if l := h.Line(vitals.Goroutines, start.Add(time.Second), &last); l.N != 4 || !near(l.Slope, 1) {
		t.Errorf("%+v, want 4 values and a slope of 1", l)
	}
}

// A bound at 99 % may be wrong once in a hundred windows of noise. The simulated noises are what services do: white
// noise, a slow swing (autoregressive), the sawtooth of a collected heap, and a random walk. No test on one window can
// tell a random walk from a trend every time: with samples taken as independent, a walk has a "certain" rise in nearly
// half of the windows.
func TestSlopeBoundsAreRarelyWrong(t *testing.T) {
	race.Skip(t)
	const windows, samples = 2000, 300
	random := rand.New(rand.NewPCG(1, 2))
	for _, c := range []struct {
		name  string
		most  float64 // share of windows with a "certain" rise
		value func(before float64, i int) float64
	}{
		{"white noise", 0.015, func(float64, int) float64 { return random.NormFloat64() }},
		{"autoregressive 0.9", 0.025, func(x float64, _ int) float64 { return 0.9*x + random.NormFloat64() }},
		{"sawtooth", 0.001, func(_ float64, i int) float64 { return float64(i%17) + 0.1*random.NormFloat64() }},
		{"random walk", 0.12, func(x float64, _ int) float64 { return x + random.NormFloat64() }},
	} {
		t.Run(c.name, func(t *testing.T) {
			values, wrong := make([]float64, samples), 0
			for range windows {
				x := 0.0
				for i := range values {
					x = c.value(x, i)
					values[i] = x
				}
				if low, _ := lineOf(values...).SlopeBounds(); low > 0 {
					wrong++
				}
			}
			t.Logf("%.2f %% of the windows have a certain rise", 100*float64(wrong)/windows)
			if share := float64(wrong) / windows; share > c.most {
				t.Errorf("a rise is certain in %.2f %% of windows that have none, want %.2f %% at most", 100*share,
					100*c.most)
			}
		})
	}
}

// A real rise must be seen, under noise and under a sawtooth.
func TestSlopeBoundsSeeARise(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	for name, value := range map[string]func(i float64) float64{
		"noise of a quarter of the rise": func(i float64) float64 { return i + 75*random.NormFloat64() },
		"a leak under a sawtooth":        func(i float64) float64 { return i + 5*math.Mod(i, 20) },
		"slightly bent":                  func(i float64) float64 { return i + i*i/1000 },
		"in steps":                       func(i float64) float64 { return 30 * math.Floor(i/30) },
	} {
		t.Run(name, func(t *testing.T) {
			values := make([]float64, 300)
			for i := range values {
				values[i] = value(float64(i))
			}
			l := lineOf(values...)
			low, high := l.SlopeBounds()
			if low <= 0 || l.Slope < 0.8 || high < l.Slope {
				t.Errorf("%+v is between %g and %g; want a certain rise of about 1 a second", l, low, high)
			}
		})
	}
}

func TestSlopeBoundsOfNothing(t *testing.T) {
	if low, high := lineOf(1, 2).SlopeBounds(); !math.IsInf(low, -1) || !math.IsInf(high, 1) {
		t.Errorf("two values bound the slope by %g and %g", low, high)
	}
	if low, _ := lineOf(-1e308, 1e308, -1e308, 1e308).SlopeBounds(); low > 0 {
		t.Errorf("an overflow gives a certain rise of %g", low)
	}
}

func TestLineAllocatesNothing(t *testing.T) {
	h := series(100, 1, 2, 3)
	last := vitals.NewSample(start.Add(3 * time.Second))
	last.Set(vitals.Goroutines, 4)
	if n := testing.AllocsPerRun(100, func() { h.Line(vitals.Goroutines, start, &last) }); n != 0 {
		t.Errorf("Line allocates %g times", n)
	}
}

func BenchmarkLine(b *testing.B) {
	b.ReportAllocs()
	h := vitals.NewHistory(600)
	s := vitals.NewSample(start)
	for i := range 600 {
		s.Time = start.Add(time.Duration(i) * time.Second)
		s.Set(vitals.Goroutines, float64(i))
		h.Add(s)
	}
	s.Time = start.Add(600 * time.Second)
	for b.Loop() {
		h.Line(vitals.Goroutines, start, &s)
	}
}
