// Package render writes a diagnosis in formats that other tools read: Markdown for a ticket, SARIF for code scanning.
//
// The problem: findings go to places with their own syntax, and the names in them come from a profile that anyone may
// have made. The approach: one Document has everything that any format needs; each format is a function that writes it
// and escapes every text that it did not make itself.
//
// Limits: package cli has the terminal's layout, and package report the page. Nothing is read from source files: who
// has lines of them adds them to the places.
package render

import (
	"github.com/gocasebook/casebook/app/difference"
	"github.com/gocasebook/casebook/app/source"
	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose"
)

// A Document is a diagnosis with what is known of how it came about.
type Document struct {
	Diagnosis  casefile.Diagnosis
	Read       []diagnose.Artefact    // the evidence; may be empty
	Comparison *difference.Difference // with a base; nil without one
	Opinions   []casefile.Opinion     // of the case that was judged; in Markdown alone
	Version    string                 // of Casebook
	Source     source.Tree            // where the code is on this machine; zero if it is not here
}
