// Package catalogue lists what can be done about each kind of finding, and the packages that do it.
//
// The problem: a diagnosis names a fault, and then the search for an existing fix begins. Which cache, which codec,
// which pool is still maintained, what does it depend on, and when is it the wrong one? The approach: data. For lists
// the remedies of a kind of finding in the order in which to try them: what costs least and cannot hurt comes first, a
// new dependency late, and the packages of this module only where no kept library does the same. Each has its price; a
// remedy without a price has not been understood. Packages lists every package that a remedy names, once, with its
// licence, the modules that it brings into go.mod, and the cases for which it is the wrong choice.
//
// The limits: a catalogue knows kinds, not programs. A finding's own remedies (casefile.Finding.Remedies) name the line
// and the numbers; these here name the choice. Versions are those whose documentation and go.mod were read, not the
// oldest or newest that would work. Speeds are the packages' own claims, or ours where a figure is named as measured:
// measure again with your data (casebook prove).
package catalogue

import (
	"maps"
	"slices"
)

// A Remedy is one thing to do about a kind of finding.
type Remedy struct {
	Do    string // an imperative: "Compile once, at start-up"
	Use   string // the import path of the package that does it, one of Packages; "" is a change of code alone
	Price string // what it costs or risks; "none" was thought about
}

// A Package is one that remedies name: of the standard library, of this module, or somebody else's.
type Package struct {
	Path    string // its import path
	Module  string // its module; "std" is the standard library
	Version string // the one whose documentation and go.mod were read; "" for std and our own
	Licence string // SPDX; "" for std and our own
	Brings  int    // modules that its go.mod requires, indirect ones included
	Does    string // what it is for
	Not     string // when not to take it
}

// Own is this module's path.
const Own = "github.com/gocasebook/casebook"

// Standard is the Module of packages of the standard library.
const Standard = "std"

// For returns the remedies of a kind of finding ("alloc-fmt") in the order to try them; none for an unknown kind, and
// for the kinds evidence-*, where the remedy is better evidence. The slice is the caller's.
func For(kind string) []Remedy {
	for _, family := range families() {
		if rs, ok := family[kind]; ok {
			return slices.Clone(rs)
		}
	}
	return nil
}

// Kinds returns the kinds of findings that have remedies, sorted.
func Kinds() []string {
	var out []string
	for _, family := range families() {
		out = slices.AppendSeq(out, maps.Keys(family))
	}
	slices.Sort(out)
	return out
}

// Lookup returns the package with an import path.
func Lookup(path string) (Package, bool) {
	all := Packages()
	i := slices.IndexFunc(all, func(p Package) bool { return p.Path == path })
	if i < 0 {
		return Package{}, false
	}
	return all[i], true
}

// UsedFor returns the kinds of findings for which a package is a remedy, sorted.
func UsedFor(path string) []string {
	var out []string
	for _, family := range families() {
		for kind, rs := range family {
			if slices.ContainsFunc(rs, func(r Remedy) bool { return r.Use == path }) {
				out = append(out, kind)
			}
		}
	}
	slices.Sort(out)
	return out
}

func families() []map[string][]Remedy {
	return []map[string][]Remedy{collector(), allocation(), memory(), waiting(), computing()}
}
