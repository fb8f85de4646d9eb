package diagnose

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose/known"
	"github.com/gocasebook/casebook/diagnose/stacks"
	"github.com/gocasebook/casebook/diagnose/view"
)

// A lock that was not given back has waiters and nobody who could let them through: no goroutine is past the line where
// they wait, none of them is woken, and none waits for a second lock. One path between Lock and Unlock ends without
// Unlock. A dump is needed, for it prints the locks' addresses.

// lostWaiting is how many goroutines must wait if a dump does not show for how long: of fewer, the one that was woken
// may not have been scheduled yet.
const lostWaiting = 10

// lostAlone is after how many minutes one is enough.
const lostAlone = 60

func lockNeverReleased() Detector {
	return Detector{
		ID: "LK005", Kind: "lock-never-released",
		Title: "A lock was not given back",
		Text: `Looks in goroutine dumps (debug=2) for locks with waiters and without a holder: no goroutine is below the
line where they wait or in another method of the same receiver, no waiter is about to run, or may have the lock itself.
Then a path between Lock and Unlock has ended without Unlock: an early return, or a panic that was caught. With waits of
a minute or more, worth knowing from one goroutine and hurting from three, capped at 74 unless an earlier dump or a
goroutineleak profile shows the same. Goroutines elsewhere that have waited for as long may hold it: they are named.
Without times ten waiters are needed, and it is a notice.`,
		Needs:    needGoroutines(stacks.GoroutineLeak),
		Before:   `mu.Lock(); if bad { return err }; …; mu.Unlock() // the error leaves the lock taken`,
		After:    `mu.Lock(); defer mu.Unlock(); if bad { return err }; …`,
		Remedies: lostRemedies(), Explains: strandedWaits(), Waits: knowsEnd, NeedsPlace: true, Effect: "Requests hang",
		Run: runLockNeverReleased,
	}
}

func runLockNeverReleased(_ context.Context, r *Reading) Answer {
	set := r.Goroutines()
	lost := lostLocks(r, set)
	if len(lost) == 0 {
		return Answer{}
	}
	worst, limit := lost[0], capUnsure
	switch {
	case worst.longest == 0:
		limit = capNotice
	case lostBefore(r, set, worst):
		limit = noCap
	}
	score := deadlockScale().Score(aged(max(worst.waiting, worst.n), worst.longest))
	return found(lostFinding(r, set, lost, min(score, limit)))
}

// lostLocks are the queues of a dump whose locks were not given back: those with the longest waits first, or, where a
// read lock is missing, those who take read locks.
func lostLocks(r *Reading, set *stacks.Set) (out []*lockQueue) {
	if set == nil || set.Goroutines == nil {
		return nil
	}
	qs := lockQueues(r, set)
	for _, q := range qs {
		if q.enough(r, set, qs) && !q.mayBeHeld(r, qs) && (q.waiting > 0 || len(mayHold(r, set, q)) == 0) {
			out = append(out, q)
		}
	}
	reading := slices.ContainsFunc(out, func(q *lockQueue) bool { return q.reading })
	slices.SortStableFunc(out, func(a, b *lockQueue) int {
		return cmp.Or(trueFirst(reading && a.shared > 0, reading && b.shared > 0),
			cmp.Compare(b.longest, a.longest), cmp.Compare(b.n, a.n))
	})
	return out
}

// enough reports whether so many wait for one lock, for so long, that it is not about to be given back. One goroutine
// that is all that waits may have taken it itself before; after an hour nobody gives it back, whoever has it. A dump
// seldom has an RWMutex's address: RLock is inlined.
func (q *lockQueue) enough(r *Reading, set *stacks.Set, qs []*lockQueue) bool {
	if len(q.locks) == 0 && !r.Table.Has(q.piles[0].Stack, withWork(known.OfRWMutex)) ||
		q.waiting == 0 && (timed(set) || q.n < lostWaiting) {
		return false
	}
	return q.n > 1 || q.longest >= lostAlone ||
		slices.ContainsFunc(qs, func(o *lockQueue) bool { return o != q && q.sameLock(o) })
}

// mayBeHeld reports whether a goroutine may have the queue's lock: it is in a function that takes it, waits for a lock
// below a line that takes this one, waits here, or waits longer, for another lock of which the same is not known.
func (q *lockQueue) mayBeHeld(r *Reading, qs []*lockQueue) bool {
	waited := waitedLocks(qs)
	hasBehind := func(q *lockQueue) bool {
		return slices.ContainsFunc(waited, func(l *waitedLock) bool {
			return l.waiterIs(func(id stacks.FrameID) bool { return q.past(r.Table, id) })
		})
	}
	return q.woken > 0 || q.holding > 0 || hasBehind(q) || q.waiterMayHave(r.Table) ||
		slices.ContainsFunc(qs, func(o *lockQueue) bool {
			return !q.sameLock(o) && o.longest >= q.longest && !hasBehind(o)
		})
}

// waiterMayHave reports whether one of the waiters may have the lock by how it came there: if a function comes to it at
// two lines, who waits at the second may have it from the first; and so may the only one that came through another
// function of the owner. Several that came the same way cannot all have it, but of a lock for readers.
func (q *lockQueue) waiterMayHave(t *stacks.Table) bool {
	seen := make(map[stacks.FuncID]bool)
	for caller, n := range q.callers {
		if seen[t.FuncID(caller)] || receiver(t.Func(caller).Name) == q.owner && (n == 1 || q.shared > 0) {
			return true
		}
		seen[t.FuncID(caller)] = true
	}
	return len(q.piles) > 1
}

// mayHold are goroutines elsewhere that may have the lock: few at a line, since a lock has one holder, that run or wait
// for something other than a lock, for as long as the longest waiter if times are known.
func mayHold(r *Reading, set *stacks.Set, q *lockQueue) []*view.Pile {
	return slices.DeleteFunc(slices.Clone(r.Piles(set)), func(p *view.Pile) bool {
		busy := p.Wait == stacks.WaitSend || p.Wait == stacks.WaitNetwork || callsWhat(r, p.Stack) != "" ||
			p.Wait == stacks.WaitNothing && q.waiting == 0
		return !p.User || !busy || p.N > maxHolders || p.Longest < q.longest || awaitsNews(r.Table, p.Stack) ||
			awaitsToBeAsked(r.Table, p.Stack)
	})
}

// lostBefore reports whether the same lock had no holder in a capture five seconds earlier or more, or the runtime has
// proved that waiters of the queue can never run again.
func lostBefore(r *Reading, set *stacks.Set, q *lockQueue) bool {
	in := func(qs []*lockQueue) bool {
		return slices.ContainsFunc(qs, func(o *lockQueue) bool { return o.fn == q.fn })
	}
	proof := lockQueues(r, r.Latest(stacks.GoroutineLeak))
	return in(proof) || slices.ContainsFunc(r.Moments(), func(early *stacks.Set) bool {
		return set.Taken.Sub(early.Taken).Seconds() >= deadlockApart && in(lostLocks(r, early))
	})
}

// maxLostFunctions is how many functions that take a lock are named.
const maxLostFunctions = 3

func lostFinding(r *Reading, set *stacks.Set, lost []*lockQueue, score int) casefile.Finding {
	same := slices.DeleteFunc(slices.Clone(lost), func(q *lockQueue) bool { return !q.sameLock(lost[0]) })
	total, n := max(float64(set.Total(set.Count())), 1), int64(0)
	f := casefile.Finding{Score: score, Confidence: 0.85, Evidence: Basis(set),
		Explanation: "A function that returns, or panics and is caught, between Lock and Unlock leaves the lock taken, and " +
			"every goroutine that needs it waits until the process is restarted. The path that forgets it is called rarely: " +
			"an error, a missing key, a cancelled context."}
	for i, q := range same {
		if n += q.n; i < 3 {
			f.Where = append(f.Where, r.Frame(q.at, float64(q.n)/total, "waits for the lock"))
		}
	}
	f.Where = append(f.Where, r.Frames(entries(same[0].callers), 2, total, "comes to it")...)
	kind, takers := couldHaveIt(same)
	var names, places []string
	for _, q := range takers[:min(len(takers), maxLostFunctions)] {
		names, places = append(names, short(r.Table.Func(q.at).Name)), append(places, r.Place(q.at))
	}
	// each may be the one that left with it: who waits where says only how often they are called
	f.Title = fmt.Sprintf("One of %s does not give the %s back", strings.Join(names, ", "), kind)
	if len(takers) == 1 || len(takers) > maxLostFunctions {
		f.Title = fmt.Sprintf("The %s at %s is not given back", kind, places[0])
	}
	age, suspect := "", "no goroutine is seen that could give it back"
	if longest := same[0].longest; longest > 0 {
		age = ", the longest for " + minutes(longest)
	}
	f.Impact, f.Remedies = neverAgain(float64(n)/total), remediesAt(strings.Join(places, ", "), lostRemedies()...)
	if may := mayHold(r, set, same[0]); len(may) > 0 {
		suspect = saysSuspects(r, &f, may, total)
	}
	f.Summary = fmt.Sprintf("Waiting: %s%s; none is past it, none is woken: %s.", things(n, "goroutine"), age, suspect)
	return f
}

// couldHaveIt is what was not given back, and those that take the lock in the way in which it was taken: a read lock
// was, where one is missing.
func couldHaveIt(same []*lockQueue) (kind string, takers []*lockQueue) {
	if !slices.ContainsFunc(same, func(q *lockQueue) bool { return q.reading }) {
		return "lock", same
	}
	readers := slices.DeleteFunc(slices.Clone(same), func(q *lockQueue) bool { return q.shared == 0 })
	if len(readers) > 0 {
		return "read lock", readers
	}
	return "read lock", same
}

// saysSuspects names the goroutines elsewhere that may have the lock, the likeliest first.
func saysSuspects(r *Reading, f *casefile.Finding, suspects []*view.Pile, total float64) string {
	for _, p := range suspects[:min(len(suspects), 2)] {
		f.Where = append(f.Where, r.Frame(p.At, float64(p.N)/total, "may have it, "+waitingFor(r, p.Stack, p.Wait)))
	}
	p := suspects[0]
	f.Confidence = 0.6
	f.Remedies = slices.Insert(f.Remedies, 0, doChange("If it is held there, bound that wait", fmt.Sprintf("At %s: a "+
		"deadline on the call, and no lock across it: copy what it needs.", r.Place(p.At)), "slow answers are lost"))
	return fmt.Sprintf("if one has it, the likeliest is at %s, %s as long", r.Place(p.At), waitingFor(r, p.Stack, p.Wait))
}

func lostRemedies() []Remedy {
	return []Remedy{
		byChange("", "Release it on every path", "From {line} follow each path to the Unlock, and those of all that "+
			"take the same lock: returns on errors, breaks, panics. A defer Unlock right after Lock closes all of "+
			"them. Where the lock must end earlier, put what it guards into a function of its own.",
			"the lock is held to the end of the function"),
		byChange("", "Do not return with a lock", "Where one call locks and another unlocks, take a function instead: "+
			"update(func(items) error) locks, calls it, and unlocks with defer.", "callers change"),
		byChange("", "Find it with a test", "Run tests with github.com/sasha-s/go-deadlock for sync.Mutex: it prints who "+
			"has taken a lock that others wait for, and orders that differ.", "tests only: it is slow"),
	}
}
