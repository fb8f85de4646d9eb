package diagnose

import (
	"context"
	"fmt"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose/known"
	"github.com/gocasebook/casebook/diagnose/stacks"
)

// finalizerScale is in shares of the CPU used in setting, queueing and running finalizers and cleanups. Each object
// with one is kept for a cycle more, costs a locked list when it is set, and all of them share one goroutine. 5 % of
// the CPU is far more than forgotten resources explain.
func finalizerScale() Scale { return Scale{Worth: 0.05, Hurts: 0.20, Top: 0.6} }

// finalizerLag is how many queued finalizers show that the goroutine which runs them cannot keep up.
func finalizerLagScale() Scale { return Scale{Worth: 10_000, Hurts: 1_000_000} }

func gcFinalizers() Detector {
	return Detector{
		ID:    "GC008",
		Kind:  "gc-finalizers",
		Title: "Finalizers are part of the normal work, or are stuck",
		Text: `A finalizer or cleanup runs late, one after another on one goroutine, and its object stays for one more
cycle with all it refers to. They are a safety net for what nobody closed.

The CPU of setting, queueing and running them is worth knowing from 5 %, hurting from 20 %. One that waits holds up all
others: 50, or 75 if a dump shows it for a minute. Queued and not run: from 10,000, hurting from a million.`,
		Needs: []Need{{Kinds: []string{casefile.CPU, casefile.Goroutine}, Reason: "no CPU or goroutine profile",
			Capture: captureCPU}},
		Before:     `runtime.SetFinalizer(buf, func(b *Buffer) { free <- b }) // for each request's buffer`,
		After:      `defer buf.Release()`,
		Remedies:   finalizerRemedies(),
		Explains:   related(nil, "gc-cpu"),
		Absorbs:    related(SameFunction, "cpu-hot-function"),
		NeedsPlace: true,
		Run:        runGCFinalizers,
	}
}

func runGCFinalizers(_ context.Context, r *Reading) Answer {
	if f, ok := stuckFinalizer(r); ok {
		return found(f)
	}
	lag, lagKnown := finalizerLag(r)
	v := r.cpu()
	if v == nil || v.samples < minCPUSamples || v.level.idle() {
		return Answer{}
	}
	set := v.below(r, withWork(known.SetsFinalizer))
	ran, runs := finalizerCPU(r, v)
	// what the collector does for finalizers only: mark what they refer to, and queue those of the dead
	queued := v.below(r, withWork(known.QueuesFinalizer)).share
	share := set.share + queued + ran
	score := min(finalizerScale().Score(share), v.level.cap())
	if lagKnown {
		score = max(score, finalizerLagScale().Score(lag))
	}
	if score < worthKnowing {
		return Answer{}
	}
	where := append(set.where(r, "sets a finalizer", 2), runs...)
	if len(where) == 0 {
		return undecided(fmt.Sprintf("finalizers and cleanups take %s of the CPU, and no sample shows which code "+
			"sets them", percent(share)), captureCPU)
	}
	f := casefile.Finding{
		Title:      fmt.Sprintf("Finalizers and cleanups take %s of the CPU", percent(share)),
		Score:      score,
		Confidence: Confidence(share, v.samples),
		Summary: fmt.Sprintf("Setting finalizers and cleanups takes %s of the CPU, marking and queueing for them %s, "+
			"running them %s.",
			percent(set.share), percent(queued), percent(ran)),
		Explanation: finalizerExplanation(),
		Where:       where,
		Remedies:    remediesAt("", finalizerRemedies()...),
		Evidence:    Basis(v.set),
	}
	if lagKnown && lag >= finalizerLagScale().Worth {
		f.Summary += fmt.Sprintf(" %s are queued and have not run.", count(lag))
	}
	f.Impact = onCPU(share, saves(share*0.6, share, percent(share)+
		" of CPU; Close must still do the work of the finalizers"))
	return found(f)
}

// finalizerCPU is the CPU below the goroutine that runs finalizers, and the user's functions there.
func finalizerCPU(r *Reading, v *cpuView) (float64, []casefile.Frame) {
	runs := r.Funcs(withWork(known.RunsFinalizers))
	lines := stacks.SumBy(v.set, v.weight, func(s *stacks.Sample) (stacks.FrameID, bool) {
		line, ok := r.UserLine(s)
		return line, ok && runs.In(r.Table, s.Stack)
	})
	return runs.Sum(v.set, v.weight) / max(v.total, 1), r.Frames(top(lines, 2), 2, max(v.total, 1), "runs as a finalizer")
}

// stuckFinalizer looks for the finalizers' goroutine waiting in the user's code.
func stuckFinalizer(r *Reading) (casefile.Finding, bool) {
	set := r.Goroutines()
	if set == nil {
		return casefile.Finding{}, false
	}
	for _, p := range r.Piles(set) {
		if !p.User || p.Wait == stacks.WaitNothing || p.Wait == stacks.WaitUnknown ||
			!r.Table.Has(p.Stack, withWork(known.RunsFinalizers)) {
			continue
		}
		f := casefile.Finding{
			Title:      fmt.Sprintf("A finalizer waits at %s, and all others wait behind it", r.Place(p.At)),
			Score:      50,
			Confidence: 0.7,
			Summary: joined(fmt.Sprintf("The goroutine that runs finalizers is at %s, %s", r.Place(p.At), p.Wait),
				pileAge(p)) + ".",
			Explanation: finalizerExplanation(),
			Where:       []casefile.Frame{r.Frame(p.At, 0, "waits in a finalizer")},
			Impact: casefile.Impact{Resource: "memory", Text: "no object with a finalizer is freed while " +
				"one waits"},
			Remedies: remediesAt("", finalizerRemedies()...),
			Evidence: Basis(set),
		}
		if p.Waiting > 0 {
			f.Score, f.Confidence = 75, 0.95
		}
		return f, true
	}
	return casefile.Finding{}, false
}

func finalizerLag(r *Reading) (float64, bool) {
	lag, known := 0.0, false
	for _, m := range [][2]string{{metricFinQueued, metricFinRun}, {metricCleanQueue, metricCleanRun}} {
		queued, ok1 := metricOf(r, m[0])
		run, ok2 := metricOf(r, m[1])
		if ok1 && ok2 {
			lag, known = lag+max(queued-run, 0), true
		}
	}
	return lag, known
}

func finalizerExplanation() string {
	return "Finalizers run one after another on one goroutine, after the cycle that found their object dead; it is freed " +
		"one cycle later. One that waits stops all: what relies on finalizers is never released."
}

func finalizerRemedies() []Remedy {
	return []Remedy{
		byChange("", "Close explicitly", "Give the type a Close method, defer it where the value is made, and keep a "+
			"finalizer only to report what nobody closed.", "callers must close"),
		byChange("", "Use a pool, not resurrection", "Put buffers back into a sync.Pool when the request ends; a "+
			"finalizer that does it costs a cycle each time.", "code that keeps a reference reads another request's data"),
		byChange("", "Never wait in a finalizer", "Start a goroutine for work that can block; runtime.AddCleanup (Go "+
			"1.24) does not resurrect its object.", "none"),
	}
}
