// Package assess is what Casebook does with what somebody names: files, folders, zips, cases and addresses of evidence
// are gathered and diagnosed, two measurements compared, two servers measured against each other, rules replayed on
// recorded vitals. As in package casework, which is about the cases themselves, each use case is a function with a
// typed request and a typed result that encodes as --json prints it; nothing prints, exits or reads flags.
package assess

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/gocasebook/casebook/app/casework"
	"github.com/gocasebook/casebook/app/compare"
	"github.com/gocasebook/casebook/app/difference"
	"github.com/gocasebook/casebook/app/facts"
	"github.com/gocasebook/casebook/app/trace"
	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose"
)

// A DiagnoseRequest names the evidence to judge, all of one process: files, folders and zips of profiles, cases, and
// addresses of net/http/pprof.
type DiagnoseRequest struct {
	What  []string // "-" is Stdin
	Base  []string // earlier evidence to compare with; empty: none
	Stdin io.Reader

	Opened, OpenedBase *Opened // more of What and of Base, open already; nil: none

	// Capture says how an address is captured: all but Target, Before and Kinds. With Dir "" the case is not kept.
	Capture casework.CaptureRequest
	Reach   func(url string) (casework.Target, error) // how an address is reached
	Places  PlacesFunc                                // where a Sheet gets source from; nil: it has none

	// What is told meanwhile; nil: nobody is told.
	Skipped func(diagnose.Problem)            // a file of a folder that cannot be read
	LeftOut func(ofBase bool, files []string) // files of folders and zips that are not evidence
	Kept    func(*casefile.Folder)            // the case of an address
	Differ  func(base, now string)            // the modules of two programs that are compared
	Mixed   func(Two)                         // two files that do not belong together
}

// A Judgement is a diagnosis as --json prints it.
type Judgement struct {
	Schema    int                   `json:"schema"`
	Verdict   *casefile.CaseVerdict `json:"verdict,omitempty"`
	Findings  []casefile.Finding    `json:"findings"`
	Causes    []casefile.Cause      `json:"causes"`
	Undecided []casefile.Undecided  `json:"undecided"`
	Picture   *casefile.Picture     `json:"picture,omitempty"`
	// what a reader must know of the source that was read
	SourceNote string `json:"source_note,omitempty"`
}

// JudgementOf returns a diagnosis as --json prints it: lists are [] and not null, because programs iterate.
func JudgementOf(d casefile.Diagnosis) Judgement {
	out := Judgement{Schema: casefile.Schema, Verdict: d.Verdict, Findings: d.Findings, Causes: d.Causes,
		Undecided: d.Undecided, Picture: d.Picture}
	if out.Causes == nil {
		out.Causes = []casefile.Cause{}
	}
	if out.Findings == nil {
		out.Findings = []casefile.Finding{}
	}
	if out.Undecided == nil {
		out.Undecided = []casefile.Undecided{}
	}
	return out
}

// Diagnosed is what was found, and in what. It encodes as `casebook diagnose --json`.
type Diagnosed struct {
	Judgement
	Comparison *difference.Difference `json:"comparison,omitempty"` // nil without a base
	Beside     bool                   `json:"-"`                    // nobody named a base: see besides
	// Opinions are those of the case that was judged; this diagnosis has not changed them.
	Opinions []casefile.Opinion `json:"opinions,omitempty"`

	Report diagnose.Report `json:"-"`
	Build  casefile.Build  `json:"-"`
	Base   compare.Capture `json:"-"` // what was judged
	Now    compare.Capture `json:"-"`
	Failed []error         `json:"-"` // what could not be read; the rest was judged

	sheet func() *facts.Sheet
}

// Sheet is what the evidence shows; nil where it was not read.
func (d *Diagnosed) Sheet() *facts.Sheet {
	if d.sheet == nil {
		return nil
	}
	return d.sheet()
}

// Read reports whether there was any evidence.
func (d *Diagnosed) Read() bool { return len(d.Report.Read) > 0 }

// Worst returns the highest score that counts: with a base that was asked for, the highest of what is new or worse.
func (d *Diagnosed) Worst() int {
	if d.Comparison != nil && !d.Beside {
		return d.Comparison.Worst()
	}
	worst := 0
	for _, f := range d.Findings {
		worst = max(worst, f.Score)
	}
	return worst
}

// A NoBaseError says that no evidence could be read of a base, so that there is nothing to compare with.
type NoBaseError struct {
	Failed []error // why
}

// Error lists what could not be read first.
func (e *NoBaseError) Error() string {
	return errors.Join(append(e.Failed[:len(e.Failed):len(e.Failed)],
		errors.New("the base: no evidence could be read; nothing to compare with"))...).Error()
}

// Diagnose gathers what the request names and runs the detectors over it. What could not be read is in the result, and
// the rest is judged.
func Diagnose(ctx context.Context, r DiagnoseRequest) (*Diagnosed, error) {
	res := &Diagnosed{}
	var base *side
	if r.based() {
		g, err := r.gathered(ctx, r.Base, true)
		if err != nil {
			return nil, err
		}
		base = r.judge(ctx, g, judging{compared: true}, res)
		if len(base.report.Read) == 0 {
			return nil, &NoBaseError{res.Failed}
		}
		res.Base = base.capture()
	}
	g, err := r.gathered(ctx, r.What, false)
	if err != nil {
		return nil, err
	}
	if base == nil {
		base = r.besides(ctx, g, res)
	}
	now := r.judge(ctx, g, judging{base: base, compared: base != nil}, res)
	res.Judgement = JudgementOf(now.report.Diagnosis)
	res.Report, res.Build, res.Now, res.Opinions = now.report, now.build, now.capture(), now.opinions
	if base != nil {
		res.against(base, now, r.Differ)
	}
	return res, nil
}

// based reports whether there is something to compare with.
func (r *DiagnoseRequest) based() bool { return len(r.Base) > 0 || r.OpenedBase != nil }

// against adds the comparison with a base.
func (d *Diagnosed) against(base, now *side, differ func(base, now string)) {
	if a, b := base.build.Module, d.Build.Module; a != "" && b != "" && a != b && differ != nil {
		differ(a, b)
	}
	if d.Read() {
		d.Comparison = difference.Between(base.compared(), now.compared(), relation(base, now))
	}
}

// A side is one of the diagnoses that a base makes two of.
type side struct {
	report   diagnose.Report
	reading  *diagnose.Reading // with a base alone
	build    casefile.Build
	evidence []diagnose.Evidence
	opinions []casefile.Opinion
}

func (s *side) capture() compare.Capture {
	return compare.Capture{Evidence: s.evidence, Read: s.report.Read}
}

func (s *side) compared() difference.Side {
	return difference.Side{Report: s.report, Reading: s.reading}
}

// options are the built-in detectors, which see execution traces here: the command can read them, a service cannot.
func options() diagnose.Options {
	return diagnose.Options{Derive: []diagnose.Deriver{trace.Deriver()}}
}

// judging is how a side is judged.
type judging struct {
	base     *side // growth is measured since then; nil: none
	compared bool  // it is a side of a comparison, which draws the evidence, too
}

// judge runs the detectors over what was gathered, growth since the base included. What could not be read goes to res.
func (r *DiagnoseRequest) judge(ctx context.Context, g *gatherer, how judging, res *Diagnosed) *side {
	if r.Mixed != nil && g.ofFolder == nil { // a case is of one process
		if two, found := twoBuilds(g.in.Evidence); found {
			r.Mixed(two)
		}
	}
	g.in.Release = !how.compared
	if how.base != nil {
		g.in.Earlier = how.base.evidence
	}
	report, reading := facts.Run(ctx, g.in, g.detectors())
	g.texts(&report)
	for _, p := range report.Problems {
		g.problem(p, len(report.Read) > 0)
	}
	for _, p := range report.Failed {
		g.fail(fmt.Errorf("detector %s broke: %s; please report this with the evidence", p.ID, p.Reason))
	}
	res.Failed = append(res.Failed, g.failed...)
	s := &side{report: report, build: g.in.Build, evidence: g.in.Evidence}
	if reading != nil {
		res.sheet = func() *facts.Sheet { return facts.Of(reading, &report, facts.Options{}) }
	}
	if how.compared {
		s.reading = reading
	}
	if g.ofFolder != nil {
		s.opinions = g.ofFolder.Case.Opinions
	}
	return s
}

// gathered reads what arguments name, or is open already. What could not be read is in the gatherer.
func (r *DiagnoseRequest) gathered(ctx context.Context, args []string, ofBase bool) (*gatherer, error) {
	g := &gatherer{request: r, found: make(map[string]bool)}
	for _, arg := range args {
		g.gather(ctx, arg)
	}
	o := r.Opened
	if ofBase {
		o = r.OpenedBase
	}
	if o != nil {
		g.opened(o)
	}
	if ctx.Err() != nil {
		return nil, errors.New("interrupted")
	}
	if len(g.ignored) > 0 && r.LeftOut != nil {
		r.LeftOut(ofBase, g.ignored)
	}
	return g, nil
}
