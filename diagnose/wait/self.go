package wait

import (
	"slices"
	"strings"

	"github.com/gocasebook/casebook/diagnose/stacks"
)

// Waits whose end only those could bring that wait: a pool of workers that waits for itself, and a lock that is awaited
// below its own holder.

// Workers are all goroutines that one function began as their outermost, each in a task of the user's, and each in a
// wait that only another of them could end.
type Workers struct {
	Root    stacks.FrameID // the worker function
	Piles   []*Pile        // of the workers, those with the most goroutines first
	Waiters []*Pile        // who waits for the pool from outside of it
}

// Last is how many goroutines piles have in the last capture.
func Last(ps []*Pile) (n int64) {
	for _, p := range ps {
		n += p.Last()
	}
	return n
}

// Stuck finds two workers or more that all wait for their own pool, as many in the last two captures, while outside of
// them ten or more wait for it, none fewer than before. A library's worker waits for its pool if what its task has
// called is the same library's, none of whose goroutines reads a network or runs. A worker of the program's own does if
// those outside wait in the same function, and no other goroutine of the program is there.
func (g *Graph) Stuck() (w Workers, ok bool) {
	byRoot := make(map[stacks.FuncID][]*Pile)
	for _, p := range g.largest() {
		if root := p.root(); !p.Request && g.Table.Func(root).Owner != stacks.Runtime {
			byRoot[g.Table.FuncID(root)] = append(byRoot[g.Table.FuncID(root)], p)
		}
	}
	for _, p := range g.largest() {
		ps := byRoot[g.Table.FuncID(p.root())]
		w = Workers{Root: p.root(), Piles: ps}
		free := func(p *Pile) bool { return !p.stays() || !g.waitsInTask(p) }
		if len(ps) > 0 && ps[0] == p && Last(ps) >= 2 && !slices.ContainsFunc(ps, free) && g.onlyThemselves(&w) {
			return w, true
		}
	}
	return w, false
}

// waitsInTask reports whether goroutines wait for others of the process, below a line of the user's that is not the
// worker function itself.
func (g *Graph) waitsInTask(p *Pile) bool {
	return slices.Contains([]For{Group, Channel, Inside, Cond, Place}, p.For) && p.line < len(p.Stack)-1
}

// onlyThemselves reports whether nobody but the workers could end what they wait for, and finds who waits for them.
func (g *Graph) onlyThemselves(w *Workers) bool {
	root := g.Table.Func(w.Root)
	house := func(p *Pile) string {
		if root.Owner != stacks.Dependency {
			return g.Table.Func(p.At).Name
		}
		if p.Enter == stacks.NoFrame {
			return ""
		}
		return g.library(p.Enter)
	}
	waits := func(p *Pile) bool { return g.waitsInTask(p) && p.Line != stacks.NoFrame }
	for _, p := range g.Piles {
		switch own := slices.Contains(w.Piles, p); {
		case own || !p.there():
		case waits(p) && slices.ContainsFunc(w.Piles, func(q *Pile) bool { return house(q) == house(p) }):
			w.Waiters = append(w.Waiters, p)
		case root.Owner == stacks.Dependency:
			if g.library(p.root()) == g.library(w.Root) && (p.For.Outside() || p.For == Nothing) {
				return false
			}
		case p.Line != stacks.NoFrame && p.For != Asked:
			return false
		}
	}
	own := func(p *Pile) bool {
		if root.Owner == stacks.Dependency {
			return house(p) == repository(root.Package)
		}
		return slices.ContainsFunc(w.Waiters, func(q *Pile) bool { return q.At == p.At })
	}
	return queue(w.Waiters) && !slices.ContainsFunc(w.Piles, func(p *Pile) bool { return !own(p) })
}

// A Relocked is a goroutine that waits for a lock of a type below a method of that type, with other code between: the
// method calls back with the lock held.
type Relocked struct {
	*Pile
	Callback stacks.FrameID // the outermost line of the code between
	Caller   stacks.FrameID // the method's line that calls it
	Waiters  []*Pile        // who waits for the lock of such a value meanwhile
}

// Relocked finds one that is there in the last two captures, while ten or more others wait for a lock in methods of the
// type, none fewer than before, and nobody else is there: a lock of another value would have its holder there.
func (g *Graph) Relocked() (r Relocked, ok bool) {
	for _, p := range g.largest() {
		if p.For != Lock || !p.stays() || p.Last() > mostCallbacks {
			continue
		}
		if r, ok = g.lockedBelow(p); ok && g.allWaitFor(&r) {
			return r, true
		}
	}
	return r, false
}

// lockedBelow finds the method of the same type below which a goroutine waits for a lock, with other code between.
func (g *Graph) lockedBelow(p *Pile) (r Relocked, ok bool) {
	of := receiver(g.Table.Func(p.At).Name)
	if of == "" {
		return r, false
	}
	between := stacks.NoFrame
	for _, id := range p.Stack[slices.Index(p.Stack, p.At)+1:] {
		switch same := receiver(g.Table.Func(id).Name) == of; {
		case same && between != stacks.NoFrame:
			return Relocked{Pile: p, Callback: between, Caller: id}, true
		case !same:
			between = id
		}
	}
	return r, false
}

// allWaitFor reports whether everybody else in a method of the type waits for a lock there, and finds them.
func (g *Graph) allWaitFor(r *Relocked) bool {
	of := receiver(g.Table.Func(r.At).Name)
	for _, p := range g.Piles {
		switch {
		case p == r.Pile || !p.there() || !g.inType(p, of):
		case p.For != Lock || receiver(g.Table.Func(p.At).Name) != of:
			return false
		default:
			r.Waiters = append(r.Waiters, p)
		}
	}
	return queue(r.Waiters)
}

// receiver is the type whose method a function, or one that it contains, is; "" of others.
func receiver(name string) string {
	if of, method := stacks.Receiver(stacks.WithoutTypes(name)); method {
		return of
	}
	return ""
}

// Parents is the queue for places of a semaphore, or for tokens of a channel, whose holders wait for goroutines that
// they have started and that need one, too: all who have passed the line where others wait are as many in the last two
// captures and wait for others of the process, and some who wait run a function literal of theirs.
func (g *Graph) Parents() (q Queue, ok bool) {
	for _, p := range g.largest() {
		if p.For != Place && p.For != Channel || p.Line == stacks.NoFrame {
			continue
		}
		literal, children := g.Table.Func(p.Line).Name+".func", false
		q = Queue{Holders: g.past(p.Line)}
		for _, w := range g.largest() {
			if w.Line == p.Line && w.For == p.For {
				q.Waiters = append(q.Waiters, w)
				children = children || g.Table.Has(w.Stack, func(f *stacks.Func) bool { return strings.HasPrefix(f.Name, literal) })
			}
		}
		if children && len(q.Holders) > 0 && queue(q.Waiters) && !slices.ContainsFunc(q.Holders, func(h Holder) bool {
			return !h.stays() || h.For != Group && h.For != Channel && h.For != Cond
		}) {
			return q, true
		}
	}
	return q, false
}

// Latch is requests that wait in a function in which another goroutine is further along, and waits for a place of a
// pool: it is that one for whom they wait, as who asks for what is being made does. At is its line, NoFrame of none.
func (g *Graph) Latch(q *Queue) (waits []*Pile, at stacks.FrameID) {
	within := g.within(q)
	for _, p := range g.largest() {
		line, ok := within[g.Table.FuncID(p.At)]
		if ok && p.Request && p.there() && slices.Contains([]For{Inside, Channel, Group, Cond}, p.For) {
			waits, at = append(waits, p), line
		}
	}
	if len(waits) == 0 {
		return nil, stacks.NoFrame
	}
	return waits, at
}

// within are the functions that goroutines called which wait for a queue's places in the last capture, short of the
// function that serves a request, with a line of the user's. It goes through all stacks: a pile has one.
func (g *Graph) within(q *Queue) map[stacks.FuncID]stacks.FrameID {
	out, asks := make(map[stacks.FuncID]stacks.FrameID), make(map[stacks.FuncID]bool)
	for _, w := range q.Waiters {
		asks[g.Table.FuncID(w.At)] = true
	}
	for _, s := range g.Moments[len(g.Moments)-1].Samples {
		i := slices.IndexFunc(s.Stack, func(id stacks.FrameID) bool { return asks[g.Table.FuncID(id)] })
		line, u := g.Table.UserFrame(s.Stack)
		if i < 0 || u < i {
			continue
		}
		for _, id := range s.Stack[i+1 : u+1] {
			out[g.Table.FuncID(id)] = line
		}
	}
	return out
}

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
	if p.For.Outside() || g.Table.Func(p.At).Owner != stacks.Dependency {
		return c, false
	}
	library := g.library(p.At)
	for _, q := range g.largest() {
		switch {
		case !q.stays() || q.Last() > mostCallbacks || q.Request || q == p:
		case q.Line == stacks.NoFrame:
			if q.Park == stacks.WaitSend && g.library(q.At) == library {
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

// Attends reports whether the goroutines of a stack are a library's that stand beside calls in progress, and end with
// these: without a line of the user's, as many in each capture as requests at one place inside of the same library.
func (g *Graph) Attends(stack []stacks.FrameID) bool {
	of := slices.IndexFunc(g.Piles, func(p *Pile) bool { return p.Line == stacks.NoFrame && slices.Equal(p.Stack, stack) })
	if of < 0 || len(g.Moments) < 2 {
		return false
	}
	p := g.Piles[of]
	library := g.library(p.At)
	return slices.ContainsFunc(g.Piles, func(q *Pile) bool {
		return q.Request && slices.Equal(p.N, q.N) && g.library(q.At) == library
	})
}
