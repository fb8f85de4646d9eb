package diagnose_test

import (
	"testing"
	"time"

	"github.com/gocasebook/casebook/diagnose"
)

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
