package cli

import (
	"fmt"

	"github.com/gocasebook/casebook/app/assess"
	"github.com/gocasebook/casebook/app/render"
	"github.com/gocasebook/casebook/app/terminal"
	"github.com/gocasebook/casebook/diagnose"
	"github.com/gocasebook/casebook/remedy/catalogue"
)

// printRemedies prints what to do in general, before anything is known about the program.
func printRemedies(p *terminal.Printer, d diagnose.Detector) {
	all := render.Remedies(d)
	if len(all) > 0 {
		fmt.Fprintln(p.W)
		p.Text("", "What to do, in this order:")
	}
	for i, r := range all {
		p.Text(fmt.Sprintf("%3d. ", i+1), r.Title+r.When()+terminal.Tail(". ", r.Text))
		p.Text("     price: ", r.Price)
	}
}

// printPackages prints the packages that help with a kind, and when not to use them.
func printPackages(p *terminal.Printer, d diagnose.Detector) {
	all := assess.PackagesOf(d)
	if len(all) > 0 {
		fmt.Fprintln(p.W)
		p.Text("", "Packages that help:")
	}
	for _, k := range all {
		p.Text("  ", k.Path+packageFacts(k)+": "+k.Does)
		p.Text("    not ", k.Not)
	}
}

// packageFacts returns a dependency's version, licence and weight; "" for the standard library and our own packages.
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
