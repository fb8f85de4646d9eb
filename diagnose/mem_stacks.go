package diagnose

import (
	"context"
	"fmt"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose/stacks"
	"github.com/gocasebook/casebook/vitals"
)

// stackShareScale is in shares of the Go runtime's memory in goroutine stacks; a service has 1 to 10 %.
func stackShareScale() Scale { return Scale{Worth: 0.25, Hurts: 0.6, Top: 0.9} }

// stackGrowScale is in shares of the CPU used for growing and copying stacks, of which half can be saved mostly; a gRPC
// server, which runs each call in a goroutine of its own, has 5 to 10 %.
func stackGrowScale() Scale { return Scale{Worth: 0.10, Hurts: 0.25, Top: 0.5} }

const (
	minStacks = 64 << 20 // bytes
	// Bytes per goroutine on average: a request handler has 4 to 8 KiB, and below this the memory comes from the number
	// of goroutines.
	deepStacks = 16 << 10
)

func memStacks() Detector {
	return Detector{
		ID:    "MEM004",
		Kind:  "mem-stacks",
		Title: "Goroutine stacks take much memory, or are grown again and again",
		Text: `Stacks are not in the heap profile; the vitals or the runtime's numbers have their bytes. From 64 MiB
on, worth knowing from a quarter of Go's memory, hurting from 60 %, if a goroutine has 16 KiB or more on average;
below, their number takes it: see goroutine-leak.

A stack doubles and is copied as it grows. The CPU of that is worth knowing from 10 %, hurting from 25 %, by the lower
end of its 95 % interval: short goroutines with deep calls or large arrays, whose stacks a pool of workers would keep.`,
		Needs: []Need{{Kinds: []string{casefile.Goroutine, casefile.CPU},
			Reason: "no goroutine or CPU profile", Capture: captureGoroutine}},
		Before:   `func walk(n *Node) { var buf [64 << 10]byte; …; walk(n.Next) } // 64 KiB of stack per level`,
		After:    `for n := root; n != nil; n = n.Next { visit(n, buf) }`,
		Remedies: stackRemedies(), Absorbs: []Relation{{Kind: "goroutine-churn", If: growsMore}},
		IsWholeProcess: true,
		NeedsPlace:     true,
		Follows:        "each goroutine has a stack of 2 KiB or more",
		Run:            runMemStacks,
	}
}

func runMemStacks(_ context.Context, r *Reading) Answer {
	if f, ok := stackMemory(r); ok {
		return found(f)
	}
	v := r.cpu()
	if v == nil || v.samples < minCPUSamples || v.level.idle() {
		return Answer{}
	}
	share := v.share(stacks.StackGrow)
	sure := Confidence(share, v.samples)
	score := min(stackGrowScale().Score(share*sure), v.level.cap())
	if score < worthKnowing {
		return Answer{}
	}
	lines := stacks.SumBy(v.set, v.weight, func(s *stacks.Sample) (stacks.FrameID, bool) {
		if s.Class != stacks.StackGrow {
			return 0, false
		}
		return r.UserLine(s)
	})
	f := stackFinding(score, fmt.Sprintf("Growing and copying goroutine stacks takes %s of the CPU.", percent(share)),
		sure, Basis(v.set))
	f.Title = fmt.Sprintf("Growing stacks takes %s of the CPU", percent(share))
	f.Where = append(f.Where, r.Frames(lines, 3, v.total, "needs a larger stack")...)
	f.Impact = onCPU(share, halfAtLeast(share, "long-lived goroutines already have their stacks; half if new ones "+
		"are made"))
	return found(f)
}

// stackBytes is the memory in stacks, and of all Go memory.
func stackBytes(r *Reading) (bytes, share float64, ok bool) {
	bytes, ok = r.Mean(vitals.Stacks)
	all, known := r.Mean(vitals.GoMemory)
	if !ok {
		bytes, ok = metricOf(r, metricStacks)
		heap, h := metricOf(r, metricObjects)
		unused, _ := metricOf(r, metricUnused)
		all, known = heap+unused+bytes, h
	}
	if !ok || !known || all <= 0 {
		return 0, 0, false
	}
	return bytes, bytes / max(all, bytes), true
}

func stackMemory(r *Reading) (casefile.Finding, bool) {
	bytes, share, ok := stackBytes(r)
	set := r.Goroutines()
	if !ok || set == nil || bytes < minStacks || bytes < deepStacks*float64(
		set.Total(set.Count())) {
		return casefile.Finding{}, false
	}
	score := stackShareScale().Score(share)
	if score < worthKnowing {
		return casefile.Finding{}, false
	}
	total := float64(set.Total(set.Count()))
	f := stackFinding(score, fmt.Sprintf("Goroutine stacks hold %s, %s of Go's memory, on average %s for each of %s "+
		"goroutines.",
		size(bytes), percent(share), size(bytes/max(total, 1)), count(total)), 0.8, Basis(set))
	f.Title = fmt.Sprintf("Goroutine stacks hold %s", size(bytes))
	// Frames times goroutines stand in for bytes: what a frame takes does not show.
	weight := func(s *stacks.Sample) int64 {
		return set.Count()(s) * int64(len(s.Stack))
	}
	sum := max(float64(set.Total(weight)), 1)
	f.Where = append(f.Where, r.Frames(stacks.SumBy(set, weight, r.UserLine), 3, sum,
		"has stacks (share of all frames)")...)
	f.Impact = ofMemory(share, share/2, share*0.9, percent(share)+" of Go's memory", fmt.Sprintf("%s now; half as many "+
		"goroutines, or frames of half the size, save half", size(bytes)))
	return f, true
}

func stackFinding(score int, summary string, sure float64, from []casefile.Basis) casefile.Finding {
	return casefile.Finding{
		Score: score, Summary: summary, Confidence: sure, Evidence: from,
		Explanation: "A stack grows by doubling: the runtime copies it and adjusts every pointer into it. Deep recursion " +
			"and large arrays in local variables make stacks large; many goroutines make them many.",
		Remedies: remediesAt("", stackRemedies()...),
	}
}

func stackRemedies() []Remedy {
	return []Remedy{
		byChange("", "Fewer, longer-lived goroutines", "A fixed pool of workers keeps its stacks.", "work waits when all "+
			"are busy"),
		byChange("", "Smaller frames", "Large arrays in local variables become slices from a pool; deep recursion "+
			"becomes a loop with its own stack.", "more code"),
	}
}
