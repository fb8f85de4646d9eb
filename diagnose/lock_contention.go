package diagnose

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose/known"
	"github.com/gocasebook/casebook/diagnose/stacks"
	"github.com/gocasebook/casebook/diagnose/traces"
	"github.com/gocasebook/casebook/diagnose/view"
	"github.com/gocasebook/casebook/vitals"
)

func lockContention() Detector {
	return Detector{
		ID: "LK001", Kind: "lock-contention",
		Title: "Time is lost waiting for a lock",
		Text: `Takes the strongest of the mutex profile (who held the lock), the block profile (who waited), an
execution trace, goroutines in Lock at the moment of a profile, and CPU in the slow path of locking. If two agree, there
is no cap. An empty mutex or block profile usually means that it is switched off: undecided. The mean number of
goroutines in the queue is worth knowing from 0.5 and hurts from 4 (a lock held half of the time, and 83 % of it: M/M/1,
ρ²/(1−ρ)). A profile since the start has shares of the waiting alone (30 % and 70 %), up to 74, or 49 if a wait lasts
less than a millisecond. Goroutines in Lock at one line: 10 and 100; CPU in the slow path: 5 % and 20 %; both up to 74.

In a trace, where the holder for whom others waited most computes, one wait in a hundred of 10 ms is a notice; what the
slowest requests wait is worth knowing from 50 ms, and hurts from 0.5 s. A lock that is held for less than 0.1 ms costs
by being handed over (a convoy): to take it less often helps.`,
		Needs: []Need{{Kinds: []string{casefile.Mutex, casefile.Block, casefile.Goroutine, casefile.CPU,
			traces.KindSummary}, Reason: "no mutex, block, goroutine or CPU profile, and no trace",
			Capture: captureMutex}},
		Before: `// everyone waits for fetch
mu.Lock(); v := cache[k]; if v == nil { v = fetch(k); cache[k] = v }; mu.Unlock()`,
		After: `mu.Lock(); v := cache[k]; mu.Unlock()
if v == nil { v = fetch(k); mu.Lock(); cache[k] = v; mu.Unlock() }`,
		OtherNames: []string{"lock-convoy"},
		Remedies:   lockRemedies(), Waits: knowsWhat, IsQueue: true, Joins: lockCauses,
		Follows: "who waits for the lock waits for that, too", Run: runLockContention,
	}
}

// The scales of the kinds of evidence.
func lockQueueScale() Scale    { return Scale{Worth: 0.5, Hurts: 4, Top: 100} }     // goroutine seconds a second
func lockShareScale() Scale    { return Scale{Worth: 0.3, Hurts: 0.7, Top: 1} }     // of all waiting
func lockWaiterScale() Scale   { return Scale{Worth: 10, Hurts: 100, Top: 10_000} } // goroutines at one line
func lockSlowPathScale() Scale { return Scale{Worth: 0.05, Hurts: 0.2, Top: 0.6} }  // of CPU

// Floors for a profile since the process began.
const (
	minLockWait   = 10.0 // seconds in all
	minContended  = 100  // waits
	longWait      = 1e-3 // seconds; a critical section should be far shorter, waking a goroutine takes tens of µs
	agreeing      = 2    // pieces of evidence that need no cap
	strongWaiters = 2    // captures
)

// A lockSign is what one piece of evidence says about locks.
type lockSign struct {
	score      int // without the cap
	cap        int
	share      float64 // of what the sign counts, at the first line
	confidence float64
	resource   string
	text       string // "2,431 goroutines stood in sync.(*Mutex).Lock"
	impact     string
	perSecond  float64 // waits; 0 where that is not known

	place  string // the user's line
	where  []casefile.Frame
	inside *stacks.Func // whose lock it is, if not the user's own
	work   *heldWork    // what the holder does with it; nil: not known, or what the others do
	basis  []casefile.Basis
}

// lockSignAt is a sign at the user's lines of a set, the worst first, which have parts of total; nil without a line.
func lockSignAt(r *Reading, set *stacks.Set, lines []stacks.Entry[stacks.FrameID], total float64,
	role, part string) *lockSign {
	if len(lines) == 0 {
		return nil
	}
	at := lines[0].Key
	s := &lockSign{share: float64(lines[0].Value) / total, place: r.Place(at), basis: Basis(set),
		inside: lockInside(r, lockStack(r, set, at))}
	for _, e := range top(lines, 3) {
		s.where = append(s.where, as(part, r.Frame(e.Key, float64(e.Value)/total, role)))
	}
	return s
}

func runLockContention(_ context.Context, r *Reading) Answer {
	signs := slices.DeleteFunc([]*lockSign{lockProfile(r, casefile.Mutex), lockProfile(r, casefile.Block),
		lockWaiters(r), lockCPU(r), lockTrace(r)}, func(s *lockSign) bool { return s == nil || s.score < worthKnowing })
	if len(signs) == 0 {
		return lockUnknown(r)
	}
	if len(signs) >= agreeing {
		for _, s := range signs {
			s.cap = noCap
		}
	}
	slices.SortStableFunc(signs, func(a, b *lockSign) int {
		return cmp.Compare(min(b.score, b.cap), min(a.score, a.cap))
	})
	return found(lockFinding(r, signs))
}

// lockProfile reads a mutex or a block profile.
func lockProfile(r *Reading, kind string) *lockSign {
	set := r.Gained(kind)
	if set == nil || len(set.Samples) == 0 {
		if set = r.Latest(kind); set == nil {
			return nil
		}
	}
	ofLocks := func(value, unit string) stacks.Weight {
		w := stacks.ByValue(set.Value(value, unit))
		return func(s *stacks.Sample) (n int64) {
			if s.Class == stacks.Lock && locks(r.Table, s.Stack) {
				n = w(s)
			}
			return n
		}
	}
	role, part := "holds the lock", casefile.HoldsLock
	if kind == casefile.Block {
		role, part = "waits for the lock", casefile.WaitsForLock
	}
	delay := ofLocks("delay", "nanoseconds")
	total, n := float64(set.Total(delay)), float64(set.Total(ofLocks("contentions", "count")))
	s := lockSignAt(r, set, stacks.SumBy(set, delay, r.UserLine), total, role, part)
	if s == nil {
		return nil
	}
	s.resource, s.confidence = "latency", Confidence(s.share, n)
	waited := total / 1e9
	s.impact = fmt.Sprintf("%s of waiting in %s waits, %s each", seconds(waited), count(n), seconds(waited/max(n, 1)))
	s.rate(r, set.Seconds, waited, n)
	return s
}

// rate scores a profile of n waits: by the queue where its time is known, by shares where it is not.
func (s *lockSign) rate(r *Reading, span, waited, n float64) {
	queue, known := r.Mean(vitals.MutexWait)
	if span > 0 {
		queue, known, s.perSecond = waited/span, true, n*s.share/span
	}
	if known {
		s.cap, s.score = noCap, lockQueueScale().Score(queue*s.share)
		s.text = fmt.Sprintf("on average %s goroutines wait for it, %s of all waiting for locks",
			count(max(queue*s.share, 0.1)), percent(s.share))
		return
	}
	if waited < minLockWait || n < minContended {
		return
	}
	s.cap, s.score = capUnsure, lockShareScale().Score(s.share)
	if waited/n < longWait {
		s.cap = capNotice
	}
	s.text = fmt.Sprintf("%s of the waiting for locks since the start (%s in all)", percent(s.share), seconds(waited))
}

// locks reports whether the leaf of a contention stack is a lock and not another wait of package sync, such as that for
// a Once.
func locks(t *stacks.Table, stack []stacks.FrameID) bool {
	lock := func(f *stacks.Func) bool {
		return strings.Contains(f.Name, known.Mutex) || strings.Contains(f.Name, known.RWMutex)
	}
	i := slices.IndexFunc(stack, func(id stacks.FrameID) bool {
		f := t.Func(id)
		return lock(f) || f.Owner != stacks.Runtime && f.Class != stacks.Lock
	})
	return i >= 0 && lock(t.Func(stack[i])) && !waitsForOnce(t, stack)
}

// slowPath reports whether a stack is in the part of locking that only a contended lock reaches: spinning, queueing and
// waking (lockSlow, unlockSlow, the semaphore). The fast path is one atomic instruction and inlined.
func slowPath(t *stacks.Table, stack []stacks.FrameID) bool {
	return t.Has(stack, func(f *stacks.Func) bool {
		return f.Class == stacks.Lock && (strings.Contains(f.Name, "Slow") || strings.Contains(f.Name, "Sem") ||
			strings.HasPrefix(f.Name, known.Semaphore))
	})
}

// lockStack is the heaviest stack that reaches a lock at a line of the user's.
func lockStack(r *Reading, set *stacks.Set, line stacks.FrameID) []stacks.FrameID {
	value := mainValue(set)
	if set.Kind == casefile.Goroutine {
		value = set.Value(set.Kind, "count")
	}
	return set.Heaviest(stacks.ByValue(value), func(s *stacks.Sample) bool {
		id, ok := r.UserLine(s)
		return ok && id == line && locks(r.Table, s.Stack)
	})
}

// lockWaiters looks for goroutines in Lock.
func lockWaiters(r *Reading) *lockSign {
	var worst *view.Pile
	set, sums, total := r.Goroutines(), lineSum{}, 0.0
	for _, p := range r.Piles(set) {
		if p.Wait.ForLock() && p.User && !waitsForOnce(r.Table, p.Stack) {
			worst, total = cmp.Or(worst, p), total+float64(p.N)
			sums.add(p.At, p.N)
		}
	}
	lines := entries(sums)
	s := lockSignAt(r, set, lines, total, "waits for the lock", casefile.WaitsForLock)
	if s == nil {
		return nil
	}
	n := float64(lines[0].Value)
	s.score, s.cap = lockWaiterScale().Score(n), capUnsure
	s.resource, s.confidence = "goroutines", Confidence(0.5, n)
	if 2*worst.Waiting >= worst.N || waitedBefore(r, worst.At) >= strongWaiters {
		s.cap = noCap
	}
	s.text = fmt.Sprintf("%s goroutines are %s at the same moment", count(n), worst.Wait)
	if worst.Longest > 0 {
		s.text += ", the longest for " + minutes(worst.Longest)
	}
	s.impact = fmt.Sprintf("%s goroutines wait for locks", count(total))
	return s
}

// waitedBefore is in how many captures as many waited for a lock at a line as is worth knowing.
func waitedBefore(r *Reading, at stacks.FrameID) (captures int) {
	for _, set := range r.Moments() {
		n := numberOf(r, set, func(p *view.Pile) bool { return p.At == at && p.Wait.ForLock() })
		if float64(n) >= lockWaiterScale().Worth {
			captures++
		}
	}
	return captures
}

// lockCPU looks for CPU in the slow path of locks.
func lockCPU(r *Reading) *lockSign {
	v := r.cpu()
	if v == nil || v.samples < minCPUSamples || v.level.idle() {
		return nil
	}
	w := func(s *stacks.Sample) (n int64) {
		if (s.Class == stacks.Lock || s.Class == stacks.Scheduler) && locks(r.Table, s.Stack) && slowPath(r.Table, s.Stack) {
			n = v.weight(s)
		}
		return n
	}
	total := float64(v.set.Total(w))
	s := lockSignAt(r, v.set, stacks.SumBy(v.set, w, r.UserLine), total, "takes the lock", "")
	if s == nil {
		return nil
	}
	cost := total / v.total
	s.score, s.cap = lockSlowPathScale().Score(cost), min(capUnsure, v.level.cap())
	s.resource, s.confidence = "cpu", Confidence(cost, v.samples)
	s.text = fmt.Sprintf("%s of the CPU is spent in the slow path of locks", percent(cost))
	s.impact = s.text
	return s
}

// lockUnknown answers if nothing was found: healthy if the evidence would have shown it, otherwise undecided.
func lockUnknown(r *Reading) Answer {
	_, measured := r.Mean(vitals.MutexWait)
	traced, _ := r.Trace() // it shows every wait
	sets := r.All(casefile.Mutex, casefile.Block)
	filled := slices.ContainsFunc(sets, func(s *stacks.Set) bool { return len(s.Samples) > 0 })
	switch {
	case measured, traced != nil, filled, len(sets) == 0 && r.Goroutines() != nil:
		return Answer{}
	case len(sets) > 0:
		what := cmp.Or(nothingIn(sets[0]), "the "+sets[0].Kind+" profile is empty")
		return undecided(fmt.Sprintf("%s (%s): nobody waited, or it is switched off (the default)", what, sets[0].Name),
			captureMutex)
	}
	return undecided("waiting does not show in a CPU profile, and there is no mutex, block or goroutine profile",
		captureMutex)
}

func lockFinding(r *Reading, signs []*lockSign) casefile.Finding {
	s := signs[0]
	place := s.place
	f := casefile.Finding{
		Title: fmt.Sprintf("Goroutines wait for the lock at %s", place),
		Score: min(s.score, s.cap), Confidence: s.confidence,
		Explanation: "A lock lets one goroutine through at a time. Where it is held more than half of the time, the queue " +
			"before it grows without bound: then the lock, not the machine, limits the service. A mutex profile names the " +
			"line that releases the lock, a block profile and goroutines name the lines that wait for it.",
		Impact:   casefile.Impact{Resource: s.resource, Share: roundShare(s.share), Text: s.impact},
		Remedies: remediesAt(place, lockRemedies()...),
	}
	var texts []string
	for _, sign := range signs {
		texts = append(texts, sign.text)
		f.Where, f.Evidence = addPlaces(f.Where, sign.where...), addBasis(f.Evidence, sign.basis)
	}
	f.Summary = fmt.Sprintf("At %s %s.", place, strings.Join(texts, "; "))
	f.Where = f.Where[:min(len(f.Where), 6)]
	convoy, isConvoy := lockConvoy(signs)
	work := slices.IndexFunc(signs, func(o *lockSign) bool { return o.work != nil && (o == s || hasPlace(o.where, s.where[0])) })
	switch {
	case s.inside != nil:
		f.Title = fmt.Sprintf("Goroutines wait for a lock inside %s, called at %s", short(s.inside.Name), place)
		f.Remedies = insideLockRemedies(s.inside, place)
		if row, ok := holderRow(r, s.inside); ok {
			f.Title += ", whose holder waits, too: " + row.advice.Says
			f.Explanation, f.Remedies = row.reason(), row.cures(place)
		}
	case work >= 0:
		signs[work].saysWork(r, &f)
	case isConvoy:
		convoy.saysConvoy(&f, place)
	}
	return f
}

// holderRow is what is known of the wait in which those are who have a lock inside of a library: their waits together
// last half as long as the longest for the lock, or longer (trace).
func holderRow(r *Reading, inside *stacks.Func) (row standing, ok bool) {
	var longest, most time.Duration
	for _, w := range r.Summary().Blocking {
		if !slices.ContainsFunc(w.Stack, func(f traces.Frame) bool { return f.Function == inside.Name }) {
			continue
		}
		if awaitsMutex(w.Stack) {
			longest = max(longest, w.Times.Max)
			continue
		}
		said := r.experts().on(r.experts().traced(w.Stack), shows(known.Waiting))
		if len(said) > 0 && w.Times.Total > most {
			row, most = said[0], w.Times.Total
		}
	}
	return row, most > 0 && 2*most >= longest
}

// shortHold is the time in seconds below which a lock costs more by being handed over than by being held: to park a
// goroutine and to wake it takes some microseconds, on a busy machine some tens of them.
const shortHold = 100e-6

// lockConvoy is the sign that a lock is held for short moments, one after the other: of a lock that always has a queue,
// the time between two waits is what one of them is held for, with its hand-over. Where waits are not counted, CPU in
// the slow path of locking shows it: a lock that is held for long is seldom taken.
func lockConvoy(signs []*lockSign) (*lockSign, bool) {
	for _, s := range signs {
		if s.perSecond > 0 {
			return s, s.perSecond > 1/shortHold
		}
	}
	i := slices.IndexFunc(signs, func(s *lockSign) bool { return s.resource == "cpu" })
	return signs[max(i, 0)], i >= 0
}

// saysConvoy makes a finding about a lock one about how often it is taken.
func (s *lockSign) saysConvoy(f *casefile.Finding, at string) {
	f.Title = fmt.Sprintf("Goroutines take turns at a short lock at %s", at)
	if s.perSecond > 0 {
		f.Summary += fmt.Sprintf(" %s waits a second leave %s for each: it is held for less than that.",
			count(s.perSecond), seconds(1/s.perSecond))
	}
	f.Summary += " What it costs is to be handed over, a lock convoy."
	// to hold it for less does not help
	f.Remedies[0] = doChange("Take it once for many", fmt.Sprintf("At %s: gather what a request or a batch has in a "+
		"variable of its own, and lock once for all; counters become atomics.", at), "others see changes a little later")
}

func hasPlace(fs []casefile.Frame, f casefile.Frame) bool {
	return slices.ContainsFunc(fs, func(g casefile.Frame) bool { return g.Function == f.Function && g.Line == f.Line })
}

func lockRemedies() []Remedy {
	return []Remedy{
		byChange("", "Hold the lock for less", "Between Lock and Unlock around {line}: move I/O, calls to other "+
			"services, encoding, logging and allocation out of the lock. Copy what you need and work on the copy.",
			"the data read may be out of date when it is used").named(holdLess),
		byChange("", "Split the lock", "Shard the data by a hash of its key, with a lock for each shard (16–256), or "+
			"give each field its own; counters become atomics.", "there is no consistent view of all shards"),
		byChange("", "Read without a lock", "If data is read far more often than written, keep it immutable behind "+
			"an atomic.Pointer and replace it as a whole. A sync.RWMutex helps only if readers hold it long.",
			"a write copies the data").named("read-unlocked"),
	}
}
