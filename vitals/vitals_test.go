package vitals

import (
	"math"
	"strings"
	"testing"
	"time"
)

var start = time.Date(2026, 11, 21, 13, 0, 0, 0, time.UTC)

func TestReadJSONLBad(t *testing.T) {
	const header = `{"schema":1}` + "\n"
	for name, c := range map[string]struct {
		in, want string
		samples  int
	}{
		"no header":   {`{"t":"2026-11-21T13:00:00Z"}`, "line 1 is not a vitals header", 0},
		"bad json":    {header + `{"t":"2026-11-21T13:00:00Z","cpu":1}` + "\n{", "line 3", 1},
		"no time":     {header + `{"cpu":1}`, "line 2", 0},
		"endless":     {header + strings.Repeat("x", maxLine+1), "too long", 0},
		"later names": {header + `{"t":"2026-11-21T13:00:00Z","from_the_future":1}`, "", 1},
	} {
		t.Run(name, func(t *testing.T) {
			_, samples, err := ReadJSONL(strings.NewReader(c.in))
			if len(samples) != c.samples {
				t.Errorf("%d samples, want %d", len(samples), c.samples)
			}
			if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
				t.Errorf("error is %v, want %q in it", err, c.want)
			}
		})
	}
}

func TestTracksOfOddSamples(t *testing.T) {
	if _, ok := NewTrack(nil, CPU); ok {
		t.Error("a track of nothing")
	}
	same := make([]Sample, 100)
	for i := range same {
		same[i] = NewSample(start)
		same[i].Set(CPU, float64(i))
	}
	if _, ok := NewTrack(same, CPU); ok {
		t.Error("a track of one moment")
	}
	same[99].Time = start.Add(1000 * time.Hour)
	same[98].Time = start.Add(1000*time.Hour - time.Nanosecond)
	if tr, ok := NewTrack(same, CPU); ok && len(tr.values) > trackSteps {
		t.Errorf("a grid of %d steps", len(tr.values))
	}
}

// t99 against the integral of the density (Simpson's rule).
func TestT99(t *testing.T) {
	for _, f := range []float64{1, 2, 2.3, 2.5, 3, 3.7, 5, 9, 11, 25, 45, 90, 500, 1e6} {
		a, _ := math.Lgamma((f + 1) / 2)
		b, _ := math.Lgamma(f / 2)
		scale := math.Exp(a-b) / math.Sqrt(f*math.Pi)
		density := func(x float64) float64 { return scale * math.Pow(1+x*x/f, -(f+1)/2) }
		const steps = 20_000
		q := t99(f)
		w, sum := q/steps, density(0)+density(q)
		for i := 1; i < steps; i++ {
			sum += density(float64(i)*w) * float64(2+2*(i%2))
		}
		p := 0.5 + sum*w/3
		if p < 0.98995 || p > 0.993 {
			t.Errorf("with %g degrees of freedom, %.3f is the %.4f quantile, want 0.99", f, q, p)
		}
	}
}
