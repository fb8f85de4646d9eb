package play

import (
	"regexp"
	"slices"
	"testing"

	"github.com/gocasebook/casebook/app/prove"
	"github.com/gocasebook/casebook/diagnose"
	"github.com/gocasebook/casebook/lab"
)

// What the lab's rows name is checked before a minute of each is spent: the names of figures and findings, and what a
// row needs.
func TestServices(t *testing.T) {
	var figures, kinds []string
	for _, f := range prove.Figures() {
		figures = append(figures, f.Name)
	}
	for _, d := range diagnose.Detectors() {
		kinds = append(kinds, d.Kind)
	}
	slug := regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`)
	seen := make(map[string]bool)
	for _, row := range Rows(lab.Services()) {
		t.Run(row.Name(), func(t *testing.T) {
			d := row.Disease
			if seen[row.Name()] || !slug.MatchString(row.Service.Name) || !slug.MatchString(d.Name) {
				t.Error("the name is taken, or is no slug")
			}
			seen[row.Name()] = true
			if !slices.Contains(figures, keyOf(d)) {
				t.Errorf("key figure %q is unknown, want one of %v", d.Key, figures)
			}
			if len(d.Want.Kinds) == 0 && d.Want.Needs == "" {
				t.Error("no finding is wanted, and nothing is missing to see it")
			}
			for _, k := range slices.Concat(d.Want.Kinds, d.Want.Still) {
				if !slices.Contains(kinds, k) {
					t.Errorf("no detector finds %q", k)
				}
			}
			if row.Service.Text == "" || d.Sick == "" || d.Cure == "" || d.Rig == nil {
				t.Error("a text is missing, or the rig")
			}
			if d.Fix != slices.Equal(slices.Concat(d.SickArgs, d.SickEnv), slices.Concat(d.CuredArgs, d.CuredEnv)) {
				t.Error("both forms are the same, or casebook fix makes the cure and they are not")
			}
		})
	}
}
