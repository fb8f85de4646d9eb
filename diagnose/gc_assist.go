package diagnose

import (
	"cmp"
	"context"
	"fmt"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose/stacks"
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
		ID:    "GC004",
		Kind:  "gc-assist",
		Title: "Requests have to do the collector's work",
		Text: `If the background workers do not keep up, a goroutine that allocates while a cycle runs must mark in
proportion before it gets its memory (an assist). The pacer aims at none. Worth knowing from 5 % of the CPU used in
assists, hurting from 15 %; without a CPU profile the vitals' gc_assist is used, capped at 74. An idle process gets no
finding, and neither do assists of less than 0.02 cores.

The lines named allocate under assist: requests wait there. Assists come from a high allocation rate together with a
heap that has little room (GOGC, GOMEMLIMIT), or from a live heap that takes long to mark.`,
		Needs: []Need{{Kinds: []string{casefile.CPU, casefile.Vitals},
			Reason: "no CPU profile and no vitals: assists are not in other evidence", Capture: captureCPU}},
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
		Title:       fmt.Sprintf("Requests do %s of the CPU's work for the collector", percent(all)),
		Score:       score,
		Confidence:  Confidence(all, v.samples),
		Summary:     fmt.Sprintf("Assists took %s of the CPU: %s.", percent(all), gcPartsOf(v)),
		Explanation: gcParts{assist: 1}.explanation(),
		Remedies:    gcRemedies(r, v, gcParts{assist: 1}),
		Evidence:    Basis(v.set),
	}
	for _, e := range top(assisting, 4) {
		f.Where = append(f.Where, r.Frame(e.Key, float64(e.Value)/(v.total+v.idle), "allocates, and assists"))
	}
	f.Impact = casefile.Impact{Resource: "cpu", Share: roundShare(all),
		Text: percent(all) + " of the CPU the process used, inside requests",
		Gain: casefile.Gain{Low: roundShare(all / 2), High: roundShare(all * 0.9), Arithmetic: fmt.Sprintf(
			"%s of CPU in assists; half as much garbage halves the cycles and the assists; with enough room for the "+
				"heap nearly all of them go away", percent(all))}}
	return found(f)
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
		Evidence: []casefile.Basis{{File: "vitals", Kind: casefile.Vitals,
			Text: fmt.Sprintf("%d samples", len(r.Vitals))}},
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
