package vitals

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"time"
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
