package engine

import (
	"maps"
	"slices"
	"strings"
)

// A selector picks the series that have all its labels.
type selector map[string]string

// with is the selector and one label more.
func (s selector) with(name, value string) selector {
	out := maps.Clone(s)
	if out == nil {
		out = make(selector)
	}
	out[name] = value
	return out
}

// String is the selector as PromQL, Pyroscope and Parca read it: {a="b",c="d"}.
func (s selector) String() string { return s.and() }

// and is the selector as text, with other matchers of PromQL.
func (s selector) and(others ...string) string {
	var all []string
	for _, name := range slices.Sorted(maps.Keys(s)) {
		all = append(all, name+"="+quote(s[name]))
	}
	return "{" + strings.Join(append(all, others...), ",") + "}"
}

// quote writes a value so that it ends where it ends, whatever is in it.
func quote(value string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`).Replace(value) + `"`
}
