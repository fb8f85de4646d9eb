// Package site is what all pages of `casebook serve` have in common: the style sheet, the navigation, the list of keys,
// and what a link to a page holds.
//
// The problem: the server draws lists, package report draws cases and their evidence, each with one script and one
// style sheet of its own, and a reader should see one place. The approach: one style sheet that both begin with, and
// templates that both parse. The limits: the pages of google/pprof (package pprofweb) are its own.
package site

import (
	"embed"
	"strings"
)

// Style is the style sheet that every page begins with.
//
//go:embed base.css
var Style string

// Templates are site.html: sitebar, which every served page begins with, and sitedialogs, which stand at its end.
//
//go:embed html/*.html
var Templates embed.FS

// OfProcess stands in an address for the function of a finding about a whole process: no function of Go is called that.
const OfProcess = "(process)"

// A Place is a page that the navigation leads to.
type Place struct {
	Name, Path string
	Key        string // after g
	About      string // where Key leads to, in the list of keys
}

// places are those of the navigation, in its order.
var places = []Place{
	{"Now", "/", "n", "what hurts now"},
	{"Findings", "/findings", "f", "findings, equal ones together"},
	{"Cases", "/cases", "c", "all cases"},
	{"Compare", "/compare", "m", "compare two cases"},
	{"Detectors", "/detectors", "d", "what can be found"},
	{"Lab", "/lab", "l", "sick services and their cures"},
}

// A Step is a place as a page shows it.
type Step struct {
	Place
	Current string // aria-current: page, true of a page that belongs there, or empty
}

// Steps are the places as the page at a path shows them.
func Steps(path string) []Step {
	list := make([]Step, len(places))
	for i, p := range places {
		list[i] = Step{Place: p}
		switch {
		case p.Path == path:
			list[i].Current = "page"
		case p.Path != "/" && strings.HasPrefix(path, p.Path+"/"):
			list[i].Current = "true"
		}
	}
	return list
}

// Functions are what the templates call.
func Functions() map[string]any { return map[string]any{"steps": Steps} }
