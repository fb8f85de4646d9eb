package diagnose

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/vitals"
)

func titlesOf(fs []casefile.Finding) (out []string) {
	for _, f := range fs {
		out = append(out, f.Kind+": "+f.Title)
	}
	return out
}

// TestQuotaCauses: a fault that would free as much CPU as is missing is the cause, and comes first; one that would not
// is named in the remedy.
func TestQuotaCauses(t *testing.T) {
	at := time.Date(2026, 11, 23, 8, 0, 0, 0, time.UTC)
	fault := func(id string, gain float64) Detector {
		return Detector{ID: id, Kind: "kind-" + strings.ToLower(id), Run: func(_ context.Context, _ *Reading) Answer {
			return found(casefile.Finding{Title: "title of " + id, Score: 60,
				Where:  []casefile.Frame{{Function: "main." + id}},
				Impact: casefile.Impact{Resource: "cpu", Share: gain, Gain: casefile.Gain{Low: gain / 2, High: gain}}})
		}}
	}
	in := Input{Limits: casefile.Limits{CPUQuota: 2}, Evidence: []Evidence{
		{Name: "dump", Data: dumpOf(crowd{40, "IO wait", "net/http.(*conn).serve:1", ""})},
		history(t, at, map[vitals.ID]func(int) float64{vitals.Throttled: constant(0.8),
			vitals.ThrottledCores: constant(0.8), vitals.CPU: constant(1.98)})}}
	for _, tt := range []struct {
		gain  float64
		cause bool
	}{{0.2, false}, {0.5, true}} { // a third is missing
		got := Run(t.Context(), in, Options{Detectors: []Detector{cpuQuota(), fault("X1", tt.gain)}}).Findings
		if len(got) != 2 || (got[0].ID == "X1") != tt.cause {
			t.Fatalf("gain %g: the order is %v", tt.gain, titlesOf(got))
		}
		quota := got[0]
		if tt.cause {
			quota = got[1]
		}
		said := ""
		for _, r := range quota.Remedies {
			said += r.Text
		}
		if (len(quota.CausedBy) == 1) != tt.cause || !strings.Contains(said, "X1 (title of X1) would free") {
			t.Errorf("gain %g: caused by %v, remedies %q", tt.gain, quota.CausedBy, said)
		}
	}
}

// TestProcessors: GOMAXPROCS as it is seen, otherwise as a Go that follows the quota sets it.
func TestProcessors(t *testing.T) {
	for _, c := range []struct {
		version   string
		quota     float64
		want      float64
		byDefault bool
	}{{"go1.25.1", 2.5, 3, true}, {"go1.25", 0.5, 2, true}, {"go1.24.9", 2.5, 0, false}, {"", 2.5, 0, false},
		{"go1.26", 0, 0, false}} {
		r, _ := read(t.Context(), Input{Build: casefile.Build{GoVersion: c.version},
			Limits: casefile.Limits{CPUQuota: c.quota}})
		if n, byDefault := processors(r); n != c.want || byDefault != c.byDefault {
			t.Errorf("%q with a quota of %v: %v, %v", c.version, c.quota, n, byDefault)
		}
	}
}
