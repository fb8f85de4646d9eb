package mcp

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/gocasebook/casebook/app/assess"
	"github.com/gocasebook/casebook/app/compare"
	"github.com/gocasebook/casebook/app/difference"
	"github.com/gocasebook/casebook/app/render"
	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/internal/number"
	"github.com/gocasebook/casebook/internal/words"
)

// diagnose runs the detectors again. The answer is `casebook diagnose --json`, with what was cut.
func (s *Server) diagnose(ctx context.Context, in caseArgs) (reply, error) {
	e, err := s.base.open(in.Case)
	if err != nil {
		return reply{}, err
	}
	defer e.close()
	done, err := assess.Diagnose(ctx, assess.DiagnoseRequest{Opened: &e.Opened})
	switch {
	case err != nil:
		return reply{}, err
	case !done.Read():
		return reply{}, fmt.Errorf("nothing of %s could be read: %s", e.Name, joined(done.Failed))
	}
	d, cut := firstFindings(done.Report.Diagnosis, in.Findings)
	done.Findings = d.Findings
	text := diagnosisText(&d)
	if len(done.Failed) > 0 {
		cut = append(cut, "could not be read: "+joined(done.Failed))
	}
	return fitted(done, text, cut)
}

func joined(errs []error) string {
	texts := make([]string, len(errs))
	for i, err := range errs {
		texts[i] = err.Error()
	}
	return strings.Join(texts, "; ")
}

// diagnosisText is a diagnosis in a few lines a finding.
func diagnosisText(d *casefile.Diagnosis) string {
	var b strings.Builder
	if d.Verdict != nil {
		fmt.Fprintf(&b, "Verdict (%s): %s\n", d.Verdict.Answer, d.Verdict.Text)
	}
	if len(d.Findings) == 0 {
		b.WriteString("No findings.\n")
	}
	for i := range d.Findings {
		b.WriteString(findingText(&d.Findings[i]))
	}
	if len(d.Undecided) > 0 {
		fmt.Fprintf(&b, "%s could not be judged; undecided says why, and what to capture.\n",
			number.Things(len(d.Undecided), "kind"))
	}
	return b.String()
}

func findingText(f *casefile.Finding) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s, score %d (%s), confidence %s: %s\n", f.ID, f.Kind, f.Score, f.Severity(),
		number.Share(f.Confidence), f.Title)
	if len(f.Where) > 0 && f.Where[0].File != "" { // not the process as a whole
		w := f.Where[0]
		fmt.Fprintf(&b, "  where: %s %s:%d, %s\n", words.Symbol(w.Function), w.File, w.Line, number.Share(w.Share))
	}
	if f.Impact.Text != "" {
		fmt.Fprintf(&b, "  cost: %s\n", f.Impact.Text)
	}
	if g := f.Impact.Gain; g.High > 0 {
		fmt.Fprintf(&b, "  gain expected: %s to %s of %s\n", number.Share(g.Low), number.Share(g.High), f.Impact.Resource)
	}
	if len(f.Remedies) > 0 {
		fmt.Fprintf(&b, "  remedy: %s. %s\n", f.Remedies[0].Title, f.Remedies[0].Text)
	}
	if len(f.CausedBy) > 0 {
		fmt.Fprintf(&b, "  caused by: %s\n", strings.Join(f.CausedBy, ", "))
	}
	return b.String()
}

type explainArgs struct {
	Kind string `json:"kind"`
}

// explain answers with `casebook explain --json`.
func (s *Server) explain(_ context.Context, in explainArgs) (reply, error) {
	d, err := assess.DetectorNamed(in.Kind)
	if err != nil {
		return reply{}, fmt.Errorf("%w; findings name their kind", err)
	}
	x := assess.ExplanationOf(d)
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s: %s\n\n%s\n", x.ID, x.Kind, x.Title, strings.TrimSpace(x.Text))
	for i, r := range x.Remedies {
		fmt.Fprintf(&b, "%d. %s. %s Price: %s\n", i+1, r.Title, r.Text, r.Price)
	}
	if x.Before != "" {
		fmt.Fprintf(&b, "Before:\n%s\nAfter:\n%s\n", strings.Trim(x.Before, "\n"), strings.Trim(x.After, "\n"))
	}
	return fitted(x, b.String(), nil)
}

type knownArgs struct {
	Name string `json:"name"`
}

// known answers with `casebook known NAME --json`.
func (s *Server) known(_ context.Context, in knownArgs) (reply, error) {
	if in.Name == "" {
		return reply{}, errors.New("name a module or a function, such as net/http or net/http.(*Client).Do")
	}
	rows, err := assess.Known(in.Name)
	if err != nil {
		return reply{}, err
	}
	var b strings.Builder
	for _, a := range rows {
		fmt.Fprintf(&b, "%s: %s. %s\n", a.Subject, a.Says, a.Why)
		for i, do := range a.Do {
			fmt.Fprintf(&b, "  %d. %s\n", i+1, do)
		}
	}
	return fitted(assess.KnownOf(rows), b.String(), nil)
}

type compareArgs struct {
	Old      string `json:"old"`
	New      string `json:"new"`
	Findings int    `json:"findings,omitempty"`
}

// compare answers with `casebook compare --json`.
func (s *Server) compare(ctx context.Context, in compareArgs) (reply, error) {
	old, err := s.base.open(in.Old)
	if err != nil {
		return reply{}, fmt.Errorf("old: %w", err)
	}
	defer old.close()
	latest, err := s.base.open(in.New)
	if err != nil {
		return reply{}, fmt.Errorf("new: %w", err)
	}
	defer latest.close()
	differ := ""
	r := assess.CompareRequest{Options: compare.Options{Margin: compare.DefaultMargin, Alpha: compare.DefaultAlpha},
		Evidence: assess.DiagnoseRequest{Differ: func(a, b string) {
			differ = fmt.Sprintf("these are two programs, %s and %s: most of what differs is that", a, b)
		}}}
	done, err := assess.CompareOpened(ctx, r, &old.Opened, &latest.Opened)
	if err != nil {
		return reply{}, err
	}
	d, cut := firstFindings(done.Diagnosed.Report.Diagnosis, in.Findings)
	done.Diagnosed.Findings = d.Findings
	return fitted(done, comparisonText(done.Diagnosed.Comparison, differ), cut)
}

func comparisonText(c *difference.Difference, differ string) string {
	var b strings.Builder
	if differ != "" {
		fmt.Fprintf(&b, "Note: %s.\n", differ)
	}
	if c.Relation != "" {
		fmt.Fprintf(&b, "Note: %s.\n", c.Relation)
	}
	if len(c.Changes) == 0 {
		b.WriteString("Neither has findings.\n")
	}
	for i := range c.Totals {
		fmt.Fprintf(&b, "%s: %s\n", c.Totals[i].Name, c.Totals[i].Text())
	}
	for i := range c.Places {
		p := &c.Places[i]
		fmt.Fprintf(&b, "%s: %s, %s\n", p.State, p.Name(), p.Text())
	}
	for i := range c.Changes {
		x := &c.Changes[i]
		f := x.Finding()
		fmt.Fprintf(&b, "%s: %s %s, score %d: %s", x.State, f.ID, f.Kind, f.Score, render.Plain(f.Title))
		if said := x.Said(); said != "" {
			fmt.Fprintf(&b, " (%s)", said)
		}
		b.WriteString("\n")
	}
	return b.String()
}

type rulesArgs struct {
	Case string `json:"case"`
	Rule string `json:"rule,omitempty"`
}

// rulesStatus answers with `casebook rules test --json`.
func (s *Server) rulesStatus(_ context.Context, in rulesArgs) (reply, error) {
	e, err := s.base.open(in.Case)
	if err != nil {
		return reply{}, err
	}
	defer e.close()
	done, err := assess.Replay(assess.ReplayRequest{Opened: &e.Opened})
	if err != nil {
		return reply{}, err
	}
	var cut []string
	if len(done.Failed) > 0 {
		cut = append(cut, "could not be read: "+joined(done.Failed))
	}
	var names []string
	var only []assess.Outcome
	for _, o := range done.Rules {
		names = append(names, o.Rule)
		if o.Rule == in.Rule {
			only = append(only, o)
		}
	}
	if in.Rule != "" {
		if only == nil {
			return reply{}, fmt.Errorf("there is no rule %.80q; there are %s", in.Rule, strings.Join(names, ", "))
		}
		done.Rules = only
	} else if n := shorten(done.Rules); n > 0 {
		cut = append(cut, fmt.Sprintf("firings and nearest conditions: %d left out; name a rule to see all of its own", n))
	}
	return fitted(done, rulesText(done), cut)
}

// Of each of all rules.
const (
	firingsShown = 3
	nearestShown = 1
)

// shorten keeps the first firings and the nearest condition of each rule, and returns how many it left out.
func shorten(rules []assess.Outcome) (left int) {
	for i := range rules {
		o := &rules[i]
		fired, closest := min(len(o.Fired), firingsShown), min(len(o.Closest), nearestShown)
		left += len(o.Fired) - fired + len(o.Closest) - closest
		o.Fired, o.Closest = o.Fired[:fired], o.Closest[:closest]
	}
	return left
}

func rulesText(r *assess.Replayed) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s, %s to %s.\n", number.Things(r.Samples, "sample"), r.From.Format("15:04:05"),
		r.To.Format("15:04:05"))
	for _, o := range r.Rules {
		if len(o.Fired) > 0 {
			f := o.Fired[0]
			fmt.Fprintf(&b, "%s fired %s, first at %s: %s\n", o.Rule, number.Things(len(o.Fired), "time"),
				f.Time.Format("15:04:05"), f.Text)
			continue
		}
		fmt.Fprintf(&b, "%s did not fire", o.Rule)
		if len(o.Closest) > 0 {
			fmt.Fprintf(&b, "; wanted %s, nearest %s", o.Closest[0].Condition, o.Closest[0].Text)
		}
		b.WriteString("\n")
	}
	return b.String()
}
