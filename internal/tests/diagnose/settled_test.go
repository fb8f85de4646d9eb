package diagnose_test

import (
	"testing"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose"
)

// TestWithSource: what source says moves confidence and score by what WithSource documents, and by no more.
func TestWithSource(t *testing.T) {
	confirms, contradicts, adds := casefile.Settled{Verdict: casefile.Confirms},
		casefile.Settled{Verdict: casefile.Contradicts}, casefile.Settled{Verdict: casefile.Adds}
	for _, c := range []struct {
		name       string
		score      int
		confidence float64
		says       []casefile.Settled
		wantScore  int
		wantSure   float64
	}{
		{"nothing", 74, 0.7, nil, 74, 0.7},
		{"adds", 74, 0.7, []casefile.Settled{adds}, 74, 0.7},
		{"confirms", 74, 0.7, []casefile.Settled{confirms}, 74, 0.85},
		{"confirms twice: the same code", 74, 0.7, []casefile.Settled{confirms, confirms}, 74, 0.85},
		{"confirms what is all but certain", 90, 0.99, []casefile.Settled{confirms}, 90, 0.99},
		{"contradicts a warning", 74, 0.7, []casefile.Settled{contradicts}, 49, 0.35},
		{"contradicts a notice", 30, 0.8, []casefile.Settled{contradicts, adds}, 30, 0.4},
		{"both", 80, 0.8, []casefile.Settled{confirms, contradicts}, 49, 0.4},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := diagnose.WithSource(casefile.Finding{Score: c.score, Confidence: c.confidence}, c.says...)
			if got.Score != c.wantScore || got.Confidence != c.wantSure || len(got.Source) != len(c.says) {
				t.Errorf("score %d, confidence %.2f, %d texts; want %d, %.2f, %d", got.Score, got.Confidence,
					len(got.Source), c.wantScore, c.wantSure, len(c.says))
			}
		})
	}
}
