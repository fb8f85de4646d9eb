package diagnose

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose/stacks"
	"github.com/gocasebook/casebook/diagnose/view"
)

// deadlockScale is in goroutines that have waited for a lock for a minute or more while nobody is seen to hold it. One
// will never end, and every goroutine that needs the lock joins it.
func deadlockScale() Scale { return Scale{Worth: 1, Hurts: 3, Top: 1000} }

func goroutineDeadlock() Detector {
	return Detector{
		ID: "GO004", Kind: "goroutine-deadlock",
		Title: "Goroutines wait for locks that will never be released",
		Text: `Goroutines wait forever for each other's locks, or for a lock that they hold themselves. The
goroutineleak profile is proof; so is that the runtime ended the process because all goroutines are asleep. In a dump
with debug=2 goroutines have waited a minute or more for a lock, while nobody who could hold it can continue: worth
knowing from one, hurting from three, capped at 74 if none is seen to hold one lock while waiting for another. Without
times two captures five seconds apart or more must show the same queues, 10 waiters or more (a notice; up to 74 for
different locks, or in an idle process), or one dump a cycle.

Seen in two profiles, too, up to 74: a reader that asks for its RWMutex again while a writer waits; a handler that waits
for the loop that called it; workers that all wait for their own pool; places that are kept by who waits for goroutines
that need one; and a callback that waits for the lock under which it is called.`,
		Needs:    needGoroutines(stacks.GoroutineLeak),
		Before:   `func move(a, b *Account) { a.mu.Lock(); b.mu.Lock(); … } // move(x, y) meets move(y, x)`,
		After:    `first, second := a, b; if b.id < a.id { first, second = b, a }; first.mu.Lock(); second.mu.Lock()`,
		Remedies: deadlockRemedies(), Explains: strandedWaits(), Waits: knowsNever, NeedsPlace: true,
		Effect: "Requests hang", Run: runGoroutineDeadlock,
	}
}

func runGoroutineDeadlock(_ context.Context, r *Reading) Answer {
	if f, ok := provenDeadlock(r); ok {
		return found(f)
	}
	proof := r.Latest(stacks.GoroutineLeak)
	if qs := lockQueues(r, proof); len(qs) > 0 {
		return found(deadlockFinding(r, proof, qs, 100, 0.99, "can never run again: nobody can release the lock"))
	}
	set := r.Goroutines()
	if set == nil {
		return Answer{}
	}
	if a, ok := firstAnswer(r, lockedAgain, relocked, waitsForCaller, keptByParents, latched, poolOfItself); ok {
		return found(a.finding(r))
	}
	lost := lostLocks(r, set)
	qs := slices.DeleteFunc(lockQueues(r, set), func(q *lockQueue) bool {
		return q.waiting == 0 || q.moving > 0 || slices.ContainsFunc(lost,
			func(l *lockQueue) bool { return l.fn == q.fn })
	})
	if len(qs) == 0 {
		return deadlockWithoutTimes(r, set)
	}
	limit := capUnsure
	if slices.ContainsFunc(qs, func(q *lockQueue) bool { return q.nested(r.Table) }) {
		limit = noCap
	}
	return found(deadlockFinding(r, set, qs, limit, 0.85, "have waited a minute or more, and no goroutine is inside "+
		"a function that could hold the lock"))
}

func deadlockFinding(r *Reading, set *stacks.Set, qs []*lockQueue, limit int, sure float64,
	why string) casefile.Finding {
	whereToLook(r.Table, qs)
	total, n, longest := max(float64(set.Total(set.Count())), 1), int64(0), int64(0)
	f := casefile.Finding{
		Title:      fmt.Sprintf("Goroutines deadlock at %s", r.Place(qs[0].at)),
		Confidence: sure,
		Explanation: "Locks that are taken in different orders, taken twice by one goroutine, or not released on some path " +
			"leave goroutines that wait for ever, and every goroutine that needs the same lock joins them.",
		Evidence: Basis(set),
		Remedies: remediesAt(r.Place(qs[0].at), deadlockRemedies()...),
	}
	for _, q := range qs {
		n, longest = n+q.n, max(longest, q.longest)
		for _, p := range q.piles[:min(len(q.piles), 3)] {
			role := p.Wait.String()
			if len(q.locks) == 1 {
				role += fmt.Sprintf(" (%#x)", q.locks[0].address)
			}
			f.Where = append(f.Where, r.Frame(p.At, float64(p.N)/total, role))
		}
	}
	f.Where = f.Where[:min(len(f.Where), 6)]
	if longest > 0 {
		why += ", the longest for " + minutes(longest)
	}
	f.Summary = fmt.Sprintf("%s goroutines in %s %s.", count(n), funcNames(r, qs), why)
	f.Score, f.Impact = min(deadlockScale().Score(aged(n, longest)), limit), neverAgain(float64(n)/total)
	for _, q := range qs {
		if h, ok := q.parked(); ok {
			return calledOut(r, f, h, total)
		}
	}
	return f
}

// parked is the one that has the lock, if it waits for others of the process itself.
func (q *lockQueue) parked() (holder, bool) {
	i := slices.IndexFunc(q.holders, func(h holder) bool { return h.near == inFunction && h.n == 1 && !h.outside })
	return append(q.holders, holder{})[max(i, 0)], i >= 0
}

// aged is how many count that wait for ever, by their number and by how long one of them has waited: a wait of hours is
// as sure as many waits of a minute.
func aged(n, longest int64) float64 { return float64(n + longest/60) }

// neverAgain is the impact on a share of all goroutines that wait for ever.
func neverAgain(share float64) casefile.Impact {
	return onLatency(share, percent(share)+" of all goroutines will not run again")
}

// calledOut rewrites a finding where the holder is seen: it has the lock and waits for another goroutine, and no order
// of locks would change that.
func calledOut(r *Reading, f casefile.Finding, h holder, total float64) casefile.Finding {
	waits, _ := r.Table.WaitPlace(h.stack)
	at := r.Place(h.at)
	f.Title = fmt.Sprintf("Goroutines deadlock at %s: the lock is held while %s", at, h.wait)
	f.Summary = fmt.Sprintf("One goroutine has the lock at %s and is %s at %s. %s", at, h.wait, r.Place(waits), f.Summary)
	share := float64(h.n) / total
	f.Where = append([]casefile.Frame{r.Frame(waits, share, "waits here")}, f.Where...)
	f.Where = addPlaces([]casefile.Frame{r.Frame(h.at, share, "holds the lock, "+h.wait.String())}, f.Where...)
	out := slices.IndexFunc(f.Remedies, func(m casefile.Remedy) bool { return m.Name == callOutRemedy })
	f.Remedies = slices.Concat(f.Remedies[out:out+1], f.Remedies[:out], f.Remedies[out+1:])
	return f
}

// whereToLook sorts the queues in the order in which to read them: goroutines that hold one lock and wait for another,
// then the longest waits; of several without times the short ones: a deadlock needs one goroutine per lock.
func whereToLook(t *stacks.Table, qs []*lockQueue) {
	several := len(waitedLocks(qs)) != 1
	slices.SortFunc(qs, func(a, b *lockQueue) int {
		byNumber := cmp.Compare(b.n, a.n)
		if a.longest == 0 && b.longest == 0 && several {
			byNumber = -byNumber
		}
		return cmp.Or(trueFirst(a.nested(t), b.nested(t)), cmp.Compare(b.longest, a.longest), byNumber,
			cmp.Compare(a.fn, b.fn))
	})
}

func funcNames(r *Reading, qs []*lockQueue) string {
	s := short(r.Table.Funcs[qs[0].fn].Name)
	for _, q := range qs[1:min(len(qs), 3)] {
		s += ", " + short(r.Table.Funcs[q.fn].Name)
	}
	return s
}

// trueFirst compares for a sort that puts those first of which something is true.
func trueFirst(a, b bool) int {
	if a == b {
		return 0
	}
	if a {
		return -1
	}
	return 1
}

func deadlockRemedies() []Remedy {
	return []Remedy{
		byChange("", "Take locks in one order", "At {line}: if two locks are needed, always take the one with the "+
			"smaller key first; document the order next to the mutexes.", "none"),
		{Remedy: withName(callOutRemedy, doChange("Never call out under a lock", "Split methods into an exported one that "+
			"locks and an inner one (…Locked) that does not; call callbacks, channels and other locked types after "+
			"Unlock. RLock must not be taken twice: a writer in between blocks the second.", "slightly longer code"))},
		lostRemedies()[0], lostRemedies()[2],
	}
}

// strandedWaits are what goroutines that never run again are the cause of, wherever that is: who waits for an answer of
// theirs stands at a line of its own.
func strandedWaits() []Relation {
	return related(nil, "goroutine-surge", "goroutine-stuck", "goroutine-leak", "mem-stacks")
}

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
		return Answer{}
	}
	early, late := byFunction(unheld(lockQueues(r, moments[0]))),
		byFunction(unheld(lockQueues(r, moments[len(moments)-1])))
	stay := slices.DeleteFunc(now, func(q *lockQueue) bool {
		a, b := early[q.fn], late[q.fn]
		return a == nil || b == nil || b.n < a.n
	})
	for _, group := range inPackages(r, stay) {
		if throughChannel(r, set, group, early, late) {
			return found(deadlockFinding(r, set, group, noCap, 0.9, "wait in two captures, none has left, and the one that has "+
				"the lock waits for another goroutine, which is among them"))
		}
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
	return found(deadlockFinding(r, set, stay, capNotice, 0.5, "wait in two captures, none has left, no holder is seen"))
}

// queueMoments are the moments from the first that shows one of the queues: a capture from before the trouble does not
// show which goroutines stay.
func queueMoments(r *Reading, qs []*lockQueue) []*stacks.Set {
	moments := r.Moments()
	i := slices.IndexFunc(moments, func(s *stacks.Set) bool {
		waiting := byFunction(lockQueues(r, s))
		return slices.ContainsFunc(qs, func(q *lockQueue) bool { return waiting[q.fn] != nil })
	})
	if i < 0 {
		return nil
	}
	return moments[i:]
}

// haveLocks reports whether those who wait in functions of one package may hold each other's locks: nobody else is seen
// who could, no line has lost a waiter between two captures, and they wait at two lines of a function, where those at
// the second hold what the first waits for, or one waits alone, having come to its line with a lock. A profile has no
// addresses, so locks that change hands without a visible holder look the same: an idle CPU shows that they do not.
func haveLocks(group []*lockQueue, early, late map[stacks.FuncID]*lockQueue) bool {
	leaves := func(q *lockQueue) bool { return q.holding > 0 || lostWaiters(early[q.fn], late[q.fn]) }
	return !slices.ContainsFunc(group, leaves) &&
		slices.ContainsFunc(group, func(q *lockQueue) bool { return q.n == 1 || len(early[q.fn].piles) > 1 })
}

// throughChannel reports whether those who wait in functions of one package wait for one that has a lock, and waits for
// one of them: nobody else is there or at work, a loop that no client waits for is among them, and nothing moves.
func throughChannel(r *Reading, set *stacks.Set, group []*lockQueue, early, late map[stacks.FuncID]*lockQueue) bool {
	has, loop := []stacks.FrameID(nil), false
	for _, q := range group {
		if h, ok := q.parked(); ok && parked(h.wait) {
			has = h.stack
		}
		loop = loop || slices.ContainsFunc(q.piles, func(p *view.Pile) bool { return !serves(r.Table, p.Stack) })
	}
	moves := func(q *lockQueue) bool {
		return lostWaiters(early[q.fn], late[q.fn]) || !sameHolders(q, early[q.fn]) || !sameHolders(q, late[q.fn]) ||
			slices.ContainsFunc(q.holders, func(h holder) bool { return !slices.Equal(h.stack, has) })
	}
	works := func(p *view.Pile) bool {
		return p.User && !serves(r.Table, p.Stack) && !awaitsToBeAsked(r.Table, p.Stack) &&
			(!parked(p.Wait) || outside(r, p.Stack, p.Wait))
	}
	return has != nil && loop && rests(r) && !slices.ContainsFunc(group, moves) && !slices.ContainsFunc(r.Piles(set), works)
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
			return q.At == p.At && q.Wait == p.Wait && q.N >= p.N
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
	type queues struct {
		of []*lockQueue
		n  int64
	}
	var by groups[string, queues]
	for _, q := range qs {
		in, _ := by.of(r.Table.Funcs[q.fn].Package)
		in.of, in.n = append(in.of, q), in.n+q.n
	}
	for _, in := range by.all {
		if in.n >= deadlockWaiters {
			out = append(out, in.of)
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
