package assess

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gocasebook/casebook/diagnose/known"
	"github.com/gocasebook/casebook/diagnose/stacks"
)

// Known are the rows of a module, of a package of the standard library, or that stand at a function; all for "".
func Known(name string) ([]*known.Advice, error) {
	rows, err := known.Advices()
	if err != nil || name == "" {
		return rows, err
	}
	var out []*known.Advice
	for _, a := range rows {
		if ofModule(a, name) {
			out = append(out, a)
		}
	}
	if len(out) > 0 {
		return out, nil
	}
	of := known.AdviceOf(stacks.FuncOf(name, "", "").Name)
	for _, a := range slices.Concat(of.At, of.Stays, of.Below) {
		if !slices.Contains(out, a) {
			out = append(out, a)
		}
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("nothing is known of %s", name)
	}
	return out, nil
}

// ofModule reports whether a row is about a module or a package of the standard library.
func ofModule(a *known.Advice, name string) bool {
	return slices.ContainsFunc(a.Modules, func(m known.Release) bool {
		return m.Path == name || m.Path == known.Std && slices.ContainsFunc(a.At, func(fn string) bool {
			return strings.HasPrefix(fn, name+".")
		})
	})
}

// A KnownRow is what experts know of functions of a module.
type KnownRow struct {
	Module  string   `json:"module"`
	Version string   `json:"version"` // in which it was read
	Sort    string   `json:"sort"`    // default, end, once, grows, costs, fault
	Subject string   `json:"subject"` // the setting and its default, what ends it, what is made …
	At      []string `json:"at"`      // the functions, relative to the module
	Stays   []string `json:"stays,omitempty"`
	Says    string   `json:"says"`
	Why     string   `json:"why"`
	Do      []string `json:"do"` // changes, the best first
	Price   string   `json:"price,omitempty"`
	Holds   string   `json:"holds,omitempty"` // releases
	Source  string   `json:"source"`
}

// A KnownList is what `casebook known --json` prints.
type KnownList struct {
	Schema int        `json:"schema"`
	Rows   []KnownRow `json:"rows"`
}

// KnownOf are rows as JSON.
func KnownOf(rows []*known.Advice) KnownList {
	out := KnownList{Schema: 1}
	for _, a := range rows {
		m := a.Modules[0]
		out.Rows = append(out.Rows, KnownRow{m.Path, m.Version, string(a.About), a.Subject, a.At, a.Stays, a.Says, a.Why,
			a.Do, a.Cost, a.Holds, a.Source})
	}
	return out
}
