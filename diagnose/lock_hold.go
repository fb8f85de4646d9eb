package diagnose

import (
	"cmp"
	"maps"
	"slices"

	"github.com/gocasebook/casebook/diagnose/known"
	"github.com/gocasebook/casebook/diagnose/stacks"
	"github.com/gocasebook/casebook/diagnose/view"
)

// Neither a profile nor a dump says which goroutine holds a lock. It can be inferred: the lock that a method waits for
// is usually a field of its receiver. The lock of a plain function is usually a variable of its package. The holder is
// inside a function that took it, most likely the same one, further down.

// A nearness is how likely a goroutine holds a lock, judged by where it is. Greater is likelier.
type nearness uint8

const (
	elsewhere  nearness = iota
	inPackage           // does the waiters' kind of work, in the package whose variable the lock may be
	inLibrary           // called the library whose lock it is, from the same function, and has come further
	inOwner             // in another function of the receiver whose field it may be
	inFunction          // in a function that takes it, below the line where others wait for it
)

// A lockQueue is the goroutines that wait for a lock in one function.
type lockQueue struct {
	fn      stacks.FuncID
	at      stacks.FrameID // the line with the most waiters
	owner   string         // the receiver: locks are its fields
	pkg     string         // the package of a plain function: locks are its variables; "" for a method
	library string         // the package inside of which the lock is; "" if it is the program's own
	n       int64
	waiting int64 // a minute or more
	longest int64
	shared  int64 // of n, those that wait to read-lock
	woken   int64 // of n, those that are about to run: the lock changes hands
	reading bool  // one is a writer that waits for readers
	piles   []*view.Pile
	callers lineSum       // the user's lines that call the function
	locks   []*waitedLock // if a dump shows them
	holders []holder      // goroutines that may hold it
	holding int64         // of those
	// of those, the ones that continue without others: they run, or wait for something outside the process
	moving int64
	near   nearness // of the holders that heldOutside has kept
}

// A holder is goroutines inside a function that takes the lock, and not waiting for one.
type holder struct {
	at      stacks.FrameID // the line inside the function that locks
	stack   []stacks.FrameID
	wait    stacks.Wait
	n       int64
	outside bool // waits for the network, a file, a sleep, another service
	near    nearness
}

// sends reports whether a holder waits until somebody reads a channel: then all others wait for that reader.
func (h *holder) sends() bool { return h.wait == stacks.WaitSend && h.near == inFunction }

// maxQueues is how many functions with waiters are checked, those with the most first.
const maxQueues = 64

// lockQueues groups the waiters of a set by the user's function that they wait in, and looks for the holders.
func lockQueues(r *Reading, set *stacks.Set) []*lockQueue {
	var qs groups[stacks.FuncID, lockQueue]
	for _, p := range r.Piles(set) {
		fn := r.Table.FuncID(p.At)
		if !p.Wait.ForLock() || !p.User || len(qs.all) == maxQueues && qs.by[fn] == nil {
			continue // piles come in falling order
		}
		q, first := qs.of(fn)
		if first {
			q.begin(r, p)
		}
		q.n, q.waiting, q.longest = q.n+p.N, q.waiting+p.Waiting, max(q.longest, p.Longest)
		if p.Wait == stacks.WaitRLock {
			q.shared += p.N
		}
		q.piles = append(q.piles, p)
	}
	if len(qs.all) > 0 {
		findWaiters(r, set, qs.by)
		findHolders(r, set, qs.all)
	}
	return qs.all
}

// begin says of a queue what its first pile shows.
func (q *lockQueue) begin(r *Reading, p *view.Pile) {
	f, method := r.Table.Func(p.At), false
	q.fn, q.at = r.Table.FuncID(p.At), p.At
	if q.owner, method = stacks.Receiver(f.Name); !method {
		q.pkg = f.Package
	}
	if fn := lockInside(r, p.Stack); fn != nil {
		q.library = fn.Package
	}
}

// receiver is the type of a method, or a function itself.
func receiver(name string) string {
	owner, _ := stacks.Receiver(name)
	return owner
}

// A waitedLock is a lock that goroutines wait for, by its address in a dump.
type waitedLock struct {
	address uint64
	lines   []stacks.FrameID   // where they wait, in whatever function
	stacks  [][]stacks.FrameID // theirs
}

// maxLockStacks bounds the stacks that are searched for each lock.
const maxLockStacks = 1000

// past reports whether a frame is below a line at which goroutines wait for the lock.
func (l *waitedLock) past(t *stacks.Table, id stacks.FrameID) bool {
	return slices.ContainsFunc(l.lines, func(at stacks.FrameID) bool { return below(t, id, at) })
}

// waiterIs reports whether a frame of one that waits for the lock is such a frame.
func (l *waitedLock) waiterIs(such func(stacks.FrameID) bool) bool {
	return slices.ContainsFunc(l.stacks, func(stack []stacks.FrameID) bool { return slices.ContainsFunc(stack, such) })
}

// findWaiters finds how the waiters of queues came there and, in a dump, which locks they wait for, and which of them
// are about to run.
func findWaiters(r *Reading, set *stacks.Set, byFunc map[stacks.FuncID]*lockQueue) {
	byAddress, count := make(map[uint64]*waitedLock), set.Count()
	for i := range set.Samples {
		s := &set.Samples[i]
		at, user := r.Table.WaitPlace(s.Stack)
		q := byFunc[r.Table.FuncID(at)]
		if !user || q == nil || !set.Wait(i).ForLock() {
			continue
		}
		// in RWMutex.Lock, and its turn among the writers has come
		q.reading = q.reading || r.Table.Has(s.Stack, withWork(known.LocksAlone)) &&
			!r.Table.Has(s.Stack, withWork(known.OfMutex))
		if caller, k := r.Table.UserFrame(s.Stack[slices.Index(s.Stack, at)+1:]); k >= 0 {
			q.callers.add(caller, count(s))
		}
		if set.Goroutines == nil {
			continue
		}
		if set.Runs(i) {
			q.woken += count(s)
		}
		if address := set.Goroutines[i].Lock; address != 0 {
			l := cmp.Or(byAddress[address], &waitedLock{address: address})
			byAddress[address] = l
			if !slices.Contains(l.lines, at) {
				l.lines = append(l.lines, at)
			}
			if len(l.stacks) < maxLockStacks {
				l.stacks = append(l.stacks, s.Stack)
			}
			if len(q.locks) < maxQueues && !slices.Contains(q.locks, l) {
				q.locks = append(q.locks, l)
			}
		}
	}
}

// nested reports whether waiters hold one lock of the owner already: they wait at two lines, or came through another
// function of it.
func (q *lockQueue) nested(t *stacks.Table) bool {
	for caller := range q.callers {
		if t.FuncID(caller) != q.fn && receiver(t.Func(caller).Name) == q.owner {
			return true
		}
	}
	return len(q.piles) > 1
}

// sameLock reports whether two queues are for one lock: by its address, otherwise by the receiver whose field it is.
func (q *lockQueue) sameLock(other *lockQueue) bool {
	if len(q.locks) == 0 || len(other.locks) == 0 {
		return q.owner == other.owner && q.pkg == other.pkg
	}
	return slices.ContainsFunc(q.locks, func(l *waitedLock) bool { return slices.Contains(other.locks, l) })
}

// findHolders looks for goroutines that are inside a function that may hold a queue's lock, and do not wait for one.
func findHolders(r *Reading, set *stacks.Set, qs []*lockQueue) {
	n := set.Count()
	near := r.Funcs(func(f *stacks.Func) bool {
		return f.Owner == stacks.User && slices.ContainsFunc(qs, func(q *lockQueue) bool {
			return receiver(f.Name) == q.owner || f.Package == q.pkg
		})
	})
	for i := range set.Samples {
		s, w := &set.Samples[i], set.Wait(i)
		if n(s) <= 0 || !near.In(r.Table, s.Stack) || awaitsToBeAsked(r.Table, s.Stack) || w.ForLock() {
			continue
		}
		for _, q := range qs {
			at, how := q.inside(r.Table, s.Stack, w)
			if how == elsewhere {
				continue
			}
			out := outside(r, s.Stack, w)
			q.holders = append(q.holders, holder{at, s.Stack, w, n(s), out, how})
			q.holding += n(s)
			if out || w == stacks.WaitNothing || w == stacks.WaitUnknown {
				q.moving += n(s)
			}
		}
	}
}

// inside is the frame of a stack in a function that may hold the queue's lock, the likeliest of them.
func (q *lockQueue) inside(t *stacks.Table, stack []stacks.FrameID, w stacks.Wait) (at stacks.FrameID, how nearness) {
	at = stacks.NoFrame
	for i, id := range stack {
		switch f := t.Func(id); {
		case f.Owner != stacks.User:
		case q.past(t, id):
			return id, inFunction
		case how < inOwner && t.FuncID(id) != q.fn && receiver(f.Name) == q.owner:
			at, how = id, inOwner
		case how < inLibrary && t.FuncID(id) == q.fn && q.inLibrary(t, stack[:i]):
			at, how = id, inLibrary
		case how == elsewhere && f.Package == q.pkg && !passesOn(t, stack, i) && q.sameWork(t, stack, w):
			at, how = id, inPackage
		}
	}
	return at, how
}

// inLibrary reports whether frames are in the library whose lock it is.
func (q *lockQueue) inLibrary(t *stacks.Table, inner []stacks.FrameID) bool {
	return q.library != "" && slices.ContainsFunc(inner, func(id stacks.FrameID) bool {
		return t.Func(id).Package == q.library
	})
}

// past reports whether a frame is in a function that takes the queue's lock, below a line where others wait for it.
func (q *lockQueue) past(t *stacks.Table, id stacks.FrameID) bool {
	return below(t, id, q.at) || slices.ContainsFunc(q.locks, func(l *waitedLock) bool { return l.past(t, id) })
}

// below reports whether a frame is further down in the function of another.
func below(t *stacks.Table, id, at stacks.FrameID) bool {
	return t.FuncID(id) == t.FuncID(at) && t.Line(id) > t.Line(at)
}

// sameWork reports whether a goroutine does what the waiters do: all answer requests, or were started with the same
// function. Others in the package may be background loops that are meant to wait; a running one may be anything.
func (q *lockQueue) sameWork(t *stacks.Table, stack []stacks.FrameID, w stacks.Wait) bool {
	began := slices.Collect(maps.Keys(q.piles[0].Root))
	return w == stacks.WaitNothing || serves(t, stack) && serves(t, q.piles[0].Stack) ||
		slices.ContainsFunc(began, func(id stacks.FrameID) bool { return t.FuncID(id) == t.FuncID(t.Root(stack)) })
}
