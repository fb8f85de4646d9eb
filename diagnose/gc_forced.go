package diagnose

import (
	"context"
	"fmt"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose/known"
	"github.com/gocasebook/casebook/diagnose/stacks"
	"github.com/gocasebook/casebook/internal/number"
	"github.com/gocasebook/casebook/vitals"
)

// forcedScale is in shares of the CPU used by forced cycles. All of it is waste: the pacer knows when to collect. 3 %
// is more than the whole collector takes in many quiet services.
func forcedScale() Scale { return Scale{Worth: 0.03, Hurts: 0.15, Top: 0.5} }

// forcedRateScale is in forced cycles a minute, for when the CPU does not show them: one a minute is a habit, one a
// second a fault.
func forcedRateScale() Scale { return Scale{Worth: 1, Hurts: 60, Top: 600} }

// minForcedTicks is how many CPU samples below runtime.GC show that it was called while the profile ran, and more
// than once.
const minForcedTicks = 3

func gcForced() Detector {
	return Detector{
		ID:    "GC007",
		Kind:  "gc-forced",
		Title: "The program forces collections",
		Text: `runtime.GC and debug.FreeOSMemory run a whole cycle at once, block their caller until the cycle and its
sweep have ended, and leave the pacer with wrong numbers. FreeOSMemory also returns memory that the program needs again
at once, page fault by page fault.

Read from the CPU profile (samples below runtime.GC or FreeOSMemory with the user's line above: 3 or more), from
goroutines inside runtime.GC, and from the counter of forced cycles if there is one. The cost is the samples below the
call plus the background marking, times the forced share of the cycles (all of them if that is not known, then capped
at 74; if the profile has too few samples, the collector's share in the vitals, minus the cycles that the allocation
rate explains): worth knowing from 3 % of the CPU, hurting from 15 %; or from one forced cycle a minute, hurting at one
a second. An idle process that calls it is a notice at most. Benchmarks and tests are right to call it, and so is a
process that has just freed a large start-up structure, once.

Collections that a profile itself asks for (heap?gc=1) come from the observer and are left out.`,
		Needs: []Need{{Kinds: []string{casefile.CPU, casefile.Goroutine, casefile.Heap},
			Reason: "no CPU, goroutine or heap profile", Capture: captureCPU}},
		Before:   `defer runtime.GC() // "frees the request's memory"`,
		After:    `// nothing: the pacer collects when it pays; GOMEMLIMIT bounds memory`,
		Remedies: forcedRemedies(),
		Explains: append(related(nil, "gc-cpu", "lock-contention"), Relation{Kind: "gc-frequency", Leads: true,
			Why: "each call of runtime.GC is a collection"}),
		Absorbs: []Relation{{Kind: "cpu-hot-function", If: forcedMostAt},
			{Kind: "gc-frequency", If: forcedMost}},
		IsWholeProcess: true,
		NeedsPlace:     true,
		Run:            runGCForced,
		promise:        forcedPromise,
	}
}

func isForced(f *stacks.Func) bool {
	return f.Does(known.ForcesCollection)
}

func runGCForced(_ context.Context, r *Reading) Answer {
	share, lines, ticks, v := 0.0, cpuBelow{}, 0.0, r.cpu()
	if v != nil {
		lines = v.below(r, isForced)
		ticks = lines.ns / max(float64(v.set.Period), 1e7)
	}
	waiting, at, set := forcedWaiting(r)
	perMinute, ofAll, counted := forcedCycles(r)
	if (ticks < minForcedTicks || len(lines.lines) == 0) && waiting == 0 {
		if counted && forcedRateScale().Score(perMinute) >= worthKnowing {
			return undecided(fmt.Sprintf("%s forced collections a minute, and no evidence shows which code asks for "+
				"them", count(perMinute)), captureCPU)
		}
		return Answer{}
	}
	limit, score := capUnsure, 0
	if v != nil && v.samples >= minCPUSamples {
		all := 1.0
		if counted {
			all, limit = ofAll, noCap
		}
		share = lines.share + v.markShare()*all
		limit = min(limit, max(v.level.cap(), capNotice))
		score = max(forcedScale().Score(share), worthKnowing)
	} else if gc, ok := gcShareOfVitals(r); ok && v != nil && v.level.known {
		share = gc * unasked(r)
		limit = min(limit, max(v.level.cap(), capNotice))
		score = max(forcedScale().Score(share), worthKnowing)
	}
	if counted {
		score = max(score, min(forcedRateScale().Score(perMinute), capUnsure))
	}
	if v != nil && v.level.idle() {
		limit = capNotice
	}
	score = min(max(score, min(int(waiting), 1)*worthKnowing), limit)
	if score < worthKnowing {
		return Answer{}
	}
	return found(forcedFinding(r, forcedEvidence{lines, share, waiting, at, set, perMinute, counted}, score))
}

// unasked is the share of the cycles that the growth of the heap does not explain: those in the vitals, minus those
// that the allocation rate explains with this live heap. It is 1 if that is not known.
func unasked(r *Reading) float64 {
	rate, ok1 := r.Mean(vitals.GCRate)
	allocated, ok2 := r.Mean(vitals.AllocRate)
	p := r.pace()
	room := p.room()
	if p.live > 0 && room <= 0 {
		room = p.roomAt(1) // a lower GOGC would explain more of them, so this is the most
	}
	if !ok1 || !ok2 || room <= 0 || rate <= 0 {
		return 1
	}
	return max(0, 1-allocated/max(room, 1<<20)/rate)
}

// forcedEvidence is what is known of forced cycles.
type forcedEvidence struct {
	lines     cpuBelow
	share     float64
	waiting   int64
	at        stacks.FrameID
	set       *stacks.Set
	perMinute float64
	counted   bool
}

func forcedFinding(r *Reading, e forcedEvidence, score int) casefile.Finding {
	f := casefile.Finding{
		Score:      score,
		Confidence: 0.9,
		Explanation: "The collector decides from the growth of the heap when a cycle is worthwhile. A forced one " +
			"marks the whole live heap even if little is dead, blocks its caller " +
			"that long, and keeps the other CPUs busy too. The memory would have been reused or returned anyway.",
		Where:    e.lines.where(r, "forces a collection", 3),
		Remedies: remediesAt("", forcedRemedies()...),
	}
	var parts []string
	if len(e.lines.lines) > 0 {
		parts = append(parts, fmt.Sprintf("%s of the CPU is below the call at %s", percent(e.lines.share),
			r.Place(e.lines.lines[0].Key)))
		f.Evidence = addBasis(f.Evidence, Basis(r.cpu().set))
	}
	if e.waiting > 0 {
		stand := "stand"
		if e.waiting == 1 {
			stand = "stands"
		}
		parts = append(parts, fmt.Sprintf("%s %s in runtime.GC at %s", things(float64(e.waiting), "goroutine"), stand,
			r.Place(e.at)))
		f.Where = addPlaces(f.Where, r.Frame(e.at, 0, "forces a collection"))
		f.Evidence = addBasis(f.Evidence, Basis(e.set))
	}
	if e.counted {
		parts = append(parts, fmt.Sprintf("%s forced cycles a minute by the runtime's counter", count(e.perMinute)))
	}
	if e.share > 0 {
		parts = append(parts, fmt.Sprintf("together with the marking they cause it is up to %s of the CPU",
			percent(e.share)))
	}
	f.Summary = upperFirst(joined(parts...)) + "."
	f.Title = "The program forces collections"
	if len(f.Where) > 0 {
		f.Title = fmt.Sprintf("%s forces collections", short(f.Where[0].Function))
	}
	if e.share <= 0 {
		f.Impact = casefile.Impact{Resource: "cpu", Text: "the cost of the cycles is not known: the CPU profile has " +
			"too few samples"}
		return f
	}
	f.Impact = casefile.Impact{Resource: "cpu", Share: roundShare(e.share),
		Text: "up to " + percent(e.share) + " of the CPU the process used",
		Gain: casefile.Gain{Low: roundShare(e.share / 2), High: roundShare(e.share), Arithmetic: fmt.Sprintf(
			"the calls take %s of CPU themselves, %s with all marking; of that, the pacer's own cycles remain, half "+
				"at most", percent(e.lines.share), percent(e.share))}}
	return f
}

// forcedPromise adds what a forced cycle does beside the marking that counts for the finding's score: it marks on all
// CPUs that are idle, sweeps, and has the scheduler wake those who do: how much of the scheduler's work that is does not
// show, so that all of it counts for the most. What remains are the cycles that the growth of the heap asks for; where
// that is not known, half of all.
func forcedPromise(r *Reading, i casefile.Impact) casefile.Impact {
	v := r.cpu() // with however few samples: those of marking on idle CPUs are not among them
	if v == nil {
		return i
	}
	forced := 1.0
	if _, of, counted := forcedCycles(r); counted {
		forced = of
	}
	unasked := unasked(r)
	if unasked == 1 {
		unasked = 0.5
	}
	below := v.under(r, isForced)
	low, high := promised(v.cured(below, min(unasked, forced)),
		v.cured(below+v.share(stacks.Scheduler), max(unasked, forced)))
	i.Share = max(i.Share, high)
	i.Gain = casefile.Gain{Low: low, High: high, Arithmetic: fmt.Sprintf("the calls take %s of CPU themselves; with "+
		"all that the collector does for their cycles, on idle CPUs as well, and with the scheduler's work at most, %s; "+
		"the growth of the heap asks for %s of the cycles at most", percent(below), number.Estimate(low, high),
		percent(1-min(unasked, forced)))}
	return i
}

// forcedWaiting counts goroutines in runtime.GC.
func forcedWaiting(r *Reading) (n int64, at stacks.FrameID, set *stacks.Set) {
	at = stacks.NoFrame
	if set = r.Goroutines(); set == nil {
		return 0, at, nil
	}
	for _, p := range r.Piles(set) {
		_, i := r.Table.UserFrame(p.Stack)
		if i > 0 && r.Table.Has(p.Stack[:i], isForced) {
			n += p.N
			if at == stacks.NoFrame {
				at = p.At
			}
		}
	}
	return n, at, set
}

// forcedCycles is the runtime's own count of forced cycles between two captures, and their share of all.
func forcedCycles(r *Reading) (perMinute, ofAll float64, ok bool) {
	forced, s, ok1 := gained(r, metricForced)
	all, _, ok2 := gained(r, metricCycles)
	if !ok1 || !ok2 || s < 5 || all <= 0 {
		return 0, 0, false
	}
	return forced / s * 60, min(forced/all, 1), true
}

func forcedRemedies() []Remedy {
	return []Remedy{
		byChange("", "Take the call out", "Nothing needs it: the next allocation reuses freed memory, and the "+
			"scavenger returns the rest in the background.", "none"),
		byValue("", "GOMEMLIMIT", "To keep memory below a bound set GOMEMLIMIT (90 % of the container's limit): the "+
			"collector then runs more often near the limit, and only there.", "CPU when it is near"),
	}
}

// forcedMost fits where forced collections are half or more of what the collector takes.
func forcedMost(forced, other casefile.Finding) bool {
	return 2*forced.Impact.Share >= other.Impact.Share
}

// forcedMostAt is forcedMost at one function.
func forcedMostAt(forced, other casefile.Finding) bool {
	return forcedMost(forced, other) && SameFunction(forced, other)
}
