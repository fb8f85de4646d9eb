package diagnose

import (
	"slices"
	"strings"
	"testing"

	"github.com/gocasebook/casebook/casefile"
)

// TestLinksHaveReasons: each relation from a cause to a symptom says why.
func TestLinksHaveReasons(t *testing.T) {
	for _, d := range Detectors() {
		for _, e := range d.Explains {
			if e.Why == "" && builtIn().kind(e.Kind).Follows == "" {
				t.Errorf("%s explains %s, and nothing says why", d.Kind, e.Kind)
			}
		}
	}
}

// TestCollectorIsASymptom over recordings of garbage and of settings of the collector: where a line allocates enough to
// be a finding, the collector's cost comes after it and names it, unless a setting makes the collector run, or the line
// is a minor part of it.
func TestCollectorIsASymptom(t *testing.T) {
	symptoms := 0
	for _, dir := range foldersOf(t, "alloc_", "gc_", "settings/") {
		fs := judged(t, dir).Findings
		if !slices.ContainsFunc(fs, ofCollector) || settingOf(t, dir) {
			continue
		}
		for i, gc := range fs {
			for k, f := range fs {
				if !ofCollector(gc) || !explainsCollector(f, gc) {
					continue
				}
				symptoms++
				if !slices.Contains(gc.CausedBy, f.ID) {
					t.Errorf("%s: %s does not name %s as its cause", dir, gc.ID, f.ID)
				}
				if k > i && !builtIn().minor(gc, f) {
					t.Errorf("%s: %s %d stands before its cause %s %d", dir, gc.ID, gc.Score, f.ID, f.Score)
				}
			}
		}
	}
	if symptoms < 30 {
		t.Errorf("%d pairs of garbage and collector, want 30 or more: the test sees none", symptoms)
	}
}

func ofCollector(f casefile.Finding) bool {
	return slices.Contains([]string{"gc-cpu", "gc-frequency", "gc-assist"}, f.Kind)
}

// settingOf reports whether a setting makes the collector run.
func settingOf(t *testing.T, dir string) bool {
	r, _ := read(t.Context(), loadCase(t, dir))
	return settingLeads(r)
}

func explainsCollector(f, gc casefile.Finding) bool {
	return strings.HasPrefix(f.ID, "AL") || builtIn().holds(to(gc.Kind, builtIn().kind(f.Kind).Explains), f, gc)
}

func TestGraphWithoutCircles(t *testing.T) {
	fs := []casefile.Finding{{ID: "A", CausedBy: []string{"B"}}, {ID: "B", CausedBy: []string{"A"}},
		{ID: "C", CausedBy: []string{"C", "none", "A"}}}
	got := builtIn().graph(fs).chains()
	if len(got) != 1 || !slices.Equal(got[0], []int{1, 0, 2}) {
		t.Errorf("chains %v, want B → A → C", got)
	}
}
