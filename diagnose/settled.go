package diagnose

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/gocasebook/casebook/casefile"
)

// surest is the most that source can make of a confidence: the code shows the fault, not that it is what costs.
const surest = 0.99

// unsettled is the score above which a finding of the source explains what nobody knew why: a third of what people
// feel.
const unsettled = 40

// WithSource is a finding with what the program's source says of it.
//
// Confidence is how much evidence there is, and source is more of it: what confirms halves the doubt (0.7 is 0.85),
// what contradicts halves the confidence. A score is what the fault costs, which source cannot tell, so what confirms
// leaves it. A contradiction makes of a warning a notice: the cost was measured, and what to change is not what the
// finding says.
func WithSource(f casefile.Finding, settled ...casefile.Settled) casefile.Finding {
	says := func(verdict string) bool {
		return slices.ContainsFunc(settled, func(s casefile.Settled) bool { return s.Verdict == verdict })
	}
	f.Source = append(slices.Clip(f.Source), settled...)
	switch {
	case says(casefile.Contradicts):
		f.Confidence /= 2
		f.Score = min(f.Score, capNotice)
	case says(casefile.Confirms):
		f.Confidence = max(f.Confidence, min(1-(1-f.Confidence)/2, surest))
	}
	f.Confidence = math.Round(100*f.Confidence) / 100
	return f
}

// Contradicted reports whether the source speaks against a finding.
func Contradicted(f casefile.Finding) bool {
	return slices.ContainsFunc(f.Source, func(s casefile.Settled) bool { return s.Verdict == casefile.Contradicts })
}

// Reword forms a diagnosis's verdict anew after source has changed its findings; was is the root as it was. The change
// is the first remedy that the root has now. A root that the source contradicts is none, and is last among the
// findings.
func Reword(d *casefile.Diagnosis, was casefile.Finding) {
	v, i := d.Verdict, slices.IndexFunc(d.Findings, func(f casefile.Finding) bool { return f.ID == was.ID })
	if v == nil || i < 0 {
		return
	}
	g, root := builtIn().graph(d.Findings), d.Findings[i]
	_, effect := g.effect(nil, []int{i}, casefile.Cause{})
	effect = cmp.Or(v.Seen, effect)
	switch {
	case Contradicted(root):
		g.without(v, root, effect, d.Causes)
		d.Findings = append(slices.Delete(slices.Clone(d.Findings), i, i+1), root)
	case v.Rival != "" || slices.Equal(was.Remedies, root.Remedies):
	case v.Answer == casefile.AnswerNotice:
		v.Text = noticeText(root, g.aboutRequests([]int{i}))
	default:
		v.Text = causeText(effect, root)
	}
}

// without makes a verdict that of the first chain in which something is left that the source does not contradict.
func (g *causeGraph) without(v *casefile.CaseVerdict, root casefile.Finding, effect string, causes []casefile.Cause) {
	for _, c := range causes {
		var path []int
		for _, l := range c.Links {
			left := func(f casefile.Finding) bool { return f.ID == l.ID && !Contradicted(f) }
			if i := slices.IndexFunc(g.fs, left); i >= 0 {
				path = append(path, i)
			}
		}
		if len(path) == 0 {
			continue
		}
		next := g.fs[path[0]]
		if g.worst(path) > capNotice {
			of, text := g.effect(nil, path, c)
			*v = casefile.CaseVerdict{Answer: casefile.AnswerCause, Effect: of, Seen: text, Root: next.ID,
				Text: causeText(text, next)}
			return
		}
		if v.Answer == casefile.AnswerNotice {
			*v = casefile.CaseVerdict{Answer: v.Answer, Effect: next.Impact.Resource, Root: next.ID,
				Text: noticeText(next, g.aboutRequests(path))}
			return
		}
	}
	*v, effect = casefile.CaseVerdict{Answer: v.Answer, Effect: v.Effect}, effect+", and it is not known why"
	if v.Answer == casefile.AnswerNotice {
		effect = "Nothing is seen to hurt"
	} else {
		v.Answer = casefile.AnswerUndecided
	}
	const text = "%s: the source speaks against %s, and nothing else was found."
	v.Text = firstThatFits(fmt.Sprintf(text, effect, kindAt(root)), fmt.Sprintf(text, effect, root.ID))
}

// AddFound puts findings that the source alone has made into a diagnosis, by their scores, and forms its verdict anew,
// where that knew nothing worse.
func AddFound(d *casefile.Diagnosis, fs ...casefile.Finding) {
	for _, f := range fs {
		i := slices.IndexFunc(d.Findings, func(o casefile.Finding) bool {
			return o.Score < f.Score || o.Kind == "cpu-neighbours" && o.Score <= neighbourUnfelt
		})
		if i < 0 {
			i = len(d.Findings)
		}
		d.Findings = slices.Insert(slices.Clone(d.Findings), i, f)
		d.Causes = append(d.Causes, casefile.Cause{Links: []casefile.Link{{ID: f.ID, Kind: f.Kind, Text: f.Title}}})
	}
	v := d.Verdict
	if len(fs) == 0 || d.Findings[0].ID != fs[0].ID ||
		v != nil && v.Answer == casefile.AnswerUndecided && fs[0].Score < unsettled {
		return
	}
	g, root := builtIn().graph(d.Findings), d.Findings[0]
	effect, text := g.effect(nil, []int{0}, casefile.Cause{})
	d.Verdict = &casefile.CaseVerdict{Answer: casefile.AnswerCause, Effect: effect, Seen: text, Root: root.ID,
		Text: causeText(text, root)}
	if root.Score <= capNotice && (v == nil || v.Answer == casefile.AnswerNotice) {
		*d.Verdict = casefile.CaseVerdict{Answer: casefile.AnswerNotice, Effect: root.Impact.Resource, Root: root.ID,
			Text: noticeText(root, g.aboutRequests([]int{0}))}
	}
}
