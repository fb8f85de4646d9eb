package diagnose_test

import (
	"slices"
	"testing"
	"time"

	"github.com/gocasebook/casebook/diagnose"
	"github.com/gocasebook/casebook/internal/checkout"
)

// TestSlowCalls: of a client whose calls are slow, timeouts and the number of idle connections come before bodies that
// are not read. One that keeps as many connections as it has calls gets no finding, however slow they are.
func TestSlowCalls(t *testing.T) {
	checkout.Need(t)
	for name, want := range map[string][]string{
		"gateway": {"See whether calls end at their timeout", "MaxIdleConnsPerHost=100"},
		"pool":    {"See whether calls end at their timeout", "MaxIdleConnsPerHost=100"},
		"kept":    nil,
	} {
		t.Run(name, func(t *testing.T) {
			in := diagnose.Input{Evidence: recordings(t, 5, "slowcalls/"+name, "*.pb.gz")}
			f, score := scoreOf(t, in, "net-no-keepalive")
			var first []string
			for _, r := range f.Remedies[:min(2, len(f.Remedies))] {
				first = append(first, r.Title)
			}
			if score > 0 != (want != nil) || !slices.Equal(first, want) {
				t.Errorf("scores %d and advises %q, want %q", score, first, want)
			}
		})
	}
}

// TestUntimedHeap: a heap profile as text beside one with a time shows no growth.
func TestUntimedHeap(t *testing.T) {
	before, after := ageProfile(time.Time{}, ageSite{100, 100}), ageProfile(readAt, ageSite{5000, 5000})
	rep := diagnose.Run(t.Context(), diagnose.Input{Evidence: []diagnose.Evidence{before, after}}, diagnose.Options{})
	for _, f := range rep.Findings {
		if f.Kind == "mem-leak" {
			t.Errorf("%+v", f)
		}
	}
}
