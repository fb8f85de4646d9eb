package hold

import (
	"cmp"
	"slices"

	"github.com/gocasebook/casebook/diagnose/known"
	"github.com/gocasebook/casebook/diagnose/stacks"
)

// A handle is what a library gave the user, for which it keeps something that no heap profile shows: C memory, a
// mapping, a file. On the heap it keeps little for it, but that shows: below the call that opened or used the handle
// objects are alive, nearly as many as were ever made.

// A Handle is a user's call into a library below which objects stay.
type Handle struct {
	Line, Calls stacks.FrameID // the user's, and what it calls
	Kept        Sum
	Ending
	Maker string // what returned the receiver, where the same function calls it; ""
}

// keepsHandle is how much of what a call has made must be alive: the rest is what it needs itself, or of handles that
// were given back.
const keepsHandle = 0.8

// Handles are the calls that keep something for the user in a module, "" for any; those that keep most objects first.
// What is made at a start, and once, is none: requests and jobs make handles.
func (c *Chain) Handles(h *Heap, module string) (out []Handle) {
	sums := make(Sums[Call])
	for _, b := range h.Held {
		if b.Line == stacks.NoFrame || b.Enter == stacks.NoFrame || !c.throughModule(b, module) || !c.recurs(h, b) {
			continue
		}
		sums.Add(b.Call(), b)
	}
	for k, s := range sums {
		if kept := SumOf(slices.DeleteFunc(s.Held, func(b *Held) bool {
			return b.Now.Objects <= 0 || b.Now.Objects < keepsHandle*b.Made.Objects
		})); kept != nil {
			out = append(out, c.handle(k.Line, k.Enter, *kept))
		}
	}
	slices.SortFunc(out, func(a, b Handle) int {
		return cmp.Or(cmp.Compare(b.Kept.Now.Objects, a.Kept.Now.Objects), cmp.Compare(a.Line, b.Line),
			cmp.Compare(a.Calls, b.Calls))
	})
	return out
}

// throughModule reports whether a module's code is between the user's line and the allocation.
func (c *Chain) throughModule(b *Held, module string) bool {
	return slices.ContainsFunc(b.Inside(), func(id stacks.FrameID) bool {
		f := c.t.Func(id)
		return f.Owner == stacks.Dependency && (module == "" || f.Module() == module)
	})
}

// recurs reports whether a stack is one of work that comes again: a request's, or one that allocated between the
// profiles.
func (c *Chain) recurs(h *Heap, b *Held) bool {
	return h.First != nil && b.Came().Objects > 0 || c.t.Has(b.Stack, func(f *stacks.Func) bool {
		return f.Is(known.BeginsRequest)
	})
}

// handle says what the user has in his hands where a line calls a library: what the call returned, or the receiver, if
// that is made and used in this function alone.
func (c *Chain) handle(line, enter stacks.FrameID, kept Sum) Handle {
	entry := c.t.Func(enter)
	out := Handle{Line: line, Calls: enter, Kept: kept, Ending: Ending{Of: within(entry), Module: entry.Module()}}
	of := receiver(entry.Name)
	switch {
	case of == "":
		out.Is = Made
		return out
	case known.GivesNothing(methodOf(entry.Name)):
		out.Is = Receiver
	default:
		users, maker := c.usersOf(entry.Package, of, c.t.FuncID(line), entry.Module())
		if users == 1 && maker != "" {
			out.Is, out.Maker = Receiver, maker
		}
	}
	if exported(of) {
		out.Type = of
	}
	return out
}

// usersOf is how many of the user's functions call methods of a type, and what else of the module one of them calls:
// what gave it the value.
func (c *Chain) usersOf(pkg, of string, user stacks.FuncID, module string) (n int, maker string) {
	users := make(map[stacks.FuncID]bool)
	for _, s := range c.sets {
		for i := range s.Samples {
			stack := s.Samples[i].Stack
			for k := 1; k < len(stack); k++ {
				caller, f := c.t.FuncID(stack[k]), c.t.Func(stack[k-1])
				if c.t.Funcs[caller].Owner != stacks.User || f.Owner == stacks.User {
					continue
				}
				switch called := receiver(f.Name); {
				case f.Package == pkg && called == of:
					users[caller] = true
				case caller == user && f.Owner != stacks.Runtime && f.Module() == module:
					maker = min(cmp.Or(maker, within(f)), within(f))
				}
			}
		}
	}
	return len(users), maker
}
