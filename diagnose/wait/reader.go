package wait

import (
	"maps"
	"slices"

	"github.com/gocasebook/casebook/diagnose/known"
	"github.com/gocasebook/casebook/diagnose/stacks"
)

// A Reader is the few goroutines that take from a queue inside of a library, and do something else: what they do is why
// those wait who hand something over.
type Reader struct {
	*Pile
	Waiters []*Pile // requests that wait for room, those with the most goroutines first
}

// SlowReader finds the reader of the queue for which most requests wait: a goroutine that runs methods of the type in
// which they wait is in a call of its own, in the last two captures, and no other one of the type waits to receive.
// Where they wait in a select, which may be for news that the reader brings, its call has to be one that it makes: the
// answer to a request, a write, a computation.
func (g *Graph) SlowReader() (r Reader, ok bool) {
	for _, p := range g.largest() {
		of := receiver(g.Table.Func(p.At).Name)
		if !p.Request || p.For != Inside || of == "" || p.Park != stacks.WaitSend && p.Park != stacks.WaitSelect {
			continue
		}
		if r, ok = g.readerOf(p, of); !ok {
			continue
		}
		for _, q := range g.Piles {
			if q.Request && q.At == p.At && q.For == Inside {
				r.Waiters = append(r.Waiters, q)
			}
		}
		return r, true
	}
	return r, false
}

// readerOf finds who reads the queue of a type for which a pile waits.
func (g *Graph) readerOf(p *Pile, of string) (r Reader, ok bool) {
	var readers []*Pile
	for _, q := range g.Piles {
		if q.Request || !q.there() || !g.inType(q, of) {
			continue
		}
		if !g.calls(q, p.Park) {
			return r, false // one is idle, or who reads is not known
		}
		if readers = append(readers, q); r.Pile == nil || r.Last() == 0 {
			r.Pile = q
		}
	}
	before, now := lastTwo(readers)
	return r, before > 0 && now > 0 && now <= mostCallbacks && 3*now <= p.Last()
}

// calls reports whether goroutines are in something that takes them time, and that did not come by itself.
func (g *Graph) calls(p *Pile, awaited stacks.Wait) bool {
	if p.For == Answer {
		return awaited == stacks.WaitSend || p.Role != nil && p.Role.Roles&known.AwaitsAnswer != 0
	}
	return slices.Contains([]For{Nothing, Unread, Disk, Sleep, Child, Place, Limiter, Gather}, p.For)
}

// A Stopped is a library that stands still because nobody takes what comes out at its end.
type Stopped struct {
	Waiters []*Pile // requests that wait to hand it something, or inside of it, those with the most goroutines first
	Ends    []*Pile // its goroutines that wait to send, the deepest first
}

// Stopped finds a library of which goroutines wait to send, as many in the last two captures, and none that reads a
// network, writes or computes, while requests wait.
func (g *Graph) Stopped() (s Stopped, ok bool) {
	ends, moves := make(map[string][]*Pile), make(map[string]bool)
	for _, p := range g.Piles {
		switch of := g.innermost(p); {
		case of == "" || p.Line != stacks.NoFrame || !p.there():
		case p.Park == stacks.WaitSend && p.stays():
			ends[of] = append(ends[of], p)
		default:
			moves[of] = moves[of] || p.Park == stacks.WaitSend || p.For == Nothing || p.For.Outside()
		}
	}
	for _, of := range slices.Sorted(maps.Keys(ends)) {
		s = Stopped{Ends: ends[of]}
		for _, p := range g.largest() {
			if p.Request && (p.For == Channel && p.Park == stacks.WaitSend || g.innermost(p) == of && !p.For.Outside()) {
				s.Waiters = append(s.Waiters, p)
			}
		}
		if !moves[of] && len(s.Waiters) > 0 {
			slices.SortStableFunc(s.Ends, func(a, b *Pile) int { return len(b.Stack) - len(a.Stack) })
			return s, true
		}
	}
	return s, false
}

// innermost is the repository of the dependency in which a pile stands, or that called where it does; "" without one
// below the user's line.
func (g *Graph) innermost(p *Pile) string {
	for _, id := range p.Inner() {
		if g.Table.Func(id).Owner == stacks.Dependency {
			return g.library(id)
		}
	}
	return ""
}

// Asleep is goroutines that wait in a condition for work, and requests that wait for what only such goroutines do.
type Asleep struct {
	Root    stacks.FrameID // the outermost function of those that would work
	Workers []*Pile
	Waiters []*Pile
}

// BothAsleep finds workers that all sleep in a condition of a type, as many in the last two captures, while requests
// wait for other goroutines in methods of the same type, and nobody is in one that could go on.
func (g *Graph) BothAsleep() (a Asleep, ok bool) {
	for _, p := range g.largest() {
		of := receiver(g.Table.Func(p.At).Name)
		if p.Request || p.Park != stacks.WaitCond || of == "" || !p.stays() {
			continue
		}
		a = Asleep{Root: p.root()}
		if g.sleepers(&a, of) && Last(a.Waiters) > 0 {
			return a, true
		}
	}
	return a, false
}

// sleepers finds who sleeps and who waits in methods of a type; false if anybody else is there, or began as a worker.
func (g *Graph) sleepers(a *Asleep, of string) bool {
	worker := g.Table.FuncID(a.Root)
	for _, p := range g.Piles {
		began := g.Table.FuncID(p.root()) == worker
		switch {
		case !p.there() || !began && !g.inType(p, of):
		case began && p.Park == stacks.WaitCond && p.stays():
			a.Workers = append(a.Workers, p)
		case !began && p.Request && receiver(g.Table.Func(p.At).Name) == of && (p.For == Channel || p.For == Cond ||
			p.For == Inside):
			a.Waiters = append(a.Waiters, p)
		default:
			return false
		}
	}
	return true
}

// A Door is a server's loop that does not wait for the next connection, but for leave to accept it: a listener with a
// limit is full. Who comes meanwhile waits in the kernel, where no profile shows it.
type Door struct {
	*Pile
	Idle []int64 // connections that wait for their next request, in each capture
}

// Door finds the one that waits in the last two captures.
func (g *Graph) Door() (d Door, ok bool) {
	i := slices.IndexFunc(g.Piles, func(p *Pile) bool { return p.stays() && g.atDoor(p) })
	if i < 0 {
		return d, false
	}
	d = Door{g.Piles[i], make([]int64, len(g.Moments))}
	for _, p := range g.Piles {
		if p.For != Asked || !g.below(p, known.BeginsRequest) {
			continue
		}
		for m, n := range p.N {
			d.Idle[m] += n
		}
	}
	return d, true
}

// atDoor reports whether goroutines are in the listener of a server, and wait there for others of the process.
func (g *Graph) atDoor(p *Pile) bool {
	return slices.Contains([]stacks.Wait{stacks.WaitReceive, stacks.WaitSend, stacks.WaitSelect, stacks.WaitCond,
		stacks.WaitSemaphore}, p.Park) && !p.Request && g.below(p, known.Accepts) && !g.Table.Func(p.At).Is(known.Accepts)
}

func (g *Graph) below(p *Pile, role known.Role) bool {
	return g.Table.Has(p.Stack, func(f *stacks.Func) bool { return f.Is(role) })
}
