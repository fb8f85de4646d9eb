package diagnose

import (
	"strings"
	"testing"
)

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
