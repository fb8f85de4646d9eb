package diagnose

import (
	"context"
	"fmt"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose/known"
	"github.com/gocasebook/casebook/diagnose/stacks"
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
		Text: `Every RLock and RUnlock of a sync.RWMutex writes the same counter, so short readers on many CPUs wait
for its cache line instead of for each other. Read from the CPU profile: worth knowing from 5 % of the CPU in RLock and
RUnlock of one type's methods, hurting from 20 %, but a notice at most below that, and nothing below that if less than
0.25 core is used. The cost of Lock and Unlock does not count: a writer needs a lock anyway, and a Mutex has the same
cache line to fetch. Where the same methods lock for writing at as much cost, nothing is said: no data is mostly read.

Readers that wait behind a writer, which waits for other readers, are lock-contention's, as all who wait for a lock.`,
		Needs:      needCPU("what RLock takes is not in other evidence"),
		Before:     `c.mu.RLock(); v := c.settings[k]; c.mu.RUnlock() // in every request, on every CPU`,
		After:      `v := (*c.settings.Load())[k] // atomic.Pointer to a map that is replaced as a whole`,
		Remedies:   rwMutexRemedies(),
		Absorbs:    related(SameFunction, "cpu-hot-function"),
		Waits:      knowsSince,
		IsQueue:    true,
		NeedsPlace: true,
		Run:        runLockRWMutex,
	}
}

func runLockRWMutex(_ context.Context, r *Reading) Answer {
	v := r.cpu()
	if v == nil || v.samples < minCPUSamples || v.level.idle() {
		return Answer{}
	}
	c, ok := costliestReads(r, v)
	limit := capUnsure
	if c.share < rwCostScale().Hurts {
		limit = capNotice
	}
	score := min(rwCostScale().Score(c.share), limit, v.level.cap())
	if !ok || score < worthKnowing || limit == capNotice && v.level.light() {
		return Answer{} // readers that seldom run side by side do not wait for the cache line
	}
	if c.writes >= c.share {
		return Answer{} // written as often as read: not a lock of readers, and no data to replace as a whole
	}
	line := c.lines[0].Key
	at := r.Place(line)
	f := casefile.Finding{
		Title: fmt.Sprintf("The RWMutex at %s costs more than it saves", at), Score: score,
		Confidence: Confidence(c.share, v.samples),
		Summary:    fmt.Sprintf("%s of the CPU is in read-locking RWMutexes, most of it at %s.", percent(c.share), at),
		Explanation: "Readers of an RWMutex do not wait for each other, but they all write its counter, and a " +
			"waiting writer keeps new readers out. It pays off if " +
			"readers hold it for microseconds and writers are rare; for shorter sections a Mutex costs less, and " +
			"data that is mostly read needs no lock at all.",
		Where: c.where(r, "locks", 2), Evidence: Basis(v.set),
		Impact: onCPU(c.share, halfAtLeast(c.share, fmt.Sprintf("the lock's own cost is %s of the CPU: all of it goes "+
			"away without a lock, half with shards", percent(c.share)))),
		Remedies: remediesAt(at, rwMutexRemedies()...),
	}
	if inside := lockInside(r, c.stack); inside != nil {
		f.Title = "Readers and writers wait for the RWMutex inside " + short(inside.Name)
		if c.stack[0] != line {
			f.Title += ", called at " + at
		}
		f.Remedies = insideLockRemedies(inside, at)
	}
	return found(f)
}

// rwReads is the CPU of read-locking in the methods of one type, or the functions of one package: most likely one lock.
type rwReads struct {
	cpuBelow
	writes float64          // share of the CPU in taking it alone and giving it back, in the same methods
	stack  []stacks.FrameID // the heaviest, from the line on that locks
}

// costliestReads are the reads that cost most, by the user's line, or where none leads there, by the line that locks.
func costliestReads(r *Reading, v *cpuView) (most rwReads, ok bool) {
	locks := r.Funcs(withWork(known.LocksToRead))
	reads, writes, first := make(map[string]int64), make(map[string]int64), ""
	for i := range v.set.Samples {
		s := &v.set.Samples[i]
		name, w := lockType(r, s.Stack), v.weight(s)
		if name == "" {
			continue
		}
		if _, read := locks.BelowUser(r.Table, s.Stack); read {
			if reads[name] += w; reads[name] > reads[first] || reads[name] == reads[first] && name < first {
				first = name
			}
		} else {
			writes[name] += w
		}
	}
	if reads[first] == 0 {
		return most, false
	}
	ours := func(s *stacks.Sample) bool {
		_, read := locks.BelowUser(r.Table, s.Stack)
		return read && lockType(r, s.Stack) == first
	}
	most.lines = stacks.SumBy(v.set, v.weight, func(s *stacks.Sample) (stacks.FrameID, bool) {
		line, ok := r.UserLine(s)
		if !ok {
			if at := rwLocker(r, s.Stack); at != nil {
				line = at[0]
			}
		}
		return line, ours(s)
	})
	most.ns, most.writes = float64(reads[first]), float64(writes[first])/v.total
	most.share = most.ns / v.total
	most.stack = rwLocker(r, v.set.Heaviest(v.weight, ours))
	return most, true
}

// rwLocker is what a stack has from the line on that calls an RWMutex; nil if none is below the first line of the
// user's or a dependency's.
func rwLocker(r *Reading, stack []stacks.FrameID) []stacks.FrameID {
	in := false
	for i, id := range stack {
		switch f := r.Table.Func(id); {
		case f.Does(known.OfRWMutex):
			in = true
		case in:
			return stack[i:]
		case f.Owner == stacks.User, f.Owner == stacks.Dependency:
			return nil
		}
	}
	return nil
}

// lockType is the type whose method locks an RWMutex on a stack, or the package whose function does.
func lockType(r *Reading, stack []stacks.FrameID) string {
	at := rwLocker(r, stack)
	if at == nil {
		return ""
	}
	if owner, method := stacks.Receiver(r.Table.Func(at[0]).Name); method {
		return owner
	}
	return r.Table.Func(at[0]).Package
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
