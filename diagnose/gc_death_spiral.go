package diagnose

import (
	"context"
	"fmt"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose/stacks"
	"github.com/gocasebook/casebook/vitals"
)

// spiralScale is in shares of the CPU used by the collector while the heap has no free space. At 50 % the runtime's
// limiter gives up the memory limit rather than use more (gcCPULimiter, runtime/mgclimit.go), and the process grows
// until it is killed.
func spiralScale() Scale { return Scale{Worth: 0.10, Hurts: 0.30, Top: 0.60} }

// noRoom is the goal's ratio to the live heap below which the heap has no free space: GOGC=25 or less, or a limit that
// takes effect.
const noRoom = 1.25

// limitedRoom is the goal's ratio to the live heap from which a low GOGC is the likelier reason, where neither it nor a
// limit is known. A limit in force leaves a few percent (2 to 5 in most of the recorded ones), and GOGC is not set that
// low.
const limitedRoom = 1.12

func gcDeathSpiral() Detector {
	return Detector{
		ID:    "GC006",
		Kind:  "gc-death-spiral",
		Title: "The memory limit leaves the heap no room, and the collector runs all the time",
		Text: `Near GOMEMLIMIT the runtime collects as often as it takes to stay below it. When the live heap gets
close to the limit, a cycle starts as soon as the last one ends: the program gets slower, requests pile up, more memory
is live, and the spiral closes. The runtime stops at 50 % of the CPU; then memory grows beyond the limit.

Found if the heap's goal is below 1.25 times the live heap (64 MiB or more; 8 MiB if a limit is known to be near), or
the limit is below the live heap, and the collector takes 10 % of the CPU used (worth knowing) or 30 % (hurts). The goal
comes from the vitals, a page of metrics or the end of heap?debug=1. If GOGC is known and low, it is the cause and no
limit: gc-cpu or gc-frequency says so. If GOGC is known to be 50 or more and no limit is set, a single object is larger
than the free space, and nothing is found; if neither is known and there is such an object, it is undecided. If neither
is known and the goal is 1.12 times the live heap or more, a low GOGC is likelier,
	and gc-cpu or gc-frequency says so. Capped at
74 unless a CPU profile of 100 samples shows the share.

Without a heap profile the lines of gctrace, or other vitals, are enough: five collections or more whose goal is below
1.05 times what the one before left (a GOGC of 5 would give more), up to 74.`,
		Needs: []Need{{Kinds: []string{casefile.Heap, casefile.Allocs, casefile.Vitals}, Reason: "no heap profile",
			Why: "the size of the live heap is in it", Capture: captureHeap}},
		Before: "GOMEMLIMIT=1GiB with 950 MiB of caches",
		After:  "GOMEMLIMIT=2GiB, or a cache that is bounded at 500 MiB",
		// Each collection costs what lives; the limit has one follow the other.
		Explains: append(related(nil, "gc-assist"), Relation{Kind: "gc-pointer-heap",
			Why: "the limit makes each collection follow the last, and each one visits all that lives"}),
		Absorbs:        append(related(nil, "gc-cpu", "gc-frequency"), Relation{Kind: "mem-limit-near", Quiet: true}),
		IsWholeProcess: true,
		NeedsPlace:     true,
		Follows:        "the nearer what lives comes to the memory limit, the more often the collector runs",
		Run:            runGCDeathSpiral,
	}
}

func runGCDeathSpiral(_ context.Context, r *Reading) Answer {
	if r.heap() == nil {
		return spiralOfVitals(r)
	}
	q, tight := squeezeOf(r)
	if q.goal <= 0 {
		return spiralUnknown(r)
	}
	known := heapBound(r)
	if known == boundUnknown && q.goal >= limitedRoom*q.live {
		return Answer{}
	}
	if !tight || q.goal >= noRoom*q.live || known == unbounded {
		return Answer{}
	}
	if place, ok := outgrown(r, q); ok && known == boundUnknown {
		return undecided(fmt.Sprintf("%s, but one object of %s is larger than the free space, and that may be the "+
			"only reason: whether a memory limit is set is not known", q, place), captureNumbers)
	}
	v := r.cpu()
	cost, told := gcShareOfVitals(r)
	limit := capUnsure // the share of the available CPU says little about a process that uses little of it
	if v != nil && v.samples >= minCPUSamples && !v.level.idle() {
		cost, told, limit = v.gcShare(), true, v.level.cap()
	}
	if !told {
		return undecided(fmt.Sprintf("%s, but without a CPU profile the collector's share is not known", q), captureCPU)
	}
	score := min(spiralScale().Score(cost), limit)
	if score < worthKnowing {
		return Answer{}
	}
	h := r.heap()
	f := casefile.Finding{
		Title: fmt.Sprintf("The heap has no room: the collector takes %s of the CPU to stay below its limit",
			percent(cost)),
		Score:      score,
		Confidence: 0.95,
		Summary: fmt.Sprintf("%s%s; the collector takes %s of the CPU used.", upperFirst(q.String()),
			limitText(r, q), percent(cost)),
		Explanation: "The collector can free only dead objects. If nearly all of the allowed heap is alive, it " +
			"visits everything again and again for a little room, " +
			"requests take longer, more of them are in progress, and more memory is alive. The way out is more room, " +
			"or a smaller live heap.",
		Evidence: Basis(h.set),
		Remedies: spiralRemedies(r, q, cost),
	}
	if g := r.structure(); g != nil {
		f.Where = g.where(r, h)
		f.Where = f.Where[:min(len(f.Where), 3)]
	}
	f.Where = append(f.Where, newGarbage(r).topLines(r, 2)...)
	if v != nil {
		f.Evidence = addBasis(f.Evidence, Basis(v.set))
	}
	f.Impact = casefile.Impact{Resource: "cpu", Share: roundShare(cost),
		Text: percent(cost) + " of the CPU used is the collector's",
		Gain: casefile.Gain{Low: roundShare(cost / 2), High: roundShare(cost * 0.9), Arithmetic: fmt.Sprintf(
			"%s of CPU with room for %s a cycle; with room for %s fewer cycles are needed: between 50 and 90 %% less",
			percent(cost), size(max(q.goal-q.live, 0)), size(q.live))}}
	return found(f)
}

// What vitals must show without a heap profile.
const (
	spiralCycles = 5    // samples
	spiralRoom   = 1.05 // the goal's ratio to the live heap
)

// spiralOfVitals judges by the vitals alone: what a collection leaves, the next goal, and what the collector takes.
func spiralOfVitals(r *Reading) Answer {
	live, goal, gc, n := 0.0, 0.0, 0.0, 0.0
	for i := range r.Vitals {
		v := &r.Vitals[i]
		a, ok1 := v.Get(vitals.HeapLive)
		b, ok2 := v.Get(vitals.HeapGoal)
		if c, ok3 := v.Get(vitals.GCCPU); ok1 && ok2 && ok3 {
			live, goal, gc, n = live+a, goal+b, gc+c, n+1
		}
	}
	if n < spiralCycles || live/n < squeezedHeap || goal >= spiralRoom*live || heapBound(r) == unbounded {
		return Answer{}
	}
	q, share := squeeze{goal: goal / n, live: live / n}, gc/n
	return found(casefile.Finding{
		Title: fmt.Sprintf("The heap has no room: the collector takes %s of the CPU to stay below its limit",
			percent(share)),
		Score: min(spiralScale().Score(share), capUnsure), Confidence: 0.9,
		Summary: fmt.Sprintf("%s; the collector takes %s of all CPUs that it may use.", upperFirst(q.String()),
			percent(share)),
		Explanation: "The collector can free only dead objects. Nearly all of the allowed heap is alive: each cycle " +
			"visits " +
			"everything again for a little room, and the next one begins.",
		Where: []casefile.Frame{{Function: stacks.Nameless(""),
			Role: "no stack tells what is alive: a heap profile does (" + captureHeap + ")"}},
		Impact: casefile.Impact{Resource: "cpu", Share: roundShare(share), Text: percent(share) + " of the CPU is " +
			"the collector's"},
		Evidence: vitalsBasis(r), Remedies: spiralRemedies(r, q, share),
	})
}

// A bound is what is known about settings that leave the heap no free space.
type bound int

const (
	boundUnknown bound = iota
	bounded            // a memory limit, or a GOGC below 50
	unbounded          // neither: a single object is larger than the free space
)

func heapBound(r *Reading) bound {
	m, ok := r.Mean(vitals.GoMemoryLimit)
	s := r.settings
	switch {
	case ok && m > 0 || s.memLimit > 0 || s.gogc > 0 && s.gogc < 50:
		return bounded
	case s.sure && s.gogc >= 50:
		return unbounded
	}
	return boundUnknown
}

// outgrown is a line whose single object is larger than the free space, which alone explains a goal below the live
// heap.
func outgrown(r *Reading, q squeeze) (place string, found bool) {
	for _, g := range giants(r.heap().held(), alive) {
		if g.mean() >= q.goal-q.live {
			return r.Place(g.at), true
		}
	}
	return "", false
}

// spiralUnknown requests the goal if the process seems to be near a memory limit and collects much.
func spiralUnknown(r *Reading) Answer {
	v := r.cpu()
	if v == nil || v.samples < minCPUSamples || v.level.idle() || v.gcShare() < spiralScale().Hurts {
		return Answer{}
	}
	if h := r.heap(); h.liveBytes < squeezedHeap || r.settings.memLimit == 0 && r.Limits.MemoryBytes == 0 {
		return Answer{}
	}
	return undecided("the collector takes much of the CPU; the heap's goal would show whether the memory limit is "+
		"the cause, but it is not known", captureNumbers)
}

// memoryLimit is GOMEMLIMIT in bytes, from the vitals or the settings; 0 when it is not known or off.
func memoryLimit(r *Reading) float64 {
	if m, ok := r.Mean(vitals.GoMemoryLimit); ok && m > 0 {
		return m
	}
	return r.settings.memLimit
}

func limitText(r *Reading, q squeeze) string {
	if q.limit > 0 {
		return "" // already reported
	}
	if limit := memoryLimit(r); limit > 0 {
		return fmt.Sprintf(", GOMEMLIMIT is %s", size(limit))
	}
	return ""
}

func spiralRemedies(r *Reading, q squeeze, cost float64) []casefile.Remedy {
	room, ok := roomierRemedy(r, cost)
	if !ok {
		room = q.remedy(float64(r.Limits.MemoryBytes), cost)
	}
	return []casefile.Remedy{room,
		doChange("Bound what is kept", "Give caches and queues a limit in bytes that leaves half of the memory limit "+
			"free, and drop entries at the limit (github.com/gocasebook/casebook/remedy/cache has one).",
			"dropped entries must be made or fetched again"),
		doChange("Shed load before memory runs out", "Reject requests while go_memory is above 90 % of the limit: "+
			"each request in progress holds memory.", "requests are rejected under load"),
	}
}

func upperFirst(s string) string {
	if s == "" || s[0] < 'a' || s[0] > 'z' {
		return s
	}
	return string(s[0]-'a'+'A') + s[1:]
}
