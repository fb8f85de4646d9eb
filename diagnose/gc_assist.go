package diagnose

import (
	"cmp"
	"context"
	"fmt"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose/stacks"
	"github.com/gocasebook/casebook/diagnose/traces"
	"github.com/gocasebook/casebook/vitals"
)

// gcAssistScale is in shares of the CPU used. The pacer aims at no assists at all: the background workers should do the
// work with 25 % of the CPUs. 5 % of the CPU is time that requests lose. At 15 % every request that allocates is slower
// by about a sixth.
func gcAssistScale() Scale { return Scale{Worth: 0.05, Hurts: 0.15, Top: 0.40} }

// leastAssist is in cores: 0.02 of a core in assists delays nothing by much, whatever share of a quiet process it is.
const leastAssist = 0.02

func gcAssist() Detector {
	return Detector{
		ID:         "GC004",
		Kind:       "gc-assist",
		Title:      "Requests have to do the collector's work",
		OtherNames: []string{"gc-latency"},
		Text: `If the background workers do not keep up, a goroutine that allocates while a cycle runs must mark in
proportion before it gets its memory (an assist). The pacer aims at none. Worth knowing from 5 % of the CPU used in
assists, hurting from 15 %. Without a CPU profile an execution trace tells how much of the processors' time they took,
and otherwise the vitals' gc_assist, capped at 74. An idle process gets no finding, and neither do assists of less than
0.02 cores. A trace also says how much longer requests take that run beside a mark phase.

Requests are late because of the collector in three ways (gc-latency): they assist, which this kind is about; the
workers that mark have the processors, which gc-cpu and gc-frequency are about; or the world stands still (gc-stw).

The lines named allocate under assist: requests wait there. Assists come from a high allocation rate together with a
heap that has little room (GOGC, GOMEMLIMIT), or from a live heap that takes long to mark.`,
		Needs: []Need{{Kinds: []string{casefile.CPU, traces.KindSummary, casefile.Vitals},
			Reason:  "no CPU profile, trace or vitals",
			Why:     "assists are not in other evidence",
			Capture: captureCPU}},
		Before: `// garbage in every row, all requests at once
for _, row := range rows { out = append(out, render(row)...) }`,
		After:          `buf := pool.Get().(*bytes.Buffer); for _, row := range rows { renderTo(buf, row) }`,
		Remedies:       assistRemedies(),
		IsWholeProcess: true,
		NeedsPlace:     true,
		Follows:        "while the collector marks, what allocates must help it",
		Run:            runGCAssist,
	}
}

func runGCAssist(_ context.Context, r *Reading) Answer {
	v := r.cpu()
	if s, from := r.Trace(); s != nil && (v == nil || v.samples < minCPUSamples) {
		return assistFromTrace(r, s, from)
	}
	if v == nil {
		return assistFromVitals(r)
	}
	if v.samples < minCPUSamples || v.level.idle() {
		return Answer{} // evidence-few-samples says so
	}
	all := v.ofAll(stacks.GCAssist)
	score := min(gcAssistScale().Score(v.share(stacks.GCAssist)), v.level.cap())
	if score < worthKnowing || v.level.known && all*v.level.cores < leastAssist && !v.level.tight() {
		return Answer{}
	}
	assisting := stacks.SumBy(v.set, v.weight, func(s *stacks.Sample) (stacks.FrameID, bool) {
		if s.Class != stacks.GCAssist {
			return 0, false
		}
		return r.UserLine(s)
	})
	f := casefile.Finding{
		Title:      fmt.Sprintf("Requests do %s of the CPU's work for the collector", percent(all)),
		Score:      score,
		Confidence: Confidence(all, v.samples),
		Summary: fmt.Sprintf("Assists took %s of the CPU, the collector in all %s. That is %s.%s", percent(all),
			percent(v.ofAll(gcClasses()...)), gcPartsOf(v), besideMarks(r)),
		Explanation: gcParts{assist: 1}.explanation(),
		Remedies:    gcRemedies(r, v, gcParts{assist: 1}),
		Evidence:    Basis(v.set),
	}
	for _, e := range top(assisting, 4) {
		f.Where = append(f.Where, r.Frame(e.Key, float64(e.Value)/(v.total+v.idle), "allocates, and assists"))
	}
	f.Impact = assistImpact(all)
	return found(f)
}

// assistFromTrace judges by the CPU of assists as a part of the time in which goroutines had a processor: 11 and 12 %
// in the two recordings with the fault, 1.4 % or less in the 105 others of evidence/cases.
func assistFromTrace(r *Reading, s *traces.Summary, from []casefile.Basis) Answer {
	share := float64(s.GC.AssistCPU) / max(float64(s.Use.Busy), 1)
	score := gcAssistScale().Score(share)
	if score < worthKnowing || s.GC.AssistCPU.Seconds() < leastAssist*s.Span.Seconds() {
		return Answer{}
	}
	if starved := starvedTrace(r, s); starved != "" {
		return undecided(starved, captureTrace+" on a machine with enough CPU")
	}
	f := casefile.Finding{
		Title:      fmt.Sprintf("Requests do %s of the CPU's work for the collector", percent(share)),
		Score:      score,
		Confidence: Confidence(0.5, float64(s.GC.AssistDelay.Count)),
		Summary: fmt.Sprintf("%s took %s of the time in which goroutines had a processor, and up to %s each "+
			"(99th percentile); %s in %s.%s", things(float64(s.GC.AssistDelay.Count), "assist"), percent(share),
			seconds(s.GC.AssistDelay.P99.Seconds()), things(float64(s.GC.Marks.Count), "cycle"),
			seconds(s.Span.Seconds()), besideMarks(r)),
		Explanation: gcParts{assist: 1}.explanation(),
		Evidence:    from,
		Impact:      assistImpact(share),
	}
	lines, all := r.TracedLines(s.GC.Assists)
	for _, l := range lines[:min(len(lines), 4)] {
		if part := float64(l.Total) / max(float64(all), 1); part >= 0.02 {
			f.Where = append(f.Where, tracedFrame(l.At, part, "allocates, and assists (share of the time of assists)"))
			f.Remedies = remediesAt(tracedPlace(lines[0].At), allocateLessThere())
		}
	}
	if r.heap() != nil {
		f.Remedies = append(f.Remedies, tuneTraced(r, share))
	}
	return found(f)
}

// tuneTraced is the setting's value where no CPU profile tells what the collector takes.
func tuneTraced(r *Reading, share float64) casefile.Remedy {
	if rem, ok := roomierRemedy(r, share); ok {
		return rem
	}
	t := tuningOf(r, max(share/quietGC, 2))
	return t.remedy(share)
}

func allocateLessThere() Remedy {
	return byChange("", "Allocate less there", "Reuse what {line} allocates, allocate it once at its final size, or "+
		"do not make it: half as much garbage sets off half as many cycles, and as many assists.",
		"what is reused has an owner")
}

// assistImpact is what assists cost as a share of the CPU.
func assistImpact(all float64) casefile.Impact {
	return casefile.Impact{Resource: "cpu", Share: roundShare(all),
		Text: percent(all) + " of the CPU the process used, inside requests",
		Gain: casefile.Gain{Low: roundShare(all / 2), High: roundShare(all * 0.9), Arithmetic: fmt.Sprintf(
			"%s of CPU in assists; half as much garbage halves the cycles and the assists; with enough room for the "+
				"heap nearly all of them go away", percent(all))}}
}

// minBesideMarks is how many requests a mean is of.
const minBesideMarks = 20

// besideMarks says how much longer requests take beside a mark phase, if a trace shows that they do. It says nothing if
// there are more of them than the phases' part of the time lets expect: then they are those that allocate most, which
// set cycles off and take long without any.
func besideMarks(r *Reading) string {
	s, _ := r.Trace()
	if s == nil {
		return ""
	}
	marking := float64(s.GC.Marks.Total) / max(float64(s.Span), 1)
	for _, k := range s.Kinds {
		if !isServer(k) || k.Marking.Count < minBesideMarks || k.Between.Count < minBesideMarks ||
			float64(k.Marking.Count) > marking*float64(k.Times.Count) || 2*k.Marking.P50 < 3*k.Between.P50 {
			continue
		}
		return fmt.Sprintf(" Requests that ran beside a mark phase took %s in the median, the others %s.",
			seconds(k.Marking.P50.Seconds()), seconds(k.Between.P50.Seconds()))
	}
	return ""
}

// assistFromVitals judges by the signal alone, which is a share of the CPU available.
func assistFromVitals(r *Reading) Answer {
	share, ok := r.Mean(vitals.GCAssist)
	if !ok {
		return undecided("no CPU profile, and the vitals have no gc_assist: "+cmp.Or(
			r.absent[vitals.GCAssist.String()], "it has a value where a GC cycle ended, and none did"), captureCPU)
	}
	if used, ok := r.Mean(vitals.CPU); ok && used < idleCores {
		return Answer{}
	}
	score := min(gcAssistScale().Score(share), capUnsure)
	if score < worthKnowing {
		return Answer{}
	}
	f := casefile.Finding{
		Title:      fmt.Sprintf("Requests do %s of the CPU's work for the collector", percent(share)),
		Score:      score,
		Confidence: 0.7,
		Summary: fmt.Sprintf("Assists took %s of the available CPU (vitals); a CPU profile will name the lines.",
			percent(share)),
		Explanation: gcParts{assist: 1}.explanation(),
		Impact: casefile.Impact{Resource: "cpu", Share: roundShare(share),
			Text: percent(share) + " of the available CPU"},
		Remedies: remediesAt("", assistRemedies()...),
		Evidence: vitalsBasis(r),
	}
	if h := r.heap(); h != nil {
		f.Where = newGarbage(r).topLines(r, 2)
	}
	return found(f)
}

// topLines are the lines that make most garbage.
func (g garbage) topLines(r *Reading, n int) []casefile.Frame {
	var out []casefile.Frame
	for _, e := range top(stacks.SumBy(g.set, g.weight, r.UserLine), n) {
		out = append(out, r.Frame(e.Key, float64(e.Value)/max(g.total, 1), "allocates (share of the garbage)"))
	}
	return out
}

func assistRemedies() []Remedy {
	return []Remedy{
		byChange("", "Allocate less", "A CPU profile names the lines that allocate under assist, a heap profile "+
			"those that allocate most.", "none"),
	}
}
