// Package prove says whether a service got better, with numbers that can be trusted.
//
// The problem: two runs of the same binary differ, and "p99 went from 41 to 38 ms" may be no more than that. A verdict
// needs to know the noise: the same figures, measured repeatedly on both sides.
//
// The approach: a Block is one measurement of both sides at the same time, in turns. Anything that affects the machine
// affects both and cancels out (Sequence, JudgeTurns). Where that is impossible, a side is a list of rounds, and a
// round has the figures of one stretch of time under the same load. For each figure, a t test of the log ratio of
// trimmed means compares the two lists; its error allows for rounds that resemble each other (level.go, dependence.go).
// The garbage collector is judged by its cycles (cycles.go). The p-values are corrected by Holm's method over all
// figures. Compare documents the rules of the verdicts, and overall the rules of the overall verdict.
//
// Latency quantiles: a quantile of the whole run is not the median of its windows' quantiles, and it is a single number
// with unknown noise. So the windows' quantiles are the rounds: they give the interval, the test and the value shown
// ("p99 of a window, in the median"). The quantile over the whole run (Side.Whole) is in the figure's note. If the two
// contradict each other, because a few windows hold most of the slow requests, the verdict is "cannot tell".
//
// Consecutive windows of one run resemble each other, so n of them say less than n independent ones. Comparing a
// simulated service of nine figures with itself names a change in at most 1 % of the cases, whatever the
// autocorrelation up to 0.9, and with an outlier; docs/evidence/prove.md has the table (make bench-rounds), with what
// that costs.
//
// The limits: rounds that are windows of one process show the noise within that process, not between two starts of it.
// Only more starts, interleaved (ABBA), show that.
package prove

import (
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/gocasebook/casebook/casefile"
)

// A Round is the figures of one stretch of a run, by name. A figure that was not measured is missing or NaN.
type Round map[string]float64

// A Side is one of the two that are compared.
type Side struct {
	casefile.Variant
	Rounds []Round
	Whole  Round             // latency quantiles over the whole run; optional
	Cycles []Cycle           // of the garbage collector: GCCPU and GCRate are judged by them; optional
	Absent map[string]string // why figures were not measured, by name; optional
}

// Options of a comparison. The zero value compares with the defaults and has no key figure.
type Options struct {
	// Key is the figure the remedy was for: the proof's verdict is this one's (see overall). Without it the verdict is
	// "cannot tell".
	Key string
	// Margin is the relative change that is too small to matter, 0–1. Default 0.02.
	Margin float64
	// Taken, Load and Machine go into the proof as they are.
	Taken   time.Time
	Load    string
	Machine string
}

// defaultMargin: what a person calls the same, and above the drift of a quiet machine within an hour.
const defaultMargin = 0.02

// Compare judges every figure that either side has.
//
// A figure is better or worse when the adjusted p is at most 0.01 and the change is above the margin: Options.Margin of
// the value before, and at least the figure's own floor; or if the sides are so far from each other that no dependence
// between rounds can explain it (contrast.separated). It is the same when the 95 % interval of the change lies within
// the margin on both sides. Otherwise the verdict is "cannot tell", and the note says why. A figure that is constant on
// both sides, three rounds or more, is judged exactly: there is no noise to allow for.
//
// An error means that the call is wrong: an unknown figure or a margin outside 0–1.
func Compare(before, after Side, opt Options) (casefile.Proof, error) {
	opt, err := opt.checked()
	if err == nil {
		err = checkNames(before, after)
	}
	if err != nil {
		return casefile.Proof{}, fmt.Errorf("prove: %w", err)
	}
	var cs []*contrast
	for _, f := range figures {
		if c := newContrast(f, before, after, opt.Margin); c != nil {
			cs = append(cs, c)
		}
	}
	correct(contrasted(cs), opt.Key, 1)
	proof := casefile.Proof{
		Taken: opt.Taken, Load: opt.Load, Machine: opt.Machine, Method: method(cs, opt.Margin),
		Before: before.Variant, After: after.Variant,
		Figures: make([]casefile.Figure, 0, len(cs)),
	}
	for _, c := range cs {
		c.judge()
		proof.Figures = append(proof.Figures, c.figure(c.spec.Name == opt.Key))
	}
	proof.Verdict = overall(proof.Figures, opt.Key)
	proof.Summary = summary(proof, opt.Key)
	return proof, nil
}

// contrasted returns the hypotheses of the figures that were tested.
func contrasted(cs []*contrast) []hypothesis {
	var out []hypothesis
	for _, c := range cs {
		if c.tested {
			out = append(out, hypothesis{c.spec.Name, &c.p})
		}
	}
	return out
}

func (o Options) checked() (Options, error) {
	if o.Margin == 0 {
		o.Margin = defaultMargin
	}
	if !(o.Margin > 0 && o.Margin < 1) {
		return o, fmt.Errorf("option Margin is %v: want a share above 0 and below 1, such as 0.02", o.Margin)
	}
	if _, known := lookup(o.Key); o.Key != "" && !known {
		return o, fmt.Errorf("key figure %q is unknown: want one of %v", o.Key, names())
	}
	return o, nil
}

// checkNames finds figures that Compare would drop in silence.
func checkNames(sides ...Side) error {
	for _, s := range sides {
		for _, r := range append(slices.Clone(s.Rounds), s.Whole) {
			for name := range r {
				if _, known := lookup(name); !known {
					return fmt.Errorf("figure %q is unknown: want one of %v", name, names())
				}
			}
		}
	}
	return nil
}

// values returns one figure's finite values, in the order of the rounds.
func (s Side) values(name string) []float64 {
	var vs []float64
	for _, r := range s.Rounds {
		if v, ok := r[name]; ok && !math.IsNaN(v) && !math.IsInf(v, 0) {
			vs = append(vs, v)
		}
	}
	return vs
}
