// Package wait says, from goroutine profiles and dumps, who waits for whom.
//
// The problem: a profile shows ten thousand goroutines in a select, and not which of them answer requests, what they
// wait for, or who could end it. The approach: every goroutine is classified once, by what stands on its stack between
// the leaf and the user's line, and becomes part of a Pile; a pile that waits for something with a holder (a lock, a
// place of a pool) is joined to the goroutines that are further along in the function that takes it: they hold it, and
// what they do is the cause. Nothing here judges; kinds of findings are rows over these facts.
//
// Limits: a profile has no addresses, so two pools of one library, or two locks taken in one function, are one here.
// Holders are inferred from where code is: who took a lock in a function that has returned is not found.
package wait

import (
	"cmp"
	"slices"
	"sync"

	"github.com/gocasebook/casebook/diagnose/known"
	"github.com/gocasebook/casebook/diagnose/stacks"
)

// A For is what goroutines wait for.
type For uint8

// What is awaited. The order has no meaning.
const (
	Unknown   For = iota
	Nothing       // they run, or are about to
	Lock          // a sync.Mutex or sync.RWMutex
	Channel       // a send, a receive or a select in the user's own code
	Inside        // a channel, a condition or a semaphore inside a dependency
	Place         // a place of a pool or limit: nothing was sent yet
	Limiter       // the program's own limiter of rates: time
	Gather        // a library that gathers before it sends
	Answer        // what a peer answers
	Unread        // a peer that does not read what it is sent
	Sleep         // a time
	Child         // a child process
	Pipe          // the end of a child process's output
	Group         // a WaitGroup
	Cond          // a condition, or a semaphore, in the user's own code
	Disk          // a file
	Collector     // the garbage collector, or a stop of the world
	Asked         // to be asked: idle connections, listeners
)

func (f For) String() string {
	return [...]string{"something", "nothing", "a lock", "a channel", "something inside a dependency",
		"a place", "a limiter", "a batch to fill", "an answer", "a peer that does not read", "a time", "a child process",
		"the end of a child process's output", "a WaitGroup", "a condition", "a file", "the garbage collector",
		"to be asked"}[f]
}

// Outside reports whether the wait is for the world outside the process, which has been asked already.
func (f For) Outside() bool {
	return slices.Contains([]For{Answer, Unread, Sleep, Child, Pipe, Disk}, f)
}

// A Pile is the goroutines that wait at one place for one thing.
type Pile struct {
	Line  stacks.FrameID // the user's innermost line; stacks.NoFrame without one
	Enter stacks.FrameID // what that line calls: the frame below it; NoFrame if the line itself waits
	At    stacks.FrameID // where they stand: the innermost frame that is not the runtime's or package sync's
	For   For
	Park  stacks.Wait // what they are parked in
	Role  *Role       // the row of names that told For, or a setting of it; nil without one

	Request bool    // a client waits for what they do
	N       []int64 // in each of Graph.Moments
	Longest int64   // whole minutes that one of them has waited; only dumps tell
	Waited  int64   // how many waited a minute or more

	Stack    []stacks.FrameID // of the sample with the most goroutines, leaf first
	requests []int64          // those of the Graph
	line     int              // the index of Line in Stack; its length without one
	most     int64
}

// Last is how many there are in the last capture.
func (p *Pile) Last() int64 { return p.N[len(p.N)-1] }

// Most is how many there are in the capture that shows most.
func (p *Pile) Most() int64 { return slices.Max(p.N) }

// InAll reports whether the last two captures agree: each shows half of what the fullest does, or both show ten and no
// fewer than before, or in both most requests in progress are here, and ten at least. One alone agrees with nothing.
func (p *Pile) InAll() bool {
	most := func(m int) bool { return p.Request && p.N[m] >= least && 2*p.N[m] >= p.requests[m] }
	before, now := p.lastTwo()
	last := len(p.N) - 1
	return last > 0 && (2*min(before, now) >= p.Most() || before >= least && now >= before || most(last-1) && most(last))
}

// lastTwo is how many there are in each of the last two captures; none before the only one.
func (p *Pile) lastTwo() (before, now int64) {
	if last := len(p.N) - 1; last > 0 {
		before = p.N[last-1]
	}
	return before, p.Last()
}

// there reports whether goroutines are there in one of the last two captures.
func (p *Pile) there() bool { before, now := p.lastTwo(); return before+now > 0 }

// stays reports whether as many are there in the last two captures.
func (p *Pile) stays() bool { before, now := p.lastTwo(); return now > 0 && now == before }

// lastTwo is how many goroutines piles have in each of the last two captures.
func lastTwo(ps []*Pile) (before, now int64) {
	for _, p := range ps {
		b, n := p.lastTwo()
		before, now = before+b, now+n
	}
	return before, now
}

// queue reports whether ten or more wait in each of the last two captures, and no fewer in the last.
func queue(ps []*Pile) bool {
	before, now := lastTwo(ps)
	return before >= least && now >= before
}

// inType reports whether goroutines are in a method of a type.
func (g *Graph) inType(p *Pile, of string) bool {
	return g.Table.Has(p.Stack, func(f *stacks.Func) bool { return receiver(f.Name) == of })
}

// least is how many goroutines at one place are more than a coincidence.
const least = 10

// Inner are the frames between the leaf and the user's line.
func (p *Pile) Inner() []stacks.FrameID { return p.Stack[:p.line] }

// A Graph is all piles of a case.
type Graph struct {
	Table    *stacks.Table
	Moments  []*stacks.Set // of distinct times, oldest first
	Piles    []*Pile       // those with the most goroutines first
	Requests []int64       // in progress, in each of Moments

	queues func() []*Queue
}

// New classifies the goroutines of captures, oldest first.
func New(t *stacks.Table, moments []*stacks.Set) *Graph {
	g := &Graph{Table: t, Moments: moments, Requests: make([]int64, len(moments))}
	g.queues = sync.OnceValue(g.findQueues)
	n := len(t.Funcs)
	c := &classifier{t: t, roles: make([]*Role, n), serve: make([]bool, n), known: make([]bool, n)}
	var all []seen
	for m, set := range moments {
		count := set.Count()
		parks := showsParking(t, set)
		for i := range set.Samples {
			s := &set.Samples[i]
			n := count(s)
			if n <= 0 || len(s.Stack) == 0 {
				continue
			}
			w := set.Wait(i)
			if w == stacks.WaitUnknown && parks {
				w = stacks.WaitNothing // it runs, or is about to: who waits has the runtime's frames on its stack
			}
			p := c.pile(s.Stack, w)
			p.most = n
			if set.Goroutines != nil {
				p.Longest, p.Waited = set.Goroutines[i].Longest, set.Goroutines[i].Waiting
			}
			all = append(all, seen{p, m})
		}
	}
	first, index := firstPlaces(t, all), make(map[pileKey]*Pile)
	for i := range all {
		g.add(index, &all[i], first)
	}
	slices.SortFunc(g.Piles, func(a, b *Pile) int {
		return cmp.Or(cmp.Compare(b.Most(), a.Most()), slices.Compare(a.Stack, b.Stack))
	})
	return g
}

// seen is the goroutines of one stack in one capture.
type seen struct {
	Pile
	moment int
}

// add counts goroutines in their pile.
func (g *Graph) add(index map[pileKey]*Pile, s *seen, first map[placeAt]int) {
	k := s.key(g.Table)
	k.past = s.twice() && slices.ContainsFunc(s.Stack[min(s.line+1, len(s.Stack)):], func(id stacks.FrameID) bool {
		line, ok := first[placeAt{s.Role, g.Table.FuncID(id)}]
		return ok && g.Table.Line(id) > line
	})
	p := index[k]
	if p == nil {
		p = &s.Pile
		p.N, p.requests = make([]int64, len(g.Moments)), g.Requests
		index[k] = p
		g.Piles = append(g.Piles, p)
	} else {
		p.Longest, p.Waited = max(p.Longest, s.Longest), p.Waited+s.Waited
	}
	p.N[s.moment] += s.most
	if s.most > p.most {
		p.Stack, p.line, p.most = s.Stack, s.line, s.most
	}
	if s.Request {
		g.Requests[s.moment] += s.most
	}
}

// placeAt is a function in which goroutines wait for a place of a pool.
type placeAt struct {
	of *Role
	fn stacks.FuncID
}

// twice reports whether a goroutine may have what it waits for once already: a place of a pool, or an RWMutex that it
// reads.
func (p *Pile) twice() bool { return p.For == Place || p.Park == stacks.WaitRLock }

// firstPlaces are the first lines of functions at which goroutines wait for a place. Those that wait for a second one
// further down, in a callee, are a pile apart: they are few among many, and have what all wait for.
func firstPlaces(t *stacks.Table, all []seen) map[placeAt]int {
	first := make(map[placeAt]int)
	for i := range all {
		if p := &all[i]; p.twice() && p.Line != stacks.NoFrame {
			at, line := placeAt{p.Role, t.FuncID(p.Line)}, t.Line(p.Line)
			if f, ok := first[at]; !ok || line < f {
				first[at] = line
			}
		}
	}
	return first
}

// Leave makes the requests of a handler none: only others of this process wait for them.
func (g *Graph) Leave(handler string) {
	for _, p := range g.Piles {
		if p.Request && g.Table.Has(p.Stack, func(f *stacks.Func) bool { return f.Name == handler }) {
			p.Request = false
			for m, n := range p.N {
				g.Requests[m] -= n
			}
		}
	}
}

// showsParking reports whether a capture keeps the runtime's frames, which show that a goroutine waits. The debug=1 text
// leaves them out.
func showsParking(t *stacks.Table, set *stacks.Set) bool {
	return slices.ContainsFunc(set.Samples, func(s stacks.Sample) bool {
		return len(s.Stack) > 0 && t.Func(s.Stack[0]).Does(known.Parks)
	})
}

type pileKey struct {
	line    stacks.FrameID
	at      stacks.FuncID
	waitFor For
	park    stacks.Wait
	request bool
	past    bool // they have what they wait for once already
}

func (p *Pile) key(t *stacks.Table) pileKey {
	return pileKey{line: p.Line, at: t.FuncID(p.At), waitFor: p.For, park: p.Park, request: p.Request}
}

// InProgress is how many requests are in progress in the last capture.
func (g *Graph) InProgress() int64 {
	if len(g.Requests) == 0 {
		return 0
	}
	return g.Requests[len(g.Requests)-1]
}

// Fullest is the capture with the most requests in progress: where they pile up it shows at what.
func (g *Graph) Fullest() (moment int) {
	for m, n := range g.Requests {
		if n >= g.Requests[moment] {
			moment = m
		}
	}
	return moment
}

// Awaiting is how many goroutines wait for one thing in the last capture, wherever they are.
func (g *Graph) Awaiting(what For) (n int64) {
	for _, p := range g.Piles {
		if p.For == what {
			n += p.Last()
		}
	}
	return n
}

// Share is the part of the requests in progress that a number of goroutines is, over all captures; 0 if there are none.
func (g *Graph) Share(ps ...*Pile) float64 {
	var n, all int64
	for m, r := range g.Requests {
		all += r
		for _, p := range ps {
			n += p.N[m]
		}
	}
	if all == 0 {
		return 0
	}
	return min(float64(n)/float64(all), 1)
}
