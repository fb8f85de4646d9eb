package facts

import (
	"slices"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose/stacks"
	"github.com/gocasebook/casebook/vitals"
)

// What is kept of the findings.
const (
	mostJudged    = 8
	mostUndecided = 4
	mostCures     = 3
	mostOf        = 4
	judgedPart    = 0.8 // of a finding's score: what it rests on comes before it
)

// addJudged adds the findings, in their order: a cause comes before what follows from it.
func (b *builder) addJudged() {
	before := 1.0
	drafts := make(map[string]*draft)
	for i := range b.report.Findings[:min(len(b.report.Findings), mostJudged)] {
		f := &b.report.Findings[i]
		before = min(before, judgedPart*float64(f.Score)/100)
		drafts[f.ID] = b.addFinding(f, before)
	}
	for i := range b.report.Findings[:min(len(b.report.Findings), mostJudged)] {
		f := &b.report.Findings[i]
		for _, id := range f.CausedBy {
			if d := drafts[id]; d != nil && !slices.Contains(drafts[f.ID].of, d) {
				drafts[f.ID].of = append(drafts[f.ID].of, d)
			}
		}
	}
	b.addUndecided()
}

// addFinding adds one. Its words are the finding's own, and have numbers that are not the fact's.
func (b *builder) addFinding(f *casefile.Finding, harm float64) *draft {
	var t text
	t.say("%s %s (score %s, confidence %s): %s", clean(f.ID), clean(f.Kind), count("score", f.Score),
		shareOf("confidence", f.Confidence), prose(f.Title))
	t.end()
	if f.Impact.Share > 0 {
		t.say(" It is about %s of %s", shareOf("impact", f.Impact.Share), clean(f.Impact.Resource))
		if g := f.Impact.Gain; g.High > 0 {
			t.say("; its remedy may save %s", Number{Name: "gain", Value: share(g.High), Unit: string(vitals.Share),
				Low: share(g.Low), High: share(g.High)})
		}
		t.end()
	}
	d := b.add(Judged, &t, harm)
	for i := range f.Where[:min(len(f.Where), mostOf)] {
		if s, ok := b.findingPlace(&f.Where[i]); ok {
			d.Stacks = append(d.Stacks, s)
		}
	}
	if f.Impact.Share > 0 {
		d.Bounds = []Bound{{clean(f.Impact.Resource), share(f.Impact.Share)}}
	}
	for _, r := range f.Remedies[:min(len(f.Remedies), mostCures)] {
		d.Cure = append(d.Cure, prose(r.Title+": "+r.Text))
	}
	for _, s := range f.Source {
		if s.Verdict == casefile.Contradicts {
			d.Against = append(d.Against, "The source contradicts it: "+prose(s.Text))
		}
	}
	if f.Order != "" {
		d.Against = append(d.Against, prose(f.Order))
	}
	d.of = b.sharing(f)
	return d
}

// findingPlace is a place of a finding. The finding does not say whose code it is; the evidence does.
func (b *builder) findingPlace(f *casefile.Frame) (s Stack, ok bool) {
	s.Share = share(f.Share)
	for i := range b.r.Table.Funcs {
		if fn := &b.r.Table.Funcs[i]; fn.Name == f.Function && (fn.File == f.File || f.File == "") {
			s.Frames = []Frame{frameOf(fn, f.Line)}
			return s, true
		}
	}
	if f.File == "" {
		return s, false // the process as a whole
	}
	fn := stacks.FuncOf(f.Function, f.File, b.r.Build.Module) // of a trace
	s.Frames = []Frame{frameOf(&fn, f.Line)}
	return s, true
}

// sharing are the facts that share a place with a finding: a line of it first, then a function.
func (b *builder) sharing(f *casefile.Finding) (out []*draft) {
	same := []func(x Frame, at *casefile.Frame) bool{
		func(x Frame, at *casefile.Frame) bool { return x.Function == at.Function && x.Line == at.Line },
		func(x Frame, at *casefile.Frame) bool { return x.Function == at.Function },
	}
	for _, is := range same {
		for _, d := range b.drafts {
			if d.Sort != Judged && len(out) < mostOf && !slices.Contains(out, d) && d.at(func(x Frame) bool {
				return slices.ContainsFunc(f.Where, func(at casefile.Frame) bool { return is(x, &at) })
			}) {
				out = append(out, d)
			}
		}
		if len(out) > 0 {
			return out
		}
	}
	return out
}

// at reports whether a fact has a frame in code that somebody can change.
func (d *draft) at(is func(Frame) bool) bool {
	return slices.ContainsFunc(d.Stacks, func(s Stack) bool {
		return slices.ContainsFunc(s.Frames, func(f Frame) bool {
			return (f.Owner == User || f.Owner == Dependency) && is(f)
		})
	})
}

// addUndecided adds what detectors saw and could not judge, though they had the evidence.
func (b *builder) addUndecided() {
	n := 0
	for _, u := range b.report.Undecided {
		if len(u.Lacks) > 0 || u.ID == "" || n == mostUndecided {
			continue
		}
		n++
		var t text
		t.say("%s %s is undecided: %s", clean(u.ID), clean(u.Kind), prose(u.Reason))
		t.end()
		d := b.add(Judged, &t, undecidedHarm)
		if u.CaptureNext != "" {
			d.Against = []string{"What would settle it: " + prose(u.CaptureNext)}
		}
	}
}

// undecidedHarm is that of what could not be judged.
const undecidedHarm = 0.05
