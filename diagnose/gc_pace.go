package diagnose

import (
	"math"
	"slices"
	"time"

	"github.com/gocasebook/casebook/diagnose/stacks"
	"github.com/gocasebook/casebook/diagnose/view"
	"github.com/gocasebook/casebook/vitals"
)

// A pace is how far the heap may grow until the next cycle of the collector ends, and what decides that. Sizes are in
// bytes. GOGC is a factor here: 1 is GOGC=100.
//
// Next cycle's goal = live heap + (live heap + stacks) × GOGC, at least 4 MiB × GOGC, and less near a memory limit
// (runtime/mgcpacer.go: heapGoalInternal, commit). So the goal beside what is live shows GOGC, wherever both are seen.
type pace struct {
	live   float64 // what a cycle leaves
	stacks float64 // of goroutines
	goal   float64 // 0 when not known
	// allocated is what the program allocates between the ends of two cycles; 0 when not known. It is more than the
	// goal allows where objects, or what is allocated while a cycle runs, are large beside it.
	allocated float64

	gogc   float64 // 0 when not known, off is a large number
	stated bool    // gogc is what the runtime or the environment says; otherwise the goal shows it, roughly
	limit  float64 // GOMEMLIMIT, if that is what holds the goal down; otherwise 0
	low    setting // what makes cycles far more frequent than GOGC=100 would

	// atLeast is how many times as many cycles there are as at GOGC=100, at the least, where marking shows it and
	// nothing else does; otherwise 0.
	atLeast float64
}

// A setting is one of the two that decide when the collector runs.
type setting int

const (
	noSetting   setting = iota
	gogcIsLow           // GOGC is low
	limitIsNear         // a memory limit is near
	eitherIsLow         // one of the two: the goal alone does not say which
)

const (
	gogcOff = 1e6 // GOGC=off, as a factor

	// farMore is by what factor cycles must be more frequent than at GOGC=100 for the setting to be their cause: then
	// half of the collector's cost or more is due to it. It is GOGC=50 for all but tiny heaps.
	farMore = 2
	// seenLow is the factor that a goal may show at most if it is to show a low GOGC without anybody saying so: 45 %,
	// because estimates at GOGC=100 were 50 % and above in all recordings of evidence/cases with ten cycles.
	seenLow = 0.45
	// lowInProfile is what the goal may leave beside the live heap of the profile as well, be it as small as it may. It
	// is more than seenLow, because a profile shows too little of a small heap. Without it the cycles that a program
	// forces, and those of a heap that grew large for a moment, look like those of a low GOGC.
	lowInProfile = 0.6
	// otherGOGC: if all estimates are off the environment's value by this factor, the program has set another one.
	otherGOGC = 1.5

	leastRoom = 4 << 20

	// tinyPace is the live heap below which no setting is the cause: the least heap of 4 MiB decides, and what is
	// allocated while a cycle runs. Services with 1 to 2 MiB live took 29 % of their CPU for the collector at GOGC=10
	// as well as at 100, and 26 and 19 % at 20 and 100 (lab/holdout/settings.json).
	tinyPace = 4 << 20

	// ratePart is by what part of the room a program allocates between the ends of two cycles: a cycle begins early
	// enough to end before the goal. 0.50 to 0.70 in those recordings, at GOGC=100 and 50.
	ratePart = 0.62

	minPaceCycles = 10       // that a rate must be of
	minPaceLive   = 16 << 20 // live bytes in a heap profile, 32 samples at the default rate: ±35 % at 95 %
	minPaceVitals = 3        // samples of heap_live

	// What marking costs at most: 100 ns an object (nsPerObject: 50 to 64 ns with a cache miss each), 1 ns a byte, 0.2
	// ms for a cycle of a small heap. In recordings with GOGC=100 and minPaceLive, marking was 0.1 to 0.6 of what that
	// allows.
	mostPerObject = 100e-9
	mostPerByte   = 1e-9
	mostPerCycle  = 200e-6
	minMarkTicks  = 30
	markedMore    = 1.5 // times as much marking as GOGC=100 explains at most, for a setting to be its cause

	// beneathLimit is the part of GOMEMLIMIT from which on the memory that the runtime holds is near it. The runtime
	// aims at 97 % (memoryLimitHeapGoalHeadroomPercent, runtime/mgcpacer.go).
	beneathLimit = 0.85
)

// newPace reads it from whatever tells of it. live is 0 without a heap profile.
func newPace(r *Reading) pace {
	h := r.heap()
	if h == nil || h.liveBytes <= 0 {
		return pace{}
	}
	p := pace{live: h.liveBytes, goal: goalOf(r)}
	p.stacks, _ = r.MeanNear(vitals.Stacks, h.set)
	p.takeGOGC(r.settings, p.seen(r))
	p.low = p.judge(r)
	if p.room() <= 0 {
		if more := markedTimes(r, &p); more >= markedMore {
			p.atLeast, p.low = more, eitherIsLow
		}
	}
	return p
}

// goalOf is the heap's goal: the highest within half a minute of the heap profile. A setting holds the goal down for as
// long as the heap is that large; a goal that was higher within the same minute is not held. Where the heap comes and
// goes within seconds, as with a burst of requests, a mean would have the goals of the small heap in it.
func goalOf(r *Reading) float64 {
	h := r.heap()
	highest, seen := 0.0, false
	for i := range r.Vitals {
		if goal, ok := r.Vitals[i].Get(vitals.HeapGoal); ok && r.Vitals[i].Time.Sub(h.set.Taken).Abs() <= view.Nearby {
			highest, seen = max(highest, goal), true
		}
	}
	if seen {
		return highest
	}
	if goal := h.set.Stats["NextGC"]; goal > 0 {
		return goal
	}
	goal, _ := metricOf(r, metricGoal)
	return goal
}

// takeGOGC is what is stated, unless the goal shows another value: debug.SetGCPercent overrides the environment.
func (p *pace) takeGOGC(s settings, seen []float64) {
	switch {
	case s.gogc < 0:
		p.gogc, p.stated = gogcOff, true
	case s.gogc > 0 && (s.sure || len(seen) == 0 || !p.overridden(s.gogc/100, seen)):
		p.gogc, p.stated = s.gogc/100, true
	case len(seen) > 0:
		p.gogc = p.agreed(seen)
	}
}

// agreed is what the estimates agree on: the default if all are near it, otherwise the best of two or more in steps of
// 5, which is what people set; 0 if they differ, because then the heap was not steady. A low value needs the profile,
// too.
func (p *pace) agreed(seen []float64) float64 {
	low, high := slices.Min(seen), slices.Max(seen)
	switch {
	case low > 0.55 && high < 1.8:
		return 1
	case high <= seenLow && p.goal <= (1+lowInProfile)*p.live:
		return max(math.Round(20*high)/20, 0.05)
	case high <= seenLow || len(seen) < 2 || high > otherGOGC*low:
		return 0
	}
	return math.Round(20*seen[0]) / 20
}

// overridden reports whether all estimates are far from what the environment says, and on the other side of low. A heap
// that has less room than leastRoom overshoots its goal by an object or two, which looks like a higher GOGC; so does
// one that is marked slowly.
func (p *pace) overridden(stated float64, seen []float64) bool {
	low := slices.Min(seen)
	return low > max(otherGOGC*stated, seenLow) && low*p.live >= leastRoom ||
		slices.Max(seen) <= min(seenLow, stated/otherGOGC)
}

// seen measures what is allocated in a cycle, and returns estimates of GOGC from the goal and what is live, each from
// other evidence, the best first.
func (p *pace) seen(r *Reading) []float64 {
	h := r.heap()
	var out []float64
	if goal, room, ok := roomByRate(r, h.set); ok {
		p.allocated = room
		if room < goal {
			out = append(out, p.factor(goal, goal-room)/ratePart)
		}
	}
	if live, n := r.MeanNear(vitals.HeapLive, h.set); n >= minPaceVitals && live > 0 {
		goal, _ := r.MeanNear(vitals.HeapGoal, h.set)
		out = append(out, p.factor(goal, live))
	}
	if p.live >= minPaceLive && p.goal > 0 {
		out = append(out, p.factor(p.goal, p.live))
	}
	return slices.DeleteFunc(out, func(f float64) bool { return f <= 0 })
}

func (p *pace) factor(goal, live float64) float64 { return (goal - live) / (live + p.stacks) }

// roomByRate is what the program allocates between two cycles, and the mean goal meanwhile: from the vitals near a set,
// or from the runtime's counters in two captures.
func roomByRate(r *Reading, near *stacks.Set) (goal, room float64, ok bool) {
	if goal, room, ok = roomByVitals(r, near); ok {
		return goal, room, true
	}
	c, _, ok1 := gained(r, metricCycles)
	a, _, ok2 := gained(r, metricAllocs)
	goal, ok3 := metricOf(r, metricGoal)
	if !ok1 || !ok2 || !ok3 || c < minPaceCycles {
		return 0, 0, false
	}
	return goal, a / c, true
}

// roomByVitals weighs each second by its cycles: a goal of the start-up, where the heap was larger and cycles few, is
// not that of the others.
func roomByVitals(r *Reading, near *stacks.Set) (goal, room float64, ok bool) {
	cycles, allocated, goals, last := 0.0, 0.0, 0.0, time.Time{}
	for i := range r.Vitals {
		v := &r.Vitals[i]
		if v.Time.Sub(near.Taken).Abs() > view.Nearby {
			continue
		}
		seconds := min(v.Time.Sub(last).Seconds(), view.Nearby.Seconds())
		rate, ok1 := v.Get(vitals.GCRate)
		bytes, ok2 := v.Get(vitals.AllocRate)
		goal, ok3 := v.Get(vitals.HeapGoal)
		if !last.IsZero() && ok1 && ok2 && ok3 {
			cycles += rate * seconds
			allocated += bytes * seconds
			goals += goal * rate * seconds
		}
		last = v.Time
	}
	if cycles < minPaceCycles {
		return 0, 0, false
	}
	return goals / cycles, allocated / cycles, true
}

// judge says which setting makes cycles farMore frequent than GOGC=100 would; noSetting if none does, or if that cannot
// be told.
func (p *pace) judge(r *Reading) setting {
	if p.limit = p.limitNear(r); p.limit > 0 && p.more() > farMore-0.01 {
		return limitIsNear
	}
	p.limit = 0
	switch {
	case p.live < tinyPace || p.gogc <= 0 || p.roomAt(1) < (farMore-0.01)*p.roomAt(p.gogc):
		return noSetting
	case p.stated:
		return gogcIsLow
	case p.gogc > seenLow:
		return noSetting
	case memoryLimit(r) > 0 || r.settings.sure:
		return gogcIsLow // the limit is known, and is not near
	}
	return eitherIsLow
}

// limitNear is the memory limit if it holds the goal below what GOGC allows; otherwise 0.
func (p *pace) limitNear(r *Reading) float64 {
	limit := memoryLimit(r)
	if limit <= 0 {
		return 0
	}
	if limit < p.live {
		// Below what is live a limit cannot be kept. The runtime collects without a pause for up to half of the CPU
		// (runtime/mgclimit.go), and the goal follows the heap upwards. At twice what is live the limit of the
		// environment is not the one in force (debug.SetMemoryLimit).
		if p.goal < roomy*p.live {
			return limit
		}
		return 0
	}
	if p.stated && p.goal >= 0.9*p.goalAt(p.gogc) {
		return 0 // GOGC alone explains the goal
	}
	held, n := r.MeanNear(vitals.GoMemory, r.heap().set)
	if n > 0 && held >= beneathLimit*limit || n == 0 && p.goal >= beneathLimit*limit {
		return limit
	}
	return 0
}

// markedTimes is how many times as many cycles as at GOGC=100 the CPU spent on marking is enough for, at the least; 0
// when the evidence does not tell. It needs no setting and no goal: the live heap and the allocation rate say how often
// GOGC=100 would collect, and the live heap what a cycle costs at most.
func markedTimes(r *Reading, p *pace) float64 {
	v, h := r.cpu(), r.heap()
	if v == nil || v.set.Seconds <= 0 || p.live < minPaceLive || len(v.below(r, isForced).lines) > 0 {
		return 0
	}
	rate, ok := newGarbage(r).perSecond(r)
	mark := v.class[stacks.GCMark] + v.class[stacks.GCIdle] + v.class[stacks.GCAssist]
	if !ok || rate <= 0 || mark < minMarkTicks*max(float64(v.set.Period), 1e7) {
		return 0
	}
	mark /= 1e9 * v.set.Seconds
	cycle := mostPerCycle + h.liveObjects*mostPerObject + p.live*mostPerByte
	return mark / cycle * p.roomAt(1) / rate
}

// goalAt is where the next cycle ends at a GOGC, without a limit.
func (p *pace) goalAt(gogc float64) float64 {
	return max(p.live+(p.live+p.stacks)*gogc, gogc*(4<<20))
}

// roomAt is how far the heap may grow at a GOGC.
func (p *pace) roomAt(gogc float64) float64 { return p.goalAt(gogc) - p.live }

// room is how far the heap may grow now; 0 when nothing tells. A twentieth of what is live is the least: it gets that
// while a cycle runs.
func (p *pace) room() float64 {
	switch {
	case p.limit > 0:
		return max(min(p.goal, p.limit)-p.live, p.live/20)
	case p.gogc > 0:
		return max(p.roomAt(p.gogc), p.allocated/ratePart)
	case p.atLeast > 0:
		return p.roomAt(1) / p.atLeast
	case p.goal > 0:
		return max(p.goal-p.live, p.live/20)
	}
	return 0
}

// more is how many times as many cycles there are as at GOGC=100; 0 when not known.
func (p *pace) more() float64 {
	if p.room() <= 0 {
		return 0
	}
	return p.roomAt(1) / p.room()
}
