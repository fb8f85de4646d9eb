package hold

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/gocasebook/casebook/diagnose/stacks"
)

// What ends what a dependency began. A goroutine of a library's lives as long as something that the user was given: the
// channel it waits on is the library's own, and nobody but the library may close that. Which thing it is, its function
// says: a method of a type runs for one of that type, a literal inside of the function that the user called for that
// call.

// An Ending is the thing that must be ended.
type Ending struct {
	Of     string // the function that began it, as the user calls it: "(*Client).GetObject"
	Type   string // whose method the goroutine's function is: "*Reader"; "" for a function's literal
	Is     Thing
	Closes string // a method of Type that ends it, as far as any stack shows one: "Close"; "" where none does
	Module string // of the dependency: a release of it may end it by itself
}

// A Thing is what the user holds of it.
type Thing uint8

// The things.
const (
	Returned Thing = iota // what the call returned
	Made                  // a value of Type, which the call made
	Receiver              // the value of Type that the method was called on
)

// EndOf is what would end the goroutines with a function that were begun so.
func EndOf(t *stacks.Table, root stacks.FuncID, b Begin) Ending {
	if b.Calls == stacks.NoFrame {
		return Ending{}
	}
	entry := t.Func(b.Calls)
	e := Ending{Of: within(entry), Module: entry.Module()}
	called, own := receiver(entry.Name), receiver(t.Funcs[root].Name)
	switch {
	case own == "" || Outermost(t.Funcs[root].Name) == entry.Name || !exported(own):
		return e
	case own == called && t.Funcs[root].Package == entry.Package:
		e.Is = Receiver
	default:
		e.Is = Made
	}
	e.Type, e.Closes = own, closes(t, t.Funcs[root].Package, own)
	return e
}

// exported reports whether a type can be in the user's hands by its name.
func exported(of string) bool {
	r, _ := utf8.DecodeRuneInString(strings.TrimPrefix(of, "*"))
	return unicode.IsUpper(r)
}

// closes is a method of a type that ends it and that a stack shows; "" where none does.
func closes(t *stacks.Table, pkg, of string) string {
	for i := range t.Funcs {
		f := &t.Funcs[i]
		if method := f.Name[strings.LastIndexByte(f.Name, '.')+1:]; f.Package == pkg && receiver(f.Name) == of &&
			slices.Contains(enders[:], method) {
			return method
		}
	}
	return ""
}

// enders are the names that methods which end something have by the conventions of Go.
var enders = [...]string{"Close", "Stop", "Shutdown", "Cancel"}

// within is a function's name without its package: "(*Client).GetObject", "NewReader".
func within(f *stacks.Func) string {
	name := Outermost(f.Name)
	return strings.TrimPrefix(name[strings.LastIndexByte(name, '/')+1:], lastOf(f.Package)+".")
}

func lastOf(pkg string) string { return pkg[strings.LastIndexByte(pkg, '/')+1:] }

// receiver is the type whose method a function is: "*Client" of "pkg.(*Client).Get", "Cache" of "pkg.Cache.Get"; "" of a
// function. A function's literal looks like a method of a value, but for its name.
func receiver(name string) string {
	name = strings.ReplaceAll(Outermost(name), "[...]", "")
	name = name[strings.LastIndexByte(name, '/')+1:]
	_, name, _ = strings.Cut(name, ".")
	if rest, ok := strings.CutPrefix(name, "("); ok {
		of, _, _ := strings.Cut(rest, ")")
		return of
	}
	of, _, method := strings.Cut(name, ".")
	if !method {
		return ""
	}
	return of
}
