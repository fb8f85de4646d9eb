// Package notes is what is known of the modules of a program without a measurement of it: releases with a known fault, and
// settings left at a default that bites.
//
// The problem: the table of what experts know (diagnose/known) speaks where a fact of a case stands at a function. Before
// there is a case somebody can know already that the release that is built in has a fault. That a module is there is
// little, and a note that is wrong costs more than one that is missing.
//
// So a note needs a version that is a release, and is no replacement, within the row's range, and the package with the
// fault in the program: not its module alone. A default needs a literal in the program's own source that leaves the field
// out, in a module for which the row says that the zero field is the default, and no other mention of the field.
//
// The limits: that a package is linked does not say that the function with the fault is called. The standard library is
// left out, because nearly all of it is in any program.
package notes

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gocasebook/casebook/diagnose/known"
)

// A Note is one thing that is known. Its words are the row's.
type Note struct {
	Sort    known.About `json:"sort"` // known.AboutFault, known.AboutDefault
	Module  string      `json:"module"`
	Version string      `json:"version"`
	Setting string      `json:"setting,omitempty"` // of a default: "Writer.BatchTimeout"
	Default string      `json:"default,omitempty"` // of the setting: "1s"
	Says    string      `json:"says"`
	Do      string      `json:"do"`
	Source  string      `json:"source"`
	File    string      `json:"file,omitempty"` // of the literal, absolute
	Line    int         `json:"line,omitempty"`
}

// String is the note for a reader, without its place.
func (n Note) String() string {
	about := "has a known fault"
	if n.Sort == known.AboutDefault {
		about = fmt.Sprintf("%s is at its default (%s). Where that bites", n.Setting, n.Default)
	}
	return fmt.Sprintf("%s %s: %s: %s. %s (%s)", n.Module, n.Version, about, n.Says, n.Do, n.Source)
}

// A Module is one that is built into a program.
type Module struct {
	Path, Version string
	Packages      []string // of it, that the program has
}

// Faults are the faults of the releases of modules.
func Faults(modules []Module) (out []Note) {
	rows, _ := known.Advices() // a test reads err: the rows are a part of the binary
	for _, m := range modules {
		if !known.IsRelease(m.Version) {
			continue
		}
		for _, a := range rows {
			if a.About == known.AboutFault && a.HoldsFor(m.Version) && m.has(a) {
				out = append(out, noteOf(a, m))
			}
		}
		out = append(out, m.advisories()...)
	}
	return out
}

// advisories are the faults of known.Faults, without those that are a row, too.
func (m Module) advisories() (out []Note) {
	for _, k := range known.Faults() {
		for _, r := range k.Releases {
			if r.Module == m.Path && r.Has(m.Version) && m.links(k.In) && !m.isRow(k.In) {
				out = append(out, Note{Sort: known.AboutFault, Module: m.Path, Version: m.Version, Says: "it " + k.What,
					Do: "Upgrade to " + r.Fixed + " or later.", Source: k.Page})
			}
		}
	}
	return out
}

// has reports whether a row is about functions of packages that the program has.
func (m Module) has(a *known.Advice) bool {
	return slices.ContainsFunc(a.Modules, func(r known.Release) bool { return r.Path == m.Path }) &&
		m.links(slices.Concat(a.At, a.Stays))
}

// links reports whether the program has a package of one of the functions, which are named relative to the module.
func (m Module) links(functions []string) bool {
	return slices.ContainsFunc(functions, func(fn string) bool {
		return slices.Contains(m.Packages, m.Path+folderOf(fn))
	})
}

// isRow reports whether a row knows a fault of the release at one of the functions.
func (m Module) isRow(functions []string) bool {
	return slices.ContainsFunc(functions, func(fn string) bool {
		return slices.ContainsFunc(known.AdviceOf(m.Path+fn).At, func(a *known.Advice) bool {
			return a.About == known.AboutFault && a.HoldsFor(m.Version)
		})
	})
}

// folderOf is a function's package below its module: "/sub" of "/sub.(*T).Method", "" of ".New".
func folderOf(function string) string {
	slash := strings.LastIndexByte(function, '/') + 1
	dot := strings.IndexByte(function[slash:], '.')
	return function[:slash+max(dot, 0)]
}

func noteOf(a *known.Advice, m Module) Note {
	n := Note{Sort: a.About, Module: m.Path, Version: m.Version, Says: a.Says, Do: a.Do[0], Source: a.Source}
	if i := strings.Index(n.Source, "https://"); i >= 0 {
		n.Source = n.Source[i:] // the page says in which releases
	} else {
		n.Source = fmt.Sprintf("%s %s, %s", a.Modules[0].Path, a.Modules[0].Version, a.Source)
	}
	return n
}
