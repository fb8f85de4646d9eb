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

// TestChains over all recordings: each finding is in a chain, a root is explained by nothing, each further link says
// why, and a verdict fits on three lines.
func TestChains(t *testing.T) {
	for _, dir := range caseFolders(t) {
		rep := judged(t, dir)
		for _, f := range rep.Findings {
			if !slices.ContainsFunc(rep.Causes, func(c casefile.Cause) bool { return hasLink(c, f.ID) }) {
				t.Errorf("%s: %s is in no chain", dir, f.ID)
			}
		}
		for _, c := range rep.Causes {
			wellLinked(t, dir, rep, c)
		}
		if v := rep.Verdict; v != nil {
			wellSaid(t, dir, rep, v)
		}
	}
}

func hasLink(c casefile.Cause, id string) bool {
	return slices.ContainsFunc(c.Links, func(l casefile.Link) bool { return l.ID == id })
}

func wellLinked(t *testing.T, dir string, rep Report, c casefile.Cause) {
	root := rep.Findings[slices.IndexFunc(rep.Findings, func(f casefile.Finding) bool { return f.ID == c.Links[0].ID })]
	for _, id := range root.CausedBy {
		if slices.ContainsFunc(rep.Findings, func(f casefile.Finding) bool { return f.ID == id }) {
			t.Errorf("%s: the root %s is caused by %s", dir, root.ID, id)
		}
	}
	for _, l := range c.Links[1:] {
		if l.Why == "" {
			t.Errorf("%s: nothing says why %s%s follows", dir, l.Kind, l.Signal)
		}
	}
}

func wellSaid(t *testing.T, dir string, rep Report, v *casefile.CaseVerdict) {
	if n := linesOf(v.Text); n > verdictLines {
		t.Errorf("%s: the verdict takes %d lines: %s", dir, n, v.Text)
	}
	if strings.Contains(v.Text, "…") {
		t.Errorf("%s: the verdict is cut: %s", dir, v.Text)
	}
	if v.Answer != casefile.AnswerUndecided && !hasLink(rep.Causes[0], v.Root) {
		t.Errorf("%s: the verdict's root %s is not that of the first chain", dir, v.Root)
	}
}

// TestOrder over all recordings: what is severe stands below what is less severe only with the reason for it.
func TestOrder(t *testing.T) {
	below := 0
	for _, dir := range caseFolders(t) {
		fs := judged(t, dir).Findings
		for i, f := range fs {
			lower := slices.IndexFunc(fs[:i], func(g casefile.Finding) bool { return band(g) < band(f) })
			if (lower >= 0) != (f.Order != "") {
				t.Errorf("%s: %s %d stands at %d, order %q", dir, f.ID, f.Score, i, f.Order)
			}
			if lower >= 0 {
				below++
			}
		}
	}
	if below < 10 {
		t.Errorf("%d findings stand below less severe ones, want 10 or more: the test sees none", below)
	}
}

// TestCollectorIsASymptom over all recordings: where a line allocates enough to be a finding, the collector's cost
// comes after it and names it, unless a setting makes the collector run, or the line is a minor part of it.
func TestCollectorIsASymptom(t *testing.T) {
	symptoms := 0
	for _, dir := range caseFolders(t) {
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
