package assess

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gocasebook/casebook/app/render"
	"github.com/gocasebook/casebook/diagnose"
	"github.com/gocasebook/casebook/internal/near"
	"github.com/gocasebook/casebook/internal/plain"
	"github.com/gocasebook/casebook/remedy/catalogue"
)

// An Explained is a detector's documentation: one line of `casebook detectors --json`, and what `explain --json`
// prints.
type Explained struct {
	ID    string     `json:"id"`
	Kind  string     `json:"kind"`
	Title string     `json:"title"`
	Needs [][]string `json:"needs"` // each must be met, by any kind of it
	Text  string     `json:"text"`

	Remedies []render.Remedy `json:"remedies"` // in the order in which to try them
	Packages []Package       `json:"packages"` // that do some of it
	Before   string          `json:"before,omitempty"`
	After    string          `json:"after,omitempty"`
}

// A Package is one that remedies use. Those of the standard library and our own have no version and licence.
type Package struct {
	Path    string `json:"path"`
	Version string `json:"version,omitempty"`
	Licence string `json:"licence,omitempty"`
	Brings  int    `json:"brings"` // modules that it adds to go.mod
	Does    string `json:"does"`
	Not     string `json:"not"` // when not to take it
}

// ExplanationOf returns a detector's documentation.
func ExplanationOf(d diagnose.Detector) Explained {
	out := Explained{ID: d.ID, Kind: d.Kind, Title: d.Title, Needs: [][]string{}, Text: d.Text, Before: d.Before,
		After:    d.After,
		Remedies: slices.Concat([]render.Remedy{}, render.Remedies(d)), Packages: []Package{}}
	for _, k := range PackagesOf(d) {
		out.Packages = append(out.Packages, Package{k.Path, k.Version, k.Licence, k.Brings, k.Does, k.Not})
	}
	for _, n := range d.Needs {
		out.Needs = append(out.Needs, n.Kinds)
	}
	return out
}

// DetectorNamed finds a detector by its ID or kind, or by another name of the kind, in any case. The error has the
// names that may be meant.
func DetectorNamed(name string) (diagnose.Detector, error) {
	all := diagnose.Detectors()
	i := slices.IndexFunc(all, func(d diagnose.Detector) bool {
		return slices.ContainsFunc(append([]string{d.ID, d.Kind}, d.OtherNames...),
			func(s string) bool { return strings.EqualFold(s, name) })
	})
	if i >= 0 {
		return all[i], nil
	}
	var names []string
	for _, d := range all {
		names = append(names, d.Kind, d.ID)
	}
	hint := ""
	if meant := near.Names(name, names); len(meant) > 0 {
		hint = " (did you mean " + strings.Join(meant, ", ") + "?)"
	}
	return diagnose.Detector{}, fmt.Errorf("no detector is called %q%s", plain.Text(name), hint)
}

// PackagesOf returns the packages that the catalogue's remedies for a kind use, each once.
func PackagesOf(d diagnose.Detector) []catalogue.Package {
	var out []catalogue.Package
	for _, r := range catalogue.For(d.Kind) {
		k, ok := catalogue.Lookup(r.Use)
		if ok && !slices.ContainsFunc(out, func(other catalogue.Package) bool { return other.Path == k.Path }) {
			out = append(out, k)
		}
	}
	return out
}
