package diagnose

import (
	"context"
	"fmt"
	"slices"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose/stacks"
)

// cpuRuntimeScale is in shares of all CPU that the scheduler and its helpers take. Healthy servers that mostly wait
// have been seen at 15–30 %: each wake-up of an idle thread costs some microseconds of futex and looking for work. The
// share falls as a service gets busier, so 35 % of half a core or more means goroutines that do little at a time.
func cpuRuntimeScale() Scale { return Scale{Worth: 0.35, Hurts: 0.60, Top: 0.85} }

// minRuntimeCores is the CPU use below which the scheduler's share says only that the process is mostly idle.
const minRuntimeCores = 0.5

func cpuRuntime() Detector {
	return Detector{
		ID: "CPU016", Kind: "cpu-runtime", Title: "Scheduling goroutines takes much of the CPU",
		Text: `Adds up the scheduler, channels, timers, lock hand-overs, and the growth of stacks: the work that the
runtime does to run goroutines, without the garbage collector and allocation.

Worth knowing from 35 % of the CPU, hurting from 60 %. Healthy servers that mostly wait have been seen at 15–30 %,
because waking an idle thread costs microseconds; for the same reason a process that used less than half a core is not
judged, or a quarter where channel operations at the program's own lines take 35 % by themselves: nobody does those in
idleness. The lines named are those that send, start or wake; much of the scheduler's work has no line above it. The
score is capped at 74, because only an execution trace shows the cost of each hand-over. The cost of runtime.Gosched is
left to cpu-spin.

If channel operations at the program's own lines, or of a library that they call directly, take 10 % of the CPU and are
a third of scheduling, items go over channels one by one, and the remedy is a batch. With N items at a time the hand-over should cost a tenth
of the work that is done for them; what both cost now is known as shares of the same CPU: N = 10 · hand-over ÷ work, a
power of two from 16 to 1,024.`,
		Needs:      []Need{{Kinds: []string{casefile.CPU}, Reason: "no CPU profile", Capture: captureCPU}},
		Before:     `for _, x := range xs { out <- f(x) } // one hand-over for each element`,
		After:      `out <- mapAll(xs) // one for a batch`,
		Remedies:   runtimeRemedies(),
		OtherNames: []string{"chan-per-item"},
		Explains: append(related(Mentioned, "chan-bottleneck"), Relation{Kind: "alloc-site", If: madeThere,
			Why: "a channel is made for each item that is handed over"}),
		IsWholeProcess: true,
		Run:            runCPURuntime,
	}
}

// schedulerClasses are the costs of running goroutines.
func schedulerClasses() []stacks.Class {
	return []stacks.Class{stacks.Scheduler, stacks.Chan, stacks.Timer, stacks.Lock, stacks.StackGrow}
}

// handedOver weighs what the runtime does to run goroutines. A lock that is free is taken and given back in package
// sync alone: nobody is handed anything, however often it is done.
func handedOver(r *Reading, v *cpuView) stacks.Weight {
	classes := schedulerClasses()
	return func(s *stacks.Sample) int64 {
		if !slices.Contains(classes, s.Class) ||
			s.Class == stacks.Lock && r.Table.Func(s.Stack[0]).Owner == stacks.Std {
			return 0
		}
		return v.weight(s)
	}
}

// sum adds up a weight over the profile.
func (v *cpuView) sum(w stacks.Weight) (sum float64) {
	for i := range v.set.Samples {
		sum += float64(max(w(&v.set.Samples[i]), 0))
	}
	return sum
}

func runCPURuntime(_ context.Context, r *Reading) Answer {
	v := r.cpu()
	if v == nil || v.level.light() || v.samples < minCPUSamples || !v.level.known {
		return Answer{}
	}
	items := newHandOver(r, v)
	if v.level.cores < minRuntimeCores && items.ops.share < cpuRuntimeScale().Worth {
		return Answer{}
	}
	handsOver := handedOver(r, v)
	share, scheduler := v.sum(handsOver)/v.total, v.share(stacks.Scheduler)-v.yields/v.total
	share -= v.yields / v.total // the collector's
	if c := r.costs(); c.spins {
		share -= c.yield / v.total // cpu-spin's
	}
	score := min(cpuRuntimeScale().Score(share), capUnsure, v.level.cap())
	if score < worthKnowing {
		return Answer{}
	}
	lines := stacks.SumBy(v.set, handsOver, r.UserLine)
	if len(lines) == 0 {
		return Answer{}
	}
	f := casefile.Finding{
		Title: fmt.Sprintf("Scheduling goroutines takes %s of the CPU, most seen at %s", percent(share),
			r.Place(lines[0].Key)),
		Score:      score,
		Confidence: Confidence(share, v.samples),
		Summary:    fmt.Sprintf("The scheduler took %s of the CPU%s; %s.", percent(scheduler), v.besideScheduler(), v.level),
		Explanation: "Every hand-over from one goroutine to another costs 0.2–5 µs, most if a thread must be woken " +
			"for it. Work in pieces smaller than " +
			"that spends most of its time being handed over.",
		Impact: onCPU(share, saves(share*0.3, share*0.8, fmt.Sprintf("hand-overs take %s; batches of ten save most of "+
			"it, fewer goroutines save a part: 30–80 %% of it", percent(share)))),
		Evidence: Basis(v.set),
		Remedies: remediesAt(r.Place(lines[0].Key), runtimeRemedies()...),
	}
	if handedByDependency(r, v, handsOver, lines[0].Key) {
		f.Remedies = slices.Insert(f.Remedies, 0, inGeneral("Have the dependency hand over less", fmt.Sprintf("What is "+
			"called at %s starts the goroutines and fills the channels: look for its setting of how much it does ahead "+
			"or at once (a prefetch, workers, a batch), and call it less often.", r.Place(lines[0].Key)), "none"))
	}
	for _, e := range oneAFunction(r, lines) {
		f.Where = append(f.Where, r.Frame(e.Key, float64(e.Value)/v.total, "hands over"))
	}
	if items.leads(share) {
		items.saysItems(r, &f, share)
	}
	return found(f)
}

// handedByDependency reports whether what hands over below a line is called by a dependency, for half of it or more.
func handedByDependency(r *Reading, v *cpuView, w stacks.Weight, line stacks.FrameID) bool {
	all, of := int64(0), int64(0)
	for i := range v.set.Samples {
		s := &v.set.Samples[i]
		if id, u := r.Table.UserFrame(s.Stack); u < 0 || id != line {
			continue
		}
		all += w(s)
		if id, _ := r.Table.Caller(s.Stack); r.Table.Func(id).Owner == stacks.Dependency {
			of += w(s)
		}
	}
	return all > 0 && 2*of >= all
}

// besideScheduler is what else of the runtime took 1 % of the CPU or more: ", channels 9.2 %".
func (v *cpuView) besideScheduler() (text string) {
	for _, c := range []struct {
		name  string
		class stacks.Class
	}{{"channels", stacks.Chan}, {"timers", stacks.Timer}, {"locks", stacks.Lock}, {"growing stacks", stacks.StackGrow}} {
		if share := v.share(c.class); share >= 0.01 {
			text += fmt.Sprintf(", %s %s", c.name, percent(share))
		}
	}
	return text
}

// oneAFunction is the most expensive line of each of the first three functions: a hand-over has two sides, and both
// should be shown.
func oneAFunction(r *Reading, lines []stacks.Entry[stacks.FrameID]) []stacks.Entry[stacks.FrameID] {
	seen := make(map[stacks.FuncID]bool)
	var out []stacks.Entry[stacks.FrameID]
	for _, e := range lines {
		if fn := r.Table.FuncID(e.Key); !seen[fn] && len(out) < 3 && e.Value*20 >= lines[0].Value {
			seen[fn] = true
			out = append(out, e)
		}
	}
	return out
}

func runtimeRemedies() []Remedy {
	return []Remedy{
		byChange("", "Hand over batches", "At {line}: send slices of ten or a hundred instead of single elements; "+
			"write several messages with one flush.", "an element waits for its batch"),
		byChange("", "Do small work in the same goroutine", "Use a function call instead of a goroutine and a "+
			"channel for work that takes less than about 10 µs.", "less runs in parallel"),
		byValue("", "Fewer processors", "Set GOMAXPROCS to the cores that are really available (since Go 1.25 it "+
			"follows the CPU quota): idle processors look for work.", "bursts run on fewer cores"),
	}
}
