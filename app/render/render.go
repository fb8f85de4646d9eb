// Package render writes a diagnosis in formats that other tools read: Markdown for a ticket, SARIF for code scanning.
//
// The problem: findings go to places with their own syntax, and the names in them come from a profile that anyone may
// have made. The approach: one Document has everything that any format needs; each format is a function that writes it
// and escapes every text that it did not make itself.
//
// Limits: package cli has the terminal's layout, and package report the page. Source lines are places, not code:
// nothing is read from source files.
package render

import (
	"strings"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose"
)

// A Document is a diagnosis with what is known of how it came about.
type Document struct {
	Diagnosis  casefile.Diagnosis
	Read       []diagnose.Artefact  // the evidence; may be empty
	Comparison *diagnose.Comparison // with a base; nil without one
	Version    string               // of Casebook
	Source     Source               // where the code is on this machine; zero if it is not here
}

// packageOf returns the import path in a function's name, "" without one: "net/http" of "net/http.(*conn).serve".
func packageOf(function string) string {
	if i := strings.IndexByte(function, '['); i >= 0 {
		function = function[:i] // type arguments hold slashes and dots of their own
	}
	base := strings.LastIndexByte(function, '/') + 1
	dot := strings.IndexByte(function[base:], '.')
	if dot < 0 {
		return ""
	}
	return strings.ReplaceAll(function[:base+dot], "%2e", ".") // the linker escapes dots in the last element
}
