package diagnose

import (
	"context"
	"fmt"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose/known"
	"github.com/gocasebook/casebook/diagnose/stacks"
	"github.com/gocasebook/casebook/vitals"
)

// rwCostScale is in shares of the CPU used by RLock and RUnlock themselves, their waiting not counted. Uncontended,
// RLock and RUnlock are two atomic additions, 10 to 20 ns together; above 5 % of the CPU the readers do hardly more
// than lock, or the CPUs pass the counter's cache line around.
func rwCostScale() Scale { return Scale{Worth: 0.05, Hurts: 0.20, Top: 0.60} }

func lockRWMutex() Detector {
	return Detector{
		ID:    "LK002",
		Kind:  "lock-rwmutex",
		Title: "An RWMutex costs more than it saves",
		Text: `Two problems of sync.RWMutex, which lets several readers in at once:

Its own cost: every RLock and RUnlock writes the same counter, so short readers on many CPUs wait for its cache line
instead of for each other. Read from the CPU profile: worth knowing from 5 % of the CPU in RLock and RUnlock, hurting
from 20 %, but a notice at most below that, and nothing below that if less than 0.25 core is used. The cost of Lock and
Unlock does not count: a writer needs a lock anyway, and a Mutex has the same cache line to fetch.

A convoy: a writer waits for all readers to leave, and until it is done, new readers wait behind it. One reader that
holds the lock long, or frequent writers, then stop everyone. Read from goroutines (readers in RLock while a writer
is in Lock, worth knowing from 10, hurting from 100 at one line; capped at 74 unless two captures agree), and from mutex
and block profiles with a known time in which an RWMutex has half of the waiting or more (0.5 and 4 goroutines on
average, as lock-contention).`,
		Needs: []Need{{Kinds: []string{casefile.CPU, casefile.Goroutine, casefile.Mutex, casefile.Block},
			Reason: "no CPU, goroutine, mutex or block profile", Capture: captureCPU}},
		Before:     `c.mu.RLock(); v := c.settings[k]; c.mu.RUnlock() // in every request, on every CPU`,
		After:      `v := (*c.settings.Load())[k] // atomic.Pointer to a map that is replaced as a whole`,
		Remedies:   rwMutexRemedies(),
		Absorbs:    related(SameFunction, "lock-contention", "cpu-hot-function"),
		IsQueue:    true,
		NeedsPlace: true,
		Run:        runLockRWMutex,
	}
}

// An rwSign is what one kind of evidence says of an RWMutex.
type rwSign struct {
	score    int
	at       stacks.FrameID
	share    float64
	resource string
	text     string
	role     string
	set      *stacks.Set
	sure     float64
}

func runLockRWMutex(_ context.Context, r *Reading) Answer {
	var best rwSign
	var all []rwSign
	for _, s := range []rwSign{rwCost(r), rwConvoy(r), rwWaiting(r, casefile.Mutex), rwWaiting(r, casefile.Block)} {
		if s.score >= worthKnowing {
			all = append(all, s)
			if s.score > best.score {
				best = s
			}
		}
	}
	if len(all) == 0 {
		return Answer{}
	}
	f := casefile.Finding{
		Title:      fmt.Sprintf("The RWMutex at %s costs more than it saves", r.Place(best.at)),
		Score:      best.score,
		Confidence: best.sure,
		Explanation: "Readers of an RWMutex do not wait for each other, but they all write its counter, and a " +
			"waiting writer keeps new readers out. It pays off if " +
			"readers hold it for microseconds and writers are rare; for shorter sections a Mutex costs less, and " +
			"data that is mostly read needs no lock at all.",
		Impact: casefile.Impact{Resource: best.resource, Share: roundShare(best.share), Text: best.text},
	}
	for i, s := range all {
		if i > 0 {
			f.Summary += "; "
		}
		f.Summary += s.text
		if place := r.Frame(s.at, s.share, s.role); !hasPlace(f.Where, place) {
			f.Where = append(f.Where, place)
		}
		f.Evidence = addBasis(f.Evidence, Basis(s.set))
	}
	f.Summary += "."
	for i, w := range f.Where { // the best sign's place first
		if place := r.Frame(best.at, 0, ""); w.Function == place.Function && w.Line == place.Line {
			f.Where[0], f.Where[i] = f.Where[i], f.Where[0]
		}
	}
	if best.resource == "cpu" {
		f.Impact.Text = percent(best.share) + " of the CPU the process used"
		f.Impact.Gain = casefile.Gain{Low: roundShare(best.share / 2), High: roundShare(best.share),
			Arithmetic: fmt.Sprintf("the lock's own cost is %s of the CPU: all of it goes away without a lock, half "+
				"with shards", percent(best.share))}
	}
	f.Remedies = remediesAt(r.Place(best.at), rwMutexRemedies()...)
	if inside := lockInside(r, lockStack(r, best.set, best.at)); inside != nil {
		f.Title = fmt.Sprintf("Readers and writers wait for the RWMutex inside %s, called at %s", short(inside.Name),
			r.Place(best.at))
		f.Remedies = insideLockRemedies(inside, r.Place(best.at))
	}
	return found(f)
}

// rwCost is the CPU in RWMutex's own functions for readers.
func rwCost(r *Reading) rwSign {
	v := r.cpu()
	if v == nil || v.samples < minCPUSamples || v.level.idle() {
		return rwSign{}
	}
	c := v.below(r, withWork(known.LocksToRead))
	if len(c.lines) == 0 {
		return rwSign{}
	}
	if v.level.light() && c.share < rwCostScale().Hurts {
		return rwSign{} // readers that seldom run side by side do not wait for the cache line
	}
	limit := capNotice
	if c.share >= rwCostScale().Hurts {
		limit = capUnsure
	}
	return rwSign{score: min(rwCostScale().Score(c.share), limit, v.level.cap()), at: c.lines[0].Key, share: c.share,
		resource: "cpu",
		text: fmt.Sprintf("%s of the CPU is in read-locking RWMutexes, most of it at %s", percent(c.share),
			r.Place(c.lines[0].Key)),
		role: "locks", set: v.set, sure: Confidence(c.share, v.samples)}
}

// rwConvoy looks for readers that wait beside a writer.
func rwConvoy(r *Reading) rwSign {
	set := r.Goroutines()
	if set == nil {
		return rwSign{}
	}
	writers := make(map[string]*pile)
	for _, p := range r.piles(set) {
		if p.user && p.wait == stacks.WaitRWLock {
			writers[receiver(r.Table.Func(p.at).Name)] = p
		}
	}
	total := float64(set.Total(stacks.ByValue(set.Value(set.Kind, "count"))))
	for _, p := range r.piles(set) {
		if !p.user || p.wait != stacks.WaitRLock {
			continue
		}
		w := writers[receiver(r.Table.Func(p.at).Name)]
		if w == nil {
			continue
		}
		limit := capUnsure
		if waitedBefore(r, p) >= strongWaiters {
			limit = noCap
		}
		return rwSign{score: min(lockWaiterScale().Score(float64(p.n+w.n)), limit), at: p.at,
			share: float64(p.n) / max(total, 1), resource: "latency",
			text: fmt.Sprintf("%s readers wait at %s behind %s that waits to write at %s", count(float64(p.n)),
				r.Place(p.at), count(float64(w.n)), r.Place(w.at)),
			role: "waits to read", set: set, sure: 0.8}
	}
	return rwSign{}
}

// rwMost is the share of all waiting for locks that an RWMutex must have in a profile.
const rwMost = 0.5

// rwWaiting is the waiting for RWMutexes in a mutex or block profile.
func rwWaiting(r *Reading, kind string) rwSign {
	set := r.Gained(kind)
	if set == nil || set.Seconds <= 0 {
		return rwSign{}
	}
	delay := stacks.ByValue(set.Value("delay", "nanoseconds"))
	rwMutex := r.funcs(isRW)
	forLock := func(rw bool) stacks.Weight {
		return func(s *stacks.Sample) int64 {
			if rw && !rwMutex.in(r.Table, s.Stack) || !locks(r.Table, s.Stack) {
				return 0
			}
			return delay(s)
		}
	}
	all, lines := float64(set.Total(forLock(false))), stacks.SumBy(set, forLock(true), r.UserLine)
	if len(lines) == 0 || float64(lines[0].Value) < rwMost*all {
		return rwSign{}
	}
	queue := float64(lines[0].Value) / 1e9 / set.Seconds
	if m, ok := r.Mean(vitals.MutexWait); ok {
		queue = min(queue, m) // the profile of a block rate above one scales up
	}
	role := "holds the lock"
	if kind == casefile.Block {
		role = "waits for the lock"
	}
	share := float64(lines[0].Value) / all
	return rwSign{score: lockQueueScale().Score(queue), at: lines[0].Key, share: share, resource: "latency",
		text: fmt.Sprintf("on average %s goroutines wait for the RWMutex at %s (%s profile)", count(max(queue, 0.1)),
			r.Place(lines[0].Key), kind),
		role: role, set: set, sure: 0.9}
}

func rwMutexRemedies() []Remedy {
	return []Remedy{
		byChange("", "Read without a lock", "At {line}: keep the data immutable behind an atomic.Pointer, and let a "+
			"writer copy, change and replace it.", "a write copies the data: only for data that is mostly read"),
		byChange("", "Hold it for less", "No I/O, no encoding, no loops over all data between RLock and RUnlock, and "+
			"no RLock inside an RLock: a writer in between blocks the inner RLock.",
			"the data read may be out of date when it is used"),
		byPackage("", "Split it, or use a lock with a slot per CPU", "Shard by a hash of the key with a Mutex each, "+
			"or github.com/puzpuzpuz/xsync (MapOf, RBMutex), whose readers do not share a cache line.",
			"no consistent view of all shards"),
	}
}
