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

// A Mapper is a line that leads to memory outside of Go's heap. No profile has that memory: what leads to it is on the
// stacks of what the same calls allocate and compute.
type Mapper struct {
	Line  stacks.FrameID // the user's
	Calls stacks.FrameID // what it calls; NoFrame if it calls the system or C itself
	Role  known.Role     // MapsMemory, CallsC, or KeepsOutside: of the library that it calls
	Of    known.Function // the function with the role
	Share float64        // of the weight of all with this role
	// Library is the module that maps the memory or calls C, where that is not the user's own code; "" where it is.
	Library string
}

// Mappers are the lines that lead to memory outside of the heap by the samples of one set: those that map memory first,
// then those that call a library which is known to hold such memory, then those that call C; those with most weight
// first. A library's own goroutines belong to who began them.
func (c *Chain) Mappers(s *stacks.Set, w stacks.Weight) []Mapper {
	roles := [...]known.Role{known.MapsMemory, known.KeepsOutside, known.CallsC}
	is := make([]known.Role, len(c.t.Funcs))
	for i := range c.t.Funcs {
		is[i] = known.Of(c.t.Funcs[i].Name).Roles & (known.MapsMemory | known.KeepsOutside | known.CallsC)
	}
	type key struct {
		line stacks.FrameID
		role known.Role
	}
	ways, sums := make(map[key]*Mapper), make(map[known.Role]float64)
	begun := make(map[stacks.FuncID]Begin)
	for x, n := range s.Counted(w) {
		role, at, library := known.Role(0), stacks.NoFrame, ""
		line, calls := stacks.NoFrame, stacks.NoFrame
		for _, id := range x.Stack {
			fn := c.t.FuncID(id)
			if c.t.Funcs[fn].Owner == stacks.User {
				line = id
				break
			}
			if is[fn] != 0 && role == 0 {
				role, at = is[fn], id
			}
			if f := &c.t.Funcs[fn]; role != 0 && library == "" && f.Owner == stacks.Dependency {
				library = f.Module()
			}
			calls = id
		}
		if role == 0 {
			continue
		}
		if line == stacks.NoFrame {
			root := c.t.FuncID(c.t.Root(x.Stack))
			b, known := begun[root]
			if !known {
				b, _ = c.Goroutine(root)
				begun[root] = b
			}
			if line, calls = b.Line, b.Calls; b == (Begin{}) || c.t.Func(line).Owner != stacks.User {
				continue
			}
		}
		k := key{line, role}
		if ways[k] == nil {
			ways[k] = &Mapper{Line: line, Calls: calls, Role: role, Of: known.Of(c.t.Func(at).Name), Library: library}
		}
		ways[k].Share += float64(n)
		sums[role] += float64(n)
	}
	var out []Mapper
	for _, m := range ways {
		m.Share /= max(sums[m.Role], 1)
		out = append(out, *m)
	}
	slices.SortFunc(out, func(a, b Mapper) int {
		return cmp.Or(cmp.Compare(slices.Index(roles[:], a.Role), slices.Index(roles[:], b.Role)),
			cmp.Compare(b.Share, a.Share), cmp.Compare(a.Line, b.Line))
	})
	return out
}
