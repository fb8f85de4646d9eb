package diagnose

import (
	"slices"
	"strings"
	"testing"
)

// TestRemedies: the remedies of a detector are complete, and each has its price. Only detectors whose remedies contain
// numbers, or depend on what is found, list none in advance.
func TestRemedies(t *testing.T) {
	depends := strings.Fields("gc-cpu gc-pointer-heap gc-frequency gc-death-spiral gc-ballast cpu-hot-function " +
		"alloc-site goroutine-surge goroutine-leak goroutine-stuck connection-leak mem-leak mem-giant mem-off-heap " +
		"mem-limit-near " +
		"cpu-quota cpu-neighbours cpu-steal gomaxprocs-mismatch overload periodic-spike expiry-stampede slow-dependency known-fault " +
		"pool-nested pool-held pool-limit own-limiter batch-wait slow-reader child-output requests-wait")
	for _, d := range Detectors() {
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

// TestRemediesAt: a finding's remedies contain the place, and the detector's own are not changed by it.
func TestRemediesAt(t *testing.T) {
	rs := []Remedy{byChange("", "Do less", "At "+Line+": do less.", "none"),
		byValue("fmt.", "GOGC=200", "For all.", "memory")}
	got := remediesAt("main.f (a.go:3)", rs...)
	if len(got) != 2 || got[0].Text != "At main.f (a.go:3): do less." || got[1].Text != "For all." {
		t.Errorf("got %+v", got)
	}
	if !strings.Contains(rs[0].Text, Line) {
		t.Errorf("the detector's remedy became %q", rs[0].Text)
	}
}
