package diagnose

import (
	"fmt"
	"slices"

	"github.com/gocasebook/casebook/diagnose/stacks"
	"github.com/gocasebook/casebook/diagnose/view"
)

// Deadlocks without waiting times: the runtime records those only when a collection scans goroutines, and a small idle
// process may never have collected. The remaining evidence is: the same goroutines are still there later, no goroutine
// that could release a lock is running, and which lock each waits for.

// Between two captures without times, a lock that is used at all changes hands.
const (
	deadlockWaiters = 10
	deadlockApart   = 5 // seconds
)

// deadlockWithoutTimes judges queues at locks by two captures, or by a cycle in one dump.
func deadlockWithoutTimes(r *Reading, set *stacks.Set) Answer {
	now := unheld(lockQueues(r, set))
	if cycle := lockCycle(r, now); len(cycle) > 0 {
		return found(deadlockFinding(r, set, cycle, capUnsure, 0.8, "wait for each other's locks: each is below the "+
			"line that takes the lock the other waits for"))
	}
	if timed(set) {
		return Answer{} // then none has waited for a minute yet
	}
	moments := queueMoments(r, now)
	if len(moments) < 2 || moments[len(moments)-1].Taken.Sub(moments[0].Taken).Seconds() < deadlockApart {
		return deadlockUnknown(r, now)
	}
	early, late := byFunction(unheld(lockQueues(r, moments[0]))),
		byFunction(unheld(lockQueues(r, moments[len(moments)-1])))
	stay := slices.DeleteFunc(now, func(q *lockQueue) bool {
		a, b := early[q.fn], late[q.fn]
		return a == nil || b == nil || b.n < a.n
	})
	for _, group := range inPackages(r, stay) {
		if len(waitedLocks(group)) > 1 {
			return found(deadlockFinding(r, set, group, capUnsure, 0.75, "wait in two captures, no fewer in the second, for "+
				"different locks, and every possible holder of one waits for another"))
		}
		if rests(r) && haveLocks(group, early, late) {
			f := deadlockFinding(r, set, group, capUnsure, 0.7, "wait for locks at several lines, and who waits at one may "+
				"hold the lock of another; in two captures none left, no holder that can continue is seen, and the CPU is idle")
			f.Title = "Likely deadlock at " + r.Place(group[0].at)
			return found(f)
		}
	}
	stay = slices.DeleteFunc(stay, func(q *lockQueue) bool { return min(q.n, early[q.fn].n) < deadlockWaiters })
	if len(stay) == 0 {
		return Answer{}
	}
	return found(deadlockFinding(r, set, stay, capNotice, 0.5, "wait in two captures, no fewer in the second, and no "+
		"holder of the lock was seen"))
}

// queueMoments are the moments from the first that shows one of the queues: a capture from before the trouble does not
// show which goroutines stay.
func queueMoments(r *Reading, qs []*lockQueue) []*stacks.Set {
	moments := r.Moments()
	for len(moments) > 0 {
		waiting := byFunction(lockQueues(r, moments[0]))
		if slices.ContainsFunc(qs, func(q *lockQueue) bool { return waiting[q.fn] != nil }) {
			break
		}
		moments = moments[1:]
	}
	return moments
}

// haveLocks reports whether those who wait in functions of one package may hold each other's locks: nobody else is seen
// who could, no line has lost a waiter between two captures, and they wait at two lines of a function, where those at
// the second hold what the first waits for, or one waits alone, having come to its line with a lock. A profile has no
// addresses, so locks that change hands without a visible holder look the same: an idle CPU shows that they do not.
func haveLocks(group []*lockQueue, early, late map[stacks.FuncID]*lockQueue) bool {
	return !slices.ContainsFunc(group, func(q *lockQueue) bool {
		return q.holding > 0 || lostWaiters(early[q.fn], late[q.fn])
	}) && slices.ContainsFunc(group, func(q *lockQueue) bool { return q.n == 1 || len(early[q.fn].piles) > 1 })
}

// rests reports whether the process hardly uses the CPU, and does not want more: locks do not change hands.
func rests(r *Reading) bool {
	v := r.cpu()
	return v != nil && v.level.known && v.level.cores < lightCores && v.level.starved == ""
}

// lostWaiters reports whether fewer goroutines wait at one of a queue's lines than before.
func lostWaiters(before, after *lockQueue) bool {
	return slices.ContainsFunc(before.piles, func(p *view.Pile) bool {
		return !slices.ContainsFunc(after.piles, func(q *view.Pile) bool {
			return q.At == p.At && q.Wait == p.Wait &&
				q.N >= p.N
		})
	})
}

// unheld are the queues at locks that do not change hands and that no running goroutine could hold.
func unheld(qs []*lockQueue) []*lockQueue {
	return slices.DeleteFunc(qs, func(q *lockQueue) bool { return q.moving > 0 || q.woken > 0 })
}

func byFunction(qs []*lockQueue) map[stacks.FuncID]*lockQueue {
	out := make(map[stacks.FuncID]*lockQueue, len(qs))
	for _, q := range qs {
		out[q.fn] = q
	}
	return out
}

// inPackages are queues by the package of their functions, those in which enough goroutines wait.
func inPackages(r *Reading, qs []*lockQueue) (out [][]*lockQueue) {
	in := func(q *lockQueue) string { return r.Table.Funcs[q.fn].Package }
	for i, q := range qs {
		if slices.ContainsFunc(qs[:i], func(o *lockQueue) bool { return in(o) == in(q) }) {
			continue
		}
		group, n := slices.DeleteFunc(slices.Clone(qs), func(o *lockQueue) bool { return in(o) != in(q) }), int64(0)
		for _, o := range group {
			n += o.n
		}
		if n >= deadlockWaiters {
			out = append(out, group)
		}
	}
	return out
}

// waitedLocks are the first maxQueues locks that goroutines of queues wait for.
func waitedLocks(qs []*lockQueue) (out []*waitedLock) {
	for _, q := range qs {
		for _, l := range q.locks {
			if len(out) < maxQueues && !slices.Contains(out, l) {
				out = append(out, l)
			}
		}
	}
	return out
}

// lockCycle are the queues whose goroutines wait for each other's locks, as far as one dump shows: a goroutine that
// waits below the line at which others wait for another lock has taken that one, unless it has released it.
func lockCycle(r *Reading, qs []*lockQueue) (out []*lockQueue) {
	locks := waitedLocks(qs)
	held := make([][]bool, len(locks)) // by who waits for the lock, or by who waits for one that is held so
	for i, l := range locks {
		held[i] = make([]bool, len(locks))
		for j, other := range locks {
			held[i][j] = i != j && l.waiterIs(func(id stacks.FrameID) bool { return other.past(r.Table, id) })
		}
	}
	for k := range locks {
		for i := range locks {
			for j := range locks {
				held[i][j] = held[i][j] || held[i][k] && held[k][j]
			}
		}
	}
	for first := range locks {
		inCycle := func(l *waitedLock) bool {
			i := slices.Index(locks, l)
			return i >= 0 && held[first][i] && held[i][first]
		}
		for _, q := range qs {
			if slices.ContainsFunc(q.locks, inCycle) {
				out = append(out, q)
			}
		}
		if len(out) > 0 {
			return out
		}
	}
	return nil
}

// deadlockUnknown requests a second capture if one shows waiters for several locks of a package and no running
// goroutine.
func deadlockUnknown(r *Reading, qs []*lockQueue) Answer {
	for _, group := range inPackages(r, qs) {
		if len(waitedLocks(group)) > 1 {
			whereToLook(r.Table, group)
			return undecided(fmt.Sprintf("goroutines in %s wait for different locks, and no holder that can continue was seen; "+
				"this dump does not show how long they have waited", funcNames(r, group)), captureTimes)
		}
	}
	return Answer{}
}

// lockName is the address of a queue's lock in a dump, if it has exactly one.
func (q *lockQueue) lockName() string {
	if len(q.locks) != 1 {
		return ""
	}
	return fmt.Sprintf(" (%#x)", q.locks[0].address)
}
