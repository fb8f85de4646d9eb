package render

import (
	"strings"

	"github.com/gocasebook/casebook/diagnose"
	"github.com/gocasebook/casebook/remedy/catalogue"
)

// A Remedy is one of a kind of finding, before a program is known.
type Remedy struct {
	Title string `json:"title"`
	Text  string `json:"text,omitempty"`
	Calls string `json:"calls,omitempty"` // it applies where the line calls a function that begins with this
	// Not are beginnings of functions: where the line calls one of them it does not apply.
	Not   []string `json:"not_calls,omitempty"`
	Price string   `json:"price"`
}

// When says in brackets where the remedy applies, with a space before; "" for everywhere.
func (r Remedy) When() string {
	var conditions []string
	if r.Calls != "" {
		conditions = append(conditions, "if it calls "+r.Calls+"…")
	}
	for _, n := range r.Not {
		conditions = append(conditions, "not if it calls "+n+"…")
	}
	if conditions == nil {
		return ""
	}
	return " (" + strings.Join(conditions, "; ") + ")"
}

// Remedies returns a detector's own, or the catalogue's where the detector's depend on what it finds; in the order in
// which to try them.
func Remedies(d diagnose.Detector) []Remedy {
	var out []Remedy
	for _, r := range d.Remedies {
		out = append(out, Remedy{r.Title, strings.ReplaceAll(r.Text, diagnose.Line, "the line"), r.Calls, r.Not,
			r.Price})
	}
	if out != nil {
		return out
	}
	for _, r := range catalogue.For(d.Kind) {
		out = append(out, Remedy{Title: r.Do, Price: r.Price})
	}
	return out
}
