package diagnose

import (
	"fmt"
	"slices"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose/stacks"
	"github.com/gocasebook/casebook/internal/number"
)

// A promise of CPU is a share of all that the process used, marking on idle CPUs included: that is what a proof
// measures (getrusage, /proc), and less garbage saves it, too. What a cure takes away has three parts.
//
//   - The calls, with all below them.
//   - What their garbage costs the collector: cured.
//   - What else the function does around them: rest. Whoever rewrites a loop to allocate once rewrites its other lines,
//     too. In the seen half of lab/gains, fixes brought 0.4 to 1.1 times what the whole function cost.
//
// The least is a part of the first two, the most is all three. More than widestGain times the least is not promised.

// cured is what goes away with calls that take a share of the profile's CPU, without the collector's, and make a share
// of the garbage. Cycles come when the heap has grown (runtime/mgcpacer.go), so that all parts of the collector fall
// with the garbage: marking, by idle CPUs as well, whatever lives; sweeping, with the scheduler's work for it;
// returning to the system what was freed.
func (v *cpuView) cured(cpu, garbage float64) float64 {
	collector := v.idle + v.yields + v.total*(v.gcShare()+v.share(stacks.Scavenge))
	return (cpu*v.total + garbage*collector) / max(v.total+v.idle, 1)
}

// under is what samples with a function take of the profile's CPU, without the collector's.
func (v *cpuView) under(r *Reading, match func(*stacks.Func) bool) (share float64) {
	set := r.Funcs(match)
	for i := range v.set.Samples {
		if s := &v.set.Samples[i]; !s.Class.GC() && set.In(r.Table, s.Stack) {
			share += float64(v.weight(s))
		}
	}
	return share / max(v.total, 1)
}

// under is what samples with a function make of the garbage; 0 where that is not known.
func (g *garbage) under(r *Reading, match func(*stacks.Func) bool) (share float64) {
	if g.set == nil {
		return 0
	}
	set := r.Funcs(match)
	for i := range g.set.Samples {
		if s := &g.set.Samples[i]; set.In(r.Table, s.Stack) {
			share += float64(g.weight(s))
		}
	}
	return share / max(g.total, 1)
}

// saves is a gain between two shares; halfAtLeast is one of which half is sure.
func saves(low, high float64, arithmetic string) casefile.Gain {
	return casefile.Gain{Low: roundShare(low), High: roundShare(high), Arithmetic: arithmetic}
}

func halfAtLeast(share float64, arithmetic string) casefile.Gain {
	return saves(share/2, share, arithmetic)
}

// onLatency is the impact on a share of the time of requests, and onCPU that on a share of the process's CPU.
func onLatency(share float64, text string, gain ...casefile.Gain) casefile.Impact {
	impact := casefile.Impact{Resource: effectLatency, Share: roundShare(share), Text: text}
	if len(gain) > 0 {
		impact.Gain = gain[0]
	}
	return impact
}

func onCPU(share float64, gain casefile.Gain) casefile.Impact {
	return casefile.Impact{Resource: effectCPU, Share: roundShare(share),
		Text: percent(share) + " of the CPU the process used", Gain: gain}
}

// aFunction is what a function does itself: its own instructions, and what the runtime does for them.
type aFunction struct {
	cpu     float64 // share of the profile's
	malloc  float64 // of cpu, in allocating
	garbage float64 // share of all
}

// own adds a CPU sample to the function that it is in.
func (c *costView) own(s *stacks.Sample, w float64) (of *aFunction) {
	id, i := c.x.t.Caller(s.Stack)
	if i < 0 || c.x.t.Func(id).Owner != stacks.User || !computes(c.x.t, s) {
		return nil
	}
	f := c.function(id)
	f.cpu += w / c.cpu.total
	if s.Class == stacks.Malloc {
		f.malloc += w / c.cpu.total
	}
	return f
}

// function is the function of a frame, while the profiles are walked.
func (c *costView) function(id stacks.FrameID) *aFunction {
	fn := c.x.t.FuncID(id)
	if c.functions[fn] == nil {
		c.functions[fn] = &aFunction{}
	}
	return c.functions[fn]
}

// functionOf is the function of a frame, afterwards.
func (c *costView) functionOf(id stacks.FrameID) aFunction {
	if f := c.functions[c.x.t.FuncID(id)]; f != nil {
		return *f
	}
	return aFunction{}
}

// rest is what the functions of lines do beside what the lines cost.
func (c *costView) rest(lines []*lineCost) (r aFunction) {
	var seen []stacks.FuncID
	for _, l := range lines {
		if fn := c.x.t.FuncID(l.line); !slices.Contains(seen, fn) {
			seen = append(seen, fn)
			f := c.functionOf(l.line)
			r.cpu, r.garbage = r.cpu+f.cpu, r.garbage+f.garbage
		}
		r.cpu, r.garbage = r.cpu-l.own, r.garbage-l.garbage
	}
	return aFunction{cpu: max(r.cpu, 0), garbage: max(r.garbage, 0)}
}

// promise computes the gains of which a part shows only around what was found, and says what that costs: nobody
// believes "takes 25 %, saves 38 %".
func (t relations) promise(r *Reading, fs []casefile.Finding) {
	for i := range fs {
		f := &fs[i]
		d := t.kind(f.Kind)
		if d.promise == nil || f.Impact.Resource != effectCPU || f.Impact.Gain.High <= 0 {
			continue
		}
		alone := f.Impact.Share
		if f.Impact = d.promise(r, f.Impact); f.Impact.Share >= alone+roundedShare {
			f.Impact.Text += fmt.Sprintf("; %s of the CPU with the collector's work for it and the code around it",
				percent(f.Impact.Share))
		}
	}
}

// roundedShare is the least that two shares differ by when they are printed.
const roundedShare = 0.001

// promised is the range from the least to the most, as far as it may be promised.
func promised(least, most float64) (low, high float64) {
	low = min(least, mostSaved)
	return roundShare(low), roundShare(min(most, widestGain*low, mostSaved))
}

// mostSaved limits the promised gain: some cost always remains.
const mostSaved = 0.95

// widestGain is how many times the low end the high end of a promise may be: "10–60 %" does not tell anybody whether
// the change is worth making, and is right whatever comes.
const widestGain = 3.0

// sayGains ends the arithmetic of what was capped, and makes promises that are wider than that unknown: both ends are
// 0, and the arithmetic keeps them. It comes after findings were related, which compares what they could give back at
// most.
func sayGains(fs []casefile.Finding) {
	for i := range fs {
		g := &fs[i].Impact.Gain
		if g.Capped {
			g.Arithmetic += "; the gain cannot exceed the cost"
		}
		if g.High <= 0 || g.High <= widestGain*g.Low+gainStep {
			continue
		}
		said := fmt.Sprintf("between %s and %s, too far apart to promise", number.Share(g.Low), number.Share(g.High))
		if g.Low <= 0 {
			said = "at most " + number.Share(g.High)
		}
		*g = casefile.Gain{Arithmetic: said + ": " + g.Arithmetic}
	}
}

// gainStep is what rounding (roundShare) may add to a range of three.
const gainStep = 0.0005

// withinCost keeps a gain within the cost. For some kinds, the lab has measured that a remedy also saves hidden costs
// (the scheduler, caches, the collector), up to twice the visible cost. But nobody believes "takes 44 %, saves 53 %".
func withinCost(i casefile.Impact) casefile.Impact {
	if i.Gain.High <= i.Share {
		return i
	}
	i.Gain.Low, i.Gain.High, i.Gain.Capped = min(i.Gain.Low, i.Share), i.Share, true
	return i
}
