package diagnose

import (
	"slices"
	"strings"

	"github.com/gocasebook/casebook/diagnose/known"
	"github.com/gocasebook/casebook/diagnose/stacks"
	"github.com/gocasebook/casebook/diagnose/traces"
)

// hasFrame reports whether a function of a stack begins with one of the prefixes.
func hasFrame(t *stacks.Table, stack []stacks.FrameID, prefixes ...string) bool {
	return t.Has(stack, named(prefixes...))
}

func hasPrefix(name string, prefixes []string) bool {
	return slices.ContainsFunc(prefixes, func(p string) bool { return strings.HasPrefix(name, p) })
}

// named matches the functions whose names, as profiles have them, begin with one of the prefixes.
func named(prefixes ...string) func(*stacks.Func) bool {
	return func(f *stacks.Func) bool { return hasPrefix(f.Name, prefixes) }
}

// these matches some functions of a table.
func these(t *stacks.Table, fns ...stacks.FuncID) func(*stacks.Func) bool {
	return func(f *stacks.Func) bool {
		return slices.ContainsFunc(fns, func(fn stacks.FuncID) bool { return f == &t.Funcs[fn] })
	}
}

// withRole matches the functions that are known to have a role.
func withRole(role known.Role) func(*stacks.Func) bool {
	return func(f *stacks.Func) bool { return f.Is(role) }
}

// withWork matches the functions that do one of the works.
func withWork(works ...known.Work) func(*stacks.Func) bool {
	return func(f *stacks.Func) bool { return f.Does(works...) }
}

// hasRole reports whether a function of a stack of a trace is known to have a role.
func hasRole(s traces.Stack, role known.Role) bool {
	return slices.ContainsFunc(s, func(f traces.Frame) bool { return known.Of(f.Function).Is(role) })
}

// does reports whether a function of a stack of a trace does one of the works.
func does(s traces.Stack, works ...known.Work) bool {
	return slices.ContainsFunc(s, func(f traces.Frame) bool { return known.Of(f.Function).Does(works...) })
}
