package wait

import (
	"slices"

	"github.com/gocasebook/casebook/diagnose/stacks"
)

// A Callback is a goroutine of a library that has called the program, and waits there for that library itself.
type Callback struct {
	*Pile
	Loop *Pile // of the library's goroutines one that cannot hand on what has come: it sends, and nobody takes it
}

// mostCallbacks is how many goroutines may be in such a call: loops are few.
const mostCallbacks = 8

// CalledBack finds the callback that a pile waits behind: both wait in the same function of a library, the callback was
// called by the same library, and a goroutine of the library stands in a send, all in the last two captures.
func (g *Graph) CalledBack(p *Pile) (c Callback, ok bool) {
	last := len(g.Moments) - 1
	if last < 1 || p.For.Outside() || g.Table.Func(p.At).Owner != stacks.Dependency {
		return c, false
	}
	library := repository(g.Table.Func(p.At).Package)
	for _, q := range g.largest() {
		switch {
		case !q.stays() || q.Last() > mostCallbacks || q.Request || q == p:
		case q.Line == stacks.NoFrame:
			if q.Park == stacks.WaitSend && repository(g.Table.Func(q.At).Package) == library {
				c.Loop = q
			}
		case g.Table.FuncID(q.At) == g.Table.FuncID(p.At) && g.callerOf(q) == library:
			c.Pile = q
		}
	}
	return c, c.Pile != nil && c.Loop != nil
}

// callerOf is the repository of what called the user's code in which a pile waits.
func (g *Graph) callerOf(p *Pile) string {
	for _, id := range p.Stack[p.line:] {
		if f := g.Table.Func(id); f.Owner != stacks.User {
			return repository(f.Package)
		}
	}
	return ""
}

// Attends reports whether the goroutines of a stack are a library's that stand beside calls in progress: it has no line
// of the user's, and in each capture there are as many of them as requests at one place inside of the same library.
// They end with these.
func (g *Graph) Attends(stack []stacks.FrameID) bool {
	if _, user := g.Table.UserFrame(stack); user >= 0 {
		return false
	}
	of := slices.IndexFunc(g.Piles, func(p *Pile) bool { return slices.Equal(p.Stack, stack) })
	if of < 0 || len(g.Moments) < 2 {
		return false
	}
	p := g.Piles[of]
	library := repository(g.Table.Func(p.At).Package)
	return slices.ContainsFunc(g.Piles, func(q *Pile) bool {
		return q.Request && slices.Equal(p.N, q.N) && repository(g.Table.Func(q.At).Package) == library
	})
}
