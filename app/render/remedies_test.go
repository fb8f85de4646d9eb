package render

import (
	"slices"
	"strings"
	"testing"

	"github.com/gocasebook/casebook/diagnose"
	"github.com/gocasebook/casebook/remedy/catalogue"
)

// TestRemediesDoNotContradict: a detector and the catalogue may list different remedies for a kind, but what both name
// is in the same order. Neither begins with a dependency where the other begins with a change of code.
func TestRemediesDoNotContradict(t *testing.T) {
	for _, d := range diagnose.Detectors() {
		of := catalogue.For(d.Kind)
		if len(of) == 0 || len(d.Remedies) == 0 {
			continue
		}
		var own, catalogued []string
		for _, r := range d.Remedies {
			own = append(own, packagesIn(r.Title+" "+r.Text)...)
		}
		for _, r := range of {
			catalogued = append(catalogued, packagesIn(r.Use)...)
		}
		own = slices.DeleteFunc(own, func(p string) bool { return !slices.Contains(catalogued, p) })
		catalogued = slices.DeleteFunc(catalogued, func(p string) bool { return !slices.Contains(own, p) })
		if own, catalogued = slices.Compact(own), slices.Compact(catalogued); !slices.Equal(own, catalogued) {
			t.Errorf("%s: the detector names %v in this order, the catalogue %v", d.Kind, own, catalogued)
		}
		// The Go project's own modules (golang.org/x) weigh little: a change of code with one of them counts as a
		// change of code.
		theirs := len(packagesIn(of[0].Use)) > 0 && !strings.HasPrefix(of[0].Use, "golang.org/x/")
		if !begins(d.Remedies, theirs) {
			t.Errorf("%s: the detector begins with %q, the catalogue with %q: one is a dependency, the other is not",
				d.Kind, d.Remedies[0].Title, of[0].Do)
		}
	}
}

// begins says whether remedies begin with a dependency, or with none, for some line: those for lines that call one
// function may be before the first that is for any line.
func begins(remedies []diagnose.Remedy, dependency bool) bool {
	for _, r := range remedies {
		if (r.Kind == "package") == dependency {
			return true
		}
		if r.Calls == "" {
			break
		}
	}
	return false
}

// packagesIn are the packages outside the standard library that a text names, in its order.
func packagesIn(text string) []string {
	var out []string
	for _, p := range catalogue.Packages() {
		if p.Module != catalogue.Standard && strings.Contains(text, p.Path) {
			out = append(out, p.Path)
		}
	}
	slices.SortFunc(out, func(a, b string) int { return strings.Index(text, a) - strings.Index(text, b) })
	return out
}

// TestHelp: the help of a SARIF rule says what explain says. It has remedies of the catalogue where the detector has
// none of its own, and says where a remedy applies only to some lines.
func TestHelp(t *testing.T) {
	for _, d := range diagnose.Detectors() {
		help := helpMarkdown(d)
		for i, r := range Remedies(d) {
			if !strings.Contains(help, "**"+escape(r.Title)+"**") || !strings.Contains(help, escape(r.When())) ||
				r.Calls != "" && !strings.Contains(r.When(), r.Calls) {
				t.Errorf("the help of %s lacks remedy %d, %q, or that it applies%s:\n%s", d.Kind, i+1, r.Title,
					r.When(), help)
			}
		}
	}
}
