package settle

import (
	"cmp"
	"context"
	"path"
	"slices"

	"github.com/gocasebook/casebook/app/facts"
	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose"
	"github.com/gocasebook/casebook/internal/words"
)

// A diagnosis without a finding above a notice may be silent for want of the one fact that the code has. So the source
// is asked around the heaviest places of the case, too: facts of the evidence, by the questions of those kinds that
// such a fact may be of. An answer counts only if it says what is to be written, at a line that the evidence has: then
// it is a finding, of the question's kind, with a score by what the fact can explain of what people feel.

// A probe says of which kinds source is asked around the places of facts.
type probe struct {
	sort     facts.Sort
	resource string   // of what the fact bounds
	things   []string // that are waited for; nil: any
	kinds    []string
}

// probes are all; the first that fits a fact is asked.
func probes() []probe {
	return []probe{
		{facts.Wait, "latency", []string{facts.ForLock, facts.ForWriteLock, facts.ForReadLock},
			[]string{"lock-never-released", "goroutine-deadlock", "lock-held-io", "lock-contention"}},
		{facts.Wait, "latency", []string{facts.ForChannel}, []string{"chan-bottleneck", "goroutine-stuck"}},
		{facts.Wait, "latency", []string{facts.ForGroup, facts.ForCondition}, []string{"goroutine-stuck"}},
		{facts.Wait, "latency", []string{facts.ForAnswer, facts.ForPlace},
			[]string{"net-round-trips", "net-no-keepalive", "connection-leak"}},
		{facts.Hold, "goroutines", nil, []string{"goroutine-leak", "connection-leak"}},
		{facts.Hold, "memory", nil, []string{"mem-leak", "mem-subslice-retained", "mem-giant"}},
		{facts.Cost, "cpu", nil, []string{"regexp-compile", "template-parse", "alloc-string-concat", "alloc-map-temp",
			"cpu-json", "cpu-linear-search", "cpu-quadratic", "alloc-loop-invariant", "goroutine-busy-poll", "cpu-hot-function"}},
	}
}

// Levels of what a fact can explain of what people feel (facts.Fact.Harm): below the first nothing is worth a finding.
// A finding that rests on source and on one fact is a notice, unless it is requests that wait.
const (
	leastHarm  = 0.1
	mostFound  = 3
	mostNotice = 49
	mostCause  = 64
	sureOfCode = 0.7 // before what the source confirms
)

// Silent reports whether nothing that was found is more than a notice.
func Silent(d *casefile.Diagnosis) bool {
	return !slices.ContainsFunc(d.Findings, func(f casefile.Finding) bool { return f.Score > mostNotice })
}

// A suspect is the finding that an answer about a fact would make.
type suspect struct {
	fact    *facts.Fact
	finding casefile.Finding
}

// suspects are those of the facts, the heaviest fact first.
func suspects(all []facts.Fact) (out []suspect) {
	for i := range all {
		f := &all[i]
		p := slices.IndexFunc(probes(), func(p probe) bool { return p.fits(f) })
		if p < 0 || f.Harm < leastHarm {
			continue
		}
		where := framesOf(f)
		if len(where) == 0 {
			continue
		}
		for _, kind := range probes()[p].kinds {
			if kind == "mem-leak" && !hasGrown(f) {
				continue
			}
			out = append(out, suspect{f, suspected(f, kind, where)})
		}
	}
	return out
}

// hasGrown reports whether the memory of a fact is a good part of what the heap grew by between two profiles: what is
// held and does not grow may be meant.
func hasGrown(f *facts.Fact) bool {
	const part = 0.2
	return slices.ContainsFunc(f.Numbers, func(n facts.Number) bool {
		return n.Name == facts.ShareOfGrowth && n.Value >= part
	})
}

func (p *probe) fits(f *facts.Fact) bool {
	return f.Sort == p.sort && len(f.Bounds) > 0 && f.Bounds[0].Resource == p.resource &&
		(p.things == nil || slices.Contains(p.things, f.Thing))
}

// waitsOf are the user's lines at which requests wait for an answer.
func waitsOf(all []facts.Fact) (out []casefile.Frame) {
	for i := range all {
		f := &all[i]
		inside := f.Thing != facts.ForAnswer && f.Thing != facts.ForPlace && f.Thing != ""
		if f.Sort == facts.Wait && !inside && len(f.Bounds) > 0 {
			out = append(out, framesOf(f)...)
		}
	}
	return out
}

// framesOf are the user's lines of a fact, as places of a finding.
func framesOf(f *facts.Fact) (out []casefile.Frame) {
	for _, s := range f.Stacks {
		for _, x := range s.Frames {
			at := casefile.Frame{Function: x.Function, File: x.File, Line: x.Line, Share: f.Bounds[0].High}
			if x.Owner == facts.User && x.Line > 0 && !slices.Contains(out, at) {
				out = append(out, at)
			}
		}
	}
	return out
}

// suspected is a finding of a kind about a fact, before the source has confirmed it.
func suspected(f *facts.Fact, kind string, where []casefile.Frame) casefile.Finding {
	most := mostNotice
	if f.Sort == facts.Wait {
		most = mostCause
	}
	b := f.Bounds[0]
	out := casefile.Finding{Kind: kind, Where: where, Score: min(25+int(50*f.Harm), most), Confidence: sureOfCode,
		Summary: f.Text, Impact: casefile.Impact{Resource: b.Resource, Share: b.High, Text: f.Text}}
	if f.Sort == facts.Cost {
		out.Impact.Gain = diagnose.GainOfWork(b.High)
		for _, s := range f.Stacks {
			at := slices.IndexFunc(s.Frames, func(x facts.Frame) bool { return x.Owner == facts.User })
			if at > 0 && s.Frames[at-1].Owner != facts.Runtime {
				out.Where = append(slices.Clip(out.Where), casefile.Frame{Function: s.Frames[at-1].Function,
					Share: b.High, Part: casefile.Called, Role: "runs below it"})
				break
			}
		}
	}
	for _, d := range diagnose.Detectors() {
		if d.Kind == kind {
			out.ID, out.Title = d.ID, d.Title
		}
	}
	return out
}

// unknownWaits is the finding that a verdict would be which does not know why requests wait: where half of them do.
func unknownWaits(v *casefile.CaseVerdict, all []facts.Fact) (out []suspect) {
	for i := range all {
		f := &all[i]
		if v != nil && v.Answer == casefile.AnswerUndecided && v.Take == casefile.Trace && v.Effect == "" && len(out) == 0 &&
			f.Sort == facts.Wait && len(f.Bounds) > 0 && f.Bounds[0].Resource == "latency" && 2*f.Bounds[0].High >= 1 &&
			len(framesOf(f)) > 0 {
			out = append(out, suspect{f, suspected(f, "requests-wait", framesOf(f))})
		}
	}
	return out
}

// breakSilence asks about suspects, and puts those into the diagnosis that the source confirms: one of each fact, and
// of each place.
func (l *loader) breakSilence(ctx context.Context, d *casefile.Diagnosis, all []suspect) int {
	var found []casefile.Finding
	settled := make(map[*facts.Fact]bool)
	for i := range all {
		f := all[i].finding
		known := func(o casefile.Finding) bool { // or another one says why they wait there, or why it costs as much
			return len(o.Where) > 0 && o.Where[0].Function == f.Where[0].Function && (o.Kind == f.Kind ||
				all[i].fact.Sort == facts.Wait && o.Impact.Resource == "latency" && o.Where[0].Line == f.Where[0].Line ||
				all[i].fact.Sort == facts.Cost && o.Impact.Resource == "cpu" && 2*o.Impact.Share >= f.Impact.Share)
		}
		if ctx.Err() != nil || len(found) == mostFound || settled[all[i].fact] || slices.ContainsFunc(found, known) ||
			slices.ContainsFunc(d.Findings, known) {
			continue
		}
		q, said := l.ask(ctx, &f, nil)
		if f.Kind == "requests-wait" && slices.ContainsFunc(said, func(a answer) bool { return a.verdict == casefile.Contradicts }) {
			d.Verdict = nil // they wait on purpose
		}
		if said = decisive(q, said); len(said) > 0 {
			settled[all[i].fact] = true
			f = q.apply(f, said)
			f.Brief = cmp.Or(said[0].title, f.Title)
			if f.Title = f.Brief; said[0].title == "" {
				f.Title += " at " + words.Short(f.Where[0])
			}
			found = append(found, f)
		}
	}
	diagnose.AddFound(d, found...)
	return len(found)
}

// decisive are the answers that confirm, say what is to be written, and rest on a line of the evidence.
func decisive(q *inquiry, said []answer) []answer {
	return slices.DeleteFunc(said, func(a answer) bool {
		return a.verdict != casefile.Confirms || a.change == nil || a.change.name == "" ||
			!slices.ContainsFunc(a.settled(q).Lines, func(s casefile.SourceLine) bool {
				return slices.ContainsFunc(q.finding.Where, func(w casefile.Frame) bool {
					return w.Line == s.Line && path.Base(w.File) == path.Base(s.File)
				})
			})
	})
}
