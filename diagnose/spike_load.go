package diagnose

import (
	"strings"

	"github.com/gocasebook/casebook/diagnose/known"
	"github.com/gocasebook/casebook/diagnose/stacks"
)

// loadsBy says why a stack is thought to load what a cache lacks: a library that is known to do that, or the name of a
// function of the user's. "": it is not.
func loadsBy(t *stacks.Table, stack []stacks.FrameID) string {
	named := ""
	for _, id := range stack {
		f := t.Func(id)
		if f.Does(known.LoadsForCache) {
			return short(f.Name)
		}
		if f.Owner == stacks.User && named == "" && namedLoad(f.Name) {
			named = short(f.Name)
		}
	}
	return named
}

// namedLoad reports whether the last part of a function's name has one of the words.
func namedLoad(name string) bool {
	for part := range strings.SplitSeq(name[strings.LastIndexByte(name, '/')+1:], ".") {
		part = strings.ToLower(part)
		for _, word := range known.LoadWords() {
			if strings.HasPrefix(part, word) || strings.HasSuffix(part, word) {
				return true
			}
		}
	}
	return false
}

// loaderOf is the user's function that loads: the first below a library's loader that is no function literal, else the
// innermost with such a name; NoFrame without either.
func loaderOf(t *stacks.Table, stack []stacks.FrameID) stacks.FrameID {
	found := stacks.NoFrame
	for _, id := range stack {
		f := t.Func(id)
		if f.Owner == stacks.User && !strings.Contains(f.Name, ".func") {
			found = id
		}
		if found != stacks.NoFrame && f.Does(known.LoadsForCache) {
			return found
		}
	}
	for _, id := range stack {
		if f := t.Func(id); f.Owner == stacks.User && namedLoad(f.Name) {
			return id
		}
	}
	return stacks.NoFrame
}
