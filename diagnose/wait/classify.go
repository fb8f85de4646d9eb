package wait

import (
	"slices"
	"strings"

	"github.com/gocasebook/casebook/diagnose/known"
	"github.com/gocasebook/casebook/diagnose/stacks"
)

// A classifier decides what goroutines wait for. Names are looked up once for each function.
type classifier struct {
	t     *stacks.Table
	roles []*Role // by FuncID
	serve []bool  // a request is answered below it
	known []bool
}

// role is the row of a frame's function, and whether a request is answered below it.
func (c *classifier) role(id stacks.FrameID) (r *Role, serves bool) {
	fn := c.t.FuncID(id)
	if fn < 0 {
		return nil, false
	}
	if !c.known[fn] {
		name := c.t.Funcs[fn].Name
		c.known[fn], c.roles[fn], c.serve[fn] = true, roleOf(name), begins(name)
	}
	return c.roles[fn], c.serve[fn]
}

// pile is what one stack is, without numbers.
func (c *classifier) pile(stack []stacks.FrameID, w stacks.Wait) Pile {
	p := Pile{Line: stacks.NoFrame, Enter: stacks.NoFrame, At: c.standsAt(stack), Park: w,
		Stack: stack, line: len(stack)}
	if id, i := c.t.UserFrame(stack); i >= 0 {
		p.Line, p.line = id, i
		if i > 0 && c.t.Func(stack[i-1]).Owner != stacks.Runtime {
			p.Enter = stack[i-1]
		}
	}
	p.For, p.Role = c.waitsFor(p.Inner(), w, p.At)
	from := c.begins(stack)
	p.Request = from >= 0
	if p.Request && (p.For == Answer || p.For == Unread) && p.line > from && c.own(stack, from) {
		p.For, p.Request = Asked, false // the server reads the next request of a connection
	}
	return p
}

// begins is the index of the outermost frame below which a request is answered; -1 without one.
func (c *classifier) begins(stack []stacks.FrameID) int {
	for i := len(stack) - 1; i >= 0; i-- {
		if _, serves := c.role(stack[i]); serves {
			return i
		}
	}
	return -1
}

// own reports whether all that stands below a server's frame is its own module's or the standard library's: then no
// handler has been called.
func (c *classifier) own(stack []stacks.FrameID, from int) bool {
	server := c.t.Func(stack[from])
	return !c.t.Has(stack[:from], func(f *stacks.Func) bool {
		return f.Owner == stacks.User || f.Owner == stacks.Dependency && f.Package != server.Package ||
			f.Does(known.CallsHandler)
	})
}

// standsAt is the innermost frame that says where a goroutine stands: neither the runtime's nor package sync's.
func (c *classifier) standsAt(stack []stacks.FrameID) stacks.FrameID {
	for _, id := range stack {
		if f := c.t.Func(id); f.Owner != stacks.Runtime && !known.IsSync(f.Package) && !known.IsPoll(f.Package) {
			return id
		}
	}
	return stack[len(stack)-1]
}

// waitsFor classifies by the frames from the leaf to the user's line. The innermost row of names decides, an outer one
// may add the setting that governs it; without a row the runtime's own primitive does.
func (c *classifier) waitsFor(inner []stacks.FrameID, w stacks.Wait, at stacks.FrameID) (For, *Role) {
	if c.collects(inner) || w == stacks.WaitSemaphore && c.allocates(inner) {
		return Collector, nil
	}
	what, row := Unknown, (*Role)(nil)
	for _, id := range inner {
		r, _ := c.role(id)
		if r == nil {
			continue
		}
		if what == Unknown {
			what = awaited(r)
		}
		if awaited(r) == what && (row == nil || r.Setting != "") {
			row = r
		}
	}
	byPrimitive := c.primitive(inner, w, at)
	switch {
	case what == Child && w == stacks.WaitSyscall:
		return Child, row // waitid(2) keeps a thread, and no processor
	case byPrimitive == Nothing, byPrimitive == Lock, byPrimitive == Unread:
		return byPrimitive, row
	case what != Unknown && !(byPrimitive == Answer && what != Answer):
		return what, row
	}
	return byPrimitive, row
}

// primitive classifies by the runtime's or package sync's own function in which a goroutine is parked.
func (c *classifier) primitive(inner []stacks.FrameID, w stacks.Wait, at stacks.FrameID) For {
	if c.t.Has(inner, locksDescriptor) {
		return Lock // others read or write it
	}
	switch w {
	case stacks.WaitNothing:
		return Nothing
	case stacks.WaitMutex, stacks.WaitRLock, stacks.WaitRWLock:
		return Lock
	case stacks.WaitNetwork:
		return c.network(inner)
	case stacks.WaitSleep:
		return Sleep
	case stacks.WaitSyscall:
		socket := c.t.Has(inner, func(f *stacks.Func) bool { return f.Does(known.OfSocket) })
		if c.t.Has(inner, func(f *stacks.Func) bool {
			return f.Package == "os" && strings.Contains(f.Name, "(*File)") || f.Is(known.NamesSystemCall) && !socket
		}) {
			return Disk
		}
		return Nothing
	}
	switch {
	case w == stacks.WaitGroup:
		return Group
	case c.t.Func(at).Owner == stacks.Dependency:
		return Inside
	case w == stacks.WaitCond, w == stacks.WaitSemaphore:
		return Cond
	}
	return Channel
}

// locksDescriptor reports whether a function takes the lock of a descriptor.
func locksDescriptor(f *stacks.Func) bool { return f.Does(known.LocksFD) }

// ForDescriptor reports whether a pile waits for its turn to read or write a descriptor.
func (g *Graph) ForDescriptor(p *Pile) bool { return g.Table.Has(p.Stack, locksDescriptor) }

// network tells reading, writing and accepting apart.
func (c *classifier) network(inner []stacks.FrameID) For {
	for _, id := range inner {
		switch f := c.t.Func(id); {
		case f.Does(known.AwaitsToBeAsked):
			return Asked
		case f.Does(known.WritesFD):
			return Unread
		case f.Package == "os":
			return Pipe
		}
	}
	return Answer
}

// collects reports whether an allocation, or a caller of the runtime's, waits for the collector or a stop of the world.
func (c *classifier) collects(inner []stacks.FrameID) bool {
	i := slices.IndexFunc(inner, func(id stacks.FrameID) bool {
		f := c.t.Func(id)
		return f.Owner != stacks.Runtime || f.Class.GC() || f.Does(known.StopsWorld)
	})
	return i >= 0 && c.t.Func(inner[i]).Owner == stacks.Runtime
}

// allocates reports whether a goroutine that waits for a semaphore stands in the user's or a dependency's code itself:
// only the runtime waits for one without a frame of another package, where an allocation starts or ends a collection.
// Texts of dumps leave the runtime's frames out.
func (c *classifier) allocates(inner []stacks.FrameID) bool {
	return len(inner) == 0 || c.t.Func(inner[0]).Owner == stacks.User || c.t.Func(inner[0]).Owner == stacks.Dependency
}

// A Role is what is known of a function by its name: a row of package known. Without a row a wait is still seen; a row
// adds a better word and the setting that governs it.
type Role = known.Row

// awaited is what a goroutine waits for inside of a function with a role.
func awaited(r *Role) For {
	for _, of := range []struct {
		role known.Role
		what For
	}{{known.AwaitsPlace, Place}, {known.AwaitsTurn, Limiter}, {known.AwaitsBatch, Gather}, {known.AwaitsOutput, Pipe},
		{known.AwaitsChild, Child}, {known.AwaitsReader, Unread}, {known.AwaitsAnswer, Answer}} {
		if r.Roles&of.role != 0 {
			return of.what
		}
	}
	return Unknown
}

// roleOf is the row of a function that says what is awaited inside of it; nil without one.
func roleOf(name string) *Role {
	row, _ := known.Awaits(stacks.WithoutTypes(name))
	return row
}

// begins reports whether a request is answered below a function.
func begins(name string) bool { return known.Of(name).Is(known.BeginsRequest) }
