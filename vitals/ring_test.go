package vitals

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/gocasebook/casebook/internal/checkout"
	"github.com/gocasebook/casebook/internal/golden"
)

// kindsOfValues are how signals move: each ring is packed in another way, or in several ways one after the other.
var kindsOfValues = map[string]func(r *rand.Rand, i int) float64{
	"constant":     func(*rand.Rand, int) float64 { return 1.25 },
	"zero":         func(*rand.Rand, int) float64 { return 0 },
	"goroutines":   func(r *rand.Rand, _ int) float64 { return float64(1200 + r.IntN(40)) },
	"pages":        func(r *rand.Rand, _ int) float64 { return 9e9 + 4096*float64(r.IntN(30_000)) },
	"heap":         func(r *rand.Rand, _ int) float64 { return 8 * float64(r.IntN(1<<31)) },
	"far apart":    func(r *rand.Rand, _ int) float64 { return float64(r.IntN(1 << 52)) },
	"nanoseconds":  func(r *rand.Rand, _ int) float64 { return time.Duration(200_000 + r.IntN(9_000_000)).Seconds() },
	"rate":         func(r *rand.Rand, _ int) float64 { return 1000 * r.Float64() },
	"below zero":   func(r *rand.Rand, _ int) float64 { return -float64(r.IntN(300)) },
	"both zeros":   func(_ *rand.Rand, i int) float64 { return math.Copysign(0, float64(i%2)-0.5) },
	"large":        func(r *rand.Rand, _ int) float64 { return 1e100 * r.Float64() },
	"steps":        func(_ *rand.Rand, i int) float64 { return float64(i/50) * 0.1 },
	"three levels": func(r *rand.Rand, _ int) float64 { return []float64{1. / 3, 1. / 7, 0.1}[r.IntN(3)] },
	"now and then": func(r *rand.Rand, i int) float64 {
		if i%17 > 0 {
			return math.NaN()
		}
		return r.Float64()
	},
	"counts with gaps": func(r *rand.Rand, _ int) float64 {
		if r.IntN(4) == 0 {
			return math.NaN()
		}
		return float64(r.IntN(100_000))
	},
	"late": func(r *rand.Rand, i int) float64 {
		if i < 150 {
			return math.NaN()
		}
		return float64(r.IntN(255))
	},
	"one, then others": func(r *rand.Rand, i int) float64 { return float64(i/64%2) * r.Float64() },
}

// TestHistoryIsExact: what a history packs comes back to the bit, and means are those of plain values, added up in the
// same order, whatever the size of the ring.
func TestHistoryIsExact(t *testing.T) {
	for name, value := range kindsOfValues {
		for _, size := range []int{1, 3, blockSize - 1, blockSize, blockSize + 1, 2 * blockSize, 601} {
			t.Run(fmt.Sprintf("%s/size=%d", name, size), func(t *testing.T) {
				r := rand.New(rand.NewPCG(1, uint64(size)))
				h, packed, ring := NewHistory(size), NewPackedHistory(size), plainRing{size: size}
				for i := range 2*size + 300 {
					s := NewSample(start.Add(time.Duration(i) * time.Second))
					s.Values[RSS] = value(r, i)
					if i%211 == 210 || i > 2*size+296 {
						ring.compare(t, h, &s)
						ring.compare(t, packed, &s)
					}
					h.Add(s)
					packed.Add(s)
					ring.add(s)
				}
			})
		}
	}
}

// A plainRing is a history of one signal that packs nothing.
type plainRing struct {
	size    int
	samples []Sample
	added   int
}

func (p *plainRing) add(s Sample) {
	p.added++
	if p.samples = append(p.samples, s); len(p.samples) > p.size {
		p.samples = p.samples[1:]
	}
}

func (p *plainRing) compare(t *testing.T, h *History, now *Sample) {
	t.Helper()
	if h.Len() != len(p.samples) {
		t.Fatalf("%d samples, want %d", h.Len(), len(p.samples))
	}
	got := h.Samples()
	for i := range p.samples {
		want := p.samples[i].Values[RSS]
		if v, ok := h.Get(i, RSS); ok != (want == want) || !same(v, want) || !same(got[i].Values[RSS], want) {
			t.Fatalf("value %d of %d is %g, %v, and %g among the samples; want %g", i, h.Len(), v, ok,
				got[i].Values[RSS], want)
		}
	}
	since := now.Time.Add(-time.Duration(p.size) * time.Second * 2 / 3)
	mean, n := h.Mean(RSS, since)
	if want, wantN := p.mean(since); n != wantN || !same(mean, want) {
		t.Errorf("after %d the mean is %g of %d, want %g of %d", p.added, mean, n, want, wantN)
	}
	if line, want := h.Line(RSS, since, now), p.line(since, now); !alike(line, want) {
		t.Errorf("after %d the line is %+v, want %+v", p.added, line, want)
	}
}

func same(a, b float64) bool { return math.Float64bits(a) == math.Float64bits(b) || a != a && b != b }

// alike allows for the rounding of a compiler that adds and multiplies at once, or does not.
func alike(a, b Line) bool {
	close := func(a, b float64) bool { return same(a, b) || math.Abs(a-b) <= 1e-9*max(math.Abs(a), math.Abs(b)) }
	return a.N == b.N && a.Span == b.Span && close(a.Level, b.Level) && close(a.Slope, b.Slope) &&
		close(a.StdErr, b.StdErr) && close(a.Freedom, b.Freedom)
}

// mean adds up what is before the ring's seam and what is after it, as History.Mean does.
func (p *plainRing) mean(since time.Time) (mean float64, n int) {
	var sums [2]float64
	for i := range p.samples {
		s := &p.samples[i]
		if v := s.Values[RSS]; v == v && !s.Time.Before(since) {
			number := p.added - len(p.samples) + i
			after := number/p.size > (p.added-len(p.samples))/p.size
			if after {
				sums[1] += v
			} else {
				sums[0] += v
			}
			n++
		}
	}
	if n == 0 {
		return math.NaN(), 0
	}
	return (sums[0] + sums[1]) / float64(n), n
}

// line is History.Line by a plain loop over the samples.
func (p *plainRing) line(since time.Time, now *Sample) Line {
	end, ok := now.Get(RSS)
	if !ok {
		return Line{}
	}
	n, st, sv, stt, stv, svv, first := 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
	each := func(do func(age time.Duration, v float64)) {
		for i := len(p.samples) - 1; i >= 0 && !p.samples[i].Time.Before(since); i-- {
			if v := p.samples[i].Values[RSS]; v == v {
				do(now.Time.Sub(p.samples[i].Time), v)
			}
		}
	}
	each(func(age time.Duration, v float64) {
		t, v := -float64(age)*1e-9, v-end
		n, st, sv, stt, stv, svv, first = n+1, st+t, sv+v, stt+t*t, stv+t*v, svv+v*v, t
	})
	l := Line{N: int(n), Span: time.Duration(-first * float64(time.Second))}
	if stt -= st * st / n; n < 3 || stt <= 0 {
		return l
	}
	l.Slope = (stv - st*sv/n) / stt
	level := (sv - l.Slope*st) / n
	l.Level = end + level
	before := -level
	sse, lagged := before*before, 0.0
	each(func(age time.Duration, v float64) {
		e := v - end - level + l.Slope*float64(age)*1e-9
		sse, lagged, before = sse+e*e, lagged+e*before, e
	})
	l.doubt(sse, lagged, svv, stt)
	return l
}

// TestPackedSizes: the kinds of values that most signals have are packed at all.
func TestPackedSizes(t *testing.T) {
	for name, want := range map[string]string{
		"constant": "vitals.constant", "zero": "vitals.constant", "goroutines": "*vitals.steps[uint8]",
		"pages": "*vitals.steps[uint16]", "heap": "*vitals.steps[uint32]", "nanoseconds": "*vitals.steps[uint32]",
		"three levels": "*vitals.few", "now and then": "*vitals.few", "rate": "*vitals.plain",
	} {
		values, r := new(plain), rand.New(rand.NewPCG(1, 2))
		for i := range values {
			values[i] = kindsOfValues[name](r, i)
		}
		if got := fmt.Sprintf("%T", pack(values)); got != want {
			t.Errorf("%s is packed as %s, want %s", name, got, want)
		}
	}
}

const signalsPage = "../docs/signals.md"

// TestSignalsPage writes docs/signals.md from the signals with -update, and fails when the page is out of date.
func TestSignalsPage(t *testing.T) {
	checkout.Need(t)
	golden.Is(t, signalsPage, writeSignals())
}

// signalsHead has quotes where the page has backquotes.
const signalsHead = `# Signals

This page is for people who write [rules](rules.md) or read the signals of a case. A watch reads these %d numbers once a
second, unless you change the interval. Shares are from 0 to 1. Rates are over the time since the sample before.

What Casebook cannot read is absent, never zero, and Casebook says why. From another machine there is no /proc: the
signals of the process and 'gc_cpu' are absent. From outside, what only the Go runtime itself knows is absent, such as
'gc_assist'; a Prometheus page gives 'mutex_wait' and 'sched_latency_p99' there. The signals of HTTP come from the
middleware, or from the metrics of requests on a Prometheus page ('--http-metrics'). A watch may have %d more signals of
your own: 'Config.Sources', '--prometheus', '--expvar'.

'go test ./vitals -run TestSignalsPage -update' writes this page. Do not edit it by hand.

| signal | unit | what it is |
|---|---|---|
`

func writeSignals() string {
	var b strings.Builder
	fmt.Fprintf(&b, strings.ReplaceAll(signalsHead, "'", "`"), NumSignals, MaxExtra)
	for _, s := range signals {
		fmt.Fprintf(&b, "| `%s` | %s | %s |\n", s.Name, s.Unit, strings.ReplaceAll(s.Text, "|", `\|`))
	}
	return b.String()
}

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

var start = time.Date(2026, 11, 21, 13, 0, 0, 0, time.UTC)

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
