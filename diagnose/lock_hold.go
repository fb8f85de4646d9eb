package diagnose

import (
	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose/stacks"
)

// Neither a profile nor a dump says which goroutine holds a lock. It can be inferred: the lock that a method waits for is
// mostly a field of its receiver, and whoever holds it is inside a function that took it, most likely the same one,
// further down.

// A lockQueue is the goroutines that wait for a lock in one function.
type lockQueue struct {
	fn       stacks.FuncID
	at       stacks.FrameID // the line with most waiters
	owner    string         // the receiver: locks are its fields
	n        int64
	waiting  int64 // a minute or more
	longest  int64
	shared   int64 // of n, those that wait to read-lock
	piles    []*pile
	holders  []holder // goroutines that may hold it
	holding  int64    // of those
	moving   int64    // of those, the ones that go on by themselves: they run, or wait for something outside of the process
	nested   bool     // waiters that came through another function of the owner, or wait at two lines: they hold one lock already
	sameFunc bool     // the holders are in fn itself, below the line of the wait
}

// A holder is goroutines inside a function that takes the lock, and not waiting for one.
type holder struct {
	at      stacks.FrameID // the line inside the function that locks
	stack   []stacks.FrameID
	wait    stacks.Wait
	n       int64
	outside bool // waits for the network, a file, a sleep, another service
	same    bool // in the very function that the waiters are in
}

// maxQueues is how many functions with waiters are looked at, those with most of them.
const maxQueues = 64

// lockQueues groups the waiters of a set by the user's function that they wait in, and looks for the holders.
func (r *Reading) lockQueues(set *stacks.Set) []*lockQueue {
	var out []*lockQueue
	byFunc := make(map[stacks.FuncID]*lockQueue)
	for _, p := range r.piles(set) {
		if !p.wait.ForLock() || !p.user {
			continue
		}
		fn := r.Table.Frames[p.at].Func
		q := byFunc[fn]
		if q == nil && len(out) == maxQueues {
			continue // piles come in falling order
		}
		if q == nil {
			q = &lockQueue{fn: fn, at: p.at, owner: receiver(r.Table.Funcs[fn].Name)}
			byFunc[fn] = q
			out = append(out, q)
		}
		q.add(r.Table, p)
	}
	if len(out) > 0 {
		r.findHolders(set, out)
	}
	return out
}

func (q *lockQueue) add(t *stacks.Table, p *pile) {
	q.n += p.n
	q.waiting += p.waiting
	q.longest = max(q.longest, p.longest)
	if p.wait == stacks.WaitRLock {
		q.shared += p.n
	}
	q.piles = append(q.piles, p)
	q.nested = q.nested || len(q.piles) > 1 || comesThrough(t, p.stack, p.at, q.owner)
}

// comesThrough reports whether the caller of the waiting function is another method of the same receiver.
func comesThrough(t *stacks.Table, stack []stacks.FrameID, at stacks.FrameID, owner string) bool {
	seen := false
	for _, id := range stack {
		switch f := t.Func(id); {
		case id == at:
			seen = true
		case !seen || t.Frames[id].Func == t.Frames[at].Func:
		case f.Owner == stacks.User:
			return receiver(f.Name) == owner
		}
	}
	return false
}

// findHolders looks for goroutines that are inside a function of a queue's owner and do not wait for a lock.
func (r *Reading) findHolders(set *stacks.Set, qs []*lockQueue) {
	n := stacks.ByValue(set.Value(set.Kind, "count"))
	owners := make(map[string]bool)
	for _, q := range qs {
		owners[q.owner] = true
	}
	methods := r.funcs(func(f *stacks.Func) bool { return f.Owner == stacks.User && owners[receiver(f.Name)] })
	for i := range set.Samples {
		s := &set.Samples[i]
		if n(s) <= 0 || !methods.in(r.Table, s.Stack) {
			continue
		}
		w := set.Wait(i)
		if w.ForLock() {
			continue
		}
		for _, q := range qs {
			at, same := q.inside(r.Table, s.Stack)
			if at == stacks.NoFrame {
				continue
			}
			q.holders = append(q.holders, holder{at, s.Stack, w, n(s), outside(r.Table, s.Stack, w), same})
			q.holding += n(s)
			if w == stacks.WaitNothing || w == stacks.WaitUnknown || outside(r.Table, s.Stack, w) {
				q.moving += n(s)
			}
		}
	}
}

// inside is the frame of a stack in a function that may hold the queue's lock: the same function below the line of the
// wait, else another of the same receiver.
func (q *lockQueue) inside(t *stacks.Table, stack []stacks.FrameID) (stacks.FrameID, bool) {
	other := stacks.NoFrame
	for _, id := range stack {
		f := t.Func(id)
		switch {
		case f.Owner != stacks.User:
		case t.Frames[id].Func == q.fn && t.Line(id) > t.Line(q.at):
			return id, true
		case t.Frames[id].Func != q.fn && receiver(f.Name) == q.owner && other == stacks.NoFrame:
			other = id
		}
	}
	return other, false
}

// lockMoments are the goroutine sets to look for holders in: those of the trouble, else all.
func (r *Reading) lockMoments() []*stacks.Set {
	sets := r.troubled(casefile.Goroutine)
	if len(sets) == 0 {
		sets = r.goroutineSets()
	}
	return sets
}
