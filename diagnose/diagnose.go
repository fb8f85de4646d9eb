// Package diagnose finds out from evidence what is wrong with a Go process, down to the source line, and what to do.
//
// The problem: a profile shows where time and memory went, not whether that is a fault, what caused it or what a change
// would be worth; reading one takes an expert an hour. The approach: Run reads the evidence once into a Reading, runs
// every detector of Detectors over it, and sorts the answers, causes before their symptoms. A detector says no more
// than its evidence supports: healthy evidence gets no finding, weak evidence gets "undecided" with what to capture
// next.
//
// Limits: detectors see stacks, their weights and the signals' history; they do not see source code, and of execution
// traces a summary (package traces), if a deriver makes one. Package stacks documents the limits on what is read.
package diagnose

import (
	"cmp"
	"context"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose/stacks"
	"github.com/gocasebook/casebook/internal/cputime"
	"github.com/gocasebook/casebook/internal/own"
)

// Evidence is one file.
type Evidence struct {
	Name    string         // the file's name, used in every message about it
	Kind    string         // a kind of package casefile; "" if not known: the content decides
	Phase   casefile.Phase // "" when there was no trigger
	Seconds float64        // what it covers; 0 when not known, or for a snapshot
	Taken   time.Time      // zero when not known
	Data    []byte
	// Value is what a deriver made for detectors that know the Kind. Then Data is not read. See Deriver.
	Value any

	// Collected is true for a heap profile after a forced collection: it shows the moment it was taken.
	Collected bool
}

// Input is everything known about one process. Evidence of several processes must not be mixed.
type Input struct {
	Evidence []Evidence
	Build    casefile.Build  // tells the user's own code from dependencies; may be empty
	Limits   casefile.Limits // may be empty
	Tripped  time.Time       // when the trouble was noticed; zero when not known

	// Triggers are what tripped, if rules did: the picture says of their signals what is known.
	Triggers []casefile.Trigger
	Started  time.Time // when the process started; zero when not known

	// Earlier is evidence that this is compared with. Where its heap profiles are of the same run of the process, growth
	// is measured from them.
	Earlier []Evidence
	URL     string // of its net/http/pprof, for commands to type; "" if not known

	// UnreadTrace is the file of an execution trace that no deriver reads: a verdict says how to. "" if there is none.
	UnreadTrace string
	Inside      bool // the process watched itself: nobody knows whether it serves net/http/pprof

	// Release lets go of Data while it is read: Run leaves Evidence without. A caller that needs it no more saves the
	// size of the files at the moment when most memory is used.
	Release bool
}

// A Report is the diagnosis and how it came about.
type Report struct {
	casefile.Diagnosis
	Read     []Artefact // evidence that was read
	Problems []Problem  // evidence that was not
	Failed   []Failure  // detectors that failed
	Starts   []Start    // where functions begin in the files that findings name
}

// An Artefact is one file that was read.
type Artefact struct {
	Name    string
	Kind    string // found by content
	Samples int    // stacks, or lines of vitals
	What    string // "CPU profile"; empty where Text names it
	Text    string // how much is in it: "1,204 samples over 10.0 s"
	Note    string // what was left out: the observer's own samples, what was cut
}

// Said is the artefact in a line: "CPU profile: 1,204 samples over 10.0 s".
func (a Artefact) Said() string { return said(a.What, a.Text) }

// said names what a text is about.
func said(what, text string) string {
	if what == "" {
		return text
	}
	return what + ": " + text
}

// A Problem is one file that could not be read.
type Problem struct {
	File   string
	Reason string
	Next   string // what to do about it
}

// A Failure is a detector that panicked or took too long. The answers of the others are valid.
type Failure struct {
	ID     string
	Reason string
}

// Run reads the evidence and asks every detector of opts. It never panics on bad evidence, nor because of a detector or
// deriver that does; a cancelled ctx ends it early with what there is.
func Run(ctx context.Context, in Input, opts Options) Report {
	if in.Release {
		in.Evidence = released(in.Evidence)
	}
	evidence, problems := derive(ctx, opts.Derive, in.Evidence)
	in.Evidence = evidence
	reading, report := read(ctx, in)
	report.Problems = append(problems, report.Problems...)
	detectors, failed := opts.detectors()
	report.Failed = failed
	report.ask(ctx, detectors, opts.limit(), reading)
	report.Findings = lastResort(report.Findings)
	table := relationsOf(detectors)
	table.reading = reading
	report.Findings = table.relate(report.Findings)
	teach(reading, report.Findings)
	readAlone(reading, report.Findings)
	table.join(reading, report.Findings)
	table.markStart(reading, report.Findings)
	report.Findings = table.weighPurposes(reading, report.Findings)
	moreSavedFirst(report.Findings)
	settingFirst(reading, report.Findings)
	ownFirst(reading, report.Findings)
	table.nameHolders(reading, report.Findings)
	table.sayAges(reading, report.Findings)
	sayCrowds(reading, report.Findings)
	graph := table.graph(report.Findings)
	graph.sayOrder()
	report.Undecided = table.settle(report.Undecided, report.Findings)
	if died(reading) {
		report.Undecided = ofDead(report.Undecided)
	}
	if in.Inside {
		sayInside(report.Undecided)
	}
	table.promise(reading, report.Findings)
	sayGains(report.Findings)
	report.conclude(graph, reading, in.URL)
	report.draw(reading)
	report.Starts = Starts(reading.Table, report.Findings)
	if hot := table.of[hotFunction]; hot != nil && len(report.Findings) == 0 {
		report.add(*hot, outcome{answer: underLoad(reading)})
	}
	return report
}

// ask runs all detectors at once, and takes their answers in their order.
func (rep *Report) ask(ctx context.Context, detectors []Detector, limit time.Duration, r *Reading) {
	ctx, cancel := withLimit(ctx, limit, cputime.Process)
	defer cancel()
	answers := make([]chan outcome, len(detectors))
	slots := make(chan struct{}, runtime.GOMAXPROCS(0))
	for i, d := range detectors {
		answers[i] = make(chan outcome, 1)
		own.Go(func() {
			slots <- struct{}{}
			defer func() { <-slots }()
			answers[i] <- ask(ctx, d, r)
		})
	}
	for i, d := range detectors {
		// A detector that outlives the limit is not waited for: it works on bounded data, so it ends on its own, and
		// its answer goes into a buffered channel that nobody reads.
		select {
		case o := <-answers[i]:
			rep.add(d, o)
		case <-ctx.Done():
			rep.Failed = append(rep.Failed, Failure{d.ID, stopReason(ctx)})
		}
	}
}

// draw adds the picture. If that panics on some evidence, only the picture is lost.
func (rep *Report) draw(r *Reading) {
	defer func() {
		if p := recover(); p != nil {
			rep.Failed = append(rep.Failed, Failure{"the picture", fmt.Sprintf("panic: %v", p)})
		}
	}()
	rep.Picture = picture(r)
}

// An outcome is a detector's answer, or why there is none.
type outcome struct {
	answer Answer
	failed string
}

// ask runs one detector, or says what it lacks.
func ask(ctx context.Context, d Detector, r *Reading) (o outcome) {
	defer func() {
		if p := recover(); p != nil {
			o = outcome{failed: fmt.Sprintf("panic: %v", p)}
		}
	}()
	if n, lacks := d.Lacks(r); lacks {
		return outcome{answer: Answer{Undecided: []casefile.Undecided{n.lacking()}}}
	}
	a := d.Run(ctx, r)
	if d.NeedsPlace {
		a = placed(a)
	}
	return outcome{answer: a}
}

// Lacks is the first need of which there is no evidence.
func (d Detector) Lacks(r *Reading) (n Need, lacks bool) {
	i := slices.IndexFunc(d.Needs, func(n Need) bool { return !hasKinds(r, n.Kinds) })
	if i < 0 {
		return Need{}, false
	}
	return d.Needs[i], true
}

// placed makes findings without a place undecided.
func placed(a Answer) Answer {
	var kept []casefile.Finding
	for _, f := range a.Findings {
		switch {
		case f.Score < worthKnowing:
		case len(f.Where) > 0:
			kept = append(kept, f)
		default:
			a.Undecided = append(a.Undecided, casefile.Undecided{
				Reason:      extended(f.Summary, ": this evidence does not show where that comes from"),
				CaptureNext: captureCPU + "; " + captureHeap})
		}
	}
	a.Findings = kept
	return a
}

// add takes an answer under the detector's name. A score below 25 is not worth a person's time.
func (rep *Report) add(d Detector, o outcome) {
	if o.failed != "" {
		rep.Failed = append(rep.Failed, Failure{d.ID, o.failed})
		return
	}
	for _, f := range o.answer.Findings {
		if f.Score < worthKnowing {
			continue
		}
		f.ID, f.Kind, f.Impact = d.ID, d.Kind, withinCost(f.Impact)
		if f.Title == "" {
			f.Title = d.Title
		}
		if len(f.Where) == 0 { // evidence whose stacks are empty; code that relates findings looks at their first place
			f.Where = []casefile.Frame{{Function: stacks.Nameless(""), Role: "no stack names a function"}}
		}
		rep.Findings = append(rep.Findings, f)
	}
	for _, u := range o.answer.Undecided {
		u.ID, u.Kind = d.ID, d.Kind
		rep.Undecided = append(rep.Undecided, u)
	}
}

// joined joins the parts of a sentence that say something.
func joined(parts ...string) string {
	return strings.Join(slices.DeleteFunc(parts, func(s string) bool { return s == "" }), "; ")
}

// worst sorts findings of one detector, and keeps the first few.
func worst(fs []casefile.Finding, n int) []casefile.Finding {
	slices.SortStableFunc(fs, func(a, b casefile.Finding) int { return cmp.Compare(b.Score, a.Score) })
	return fs[:min(len(fs), n)]
}
