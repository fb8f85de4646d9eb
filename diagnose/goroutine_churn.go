package diagnose

import (
	"context"
	"fmt"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose/known"
	"github.com/gocasebook/casebook/diagnose/stacks"
	"github.com/gocasebook/casebook/vitals"
)

// churnScale is in shares of all CPU for starting and ending goroutines and growing their stacks. A goroutine costs
// 0.3–1 µs, and growing its stack costs as much again each time it doubles. So 8 % of a core is about 100,000 a second.
func churnScale() Scale { return Scale{Worth: 0.08, Hurts: 0.30, Top: 0.70} }

// churnLow and churnHigh are the savings, as parts of the visible share. The lab's ads/goroutines saved 1.9 to 2.1
// times that.
const (
	churnLow  = 0.8
	churnHigh = 2.5
)

func goroutineChurn() Detector {
	return Detector{
		ID: "GO008", Kind: "goroutine-churn", Title: "Goroutines are started for very small work",
		Text: `Adds up the CPU of starting goroutines below go statements of the user's code, of ending them (which has
no line above it, and is spread over all of them), and of growing their stacks. Goroutines that net/http starts for
connections do not count.

Worth knowing from 8 % of the CPU, hurting from 30 %: a start takes 0.3–1 µs, so 8 % of a core is about 100,000 a
second. The scheduler's work for them is not counted, so the gain is at least the number shown. The vitals'
goroutines_created has the number, if there are vitals from inside the process (Go 1.26).`,
		Needs:  []Need{{Kinds: []string{casefile.CPU}, Reason: "no CPU profile", Capture: captureCPU}},
		Before: `for _, p := range points { go func() { sums <- weigh(p) }() }`,
		After: `for chunk := range slices.Chunk(points, len(points)/workers+1) {
	go func() { sums <- weighAll(chunk) }()
}`,
		Remedies:       churnRemedies(),
		Explains:       related(Mentioned, "chan-bottleneck"),
		Refines:        []string{"cpu-hot-function", "alloc-site", "cpu-runtime"},
		IsWholeProcess: true,
		Run:            runGoroutineChurn,
	}
}

// A churn is the cost of starting goroutines, in ns.
type churn struct {
	starts map[stacks.FrameID]int64 // by go statement
	all    int64                    // of all go statements, the user's or not
	ends   int64
	idles  int64                   // of ends, where no other goroutine was ready to run
	grows  map[stacks.FuncID]int64 // by the function a goroutine was started with
}

func newChurn(r *Reading, v *cpuView) churn {
	c := churn{starts: map[stacks.FrameID]int64{}, grows: map[stacks.FuncID]int64{}}
	for i := range v.set.Samples {
		s := &v.set.Samples[i]
		w := v.weight(s)
		if w <= 0 || len(s.Stack) == 0 {
			continue
		}
		switch {
		case atEdge(r.Table, s.Stack, known.StartsGoroutine):
			c.all += w
			if id, ok := goStatement(r.Table, s.Stack); ok {
				c.starts[id] += w
			}
		case atEdge(r.Table, s.Stack, known.EndsGoroutine):
			c.ends += w
			if goesIdle(r.Table, s.Stack) {
				c.idles += w
			}
		case s.Class == stacks.StackGrow:
			c.grows[r.Table.FuncID(r.Table.Root(s.Stack))] += w
		}
	}
	return c
}

// goStatement is the user's line that starts a goroutine, itself or through a group of them.
func goStatement(t *stacks.Table, stack []stacks.FrameID) (stacks.FrameID, bool) {
	for _, id := range stack {
		switch f := t.Func(id); {
		case f.Owner == stacks.User:
			return id, true
		case f.Owner == stacks.Runtime, f.Does(known.StartsForCaller, known.StartsInGroup):
		default:
			return 0, false
		}
	}
	return 0, false
}

// goesIdle reports whether a thread looks for the next goroutine to run and finds none: what it does then to wait for
// work is not the cost of the goroutine that ran before.
func goesIdle(t *stacks.Table, stack []stacks.FrameID) bool {
	return t.Has(stack, withWork(known.GoesIdle))
}

// atEdge reports whether a stack has a function that does a work among the runtime's frames at the leaf, and below
// mcall at the root.
func atEdge(t *stacks.Table, stack []stacks.FrameID, work known.Work) bool {
	for _, id := range stack {
		f := t.Func(id)
		if f.Does(work) {
			return true
		}
		if f.Owner != stacks.Runtime {
			return false
		}
	}
	return false
}

func runGoroutineChurn(_ context.Context, r *Reading) Answer {
	v := r.cpu()
	if v == nil || v.level.idle() || v.samples < minCPUSamples {
		return Answer{}
	}
	c := newChurn(r, v)
	lines := entries(c.starts)
	if len(lines) == 0 || c.all <= 0 {
		return Answer{}
	}
	var own int64
	for _, l := range lines {
		own += l.Value
	}
	part := float64(own) / float64(c.all)
	share := (float64(own) + part*float64(c.ends) + float64(c.growsOf(r, lines[0].Key))) / v.total
	limit := v.level.cap()
	if !v.level.saturated() {
		limit = min(limit, capUnsure)
	}
	score := min(churnScale().Score(share), limit)
	if score < worthKnowing || share*v.samples < minCostTicks {
		return Answer{}
	}
	return found(c.finding(r, v, lines, share, score))
}

// growsOf is the cost of growing the stacks of the goroutines that a go statement starts: functions of the line's
// function, or of its package.
func (c churn) growsOf(r *Reading, line stacks.FrameID) (sum int64) {
	pkg := r.Table.Func(line).Package
	for fn, w := range c.grows {
		if r.Table.Funcs[fn].Package == pkg {
			sum += w
		}
	}
	return sum
}

func (c churn) finding(r *Reading, v *cpuView, lines []stacks.Entry[stacks.FrameID], share float64,
	score int) casefile.Finding {
	at, rate := r.Place(lines[0].Key), ""
	if n, ok := r.Mean(vitals.GoroutinesCreated); ok {
		rate = fmt.Sprintf(", %s started a second", count(n))
	}
	f := casefile.Finding{
		Brief:      fmt.Sprintf("Starting goroutines takes %s of the CPU", percent(share)),
		Title:      fmt.Sprintf("Starting goroutines takes %s of the CPU, most at %s", percent(share), at),
		Score:      score,
		Confidence: Confidence(share, v.samples),
		Summary: fmt.Sprintf("The go statement at %s: starting takes %s of the CPU, ending %s, growing their stacks "+
			"%s%s; %s.",
			at,
			percent(float64(lines[0].Value)/v.total), percent(float64(c.ends)/v.total),
			percent(float64(c.growsOf(r, lines[0].Key))/v.total), rate, v.level),
		Explanation: "A goroutine is cheap, not free: it is made, queued, picked up by a processor, given a stack " +
			"that grows by copying, and put away. Work of less than a few " +
			"microseconds is done faster than handed over.",
		Impact: onCPU(share, saves(min(share*churnLow, mostSaved), min(share*churnHigh, mostSaved), fmt.Sprintf(
			"starting and ending takes %s; one goroutine for a hundred pieces saves nearly all of it, and the work of "+
				"the scheduler, the collector and the caches for them: %.0f–%.0f %% of it", percent(share),
			100*churnLow, 100*churnHigh))),
		Evidence: Basis(v.set),
		Remedies: remediesAt(at, churnRemedies()...),
	}
	for _, e := range top(lines, 3) {
		f.Where = append(f.Where, r.Frame(e.Key, float64(e.Value)/v.total, "starts goroutines"))
	}
	return f
}

// growsMore fits where growing stacks takes more than starting the goroutines: they would be kept for their stacks.
func growsMore(own, other casefile.Finding) bool {
	return own.Impact.Resource == effectCPU && own.Impact.Share > other.Impact.Share
}

func churnRemedies() []Remedy {
	return []Remedy{
		byChange("", "Do small work in place", "At {line}: call the function directly; work of less than about 10 µs "+
			"gains nothing from a goroutine.", "less runs in parallel"),
		byChange("", "Give each goroutine a share of the work",
			"As many goroutines as processors, each with a chunk (slices.Chunk).",
			"chunks of unequal cost end unequally"),
		byChange("", "Keep workers", "A fixed number of goroutines that read from a channel; they keep their grown "+
			"stacks.", "the pool's size is one more setting"),
	}
}
