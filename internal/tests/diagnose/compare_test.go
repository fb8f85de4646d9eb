package diagnose_test

import (
	"strings"
	"testing"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose"
)

// findingAt makes a finding with the confidence of much evidence.
func findingAt(kind, function string, line, score int, share float64) casefile.Finding {
	f := casefile.Finding{ID: "X", Kind: kind, Score: score, Confidence: 0.9,
		Impact: casefile.Impact{Resource: "cpu", Share: share}}
	if function != "" {
		f.Where = []casefile.Frame{{Function: function, File: "/src/a.go", Line: line}}
	}
	return f
}

func diagnosisOf(fs ...casefile.Finding) casefile.Diagnosis { return casefile.Diagnosis{Findings: fs} }

func TestCompareNotes(t *testing.T) {
	blind := diagnosisOf()
	blind.Undecided = []casefile.Undecided{{Kind: "cpu-json", Reason: "no CPU profile"}}
	for _, c := range []struct {
		name      string
		base, now casefile.Diagnosis
		want      string
	}{
		{"gone at the limit", diagnosisOf(findingAt("cpu-json", "main.f", 10, 27, 0.1)), diagnosisOf(), "close to 25"},
		{"gone from afar", diagnosisOf(findingAt("cpu-json", "main.f", 10, 60, 0.1)), diagnosisOf(), ""},
		{"the base was blind", blind, diagnosisOf(findingAt("cpu-json", "main.f", 10, 60, 0.1)),
			"the base could not judge this: no CPU profile"},
		{"now is blind", diagnosisOf(findingAt("cpu-json", "main.f", 10, 60, 0.1)), blind, "no CPU profile"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := diagnose.Compare(c.base, c.now).Changes[0].Note
			if got == "" != (c.want == "") || !strings.Contains(got, c.want) {
				t.Errorf("note %q, want %q", got, c.want)
			}
		})
	}
}

// Differences are now minus base. Shares of different resources are not compared.
func TestCompareDifferences(t *testing.T) {
	base, now := findingAt("cpu-json", "main.f", 10, 50, 0.2), findingAt("cpu-json", "main.f", 10, 62, 0.3)
	if c := diagnose.Compare(diagnosisOf(base), diagnosisOf(now)).Changes[0]; c.Score != 12 || c.Share != 0.1 {
		t.Errorf("score %+d, share %+g; want +12, +0.1", c.Score, c.Share)
	}
	now.Impact.Resource = "memory"
	if c := diagnose.Compare(diagnosisOf(base), diagnosisOf(now)).Changes[0]; c.Share != 0 {
		t.Errorf("a share of memory less one of CPU is %g, want 0", c.Share)
	}
	if c := diagnose.Compare(diagnosisOf(base), diagnosisOf()).Changes[0]; c.Score != -50 || c.Share != -0.2 {
		t.Errorf("gone: score %+d, share %+g; want -50, -0.2", c.Score, c.Share)
	}
}
