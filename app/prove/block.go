package prove

import (
	"fmt"
	"math"
	"slices"

	"github.com/gocasebook/casebook/app/stat"
	"github.com/gocasebook/casebook/casefile"
)

// A Block is one measurement of both sides at the same time, and of A against itself: of two starts of A and one of B,
// loaded in turns; or, where each runs once, of a turn of B between two of A.
type Block struct {
	A       Round   `json:"a"`
	A2      Round   `json:"a2"`
	B       Round   `json:"b"`
	Seconds float64 `json:"seconds"` // from the first start to the last slice
}

// A paired is one figure over all blocks, on its way to a verdict.
//
// In each block the change is log B − (log A + log A')/2, and the noise log A' − log A; where a value is 0, differences
// in the figure's unit take the place of the logarithms. Whatever moves all three servers of a block alike cancels in
// both.
type paired struct {
	spec      Spec
	a, b      []float64 // the sides' values, for people
	effect    estimate
	noise     estimate
	absolute  bool // differences in the figure's unit
	tested    bool
	p         float64 // first the test's, then corrected for figures and looks
	absent    string
	collected *collection // of the collector's cycles, instead of blocks
	margin    float64     // of effect: what counts as a change
	verdict   casefile.Verdict
	note      string
}

// newPaired collects a figure; nil if no side has it.
func newPaired(spec Spec, blocks []Block, opt Options) *paired {
	f := &paired{spec: spec, p: 1, verdict: casefile.CannotTell}
	var a1, a2 []float64
	missing := [2]int{}
	for _, bl := range blocks {
		x, okX := bl.A.value(spec.Name)
		y, okY := bl.A2.value(spec.Name)
		z, okZ := bl.B.value(spec.Name)
		if okX && okY && okZ {
			a1, a2, f.b = append(a1, x), append(a2, y), append(f.b, z)
			f.absolute = f.absolute || x <= 0 || y <= 0 || z <= 0
			continue
		}
		if !okX || !okY {
			missing[0]++
		}
		if !okZ {
			missing[1]++
		}
	}
	if len(f.b) == 0 && missing[0] == len(blocks) && missing[1] == len(blocks) {
		return nil
	}
	for i := range a1 {
		f.a = append(f.a, f.value((f.scale(a1[i])+f.scale(a2[i]))/2))
	}
	if 2*len(f.b) < len(blocks) {
		f.absent = fmt.Sprintf("both sides have it in only %d of %d blocks", len(f.b), len(blocks))
		return f
	}
	f.estimate(a1, a2)
	f.setMargin(opt.Margin)
	return f
}

// estimate compares B with both A, and A' with A.
func (f *paired) estimate(a1, a2 []float64) {
	effects, noises := make([]float64, len(a1)), make([]float64, len(a1))
	for i := range a1 {
		effects[i] = f.scale(f.b[i]) - (f.scale(a1[i])+f.scale(a2[i]))/2
		noises[i] = f.scale(a2[i]) - f.scale(a1[i])
	}
	f.effect, f.noise = locate(effects), locate(noises)
	f.tested = f.effect.n >= 2 && !(f.effect.se == 0 && f.effect.centre == 0)
	if f.tested {
		f.p = f.effect.p()
	}
}

// scale returns the logarithm, or the value itself where one is 0.
func (f *paired) scale(v float64) float64 {
	if f.absolute {
		return v
	}
	return math.Log(v)
}

// value returns scale's inverse.
func (f *paired) value(s float64) float64 {
	if f.absolute {
		return s
	}
	return math.Exp(s)
}

// change returns an estimated change as people know it: a share of the value before, or in the figure's unit.
func (f *paired) change(v float64) float64 {
	if f.absolute {
		return v
	}
	return math.Expm1(v)
}

// side returns the centre of one side over the blocks, and its interval: the geometric mean, or the arithmetic one
// where differences are taken, so that the change is what the two values shown differ by, to the last digit. Of one
// block it is the value.
func (f *paired) side(vs []float64) casefile.Stat {
	scaled := make([]float64, len(vs))
	for i, v := range vs {
		scaled[i] = f.scale(v)
	}
	e := locate(scaled)
	if e.n == 0 {
		return casefile.Stat{}
	}
	low, high := slices.Min(vs), slices.Max(vs)
	if e.n > 1 {
		low, high = e.interval(confidence)
		low, high = f.value(low), f.value(high)
	}
	return casefile.Stat{Value: f.value(e.centre), Low: low, High: high, N: e.n}
}

// setMargin settles what is too small to be a change, in the unit of change.
func (f *paired) setMargin(margin float64) {
	if f.spec.Exact > 0 {
		margin = min(margin, f.spec.Exact)
	}
	base := math.Abs(stat.Median(f.a))
	f.margin = max(margin*base, f.spec.Floor)
	if !f.absolute {
		f.margin /= base
	}
}

func (r Round) value(name string) (float64, bool) {
	v, ok := r[name]
	return v, ok && !math.IsNaN(v) && !math.IsInf(v, 0)
}

// collect judges the collector by its cycles, where they are known.
func (f *paired) collect(t Turns, margin float64) {
	if f.spec.Name != GCCPU && f.spec.Name != GCRate {
		return
	}
	got, ok := compareCycles(f.spec.Name, t.Before, t.After)
	if !ok {
		return
	}
	if f.absolute || f.absent != "" { // of blocks without a cycle, which say nothing
		f.noise = estimate{}
	}
	f.absent, f.absolute, f.collected, f.effect = "", false, &got, got.effect
	f.tested, f.p = true, got.effect.p()
	f.margin = max(margin, f.spec.Floor/got.before.value)
}
