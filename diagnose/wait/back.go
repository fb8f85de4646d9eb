package wait

import "github.com/gocasebook/casebook/diagnose/stacks"

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
	for _, q := range g.Piles[:min(len(g.Piles), maxPiles)] {
		switch stays := q.N[last] > 0 && q.N[last-1] == q.N[last] && q.N[last] <= mostCallbacks; {
		case !stays || q.Request || q == p:
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
