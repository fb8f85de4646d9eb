// Package gains compares what findings promise with what real fixes brought.
//
// The problem: a finding promises a gain ("20–26 % of the CPU"), and who calibrates it on programs of his own promises
// what his own repairs bring. The approach: pairs of releases of public modules between which somebody made a function
// faster (gains.json, from their histories). A driver calls the function as a program would. It is built against both
// releases and run in turns; the CPU and the garbage that the newer one saves are the truth. The older one is profiled
// and diagnosed, and the first finding that names the function, or one that calls it or is called by it for this
// purpose, is judged. Half of the pairs, chosen by a seed before anything was diagnosed, are kept until the formulas
// are done.
//
// The limits: a driver does little else, so the function's share is larger than in a service, and with a small live
// heap the collector runs often. A release has other changes, too. What a remedy brings depends on who applies it: the
// truth is one author's fix, not the best one.
package gains

import (
	"math/rand/v2"
	"slices"
	"strings"
)

// A Pair is two releases of a module, and what makes the newer one faster.
type Pair struct {
	Name      string   `json:"name"` // of the driver, too: NAME.go in testdata/drivers.txtar
	Module    string   `json:"module"`
	Before    string   `json:"before"` // versions
	After     string   `json:"after"`
	Commit    string   `json:"commit"`    // of the change, in the module's repository
	Claim     string   `json:"claim"`     // what its author says of it
	Functions []string `json:"functions"` // what was changed, and what leads there: without the package's path
	Half      string   `json:"half"`      // Seen or Kept
}

// The halves of the list.
const (
	Seen = "seen" // the formulas were made with these
	Kept = "kept" // nobody looks at a diagnosis of these until the formulas are done: once, for the figure
)

// A List is gains.json.
type List struct {
	Seed  uint64 `json:"seed"` // of Split
	Pairs []Pair `json:"pairs"`
}

// Read reads a list.
func Read(file string) (List, error) {
	var l List
	err := readJSON(file, &l)
	return l, err
}

// Split divides the pairs into two halves that depend on nothing but their names and the seed. All pairs of a module
// are in one half: who has seen one of its functions has seen its style.
func (l *List) Split() {
	var modules []string
	for _, p := range l.Pairs {
		modules = append(modules, p.family())
	}
	slices.Sort(modules)
	modules = slices.Compact(modules)
	r := rand.New(rand.NewPCG(l.Seed, 0))
	r.Shuffle(len(modules), func(i, j int) { modules[i], modules[j] = modules[j], modules[i] })
	n := 0
	for _, m := range modules {
		half := Seen
		if 2*n >= len(l.Pairs) {
			half = Kept
		}
		for i := range l.Pairs {
			if l.Pairs[i].family() == m {
				l.Pairs[i].Half = half
				n++
			}
		}
	}
}

// family is the module without its major version.
func (p Pair) family() string {
	i := strings.LastIndex(p.Module, "/v")
	if i >= 0 && len(p.Module) == i+3 {
		return p.Module[:i]
	}
	return p.Module
}

// names reports whether a function, as a finding writes it, is one of the pair's. Function literals count as the
// function they are in, and type arguments do not count.
func (p Pair) names(function string) bool {
	return slices.ContainsFunc(p.Functions, func(f string) bool {
		own := bare(function)
		return own == f || strings.HasPrefix(own, f+".func")
	})
}

// bare is a function's name without its package and type arguments: "(*UUID).UnmarshalText".
func bare(function string) string {
	if i := strings.IndexByte(function, '['); i >= 0 {
		if j := strings.LastIndexByte(function, ']'); j > i {
			function = function[:i] + function[j+1:]
		}
	}
	function = function[strings.LastIndexByte(function, '/')+1:]
	_, own, ok := strings.Cut(function, ".")
	if !ok {
		return function
	}
	return own
}
