package diagnose

import (
	"math"
	"slices"

	"github.com/gocasebook/casebook/casefile"
)

// surest is the most that source can make of a confidence: the code shows the fault, not that it is what costs.
const surest = 0.99

// WithSource is a finding with what the program's source says of it.
//
// Confidence is how much evidence there is, and source is more of it: what confirms halves the doubt (0.7 is 0.85),
// what contradicts halves the confidence. A score is what the fault costs, which source cannot tell, so what confirms
// leaves it. A contradiction makes of a warning a notice: the cost was measured, and what to change is not what the
// finding says.
func WithSource(f casefile.Finding, settled ...casefile.Settled) casefile.Finding {
	says := func(verdict string) bool {
		return slices.ContainsFunc(settled, func(s casefile.Settled) bool { return s.Verdict == verdict })
	}
	f.Source = append(slices.Clip(f.Source), settled...)
	switch {
	case says(casefile.Contradicts):
		f.Confidence /= 2
		f.Score = min(f.Score, capNotice)
	case says(casefile.Confirms):
		f.Confidence = max(f.Confidence, min(1-(1-f.Confidence)/2, surest))
	}
	f.Confidence = math.Round(100*f.Confidence) / 100
	return f
}

// Contradicted reports whether the source speaks against a finding.
func Contradicted(f casefile.Finding) bool {
	return slices.ContainsFunc(f.Source, func(s casefile.Settled) bool { return s.Verdict == casefile.Contradicts })
}
