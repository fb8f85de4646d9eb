package diagnose

import (
	"context"
	"fmt"
	"math"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose/stacks"
	"github.com/gocasebook/casebook/internal/number"
	"github.com/gocasebook/casebook/vitals"
)

// gcCPUScale: the runtime sets its background workers a target of 25 % of GOMAXPROCS while a cycle runs
// (gcBackgroundUtilization, runtime/mgcpacer.go). At 25 % of all CPU used, over the whole profile, cycles follow one
// another or goroutines have to help; at 10 % a tenth of the machine is worth a look.
func gcCPUScale() Scale { return Scale{Worth: 0.10, Hurts: 0.25, Top: 0.60} }

func gcCPU() Detector {
	return Detector{
		ID:    "GC001",
		Kind:  "gc-cpu",
		Title: "The garbage collector takes too much CPU",
		Text: `Adds up the CPU samples of the garbage collector: background marking, assists (marking that goroutines had to do before
they got memory), sweeping, and the rest (starting and ending cycles, write barriers). Marking on CPUs that were
idle is shown, as in any profile, but does not count for the score, neither in the share nor in the total: nothing else
wanted that time.

Worth knowing from 10 % of the CPU used, hurting from 25 %: that is the target the runtime sets its background workers
while a cycle runs (gcBackgroundUtilization in runtime/mgcpacer.go), so a share of 25 % over the whole profile means
that cycles hardly end. If that is less than 0.05 core, there is nothing to gain, and nothing is found; between 0.05 and
0.25 core the score rises to a notice; without a duration in the profile the score is capped at 74. Under a CPU quota
marking on idle CPUs counts: it uses up the rest of the quota in the period and leads to throttling.

The largest part tells what to do. Assists mean that the program allocates faster than the collector marks: allocate
less. Marking with a large live heap means that every cycle is expensive: use fewer objects, or objects without
pointers. Marking with a small live heap means that cycles are frequent: raise GOGC or set GOMEMLIMIT. If there is a
heap profile, the values come from it.`,
		Needs: []Need{{Kinds: []string{casefile.CPU},
			Reason:  "no CPU profile: what the collector took is not in other evidence",
			Capture: captureCPU}},
		Before:         `for r := range requests { buf := make([]byte, 64<<10); handle(r, buf) } // each request makes garbage`,
		After:          `buf := pool.Get().(*[]byte); handle(r, *buf); pool.Put(buf) // or GOGC=200 where memory is free`,
		IsWholeProcess: true,
		Run:            runGCCPU,
	}
}

func runGCCPU(_ context.Context, r *Reading) Answer {
	v := r.cpu()
	if a, stop := v.judge(); stop {
		return a
	}
	share := v.gcShare()
	score := min(gcCPUScale().Score(share), v.level.cap())
	if score < worthKnowing || !v.level.noticed(share) {
		return Answer{}
	}
	p := gcPartsOf(v)
	all := v.ofAll(gcClasses()...)
	f := casefile.Finding{
		Title:      fmt.Sprintf("The garbage collector takes %s of the CPU", percent(all)),
		Score:      score,
		Confidence: Confidence(share, v.samples),
		Summary: fmt.Sprintf("The garbage collector took %s of the CPU that the process used%s: %s%s.",
			percent(all), v.gcCores(), p, v.wanted()),
		Explanation: p.explanation(),
		Where:       gcWhere(r, v),
		Remedies:    gcRemedies(r, v, p),
		Evidence:    Basis(v.set),
	}
	f.Impact = casefile.Impact{Resource: "cpu", Share: roundShare(all),
		Text: percent(all) + " of the CPU the process used", Gain: gcGain(r, all)}
	if h := r.heap(); h != nil {
		f.Evidence = addBasis(f.Evidence, Basis(h.set))
	}
	return found(f)
}

// gcClasses are all of the collector's work.
func gcClasses() []stacks.Class {
	return []stacks.Class{stacks.GCMark, stacks.GCIdle, stacks.GCAssist, stacks.GCSweep, stacks.GCOther}
}

// gcParts are the collector's parts as shares of the CPU used.
type gcParts struct{ mark, idle, assist, sweep, other float64 }

func gcPartsOf(v *cpuView) gcParts {
	return gcParts{mark: v.ofAll(stacks.GCMark), idle: v.ofAll(stacks.GCIdle), assist: v.ofAll(stacks.GCAssist),
		sweep: v.ofAll(stacks.GCSweep), other: v.ofAll(stacks.GCOther)}
}

func (p gcParts) String() string {
	s := "background marking " + percent(p.mark)
	if p.idle > 0 {
		s += fmt.Sprintf(", marking on CPUs that were idle %s", percent(p.idle))
	}
	return s + fmt.Sprintf(", assists %s, sweeping %s, other %s", percent(p.assist), percent(p.sweep), percent(p.other))
}

// gcCores writes what the collector took in cores: ", 1.6 of 1.7 cores".
func (v *cpuView) gcCores() string {
	if v.set.Seconds <= 0 {
		return ""
	}
	used := (v.total + v.idle) / 1e9 / v.set.Seconds
	return fmt.Sprintf(", %s of %s", number.Digits(v.ofAll(gcClasses()...)*used), cores(used))
}

// wanted says what the score refers to, if idle marking is part of the whole.
func (v *cpuView) wanted() string {
	if v.idle < 0.01*v.total {
		return ""
	}
	return fmt.Sprintf("; without the CPUs that were idle, it is %s", percent(v.gcShare()))
}

// assisting reports whether assists are a third of the collector's work or more: requests then wait for the collector.
func (p gcParts) assisting() bool { return p.assist*3 >= p.mark+p.assist+p.sweep+p.other }

func (p gcParts) explanation() string {
	const general = "In every cycle the collector visits all live objects through their pointers. The cost of a " +
		"cycle grows with the number of live " +
		"objects; how often it runs is the allocation rate divided by the live heap. "
	if p.assisting() {
		return general + "Here goroutines have to help: a goroutine that allocates while a cycle runs must mark in " +
			"proportion " +
			"(an assist) before it gets its memory, so the collector adds to the latency of requests."
	}
	return general + "Here the background workers do most of it: while they run they take a quarter of the CPUs from " +
		"the program, and evict the program's data from the CPU caches."
}

// gcWhere shows what drives the collector: what holds most of a large live heap, and the lines of the user's code with
// the most CPU in allocating and assisting. The worker itself comes last.
func gcWhere(r *Reading, v *cpuView) []casefile.Frame {
	w := func(s *stacks.Sample) int64 {
		if s.Class != stacks.Malloc && s.Class != stacks.GCAssist {
			return 0
		}
		return v.weight(s)
	}
	var out []casefile.Frame
	if g := r.structure(); g != nil && g.objects >= pointerHeapScale().Worth {
		places := g.where(r, r.heap())
		for _, p := range places[:min(len(places), 2)] {
			p.Role += " (share of live objects)"
			out = append(out, p)
		}
	}
	driver := len(out) > 0 // the live heap is one; a line that hardly allocates is not
	for _, e := range stacks.SumBy(v.set, w, r.UserLine) {
		if share := float64(e.Value) / (v.total + v.idle); len(out) < 3 && (!driver && len(out) == 0 || share >= 0.02) {
			out = append(out, r.Frame(e.Key, share, "allocates (CPU of allocating and assisting)"))
		}
	}
	worker := func(s *stacks.Sample) (stacks.FrameID, bool) {
		if s.Class != stacks.GCMark && s.Class != stacks.GCIdle {
			return 0, false
		}
		for _, id := range s.Stack {
			if r.Table.Func(id).Name == "runtime.gcBgMarkWorker" {
				return id, true
			}
		}
		return 0, false
	}
	ns := stacks.ByValue(v.set.Value("cpu", "nanoseconds"))
	if es := stacks.SumBy(v.set, ns, worker); len(es) > 0 {
		out = append(out, r.Frame(es[0].Key, float64(es[0].Value)/(v.total+v.idle), "marks in the background"))
	}
	return out
}

// UserLine is the frame of the user's own code that is nearest to the leaf of a sample's stack; false where there is
// none. It is a key for stacks.SumBy.
func (r *Reading) UserLine(s *stacks.Sample) (stacks.FrameID, bool) {
	id, i := r.Table.UserFrame(s.Stack)
	return id, i >= 0
}

// gcGain is what the first remedies can save: never below the share that a quiet collector takes anyway.
func gcGain(r *Reading, share float64) casefile.Gain {
	const quiet = 0.05
	high := share - quiet
	low := share / 2 * 0.8
	if f := gogcFor(r, share); f > 1 {
		low = share * (1 - 1/f) * 0.8
	}
	low = min(low, high)
	return casefile.Gain{Low: roundShare(low), High: roundShare(high), Arithmetic: fmt.Sprintf(
		"%s of CPU now; with a quiet collector about %s would remain: at most %s; half as many cycles, or half as "+
			"many objects, save half of it",
		percent(share), percent(quiet), percent(high))}
}

// gogcFor is by what factor GOGC must grow so that the share falls to 8 %, from 2 up to 8: the number of cycles is
// inversely proportional to GOGC (1 where no raise helps or fits).
func gogcFor(r *Reading, share float64) float64 {
	f := min(max(math.Ceil(share/0.08), 2), 8)
	h := r.heap()
	if h != nil && h.liveBytes < tinyHeap {
		f = max(f, 4)
	}
	switch limit := float64(r.Limits.MemoryBytes); {
	case h == nil || h.liveBytes <= 0:
	case limit > 0:
		// Heap of about live·(1+GOGC/100) must stay within 80 % of the limit; the rest is stacks, the runtime, peaks.
		f = min(f, math.Floor((0.8*limit/h.liveBytes-1)/r.gogc()))
	case h.liveBytes > smallHeap:
		f = 2 // the available memory is not known: at most 50 % more
	}
	return max(f, 1)
}

// gogcText names the GOGC that a factor is of.
func gogcText(r *Reading) string {
	if r.settings.gogc > 0 {
		return fmt.Sprintf("the %.0f that is set", r.settings.gogc)
	}
	return "the default of 100"
}

// tinyHeap is the live heap for which even GOGC=400 costs only a few MiB.
const tinyHeap = 16 << 20

// A squeeze is a heap that may not double: the goal at which the collector must be done is just above the live heap,
// because of GOMEMLIMIT or a low GOGC.
type squeeze struct {
	goal, live float64
	limit      float64 // the memory limit, where it is below what is live; else 0
}

// Below squeezed, the goal's ratio to the live heap, GOGC is under 50 or a memory limit binds; GOGC=100 gives 2 and
// more. It is reported only for heaps that are not tiny: the runtime's smallest goal is 4 MiB.
const (
	squeezed     = 1.5
	squeezedHeap = 64 << 20
	roomy        = 1.8
)

// squeezeOf compares the goal, which the vitals and heap?debug=1 tell, with the live heap of the profile. A limit or a
// low GOGC holds the goal down for as long as the heap is that large; a goal that was higher within the same minute is
// not held. Where the heap comes and goes within seconds, as with a burst of requests, a mean would have the goals of
// the small heap in it.
func squeezeOf(r *Reading) (squeeze, bool) {
	h := r.heap()
	if h == nil || h.liveBytes < squeezedHeap {
		return squeeze{}, false
	}
	q := squeeze{goal: h.set.Stats["NextGC"], live: h.liveBytes}
	if goal, ok := highestNear(r, vitals.HeapGoal, h.set); ok {
		q.goal = goal
	}
	if limit := memoryLimit(r); limit > 0 && limit < q.live && q.goal < roomy*q.live {
		// Below what is live a limit cannot be kept. The runtime collects without a pause for up to half of the CPU
		// (runtime/mgclimit.go), and the goal follows the heap upwards. At twice what is live the limit of the
		// environment is not the one in force (debug.SetMemoryLimit).
		q.goal, q.limit = limit, limit
	}
	return q, q.goal > 0 && q.goal < squeezed*q.live
}

func (q squeeze) String() string {
	if q.limit > 0 {
		return fmt.Sprintf("the memory limit (GOMEMLIMIT) is %s while %s are live", size(q.limit), size(q.live))
	}
	return fmt.Sprintf("the heap's goal is %s while %s are live", size(q.goal), size(q.live))
}

// remedy is to give the heap room. limit is the cgroup's, 0 if there is none or it is not known.
func (q squeeze) remedy(limit float64) casefile.Remedy {
	want := 2.2 * q.live // live, the same again before the next cycle, and a tenth for stacks and the runtime
	rem := casefile.Remedy{Kind: casefile.Value, Title: fmt.Sprintf("GOMEMLIMIT=%.0fMiB or more",
		math.Ceil(want/(64<<20))*64),
		Text: fmt.Sprintf("A cycle starts almost as soon as the last one ends: %s. A memory limit (GOMEMLIMIT) or a "+
			"low GOGC keeps it there; "+
			"with twice the room, cycles run %.0f times less often.", q, math.Max(2, q.live/max(q.goal-q.live,
			q.live/20))),
		Price: fmt.Sprintf("memory: the heap grows to about %s", size(2*q.live))}
	if q.limit > 0 {
		rem.Text = fmt.Sprintf("%s: the limit cannot be kept, and a cycle starts as soon as the last one ends. With "+
			"free room as large as the live heap, "+
			"cycles are as rare as without a limit.", upperFirst(q.String()))
	}
	if limit > 0 && want > 0.9*limit {
		rem.Title = "Give the process more memory, or make its live heap smaller"
		rem.Text = fmt.Sprintf("There is no room to collect less often: %s, and the cgroup's limit is %s.", q,
			size(limit))
		rem.Price = "memory, or the work of making the heap smaller"
	}
	return rem
}

// heapGoal is about where the next cycle ends: live·(1+GOGC/100), and at least 4 MiB·GOGC/100 (heapMinimum in
// runtime/mgcpacer.go).
func heapGoal(live, gogc float64) float64 { return max(live*(1+gogc), gogc*(4<<20)) }

// smallHeap is the live heap below which cycles are frequent rather than expensive: at GOGC=100 the next cycle comes
// after allocating as much again, which a busy service does several times a second.
const smallHeap = 256 << 20

func gcRemedies(r *Reading, v *cpuView, p gcParts) []casefile.Remedy {
	h := r.heap()
	less := casefile.Remedy{Kind: casefile.Change, Title: "Allocate less",
		Text: "Reuse buffers, preallocate slices, avoid conversions between strings and bytes at the places named; " +
			"see alloc-site for the largest source.",
		Price: "code that reuses its buffers is easier to get wrong"}
	tune := gcTune(r, v)
	free := casefile.Remedy{Kind: casefile.Change, Title: "Keep long-lived data in memory without pointers",
		Text: "Values without pointers in large slices or maps (integers, fixed-size arrays), or an off-heap cache: " +
			"the collector skips them, " +
			"however many they are; see gc-pointer-heap.",
		Price: "entries are copied in and out"}
	_, tight := squeezeOf(r)
	pointers := h != nil && h.liveObjects >= pointerHeapScale().Worth
	switch {
	case tight && pointers: // whatever the objects are, a cycle begins as soon as the last has ended
		return []casefile.Remedy{tune, free, less}
	case pointers:
		return []casefile.Remedy{free, tune, less}
	case p.assisting():
		return []casefile.Remedy{less, tune}
	}
	return []casefile.Remedy{tune, less}
}

// gcTune computes values for GOGC and GOMEMLIMIT from the heap and the limit, as far as they are known.
func gcTune(r *Reading, v *cpuView) casefile.Remedy {
	rem := casefile.Remedy{Kind: casefile.Value, Title: "Run the collector less often"}
	f := gogcFor(r, v.gcShare())
	h := r.heap()
	limit := float64(r.Limits.MemoryBytes)
	if q, ok := squeezeOf(r); ok {
		return q.remedy(limit)
	}
	if f < 2 {
		rem.Title = "Give the process more memory, or make its live heap smaller"
		rem.Text = fmt.Sprintf("The live heap is %s of a limit of %s: there is no room to collect less often.",
			size(h.liveBytes), size(limit))
		rem.Price = "memory"
		return rem
	}
	now := r.gogc()
	rem.Title = fmt.Sprintf("GOGC=%.0f", 100*f*now)
	rem.Text = fmt.Sprintf("At GOGC=%.0f a cycle runs %.0f times less often than at %s.", 100*f*now, f, gogcText(r))
	rem.Price = "more memory: the heap grows to (1 + GOGC/100) times what is live"
	if h != nil && h.liveBytes > 0 {
		rem.Price = fmt.Sprintf("memory: the heap grows to about %s, from %s at GOGC=%.0f (live: %s)",
			size(heapGoal(h.liveBytes, f*now)), size(heapGoal(h.liveBytes, now)), 100*now, size(h.liveBytes))
		if h.liveBytes < smallHeap {
			rem.Text = fmt.Sprintf("The live heap is small (%s), so cycles are frequent. ", size(h.liveBytes)) +
				rem.Text
		}
	}
	if limit > 0 {
		rem.Title += fmt.Sprintf(" and GOMEMLIMIT=%.0fMiB", limit*0.9/(1<<20))
		rem.Text += fmt.Sprintf(" GOMEMLIMIT at 90 %% of the limit of %s makes the collector work harder only when "+
			"memory runs short.", size(limit))
	}
	return rem
}
