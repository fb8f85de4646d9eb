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

// TestRemedies: the remedies of a detector are complete, and each has its price. Only detectors whose remedies contain
// numbers, or depend on what is found, list none in advance.
func TestRemedies(t *testing.T) {
	depends := strings.Fields("gc-cpu gc-pointer-heap gc-frequency gc-death-spiral gc-ballast cpu-hot-function " +
		"alloc-site goroutine-surge goroutine-leak goroutine-stuck connection-leak mem-leak mem-giant mem-off-heap " +
		"mem-limit-near cpu-quota cpu-neighbours cpu-steal gomaxprocs-mismatch overload periodic-spike " +
		"expiry-stampede slow-dependency known-fault pool-nested pool-held pool-limit own-limiter batch-wait " +
		"slow-reader child-output requests-wait child-unwaited")
	for _, d := range diagnose.Detectors() {
		none := slices.Contains(depends, d.Kind) || strings.HasPrefix(d.Kind, "evidence-")
		if got := len(d.Remedies) == 0; got != none {
			t.Errorf("%s: without remedies of its own: %v, want %v", d.Kind, got, none)
		}
		for _, r := range d.Remedies {
			if r.Kind == "" || r.Title == "" || r.Text == "" || r.Price == "" {
				t.Errorf("%s: remedy %+v, want kind, title, text and price", d.Kind, r)
			}
		}
	}
}
