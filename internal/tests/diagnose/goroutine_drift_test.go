package diagnose_test

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose"
	"github.com/gocasebook/casebook/internal/checkout"
	"github.com/gocasebook/casebook/vitals"
)

// countHistory is 11 s of vitals from noon on, one per second, with a number of goroutines that rises by so many per
// second, and by more or less from step to step.
func countHistory(t *testing.T, start, rate float64, more ...float64) diagnose.Evidence {
	t.Helper()
	var samples []vitals.Sample
	n := start
	for i := range 12 {
		if i > 0 {
			n += rate
			if len(more) > 0 {
				n += more[(i-1)%len(more)]
			}
		}
		s := vitals.Sample{Time: noon.Add(time.Duration(i) * time.Second)}
		s.Set(vitals.Goroutines, n)
		samples = append(samples, s)
	}
	var b bytes.Buffer
	if err := vitals.WriteJSONL(&b, samples, nil, nil); err != nil {
		t.Fatal(err)
	}
	return diagnose.Evidence{Name: "vitals.jsonl", Kind: casefile.Vitals, Data: b.Bytes()}
}

// TestContextChains: testdata/contexts has contexts in the forms in which people write them. Those that grow are found
// where they are made; those that begin anew, are deep, or are many and short are not.
func TestContextChains(t *testing.T) {
	checkout.Need(t)
	for _, tt := range []struct {
		dir, line string // of the first place; "": nothing
	}{
		{"contexts/loop", "main.loop"},
		{"contexts/field", "main.(*session).on"},
		{"contexts/spans", "main."}, // the helper that makes it, or the loop that calls it
		{"contexts/retry", "main.retry"},
		{"contexts/cancels", "main.cancels"},
		{"holdout4/mailroom", "main.(*worker).run"},

		{"contexts/fresh", ""}, {"contexts/deep", ""}, {"contexts/held", ""}, {"contexts/walk", ""},
		{"contexts/bounded", ""},
	} {
		t.Run(tt.dir, func(t *testing.T) {
			f := findingOf(judged(t, tt.dir).Findings, "context-chain")
			switch {
			case tt.line == "" && f != nil:
				t.Errorf("%d, %q: its contexts do not grow", f.Score, f.Title)
			case tt.line == "":
			case f == nil || f.Score < 50 || !strings.HasPrefix(f.Where[0].Function, tt.line):
				t.Errorf("%+v; want 50 or more at %s", f, tt.line)
			}
		})
	}
}
