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
// they wait, none of them is woken, and none waits for a second lock. To hold it for less, to split it or to order
// locks does not help: one path between Lock and Unlock ends without Unlock. A dump is needed, for it prints the locks'
// addresses.

// lostWaiting is how many goroutines must wait if a dump does not show for how long: of fewer, the one that was woken
// may not have been scheduled yet.
const lostWaiting = 10

func lockNeverReleased() Detector {
	return Detector{
		ID:    "LK005",
		Kind:  "lock-never-released",
		Title: "A lock was not given back",
		Text: `Looks in goroutine dumps (debug=2) for locks with waiters and without a holder: no goroutine is
below the line where they wait or in another method of the same receiver, no waiter is about to run, waits for another
lock below that line, or came twice to it. Then a path between Lock and Unlock has ended without Unlock: an early
return, or a panic that was caught. If a read lock is missing, the readers behind it come first. With waits of a minute
or more, worth knowing from one goroutine and hurting from three, capped at 74 unless an earlier dump or a
goroutineleak profile shows the same. Goroutines elsewhere, eight at most at a line, that have waited for as long may
hold it: they are named. Without times ten waiters are needed and no such goroutine at all, and it is a notice.`,
		Needs:      needGoroutines(stacks.GoroutineLeak),
		Before:     `mu.Lock(); if bad { return err }; …; mu.Unlock() // the error leaves the lock taken`,
		After:      `mu.Lock(); defer mu.Unlock(); if bad { return err }; …`,
		Remedies:   lostRemedies(),
		Explains:   strandedWaits(),
		Waits:      knowsEnd,
		NeedsPlace: true,
		Effect:     "Requests hang",
		Run:        runLockNeverReleased,
	}
}

func runLockNeverReleased(_ context.Context, r *Reading) Answer {
	set := r.Goroutines()
	lost := lostLocks(r, set)
	if len(lost) == 0 {
		return Answer{}
	}
	worst := lost[0]
	limit := capUnsure
	switch {
	case worst.longest == 0:
		limit = capNotice
	case lostBefore(r, set, worst) || leaksAt(r, worst):
		limit = noCap
	}
	return found(lostFinding(r, set, lost, min(deadlockScale().Score(float64(max(worst.waiting, worst.n))), limit)))
}

// A lostLock is a queue for a lock that nobody gives back, with the goroutines elsewhere that may have it.
type lostLock struct {
	*lockQueue
	callers  []stacks.Entry[stacks.FrameID] // lines that call the function that waits
	suspects []*view.Pile
	reading  bool // a read lock was not given back: a writer waits for readers
}

// lostLocks are the queues of a dump whose locks were not given back, those with the longest waits first.
func lostLocks(r *Reading, set *stacks.Set) []*lostLock {
	if set == nil || set.Goroutines == nil {
		return nil
	}
	qs := lockQueues(r, set)
	waited := waitedLocks(qs)
	var out []*lostLock
	for _, q := range qs {
		l := &lostLock{lockQueue: q}
		if !l.unheld(r, set, qs, waited) || l.waiterMayHave(r, set) {
			continue
		}
		if l.suspects = mayHold(r, set, q); q.waiting == 0 && len(l.suspects) > 0 {
			continue
		}
		out = append(out, l)
	}
	whereLost(out)
	return out
}

// unheld reports whether enough goroutines wait for one lock, and none of those that wait for locks may have it.
func (l *lostLock) unheld(r *Reading, set *stacks.Set, qs []*lockQueue, waited []*waitedLock) bool {
	switch {
	case len(l.locks) == 0 && !forReaders(r.Table, l.lockQueue), l.woken > 0, l.holding > 0, l.alone(qs):
		return false
	case l.waiting == 0 && (timed(set) || l.n < lostWaiting), hasBehind(r, l.lockQueue, waited):
		return false
	}
	return !slices.ContainsFunc(qs, func(other *lockQueue) bool {
		return !l.sameLock(other) && other.longest >= l.longest && !hasBehind(r, other, waited)
	})
}

// alone reports whether one goroutine is all that waits for the lock: it may have taken it itself before.
func (l *lostLock) alone(qs []*lockQueue) bool {
	return l.n == 1 && !slices.ContainsFunc(qs, func(q *lockQueue) bool { return q != l.lockQueue && l.sameLock(q) })
}

// hasBehind reports whether a goroutine is below a line that takes the queue's lock and waits for a lock there: then it
// has the queue's lock.
func hasBehind(r *Reading, q *lockQueue, waited []*waitedLock) bool {
	return slices.ContainsFunc(waited, func(l *waitedLock) bool {
		return l.waiterIs(func(id stacks.FrameID) bool { return q.past(r.Table, id) })
	})
}

// waiterMayHave looks at how the waiters came to the lock, and reports whether one of them may have it: if a function
// comes to it at two lines, who waits at the second may have it from the first; and so may a goroutine that is the only
// one to come through another function of the owner. Several that came the same way cannot all have it, but of a lock
// for readers.
func (l *lostLock) waiterMayHave(r *Reading, set *stacks.Set) bool {
	count := set.Count()
	lines := make(map[stacks.FrameID]int64)
	through := make(map[stacks.FrameID]int64)
	for i := range set.Samples {
		s := &set.Samples[i]
		at, user := r.WaitPlace(s.Stack)
		if !user || r.Table.FuncID(at) != l.fn || !set.Wait(i).ForLock() {
			continue
		}
		l.reading = l.reading || waitsForReaders(r.Table, s.Stack)
		caller, k := r.Table.UserFrame(s.Stack[slices.Index(s.Stack, at)+1:])
		if k < 0 {
			continue
		}
		lines[caller] += count(s)
		if receiver(r.Table.Func(caller).Name) == l.owner {
			through[caller] += count(s)
		}
	}
	l.callers = entries(lines)
	for _, n := range through {
		if n == 1 || l.shared > 0 {
			return true
		}
	}
	return len(l.piles) > 1 || twiceInOne(r.Table, l.callers)
}

// twiceInOne reports whether two lines are in one function.
func twiceInOne(t *stacks.Table, lines []stacks.Entry[stacks.FrameID]) bool {
	seen := make(map[stacks.FuncID]bool, len(lines))
	for _, e := range lines {
		fn := t.FuncID(e.Key)
		if seen[fn] {
			return true
		}
		seen[fn] = true
	}
	return false
}

// waitsForReaders reports whether a stack is in RWMutex.Lock and has its turn among the writers: it waits for readers.
func waitsForReaders(t *stacks.Table, stack []stacks.FrameID) bool {
	return t.Has(stack, withWork(known.LocksAlone)) && !t.Has(stack, withWork(known.OfMutex))
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

// lostBefore reports whether a capture five seconds earlier or more shows the same lock without a holder.
func lostBefore(r *Reading, set *stacks.Set, l *lostLock) bool {
	return slices.ContainsFunc(r.Moments(), func(early *stacks.Set) bool {
		return set.Taken.Sub(early.Taken).Seconds() >= deadlockApart &&
			slices.ContainsFunc(lostLocks(r, early), func(e *lostLock) bool {
				return e.fn == l.fn &&
					e.sameLock(l.lockQueue)
			})
	})
}

// leaksAt reports whether the runtime has proved that waiters of the queue can never run again.
func leaksAt(r *Reading, l *lostLock) bool {
	set := r.Latest(stacks.GoroutineLeak)
	return set != nil && slices.ContainsFunc(lockQueues(r, set), func(q *lockQueue) bool { return q.fn == l.fn })
}

// forReaders reports whether a queue is for an RWMutex, whose address a dump seldom has: RLock is inlined.
func forReaders(t *stacks.Table, q *lockQueue) bool {
	return t.Has(q.piles[0].Stack, withWork(known.OfRWMutex))
}

// sameLock reports whether two queues are for one lock: by its address, otherwise by the receiver whose field it is.
func (l *lostLock) sameLock(other *lockQueue) bool {
	if len(l.locks) == 0 || len(other.locks) == 0 {
		return l.owner == other.owner && l.pkg == other.pkg
	}
	return slices.ContainsFunc(l.locks, func(a *waitedLock) bool { return slices.Contains(other.locks, a) })
}

// whereLost sorts the queues: the longest waits first, and where a read lock is missing, those who take read locks.
func whereLost(ls []*lostLock) {
	reading := slices.ContainsFunc(ls, func(l *lostLock) bool { return l.reading })
	slices.SortStableFunc(ls, func(a, b *lostLock) int {
		if reading && (a.shared > 0) != (b.shared > 0) {
			return compareBool(b.shared > 0, a.shared > 0)
		}
		return cmp.Or(cmp.Compare(b.longest, a.longest), cmp.Compare(b.n, a.n))
	})
}

// maxLostFunctions is how many functions that take a lock are named.
const maxLostFunctions = 3

func lostFinding(r *Reading, set *stacks.Set, lost []*lostLock, score int) casefile.Finding {
	same := slices.DeleteFunc(slices.Clone(lost), func(l *lostLock) bool { return !l.sameLock(lost[0].lockQueue) })
	total, n := max(float64(set.Total(set.Count())), 1), int64(0)
	f := casefile.Finding{Score: score, Confidence: 0.85, Evidence: Basis(set),
		Explanation: "A function that returns, or panics, between Lock and Unlock leaves the lock taken. Where " +
			"net/http or a recover catches the panic, nothing else is seen of it. Every goroutine that needs the " +
			"lock waits until the process is restarted. The path that forgets it is called rarely: an error, a " +
			"missing key, a cancelled context."}
	for i, l := range same {
		if n += l.n; i < 3 {
			f.Where = append(f.Where, r.Frame(l.at, float64(l.n)/total, "waits for the lock"))
		}
	}
	f.Where = append(f.Where, r.Frames(same[0].callers, 2, total, "comes to it")...)
	kind, takers := couldHaveIt(same)
	var names, places []string
	for _, l := range takers[:min(len(takers), maxLostFunctions)] {
		names, places = append(names, short(r.Table.Func(l.at).Name)), append(places, r.Place(l.at))
	}
	// each may be the one that left with it: who waits where says only how often they are called
	f.Title = fmt.Sprintf("One of %s does not give the %s back", strings.Join(names, ", "), kind)
	if len(takers) == 1 || len(takers) > maxLostFunctions {
		f.Title = fmt.Sprintf("The %s at %s is not given back", kind, places[0])
	}
	f.Summary = fmt.Sprintf("%s goroutines wait for it", count(float64(n)))
	if longest := same[0].longest; longest > 0 {
		f.Summary += ", the longest for " + minutes(longest)
	}
	f.Summary += "; none is past a line that takes it, and none is woken"
	f.Impact, f.Remedies = neverAgain(float64(n)/total), remediesAt(strings.Join(places, ", "), lostRemedies()...)
	saysSuspects(r, &f, same[0].suspects, total)
	return f
}

// couldHaveIt is what was not given back, and those that take the lock in the way in which it was taken: a read lock
// was, where one is missing.
func couldHaveIt(same []*lostLock) (kind string, takers []*lostLock) {
	if !slices.ContainsFunc(same, func(l *lostLock) bool { return l.reading }) {
		return "lock", same
	}
	readers := slices.DeleteFunc(slices.Clone(same), func(l *lostLock) bool { return l.shared == 0 })
	if len(readers) == 0 {
		readers = same
	}
	return "read lock", readers
}

// saysSuspects names the goroutines elsewhere that may have the lock.
func saysSuspects(r *Reading, f *casefile.Finding, suspects []*view.Pile, total float64) {
	if len(suspects) == 0 {
		f.Summary += ": no goroutine is seen that could give it back."
		return
	}
	for _, p := range suspects[:min(len(suspects), 2)] {
		f.Where = append(f.Where, r.Frame(p.At, float64(p.N)/total, "may have it, "+waitingFor(r, p.Stack, p.Wait)))
	}
	p := suspects[0]
	at := r.Place(p.At)
	f.Summary += fmt.Sprintf(". If one has it, the likeliest is at %s, %s for as long.", at,
		waitingFor(r, p.Stack, p.Wait))
	f.Confidence = 0.6
	f.Remedies = slices.Insert(f.Remedies, 0, doChange("If it is held there, bound that wait", fmt.Sprintf("At %s: a "+
		"deadline on the call, and no lock across it: copy what it needs, unlock, call, lock again.", at),
		"slow answers are lost"))
}

func lostRemedies() []Remedy {
	return []Remedy{
		byChange("", "Release it on every path", "From {line} follow each path to the Unlock, and those of all that "+
			"take the same lock: returns on errors, breaks, panics. defer Unlock right after Lock closes all of "+
			"them; where the lock must end earlier, put what it guards into a function of its own.",
			"the lock is held to the end of the function"),
		byChange("", "Do not return with a lock", "Where one call locks and another unlocks, take a function instead: "+
			"update(func(items) error) locks, calls it, and unlocks with defer.", "callers change"),
		byChange("", "Find it with a test", "Run the tests with github.com/sasha-s/go-deadlock for sync.Mutex: it "+
			"prints who has taken a lock that others wait for longer than a limit.", "tests only: it is slow"),
	}
}
