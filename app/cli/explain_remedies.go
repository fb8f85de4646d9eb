package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gocasebook/casebook/diagnose"
	"github.com/gocasebook/casebook/remedy/catalogue"
)

// remedies prints what to do before anything is known of the program: the detector's own, or the catalogue's where the detector's
// depend on what it finds.
func (p *printer) remedies(d diagnose.Detector) {
	all := remediesOf(d)
	if len(all) > 0 {
		fmt.Fprintln(p.w)
		p.text("", "What to do, in this order:")
	}
	for i, r := range all {
		text := r.Title + tail(". ", r.Text)
		if r.Calls != "" {
			text = r.Title + " (where it calls " + r.Calls + "…). " + r.Text
		}
		p.text(fmt.Sprintf("%3d. ", i+1), text)
		p.text("     price: ", r.Price)
	}
}

// packages prints what the catalogue knows to take for a kind, and when not to.
func (p *printer) packages(d diagnose.Detector) {
	all := packagesOf(d)
	if len(all) > 0 {
		fmt.Fprintln(p.w)
		p.text("", "Packages that help:")
	}
	for _, k := range all {
		p.text("  ", k.Path+packageFacts(k)+": "+k.Does)
		p.text("    not ", k.Not)
	}
}

// packageFacts are a dependency's version, licence and weight; "" for the standard library's and our own.
func packageFacts(k catalogue.Package) string {
	if k.Licence == "" {
		return ""
	}
	modules := fmt.Sprintf("brings %d modules", k.Brings)
	switch k.Brings {
	case 0:
		modules = "brings no other module"
	case 1:
		modules = "brings one module"
	}
	return fmt.Sprintf(" (%s, %s, %s)", k.Version, k.Licence, modules)
}

// A remedyJSON is a remedy of a kind, before a program is known.
type remedyJSON struct {
	Title string `json:"title"`
	Text  string `json:"text,omitempty"`
	Calls string `json:"calls,omitempty"` // it applies where the line calls a function that begins with this
	Price string `json:"price"`
}

func remediesOf(d diagnose.Detector) []remedyJSON {
	var out []remedyJSON
	for _, r := range d.Remedies {
		out = append(out, remedyJSON{r.Title, strings.ReplaceAll(r.Text, diagnose.Line, "the line"), r.Calls, r.Price})
	}
	if out != nil {
		return out
	}
	for _, r := range catalogue.For(d.Kind) {
		out = append(out, remedyJSON{Title: r.Do, Price: r.Price})
	}
	return out
}

// packagesOf are the packages that the catalogue's remedies of a kind use, each once.
func packagesOf(d diagnose.Detector) []catalogue.Package {
	var out []catalogue.Package
	for _, r := range catalogue.For(d.Kind) {
		k, ok := catalogue.Lookup(r.Use)
		if ok && !slices.ContainsFunc(out, func(other catalogue.Package) bool { return other.Path == k.Path }) {
			out = append(out, k)
		}
	}
	return out
}
