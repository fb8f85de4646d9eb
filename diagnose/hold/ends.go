package hold

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/gocasebook/casebook/diagnose/known"
	"github.com/gocasebook/casebook/diagnose/stacks"
)

// What ends what a dependency began. A goroutine of a library's lives as long as something that the user was given: the
// channel it waits on is the library's own, and nobody but the library may close that. What the user has in his hands
// stands at the boundary: the result of the call that he made, or the value that he called a method on. A type on the
// way between the two is the library's own business.

// An Ending is the thing that must be ended.
type Ending struct {
	Of     string // the function that began it, as the user calls it: "(*Client).GetObject"
	Type   string // of the receiver: "*Logger"; "" where the user cannot name it
	Is     Thing
	Module string     // of the dependency: a release of it may end it by itself
	Row    *known.Row // what is known of how it ends; nil without
}

// A Thing is what the user holds of it.
type Thing uint8

// The things.
const (
	Returned Thing = iota // what the call returned, which is given back
	Made                  // what a constructor returned: it is made once, or given back
	Receiver              // the value that the method was called on, of which there is one for each goroutine
	Either                // what the method returned, or its receiver: nothing tells
)

// EndOf is what would end the goroutines with a function that were begun so. number is how many goroutines run a
// function.
func EndOf(t *stacks.Table, root stacks.FuncID, b Begin, number func(stacks.FuncID) int64) Ending {
	if b.Calls == stacks.NoFrame {
		return Ending{}
	}
	entry := t.Func(b.Calls)
	e := Ending{Of: within(entry), Module: entry.Module(), Row: rowOf(t, root, b)}
	of := receiver(entry.Name)
	if of == "" {
		e.Is = Made
		return e
	}
	if exported(of) {
		e.Type = of
	}
	e.Is = methodEnds(t, root, entry, number)
	return e
}

// rowOf is what is known of how something ends: of the function that runs, of who began it, or of what the user called.
func rowOf(t *stacks.Table, root stacks.FuncID, b Begin) *known.Row {
	for _, fn := range []stacks.FuncID{root, b.By, t.FuncID(b.Calls)} {
		if fn < 0 {
			continue
		}
		if row, ok := known.End(t.Funcs[fn].Name); ok {
			return row
		}
	}
	return nil
}

// Ends is what is known of how something ends that the user's call on a stack began; nil without. inside is what the
// call did, leaf first.
func Ends(t *stacks.Table, inside []stacks.FrameID) *known.Row {
	if row, _ := Begins(t, inside); row != nil || len(inside) == 0 {
		return row
	}
	f := t.Func(inside[len(inside)-1])
	if f.Owner != stacks.Dependency || receiver(f.Name) == "" {
		return nil
	}
	return known.BeginsByName(methodOf(f.Name))
}

// Begins is the function, known by its name, that began what only another call ends: the one that the user called, or
// one that it wraps and whose name it has, as sqlx's PreparexContext that of database/sql. What a library begins under
// another name is its own to end.
func Begins(t *stacks.Table, inside []stacks.FrameID) (row *known.Row, by *stacks.Func) {
	for i, id := range inside {
		f := t.Func(id)
		word := strings.TrimSuffix(methodOf(f.Name), "Context")
		if i < len(inside)-1 && !strings.Contains(methodOf(t.Func(inside[len(inside)-1]).Name), word) {
			continue
		}
		if row, ok := known.End(f.Name); ok {
			return row, f
		}
	}
	return nil, nil
}

// methodEnds is what ends goroutines that a method of a library began. A receiver that has one goroutine of its own is
// new for each: it, too, must be made once, or ended. One that has many, beside few which it needs itself, lives on.
func methodEnds(t *stacks.Table, root stacks.FuncID, entry *stacks.Func, number func(stacks.FuncID) int64) Thing {
	f := &t.Funcs[root]
	of := receiver(entry.Name)
	if known.GivesNothing(methodOf(entry.Name)) {
		return Receiver
	}
	if f.Package != entry.Package || receiver(f.Name) != of || Outermost(f.Name) == entry.Name {
		return Returned
	}
	n, most := number(root), int64(0)
	for i := range t.Funcs {
		if g := &t.Funcs[i]; stacks.FuncID(i) != root && g.Package == f.Package && receiver(g.Name) == of {
			most = max(most, number(stacks.FuncID(i)))
		}
	}
	switch {
	case most == 0:
		return Either
	case Together([]int64{n}, []int64{most}):
		return Receiver
	}
	return Returned
}

// methodOf is the last part of a function's name: "Write" of "pkg.(*Logger).Write".
func methodOf(name string) string {
	name = Outermost(name)
	return name[strings.LastIndexByte(name, '.')+1:]
}

// exported reports whether a type can be in the user's hands by its name.
func exported(of string) bool {
	r, _ := utf8.DecodeRuneInString(strings.TrimPrefix(of, "*"))
	return unicode.IsUpper(r)
}

// Together reports whether two numbers, counted at the same moments, are of things that exist only together: at each
// moment one is the same whole multiple of the other, but for those that are being made or ended.
func Together(a, b []int64) bool {
	if len(a) != len(b) || len(a) == 0 {
		return false
	}
	last := len(a) - 1
	if a[last] > b[last] {
		a, b = b, a
	}
	if a[last] <= 0 {
		return false
	}
	ratio := (b[last] + a[last]/2) / a[last]
	if ratio > mostTogether {
		return false
	}
	for i := range a {
		if off := b[i] - ratio*a[i]; max(off, -off) > ratio+b[i]/underWayShare {
			return false
		}
	}
	return true
}

// Bounds of numbers that are in a whole ratio.
const (
	mostTogether  = 6  // goroutines of one function for one thing: beyond, any two numbers are nearly in a ratio
	underWayShare = 50 // one in so many may be in the making, or about to end
)

// within is a function's name without its package: "(*Client).GetObject", "NewReader".
func within(f *stacks.Func) string {
	name := Outermost(f.Name)
	_, name, _ = strings.Cut(name[strings.LastIndexByte(name, '/')+1:], ".")
	return name
}

// receiver is the type whose method a function is: "*Client" of "pkg.(*Client).Get", "Cache" of "pkg.Cache.Get"; "" of a
// function.
func receiver(name string) string {
	of, method := stacks.Receiver(Outermost(name))
	if !method {
		return ""
	}
	of = of[strings.LastIndexByte(of, '.')+1:]
	if strings.Contains(name, ".(*") {
		of = "*" + of
	}
	return of
}
