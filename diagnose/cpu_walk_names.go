package diagnose

import (
	"slices"
	"strings"

	"github.com/gocasebook/casebook/diagnose/known"
)

// A profile has names, and people name a search for what it is: ContainsInt64, IsIdInList, intersect. A name alone is
// no evidence, because find may walk a tree; with the shape of the code (cpu_walk.go) it is what an expert goes by,
// too. The words come from how people name such functions in public repositories.

// A purpose is what the names say a loop is for.
type purpose uint8

const (
	unnamed   purpose = iota
	searches          // looks for an element
	gathers           // looks for each element among those gathered so far
	matches           // compares two collections
	different         // does something else
)

// purposeOf is what the name of a function says. leaves tells whether its loop can end at its comparison.
func purposeOf(name string, leaves bool) purpose {
	has := func(list []string) bool { return hasWord(name, list) }
	switch {
	case has(known.OtherWords()), anyOf(typeWords(name), known.OtherWords()):
		return different
	case has(known.GatherWords()):
		return gathers
	case has(known.MatchWords()):
		return matches
	case has(known.SearchWords()), leaves && has(known.LeavingWords()):
		return searches
	}
	return unnamed
}

// ofList reports whether a function is a method of a list.
func ofList(name string) bool {
	return anyOf(typeWords(name), known.ListWords())
}

func anyOf(words, list []string) bool {
	return slices.ContainsFunc(words, func(w string) bool { return slices.Contains(list, w) })
}

// typeWords are the words of the name of a method's receiver, in lower case.
func typeWords(name string) []string {
	name = strings.ReplaceAll(short(name), "[...]", "")
	parts := strings.Split(name, ".")
	if len(parts) < 3 {
		return nil
	}
	return nameWords("." + strings.Trim(parts[1], "(*)"))
}
