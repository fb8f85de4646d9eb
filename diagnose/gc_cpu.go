package diagnose

import (
	"context"
	"fmt"
	"math"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose/known"
	"github.com/gocasebook/casebook/diagnose/stacks"
	"github.com/gocasebook/casebook/internal/number"
)

// GCCPUScale: the runtime sets its background workers a target of 25 % of GOMAXPROCS while a cycle runs
// (gcBackgroundUtilization, runtime/mgcpacer.go). At 25 % of all CPU used, over the whole profile, cycles follow one
// another or goroutines have to help; at 10 % a tenth of the machine is worth a look.
func GCCPUScale() Scale { return Scale{Worth: 0.10, Hurts: 0.25, Top: 0.60} }

func gcCPU() Detector {
	return Detector{
		ID:         "GC001",
		Kind:       "gc-cpu",
		Title:      "The garbage collector takes too much CPU",
		OtherNames: []string{"gc-latency"},
		Text: `Adds up the CPU samples of the garbage collector: background marking, assists (marking that goroutines
had to do before they got memory), sweeping, and the rest (starting and ending cycles, write barriers). Marking on CPUs
that were idle is shown, as in any profile, but does not count for the score, neither in the share nor in the total:
nothing else wanted that time.

Worth knowing from 10 % of the CPU used, hurting from 25 %: that is the target the runtime sets its background workers
while a cycle runs (gcBackgroundUtilization in runtime/mgcpacer.go), so a share of 25 % over the whole profile means
that cycles hardly end. If that is less than 0.05 core, there is nothing to gain, and nothing is found; between 0.05 and
0.25 core the score rises to a notice; without a duration in the profile the score is capped at 74. Under a CPU quota
marking on idle CPUs counts: it uses up the rest of the quota in the period and leads to throttling.

The largest part tells what to do. Assists mean that the program allocates faster than the collector marks: allocate
less. Marking with a large live heap means that every cycle is expensive: use fewer objects, or objects without
pointers, unless one function makes so much of the garbage that fewer cycles save more. Marking with a small live heap
means that cycles are frequent: raise GOGC or set GOMEMLIMIT. If there is a heap profile, the values come from it.

If cycles are twice as frequent as at GOGC=100 or more, the setting is their cause: the finding names it, comes before
those who allocate, and its first remedy is a value, with the CPU and the memory that values trade. GOGC is read from
the runtime's settings, its metrics, a page of metrics or the environment; otherwise the heap's goal shows it, beside
what is live or allocated in a cycle. If only the goal is low, GOGC or a memory limit may be the cause, and the remedy
says both. If not even the goal is known, two heap profiles and a CPU profile can show that marking takes more than
GOGC=100 explains. GOGC is never taken for 100 if nothing shows it. Below 4 MiB of live heap the smallest heap of the
runtime decides, and no setting is blamed.`,
		Needs: []Need{{Kinds: []string{casefile.CPU},
			Reason:  "no CPU profile",
			Why:     "what the collector took is not in other evidence",
			Capture: captureCPU}},
		Before: `// each request makes garbage
for r := range requests { buf := make([]byte, 64<<10); handle(r, buf) }`,
		After: `// or GOGC=200 where memory is free
buf := pool.Get().(*[]byte); handle(r, *buf); pool.Put(buf)`,
		Explains:       []Relation{{Kind: "gc-assist", When: settingLeads}},
		IsWholeProcess: true,
		Follows:        "the collector runs each time as much has been allocated as lives, and marks what lives",
		Run:            runGCCPU,
	}
}

func runGCCPU(_ context.Context, r *Reading) Answer {
	v := r.cpu()
	if a, stop := v.judge(); stop {
		return a
	}
	share := v.gcShare()
	score := min(GCCPUScale().Score(share), v.level.cap())
	if score < worthKnowing || !v.level.noticed(share) {
		return Answer{}
	}
	p := gcPartsOf(v)
	all := v.ofAll(gcClasses()...)
	pace := r.pace()
	f := casefile.Finding{
		Title:      fmt.Sprintf("The garbage collector takes %s of the CPU", percent(all)),
		Score:      score,
		Confidence: Confidence(share, v.samples),
		Summary: fmt.Sprintf("The garbage collector took %s of the CPU that the process used%s. That is %s%s.",
			percent(all), v.gcCores(), p, v.wanted()) + pace.summary() + besideMarks(r),
		Explanation: p.explanation(),
		Where:       gcWhere(r, v),
		Remedies:    gcRemedies(r, v, p),
		Evidence:    Basis(v.set),
	}
	f.Impact = casefile.Impact{Resource: "cpu", Share: roundShare(all),
		Text: percent(all) + " of the CPU the process used", Gain: gcGain(r, all)}
	if pace.low != noSetting {
		f.Title = fmt.Sprintf("%s makes the collector take %s of the CPU", pace.name(), percent(all))
	}
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
	return fmt.Sprintf(". Without the CPUs that were idle, it is %s", percent(v.gcShare()))
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
	if g := r.structure(); g != nil && g.Now.Objects >= pointerHeapScale().Worth && !garbageSavesMore(r) {
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
			if r.Table.Func(id).Does(known.MarksBehind) {
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

// gcGain is what the first remedies can save: never below the share that a quiet collector takes anyway.
func gcGain(r *Reading, share float64) casefile.Gain {
	const quiet = 0.05
	high := share - quiet
	low := share / 2 * rarerLow
	t := tuningOf(r, share/quietGC)
	if t.fewer > 1 {
		low = share * (1 - 1/t.fewer) * rarerLow
	}
	low = min(low, high)
	if t.low == gogcIsLow && t.to > 0 {
		return casefile.Gain{Low: roundShare(low), High: roundShare(high), Arithmetic: fmt.Sprintf(
			"%s of CPU now; with %s cycles run %s times less often, which saves %s of it; with a quiet collector "+
				"about %s would remain: at most %s", percent(share), t.title(), times(t.fewer), percent(1-1/t.fewer),
			percent(quiet), percent(high))}
	}
	return casefile.Gain{Low: roundShare(low), High: roundShare(high), Arithmetic: fmt.Sprintf(
		"%s of CPU now; with a quiet collector about %s would remain: at most %s; half as many cycles, or half as "+
			"many objects, save half of it",
		percent(share), percent(quiet), percent(high))}
}

// tinyHeap is the live heap for which even GOGC=400 costs only a few MiB.
const tinyHeap = 16 << 20

// A squeeze is a heap that may not double: the goal at which the collector must be done is just above the live heap,
// because of GOMEMLIMIT, or of something that the evidence does not show.
type squeeze struct {
	goal, live float64
	limit      float64 // the memory limit, where it is below what is live; else 0
}

// Below squeezed, the goal's ratio to the live heap, GOGC is under 50 or a memory limit binds; GOGC=100 gives 2 and
// more. It is reported only for heaps that are not tiny: the runtime's smallest goal is 4 MiB. A limit that is known to
// be near needs no large heap as evidence.
const (
	squeezed     = 1.5
	squeezedHeap = 64 << 20
	limitedHeap  = 8 << 20
	roomy        = 1.8
)

// squeezeOf compares the goal with the live heap. A low GOGC is no squeeze: it does not say how much memory there is.
func squeezeOf(r *Reading) (squeeze, bool) {
	p := r.pace()
	if p.live < squeezedHeap && (p.low != limitIsNear || p.live < limitedHeap) {
		return squeeze{}, false
	}
	q := squeeze{goal: p.goal, live: p.live}
	if p.limit > 0 && p.limit < q.live {
		q.goal, q.limit = p.limit, p.limit
	}
	return q, q.goal > 0 && q.goal < squeezed*q.live && p.low != gogcIsLow
}

func (q squeeze) String() string {
	if q.limit > 0 {
		return fmt.Sprintf("the memory limit (GOMEMLIMIT) is %s while %s are live", size(q.limit), size(q.live))
	}
	return fmt.Sprintf("the heap's goal is %s while %s are live", size(q.goal), size(q.live))
}

// remedy is to give the heap room. limit is the cgroup's, 0 if there is none or it is not known; share is what the
// collector takes of the CPU, 0 if that is not known.
func (q squeeze) remedy(limit, share float64) casefile.Remedy {
	want := limitFor(q.live)
	fewer := math.Max(2, q.live/max(q.goal-q.live, q.live/20))
	set := "GOMEMLIMIT=" + mebibytes(want)
	rem := setValue(set+" or more",
		fmt.Sprintf("A cycle starts almost as soon as the last one ends: %s. With twice the room, cycles run %.0f "+
			"times less often.", q, fewer),
		fmt.Sprintf("memory: the heap grows to about %s", size(2*q.live)))
	if q.limit > 0 {
		rem.Text = fmt.Sprintf("%s: the limit cannot be kept, and a cycle starts as soon as the last one ends. With "+
			"free room as large as the live heap, cycles are as rare as without a limit.", upperFirst(q.String()))
	}
	if share > 0 {
		rem.Text += fmt.Sprintf(" That saves about %s of the CPU for %s more memory.",
			number.Share(math.Round(100*share*(1-1/fewer))/100), size(2*q.live-max(q.goal, q.live)))
	}
	rem.Env = set
	if limit > 0 && want > 0.9*limit {
		rem.Env = ""
		rem.Title = "Give the process more memory, or make its live heap smaller"
		rem.Text = fmt.Sprintf("There is no room to collect less often: %s, and the cgroup's limit is %s.", q,
			size(limit))
		rem.Price = "memory, or the work of making the heap smaller"
	}
	return rem
}

// roomierRemedy gives the heap room where something other than a known GOGC keeps it down.
func roomierRemedy(r *Reading, share float64) (casefile.Remedy, bool) {
	p := r.pace()
	q, tight := squeezeOf(r)
	limit := float64(r.Limits.MemoryBytes)
	switch {
	case (p.low == eitherIsLow || tight && !p.stated && memoryLimit(r) <= 0) &&
		(limit <= 0 || limitFor(p.live) <= 0.9*limit):
		return p.raiseEither(share), true
	case tight:
		return q.remedy(limit, share), true
	}
	return casefile.Remedy{}, false
}

// smallHeap is the live heap below which cycles are frequent rather than expensive: at GOGC=100 the next cycle comes
// after allocating as much again, which a busy service does several times a second.
const smallHeap = 256 << 20

func gcRemedies(r *Reading, v *cpuView, p gcParts) []casefile.Remedy {
	h := r.heap()
	less := lessGarbage(r)
	tune := gcTune(r, v)
	free := casefile.Remedy{Kind: casefile.Change, Title: "Keep long-lived data in memory without pointers",
		Text: "Values without pointers in large slices or maps (integers, fixed-size arrays), or an off-heap cache. " +
			"The collector skips them, however many they are: see gc-pointer-heap.",
		Price: "entries are copied in and out"}
	_, tight := squeezeOf(r)
	tight = tight || settingLeads(r)
	pointers := h != nil && h.liveObjects >= pointerHeapScale().Worth
	switch {
	case tight && pointers: // whatever the objects are, a cycle begins as soon as the last has ended
		return []casefile.Remedy{tune, free, less}
	case tight:
		return []casefile.Remedy{tune, followMemory(), less}
	case pointers && garbageSavesMore(r):
		return []casefile.Remedy{less, tune, free}
	case pointers:
		return []casefile.Remedy{free, tune, less}
	case p.assisting():
		return []casefile.Remedy{less, tune}
	}
	return []casefile.Remedy{tune, less}
}

// lessGarbage is what to do at the line that makes most garbage, where one makes much.
func lessGarbage(r *Reading) casefile.Remedy {
	if r.heap() != nil {
		g := newGarbage(r)
		lines := stacks.SumBy(g.set, g.weight, g.line)
		if len(lines) > 0 && float64(lines[0].Value) >= dominates*g.total {
			less := allocRemedies(r, g, lines[0].Key)[0]
			less.Title, less.Name = "Allocate less: "+clause(less.Title), ""
			return less
		}
	}
	return doChange("Allocate less", "At the lines that make most garbage: make slices at their size, keep buffers, "+
		"do not make again what is the same; half the garbage means half the cycles.",
		"code that reuses its buffers is easier to get wrong")
}

// gcTune is the setting's value, computed from the heap and the limit as far as they are known.
func gcTune(r *Reading, v *cpuView) casefile.Remedy {
	if rem, ok := roomierRemedy(r, v.gcShare()); ok {
		return rem
	}
	t := tuningOf(r, v.gcShare()/quietGC)
	return t.remedy(v.gcShare())
}
