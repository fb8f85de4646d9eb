package diagnose_test

import (
	"encoding/json"
	"os"
	"regexp"
	"slices"
	"testing"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/internal/checkout"
)

// The services of lab/foreign are well-known programs written by others. They were watched with the default rules, both
// healthy and in a state of overload or misconfiguration that an operator may cause. These are the captures.

// A foreignCase is a row of lab/foreign/services.json.
type foreignCase struct {
	Name    string   `json:"name"`
	Healthy bool     `json:"healthy"`
	Places  []string `json:"places"` // none: the process as a whole is ill
	Kinds   []string `json:"kinds"`  // none: no warning is wanted
	Says    string   `json:"says"`
	Never   string   `json:"never"`
}

func foreignCases(t *testing.T) []foreignCase {
	t.Helper()
	checkout.Need(t)
	var table struct{ Services []foreignCase }
	b, err := os.ReadFile("../../../lab/foreign/services.json")
	if err == nil {
		err = json.Unmarshal(b, &table)
	}
	if err != nil {
		t.Fatal(err)
	}
	return table.Services
}

// TestForeign: a healthy service gets no warning. For a sick one, the first finding has the right line and remedy.
func TestForeign(t *testing.T) {
	recorded := 0
	for _, c := range foreignCases(t) {
		dir := "foreign/" + c.Name
		if !checkout.Evidence(t).Has(dir) {
			continue // nothing tripped when it was recorded: docs/evidence/foreign.md
		}
		recorded++
		t.Run(c.Name, func(t *testing.T) {
			findings := judged(t, dir).Findings
			switch {
			case c.Healthy || len(c.Kinds) == 0: // a rule trips, and rightly; nothing is wrong in the code
				quietBelowWarnings(t, findings)
			case len(findings) == 0:
				t.Error("nothing was found")
			default:
				c.right(t, findings[0])
			}
		})
	}
	if recorded < 10 {
		t.Errorf("%d services are recorded, want 10 or more", recorded)
	}
}

func quietBelowWarnings(t *testing.T, fs []casefile.Finding) {
	for _, f := range fs {
		if f.Score >= loud {
			t.Errorf("%s %d: %s", f.Kind, f.Score, f.Title)
		}
	}
}

// literal matches the end of the names that the compiler gives to function literals.
var literal = regexp.MustCompile(`(\.func\d+(\.\d+)*|\.gowrap\d+)+$`)

// right: kind, place and one of the first two remedies are those that were written down before the service was first
// watched.
func (c *foreignCase) right(t *testing.T, f casefile.Finding) {
	if !slices.Contains(c.Kinds, f.Kind) {
		t.Errorf("%s %d: %s; want one of %v", f.Kind, f.Score, f.Title, c.Kinds)
	}
	if len(c.Places) > 0 && (len(f.Where) == 0 || !slices.Contains(c.Places,
		literal.ReplaceAllString(f.Where[0].Function, ""))) {
		t.Errorf("%s blames %v, want one of %v", f.Kind, f.Where, c.Places)
	}
	says, never := regexp.MustCompile("(?i)"+c.Says), regexp.MustCompile("(?i)"+c.Never)
	if c.Never != "" && never.MatchString(f.Remedies[0].Title) {
		t.Errorf("%s has the remedy %q", f.Kind, f.Remedies[0].Title)
	}
	if !slices.ContainsFunc(f.Remedies[:min(2, len(f.Remedies))],
		func(r casefile.Remedy) bool { return says.MatchString(r.Title + ". " + r.Text) }) {
		t.Errorf("%s has the remedies %v, want one that says %q", f.Kind, titles(f.Remedies), c.Says)
	}
}
