package wait

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/gocasebook/casebook/diagnose/known"
	"github.com/gocasebook/casebook/diagnose/stacks"
)

// A Holder is a pile whose goroutines are further along, in a function that others wait in to take a lock or a place:
// they have passed that line, and so hold one.
type Holder struct {
	*Pile
	Past stacks.FrameID   // their line of the function that both are in
	Took []stacks.FrameID // of who waits there: what that function calls to take one, leaf first
	Does *Pile            // of an Owner: who waits outside, which is itself or a worker of its library
}

// A Queue is all piles that wait for the same lock or for a place of the same pool, with those that hold one.
type Queue struct {
	Waiters []*Pile // those with the most goroutines first
	Holders []Holder
}

// First is the pile with the most waiters.
func (q *Queue) First() *Pile { return q.Waiters[0] }

// Waiting is how many wait in a capture.
func (q *Queue) Waiting(moment int) (n int64) {
	for _, p := range q.Waiters {
		n += p.N[moment]
	}
	return n
}

// Queues are the queues for locks and places, the longest first. Several kinds ask, and they are found once.
func (g *Graph) Queues() []*Queue { return g.queues() }

// HolderFor is who has what goroutines with a stack wait for at a lock or a place, and is in code of the user's with
// it: the pile with the most goroutines.
func (g *Graph) HolderFor(stack []stacks.FrameID) (h Holder, ok bool) {
	for _, q := range g.Queues() {
		if !slices.ContainsFunc(q.Waiters, func(p *Pile) bool { return slices.Equal(p.Stack, stack) }) {
			continue
		}
		i := slices.IndexFunc(q.Holders, func(h Holder) bool { return h.Line != stacks.NoFrame && h.Last() > 0 })
		if i >= 0 {
			return q.Holders[i], true
		}
	}
	return h, false
}

func (g *Graph) findQueues() []*Queue {
	var out []*Queue
	byName := make(map[string]*Queue)
	for _, p := range g.Piles {
		if p.For != Lock && p.For != Place {
			continue
		}
		name := g.awaited(p)
		q := byName[name]
		if q == nil {
			q = new(Queue)
			byName[name] = q
			out = append(out, q)
		}
		q.Waiters = append(q.Waiters, p)
	}
	for _, q := range out {
		q.Holders = g.holders(q)
	}
	last := len(g.Moments) - 1
	slices.SortStableFunc(out, func(a, b *Queue) int { return cmp.Compare(b.Waiting(last), a.Waiting(last)) })
	return out
}

// awaited names what a pile waits for: the function that takes the lock, or whose place it is.
func (g *Graph) awaited(p *Pile) string {
	if p.For == Place && p.Role != nil {
		return p.Role.What
	}
	return g.Table.Func(p.At).Name
}

// outward is how many of the user's functions beyond the one that takes a place may keep it: a function that begins a
// transaction for its caller.
const outward = 2

// holders are the piles that have passed the line where a queue waits. The innermost function that shows as many
// in each capture decides: a queue means that all places are taken; further out are those that only have been there.
func (g *Graph) holders(q *Queue) []Holder {
	for _, w := range q.Waiters {
		users := 0
		for i, id := range w.Stack {
			f := g.Table.Func(id)
			if f.Owner == stacks.Runtime || known.IsSync(f.Package) {
				continue
			}
			if f.Owner == stacks.User {
				users++
			}
			if begins(f.Name) || i > w.line && f.Owner != stacks.User || users > outward {
				break
			}
			if hs := g.past(id); len(hs) > 0 && (g.steady(hs) || q.First().For == Lock && g.whenever(q, hs)) {
				at := g.past(w.Line) // if all are past it, they keep what they took through what comes after
				if slices.EqualFunc(hs, at, func(a, b Holder) bool { return a.Pile == b.Pile }) {
					hs, i = at, w.line
				}
				for h := range hs {
					hs[h].Took = w.Stack[:i]
				}
				return hs
			}
		}
	}
	return nil
}

// steady reports whether as many hold something in the last two captures, within a fifth or one: someone may be about
// to give a place to the next.
func (g *Graph) steady(hs []Holder) bool {
	var a, b int64
	for _, h := range hs {
		before, now := h.lastTwo()
		a, b = a+before, b+now
	}
	return len(g.Moments) == 1 || a > 0 && b > 0 && max(a, b)-min(a, b) <= max(1, max(a, b)/5)
}

// whenever reports whether in each of the last two captures that shows a queue someone holds what it waits for: a lock
// has a holder while others wait, and none in between.
func (g *Graph) whenever(q *Queue, hs []Holder) bool {
	for m := max(len(g.Moments)-2, 0); m < len(g.Moments); m++ {
		if q.Waiting(m) >= least && !slices.ContainsFunc(hs, func(h Holder) bool { return h.N[m] > 0 }) {
			return false
		}
	}
	return true
}

// Keeper is the pile of most who are past the line of a queue for places of the program's own, if half of them or more
// are in it, and how many all are; 0 of none.
func (g *Graph) Keeper(p *Pile) (h Holder, all int64) {
	q := &Queue{Waiters: []*Pile{p}}
	for _, o := range g.holders(q) {
		if all += o.Last(); h.Pile == nil || o.Last() > h.Last() {
			h = o
		}
	}
	if h.Pile == nil || h.Line == stacks.NoFrame || 2*h.Last() < all {
		return h, 0
	}
	return h, all
}

// Full reports whether no place of a queue's pool was left in the last two captures: others wait in both, and as many
// hold one.
func (g *Graph) Full(q *Queue) bool {
	before, now := lastTwo(q.Waiters)
	return len(q.Holders) > 0 && before > 0 && now > 0 && g.steady(q.Holders)
}

// Kept reports whether those that hold a place stay: exactly as many in the last two captures, ten at least, and each
// beyond the line of its own that took one. Places that are held inside of one call of a library change hands with it.
func (g *Graph) Kept(q *Queue) bool {
	n := int64(0)
	for _, h := range q.Holders {
		if !h.stays() || g.Table.Func(h.Past).Owner != stacks.User {
			return false
		}
		n += h.Last()
	}
	return n >= least
}

// Opened is requests that wait inside of a library to be let in, while others have been at the same point, in a
// function of the user's, and stay in that library: exactly as many in the last two captures. It is the library's limit
// if that is a number that people choose; of others it is not known whether the peer has stopped to let in.
func (g *Graph) Opened() (*Queue, bool) {
	for _, p := range g.largest() {
		if !p.Request || p.For != Inside || p.Line == stacks.NoFrame {
			continue
		}
		q := &Queue{Waiters: g.insideOf(p), Holders: g.past(p.Line)}
		other := func(h Holder) bool {
			return g.Table.FuncID(h.At) == g.Table.FuncID(p.At) || g.library(h.At) != g.library(p.At)
		}
		if slices.ContainsFunc(q.Holders, other) || !g.Kept(q) || !chosen(q.HeldLast()) {
			continue
		}
		return q, true
	}
	return nil, false
}

// Employed is requests that wait inside of a library, while its workers, all that one function of the library began,
// each wait in a task of the user's, as many in the last two captures. It does not say who ends the wait.
func (g *Graph) Employed() (q *Queue, worker string, ok bool) {
	for _, p := range g.largest() {
		if !p.Request || p.For != Inside || p.Line == stacks.NoFrame || len(g.Moments) < 2 {
			continue
		}
		library, byRoot := g.library(p.At), make(map[string][]Holder)
		for _, h := range g.largest() {
			root := g.Table.Func(h.root())
			if !h.Request && h.there() && root.Owner == stacks.Dependency && g.library(h.root()) == library {
				byRoot[root.Name] = append(byRoot[root.Name], Holder{Pile: h, Past: h.Line})
			}
		}
		idle := func(h Holder) bool { // it waits for the library, for a lock, or not in a task
			return h.Line == stacks.NoFrame || h.For == Nothing || h.For == Lock || h.For == Collector ||
				g.library(h.At) == library
		}
		for _, name := range slices.Sorted(maps.Keys(byRoot)) {
			if hs := byRoot[name]; !slices.ContainsFunc(hs, idle) && g.steady(hs) {
				return &Queue{Waiters: g.insideOf(p), Holders: hs}, name, true
			}
		}
	}
	return nil, "", false
}

// insideOf are the requests that wait in the same function of a library as a pile does, that pile first.
func (g *Graph) insideOf(p *Pile) []*Pile {
	ps := []*Pile{p}
	for _, w := range g.Piles {
		if w != p && w.Request && w.For == Inside && g.Table.FuncID(w.At) == g.Table.FuncID(p.At) {
			ps = append(ps, w)
		}
	}
	return ps
}

// chosen reports whether a limit is one that people set: a power of two, or tens.
func chosen(n int64) bool { return n > 0 && (n&(n-1) == 0 || n%10 == 0) }

// Owner is the one goroutine that a pile waits for inside of a function, or of the library's that calls it: it is the
// only one that is further on there, in both of the last two captures, and waits for the world outside, or for the one
// worker of its library that does. Whoever comes meanwhile joins its call, or queues for its turn.
func (g *Graph) Owner(p *Pile) (h Holder, ok bool) {
	if slices.Contains([]For{Lock, Place, Nothing, Asked}, p.For) || p.For.Outside() {
		return h, false
	}
	hs := g.past(p.At)
	for i := 0; p.For == Inside && len(hs) == 0 && i < p.line; i++ {
		hs = g.past(p.Stack[i])
	}
	if len(hs) != 1 || hs[0].Pile == p || !hs[0].stays() || hs[0].Last() != 1 {
		return h, false
	}
	if h = hs[0]; h.For == Inside {
		h.Does = g.worker(h)
	} else if h.For.Outside() {
		h.Does = h.Pile
	}
	return h, h.Does != nil
}

// worker is the one goroutine of a library that waits for the world outside, in both of the last two captures: it may
// have the work of a holder inside of that library.
func (g *Graph) worker(h Holder) *Pile {
	ps := slices.DeleteFunc(slices.Clone(g.largest()), func(q *Pile) bool {
		return q.Request || !q.there() || !q.For.Outside() || g.Table.Func(q.root()).Owner != stacks.Dependency ||
			g.library(q.root()) != g.library(h.At)
	})
	if len(ps) != 1 || !ps[0].stays() || ps[0].Last() != 1 {
		return nil
	}
	return ps[0]
}

// Leaders are those whose calls a pile has joined: it waits for a WaitGroup inside of a dependency's function, and they
// entered that function at the same line, are further in, in the user's own code, and wait for the world outside, in
// both of the last two captures: the first pile of them, and how many they are in all.
func (g *Graph) Leaders(p *Pile) (first *Pile, n int64) {
	if p.For != Group || p.Enter == stacks.NoFrame || g.Table.Func(p.At).Owner != stacks.Dependency {
		return nil, 0
	}
	for _, q := range g.largest() {
		i := slices.Index(q.Stack, p.Line)
		if before, now := q.lastTwo(); i > 0 && q.Line != p.Line && q.For.Outside() && min(before, now) > 0 &&
			g.Table.FuncID(q.Stack[i-1]) == g.Table.FuncID(p.Enter) {
			first, n = cmp.Or(first, q), n+now
		}
	}
	return first, n
}

// maxPiles is how many piles are looked at one by one.
const maxPiles = 1000

// largest are the piles with the most goroutines.
func (g *Graph) largest() []*Pile { return g.Piles[:min(len(g.Piles), maxPiles)] }

// past are the piles that are in the function of a frame, further down.
func (g *Graph) past(at stacks.FrameID) (out []Holder) {
	fn, line := g.Table.FuncID(at), g.Table.Line(at)
	for _, p := range g.largest() {
		if p.For == Asked {
			continue
		}
		for i, id := range p.Stack {
			// who waits there for a lock itself has not passed
			if g.Table.FuncID(id) == fn && g.Table.Line(id) > line &&
				(p.For != Lock || i > 0 && g.Table.FuncID(p.At) != fn) {
				out = append(out, Holder{Pile: p, Past: id})
				break
			}
		}
	}
	return out
}

// Turn finds the one goroutine that is beyond the line of a pile, in the last two captures, in the function at which it
// is beyond: nobody but one gets what the others wait for, of whom there are so many in both.
func (g *Graph) Turn(p *Pile, least int64) (h Holder, at stacks.FrameID, ok bool) {
	if before, now := p.lastTwo(); !p.Request || p.Enter == stacks.NoFrame || min(before, now) < least || p.For != Answer {
		return h, at, false
	}
	for _, id := range p.Stack[p.line:min(p.line+outward, len(p.Stack))] {
		if g.Table.Func(id).Owner != stacks.User {
			break
		}
		before, now := int64(0), int64(0)
		for _, o := range g.past(id) {
			b, n := o.lastTwo()
			if before, now = before+b, now+n; n > 0 || h.Pile == nil {
				h = o
			}
		}
		if before+now > 0 {
			return h, id, before == 1 && now == 1 && h.For != Nothing
		}
	}
	return h, at, false
}

// Beyond reports whether in one of the last two captures somebody is further along in the function of a pile's line.
func (g *Graph) Beyond(p *Pile) bool {
	return len(g.Moments) < 2 || slices.ContainsFunc(g.past(p.Line), func(h Holder) bool { return h.there() })
}

// Open is what keeps the place that was taken, and is still open: "rows", "response"; "" where that is not known.
func (g *Graph) Open(h Holder) (what string) {
	for _, id := range h.Took {
		what = cmp.Or(what, known.KeptOpen(g.Table.Func(id).Name))
	}
	return what
}

// below are the frames that a holder's function of a library has called.
func (h *Holder) below() []stacks.FrameID { return h.Stack[:max(slices.Index(h.Stack, h.Past), 0)] }

// GivenHere reports whether a library runs, below the function that holds, a function literal of the line that waits.
func (g *Graph) GivenHere(p *Pile, h Holder) bool {
	literal := g.Table.Func(p.Line).Name + ".func"
	return p.Line != stacks.NoFrame &&
		g.Table.Has(h.below(), func(f *stacks.Func) bool { return strings.HasPrefix(f.Name, literal) })
}

// GivenBefore reports whether a library calls code of others below the function that holds: it was given to it.
func (g *Graph) GivenBefore(h Holder) bool {
	return g.Table.Has(h.below(), func(f *stacks.Func) bool {
		return f.Owner == stacks.User || f.Owner == stacks.Dependency && repository(f.Package) != g.library(h.Past)
	})
}

// Last is how many wait in the last capture.
func (q *Queue) Last() int64 { return Last(q.Waiters) }

// HeldLast is how many hold one in the last capture.
func (q *Queue) HeldLast() (n int64) {
	for _, h := range q.Holders {
		n += h.Last()
	}
	return n
}

// Within reports whether a holder is inside the library of the pool that a queue waits for: it uses what it holds. It
// is judged by the repositories of the packages below the holder's user's line, or below the line that took the place if
// the library is the standard one: what that calls is a driver, and no function that it is given. Who has passed a line
// of the user's and is in the function again that takes a place has another one.
func (g *Graph) Within(h Holder, q *Queue) bool {
	of := q.First()
	for i, id := range of.Inner() {
		f := g.Table.Func(id)
		if r := roleOf(f.Name); r == nil || r != of.Role {
			continue
		}
		taker := g.Table.FuncID(of.Stack[i+1])
		if g.Table.Func(h.Past).Owner == stacks.User &&
			slices.ContainsFunc(h.Inner(), func(in stacks.FrameID) bool { return g.Table.FuncID(in) == taker }) {
			return false
		}
		inner := h.Inner()
		if f.Owner == stacks.Std {
			inner = h.Stack[:max(len(inner), slices.Index(h.Stack, h.Past))]
		}
		for _, in := range inner {
			if repository(g.Table.Func(in).Package) == repository(f.Package) {
				return true
			}
		}
	}
	return false
}

// root is the outermost frame of a pile, and library the repository of a frame's package.
func (p *Pile) root() stacks.FrameID { return p.Stack[len(p.Stack)-1] }

func (g *Graph) library(at stacks.FrameID) string { return repository(g.Table.Func(at).Package) }

// repository is the part of an import path that its packages share: "github.com/jackc/pgx". Of the standard library it
// is the package.
func repository(pkg string) string {
	elements := strings.SplitN(pkg, "/", 4)
	if !strings.Contains(elements[0], ".") || len(elements) < 4 {
		return pkg
	}
	return strings.Join(elements[:3], "/")
}
