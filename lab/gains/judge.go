package gains

import (
	"slices"
	"strings"

	"github.com/gocasebook/casebook/casefile"
)

// The verdicts on a promise.
const (
	Within  = "within"    // the truth lies in the range
	TooLow  = "too low"   // the fix brought more
	TooHigh = "too high"  // it brought less
	Unknown = "unknown"   // the finding promises nothing
	Missed  = "not found" // no finding names the function
)

// A Judgement is what was promised of a pair, and what came.
type Judgement struct {
	Pair    Pair
	Truth   Truth
	Finding *casefile.Finding // nil: Missed
	Place   int               // of the finding, 1 is the first
	Got     float64           // what the fix brought of the finding's resource
	Verdict string
}

// rounding is how exactly a share of CPU is known from 500 samples: half a point.
const rounding = 0.005

// named is how many places of a finding are looked at: who reads it begins with the first.
const named = 3

// Judge compares the first finding that names the pair's function with the truth.
func Judge(p Pair, t Truth, findings []casefile.Finding) Judgement {
	j := Judgement{Pair: p, Truth: t, Verdict: Missed}
	i := slices.IndexFunc(findings, func(f casefile.Finding) bool {
		return slices.ContainsFunc(f.Where[:min(len(f.Where), named)], func(w casefile.Frame) bool {
			return p.names(w.Function)
		})
	})
	if i < 0 {
		return j
	}
	j.Finding, j.Place = &findings[i], i+1
	got, known := t.of(*j.Finding)
	j.Got = got
	switch g := j.Finding.Impact.Gain; {
	case g.High == 0 || !known:
		j.Verdict = Unknown
	case j.Got > g.High+rounding:
		j.Verdict = TooLow
	case j.Got < g.Low-rounding:
		j.Verdict = TooHigh
	default:
		j.Verdict = Within
	}
	return j
}

// of is what the fix brought of what a finding promises: CPU, or garbage, which findings about allocations promise
// without a CPU profile. Other memory is live memory, of which a pair knows nothing.
func (t Truth) of(f casefile.Finding) (got float64, known bool) {
	switch {
	case f.Impact.Resource == "cpu":
		return t.CPU(), true
	case f.Impact.Resource == "memory" && strings.HasPrefix(f.Kind, "alloc-"):
		return t.Garbage(), true
	}
	return 0, false
}

// twice is how far the middle of a promise may be from what came for it to be of use: of two places of which one
// promises four times as much as the other, it still tells which to change.
const twice = 2.0

// useful reports whether what came is between half of the middle of the promise and twice that.
func (j Judgement) useful() bool {
	if j.Finding == nil || j.Finding.Impact.Gain.High == 0 {
		return false
	}
	g := j.Finding.Impact.Gain
	middle := (g.Low + g.High) / 2
	return j.Got >= middle/twice && j.Got <= middle*twice
}

// near reports whether the middle of the promise is within 30 % of what came: the measure of an earlier table.
func (j Judgement) near() bool {
	if j.Finding == nil || j.Finding.Impact.Gain.High == 0 {
		return false
	}
	g := j.Finding.Impact.Gain
	middle := (g.Low + g.High) / 2
	return middle >= 0.7*j.Got && middle <= 1.3*j.Got
}
