package diagnose_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/gocasebook/casebook/diagnose"
	"github.com/gocasebook/casebook/remedy/catalogue"
)

// TestCatalogue compares remedy/catalogue with the detectors: each kind has remedies there, and there are no others.
// For kinds evidence-* the remedy is better evidence, which the finding itself names.
func TestCatalogue(t *testing.T) {
	var kinds []string
	for _, d := range diagnose.Detectors() {
		if !strings.HasPrefix(d.Kind, "evidence-") {
			kinds = append(kinds, d.Kind)
		}
	}
	known := catalogue.Kinds()
	for _, kind := range kinds {
		if !slices.Contains(known, kind) {
			t.Errorf("remedy/catalogue has no remedies for %s", kind)
		}
	}
	for _, kind := range known {
		if !slices.Contains(kinds, kind) {
			t.Errorf("remedy/catalogue has remedies for %s, which no detector finds", kind)
		}
	}
}
