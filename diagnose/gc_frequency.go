package diagnose

import (
	"context"
	"fmt"
	"math"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose/stacks"
	"github.com/gocasebook/casebook/vitals"
)

// gcRateScale is in cycles a second. A cycle costs two stops of the world, waking the workers, write barriers while it
// runs, and clearing every sync.Pool: from 5 a second on, pools hardly keep anything from one request to the next, and
// at 25 a second cycles of 10 ms run for a quarter of the time.
func gcRateScale() Scale { return Scale{Worth: 5, Hurts: 25, Top: 200} }

// gcRateGainScale is in shares of the CPU used that fewer cycles would save. The limits are those of gc-cpu: 10 % is
// worth a look, and the service lacks 25 %.
func gcRateGainScale() Scale { return Scale{Worth: 0.10, Hurts: 0.25, Top: 0.60} }

// rarerLow and rarerHigh are what fewer cycles save, as parts of their cost. The lab's worker/gogc saved 1.25 times
// that.
const (
	rarerLow  = 0.8
	rarerHigh = 1.25
)

func gcFrequency() Detector {
	return Detector{
		ID:    "GC005",
		Kind:  "gc-frequency",
		Title: "The collector runs too often for the size of the heap",
		Text: `Counts cycles a second: from the vitals, from the runtime's own counter in two captures, or computed as
the allocation rate divided by the room between the live heap and the goal. If neither the goal nor GOGC is known, it is
what GOGC=100 would give, and the finding says so. Worth knowing from 5 a second, hurting from 25.

With a small live heap the remedy costs little: at GOGC=100 a service with 8 MiB live collects after every 8 MiB, and
GOGC=400 or a GOMEMLIMIT makes that four times less often for 24 MiB more. So it is found only if less than 256 MiB
are live, and its score is limited by the CPU that fewer cycles would save: worth knowing from 10 %, hurting from 25 %;
nothing if the collector takes less than 0.05 core, because cycles of a tiny heap are many and cheap. Capped at 74 if
the number of cycles is computed. A low GOGC is named, and comes before those who allocate, as gc-cpu says. Above 256
MiB the number of objects makes cycles expensive (gc-pointer-heap), or a limit is close (gc-death-spiral).`,
		Needs:          needHeap("the size of the live heap is not in other evidence"),
		Before:         "GOGC=100, 6 MiB live, 300 MiB/s of garbage: 50 cycles a second",
		After:          "GOGC=400 GOMEMLIMIT=200MiB: 12 cycles a second",
		Explains:       related(nil, "gc-cpu", "gc-assist"),
		Absorbs:        []Relation{{Kind: "gc-cpu", Quiet: true}},
		LeadsMinor:     true, // more room for the heap does more than a line that allocates less
		IsWholeProcess: true,
		NeedsPlace:     true,
		Follows:        "each byte that is allocated brings the next collection nearer",
		Run:            runGCFrequency,
	}
}

// cycles are collections a second, and where the number comes from.
type cycles struct {
	perSecond float64
	from      string
	counted   bool
}

func cyclesOf(r *Reading) (cycles, bool) {
	if v, ok := r.Mean(vitals.GCRate); ok {
		return cycles{v, "vitals", true}, true
	}
	if d, s, ok := gained(r, metricCycles); ok && s >= 1 {
		return cycles{d / s, "the runtime's counter", true}, true
	}
	g := r.Gained(casefile.Heap, casefile.Allocs)
	h := r.heap()
	if g == nil || h == nil || g.Seconds <= 0 {
		return cycles{}, false
	}
	p, from := r.pace(), "computed from the allocation rate"
	room := p.room()
	if room <= 0 {
		room, from = p.roomAt(1), "computed from the allocation rate, if GOGC is 100, which is not known"
	}
	allocated := float64(g.Total(stacks.ByValue(g.Value("alloc_space", "bytes"))))
	return cycles{allocated / g.Seconds / max(room, 1<<20), from, false}, true
}

func runGCFrequency(_ context.Context, r *Reading) Answer {
	h := r.heap()
	c, ok := cyclesOf(r)
	if !ok || h.liveBytes >= smallHeap {
		return Answer{}
	}
	cost, known := gcShareOfVitals(r)
	limit := capUnsure
	if v := r.cpu(); v != nil && v.samples >= minCPUSamples {
		cost, known, limit = v.gcShare(), true, v.level.cap()
	}
	if !c.counted {
		limit = min(limit, capUnsure)
	}
	if v := r.cpu(); !known || v != nil && !v.level.noticed(cost) {
		return Answer{}
	}
	t := tuningOf(r, c.perSecond)
	gain := cost * (1 - 1/t.fewer)
	score := min(gcRateScale().Score(c.perSecond), gcRateGainScale().Score(gain), limit)
	if score < worthKnowing {
		return Answer{}
	}
	return found(frequencyFinding(r, h, c, cost, t, score))
}

func frequencyFinding(r *Reading, h *heapView, c cycles, cost float64, t tuning, score int) casefile.Finding {
	if v := r.cpu(); v != nil && v.samples >= minCPUSamples {
		cost = v.ofAll(gcClasses()...) // cycles on idle CPUs are fewer, too
	}
	fewer := cost * (1 - 1/t.fewer)
	f := casefile.Finding{
		Title:      fmt.Sprintf("The collector runs %s times a second", count(math.Round(c.perSecond))),
		Score:      score,
		Confidence: 0.9,
		Summary: fmt.Sprintf("%s cycles a second (%s) with %s live; the collector takes %s of the CPU used.",
			count(c.perSecond), c.from, size(h.liveBytes), percent(cost)) + t.summary(),
		Explanation: "A cycle runs whenever the program has allocated as much as GOGC allows on top of the live " +
			"heap. If little is live, that is little: the collector runs many " +
			"times a second. Each cycle stops the world, turns on write barriers and empties sync.Pools.",
		Where:    newGarbage(r).topLines(r, 3),
		Evidence: Basis(h.set),
	}
	if !c.counted {
		f.Confidence = 0.7
	}
	if t.low != noSetting {
		f.Title = fmt.Sprintf("%s makes the collector run %s times a second", t.name(), count(math.Round(c.perSecond)))
	}
	f.Impact = casefile.Impact{Resource: "cpu", Share: roundShare(cost),
		Text: percent(cost) + " of the CPU used is the collector's",
		Gain: casefile.Gain{Low: roundShare(fewer * rarerLow), High: roundShare(min(fewer*rarerHigh, mostSaved)),
			Arithmetic: fmt.Sprintf(
				"%s of CPU in %s cycles a second; %s runs 1/%s of them: %s of CPU less; a fifth of it may "+
					"remain in sweeping and allocating, and as much again may be saved "+
					"in write barriers and caches", percent(cost), count(c.perSecond), t.title(), times(t.fewer),
				percent(fewer))}}
	f.Remedies = []casefile.Remedy{
		t.remedy(cost),
		followMemory(),
		lessGarbage(r),
	}
	return f
}
