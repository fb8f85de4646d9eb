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
	if group := lockGroup(r, stay); len(group) > 0 {
		return found(deadlockFinding(r, set, group, capUnsure, 0.75,
			"wait in two captures, no fewer in the second, for different locks, and every possible holder of one "+
				"waits for another"))
	}
	if stuck := stuckBetween(r, stay, early, late); len(stuck) > 0 {
		f := deadlockFinding(r, set, stuck, capUnsure, 0.7,
			"wait for locks at several lines, and who waits at one may hold the lock of another; in two captures none "+
				"left, no holder that can continue is seen, and the CPU is idle")
		f.Title = "Likely deadlock at " + r.Place(stuck[0].at)
		return found(f)
	}
	stay = slices.DeleteFunc(stay, func(q *lockQueue) bool {
		return q.n < deadlockWaiters ||
			early[q.fn].n < deadlockWaiters
	})
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

// stuckBetween are the queues whose goroutines wait at two lines of a function, if neither line lost a waiter between
// two captures: those at the second line may hold the lock that the first waits for. A profile has no addresses, so
// locks that change hands without a visible holder look the same: an idle CPU shows that they do not change hands.
//
// So are those of several functions of one type or package, if at most one goroutine waits in one of them: all others
// that could hold a lock of theirs wait, too, and that one came to its line with a lock.
func stuckBetween(r *Reading, stay []*lockQueue, early, late map[stacks.FuncID]*lockQueue) []*lockQueue {
	if !rests(r) {
		return nil
	}
	rest := slices.DeleteFunc(slices.Clone(stay), func(q *lockQueue) bool {
		return q.holding > 0 || lostWaiters(early[q.fn], late[q.fn])
	})
	two := slices.DeleteFunc(slices.Clone(rest), func(q *lockQueue) bool {
		return q.n < deadlockWaiters || len(early[q.fn].piles) < 2
	})
	if len(two) > 0 {
		return two
	}
	for _, long := range rest {
		group := slices.DeleteFunc(slices.Clone(rest), func(q *lockQueue) bool {
			return q.pkg != long.pkg || q.pkg == "" && q.owner != long.owner
		})
		if long.n >= deadlockWaiters && slices.ContainsFunc(group, func(q *lockQueue) bool { return q.n == 1 }) {
			return group
		}
	}
	return nil
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

// severalLocks reports whether queues are for more than one lock, by the addresses in a dump.
func severalLocks(qs []*lockQueue) bool {
	var first *waitedLock
	for _, q := range qs {
		for _, lock := range q.locks {
			if first != nil && lock != first {
				return true
			}
			first = lock
		}
	}
	return false
}

// lockGroup is the largest group of queues in one package that wait for different locks; nil if none has enough
// waiters.
func lockGroup(r *Reading, qs []*lockQueue) []*lockQueue {
	groups := make(map[string][]*lockQueue)
	var best []*lockQueue
	var most int64
	for _, q := range qs {
		pkg := r.Table.Funcs[q.fn].Package
		groups[pkg] = append(groups[pkg], q)
		n := int64(0)
		for _, g := range groups[pkg] {
			n += g.n
		}
		if n >= deadlockWaiters && n > most && severalLocks(groups[pkg]) {
			best, most = groups[pkg], n
		}
	}
	return best
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
func lockCycle(r *Reading, qs []*lockQueue) []*lockQueue {
	byFunc, locks := byFunction(qs), waitedLocks(qs)
	held := make([][]int, len(locks)) // by who waits for the lock
	for i, l := range locks {
		for j, other := range locks {
			if i != j && l.waiterIs(func(id stacks.FrameID) bool { return other.past(r.Table, id) }) {
				held[i] = append(held[i], j)
			}
		}
	}
	for i := range locks {
		var out []*lockQueue
		for _, k := range cycleThrough(held, i) {
			for _, at := range locks[k].lines {
				if q := byFunc[r.Table.FuncID(at)]; q != nil && !slices.Contains(out, q) {
					out = append(out, q)
				}
			}
		}
		if len(out) > 0 {
			return out
		}
	}
	return nil
}

// cycleThrough is a path from a queue along held locks back to it; nil if there is none.
func cycleThrough(held [][]int, start int) []int {
	seen := make([]bool, len(held))
	var walk func(i int, way []int) []int
	walk = func(i int, way []int) []int {
		way = append(way, i)
		for _, j := range held[i] {
			if j == start {
				return way
			}
			if seen[j] {
				continue
			}
			seen[j] = true
			if found := walk(j, way); found != nil {
				return found
			}
		}
		return nil
	}
	return walk(start, nil)
}

// deadlockUnknown requests a second capture if one shows waiters for several locks of a package and no running
// goroutine.
func deadlockUnknown(r *Reading, qs []*lockQueue) Answer {
	group := lockGroup(r, qs)
	if len(group) == 0 {
		return Answer{}
	}
	whereToLook(group)
	n := int64(0)
	for _, q := range group {
		n += q.n
	}
	return undecided(fmt.Sprintf("%s goroutines in %s wait for different locks, and no holder that can continue was "+
		"seen; this dump does not show how long they have waited",
		count(float64(n)), funcNames(r, group)), captureTimes)
}

// lockName is the address of a queue's lock in a dump, if it has exactly one.
func (q *lockQueue) lockName() string {
	if len(q.locks) != 1 {
		return ""
	}
	return fmt.Sprintf(" (%#x)", q.locks[0].address)
}
