// Package difference says what differs between two pieces of evidence of one service: what the process has and spends
// in all, the places that came, grew or went, and each finding, judged by what is measured at its place.
//
// The problem: a finding is a judgement, and two judgements compare badly. A score falls because a limit came with the
// second capture while the cost has doubled; the same goroutines are a queue in one capture and a leak in the next;
// what costs six times as much everywhere has no finding at all. The approach: profiles of both sides are added up by
// place, whatever the detectors said of them, and what a finding is about is looked up on both sides.
//
// Limits: nobody knows the load of two captures unless vitals count requests. Less than twice as much CPU is said and not
// judged. Places are compared by function, because lines move from build to build.
package difference

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose"
	"github.com/gocasebook/casebook/vitals"
)

// A Side is one of two pieces of evidence.
type Side struct {
	Report  diagnose.Report
	Reading *diagnose.Reading // nil where reading it took too long
}

// A Relation is how two pieces of evidence belong together, as far as they show it.
type Relation struct {
	Text     string // "they are of two builds of shop"; "" where nothing is known
	OneBuild bool   // lines of the one are lines of the other
}

// A Difference is what differs. It encodes as the comparison of `casebook diagnose --base --json`.
type Difference struct {
	Against  []BasisPair `json:"against,omitempty"` // what evidence was compared with what
	Relation string      `json:"relation,omitempty"`
	Totals   []Total     `json:"totals"`  // of the whole process
	Places   []Place     `json:"places"`  // by resource, what came and grew before what went and fell
	Changes  []Change    `json:"changes"` // by state, then by falling score
}

// An Amount is how much of something there is on both sides; nil on a side that was not measured.
type Amount struct {
	Unit vitals.Unit `json:"unit"`
	Base *float64    `json:"base"`
	Now  *float64    `json:"now"`
}

// A Total is what the whole process has or spends.
type Total struct {
	Name string `json:"name"`
	Amount
	// Chance says that so few samples differ as much at random.
	Chance bool `json:"chance,omitempty"`
	// Worse says that it is twice as much or more, and by enough to matter.
	Worse bool `json:"worse,omitempty"`
	// Unloaded says that it is worse as far as nobody counted requests on both sides.
	Unloaded bool `json:"load_unknown,omitempty"`
}

// A Change is one finding compared with the base.
type Change struct {
	diagnose.Change
	Resource string  `json:"resource,omitempty"` // what Amount is of
	Amount   *Amount `json:"amount,omitempty"`   // of the finding's place on both sides; nil where it has no measure
}

// Between compares the evidence of now with that of a base.
func Between(base, now Side, of Relation) *Difference {
	changes := diagnose.Compare(base.Report.Diagnosis, now.Report.Diagnosis).Changes
	a, b := measured(base.Reading), measured(now.Reading)
	d := &Difference{Against: against(base.Report.Read, now.Report.Read), Relation: of.Text, Totals: totals(a, b),
		Places: []Place{}, Changes: make([]Change, 0, len(changes))}
	for _, r := range resources {
		d.Places = append(d.Places, places(a.by[r.name], b.by[r.name])...)
	}
	for _, ch := range paired(changes) {
		j := Change{Change: ch}
		j.doubt(now.Report.Read)
		j.judge(a, b, of.OneBuild)
		d.Changes = append(d.Changes, j)
	}
	slices.SortStableFunc(d.Changes, func(x, y Change) int { return diagnose.MorePressing(x.Change, y.Change) })
	return d
}

// worseTotal is the score of a total that is worse: a warning, because load may be why.
const worseTotal = 50

// Worst is the highest score of what is new or worse.
func (d *Difference) Worst() int {
	worst := 0
	if slices.ContainsFunc(d.Totals, func(t Total) bool { return t.Worse }) {
		worst = worseTotal
	}
	for i := range d.Changes {
		if c := &d.Changes[i]; c.Pressing() {
			worst = max(worst, c.Finding().Score)
		}
	}
	return worst
}

// Pressing reports whether a finding is new or worse.
func (c *Change) Pressing() bool {
	return c.State == diagnose.StateNew || c.State == diagnose.StateWorse
}

// A BasisPair is the evidence of both sides of a comparison, for one kind: "1,204 samples over 10.0 s" and "3,611
// samples over 30.0 s". A side without evidence has "".
type BasisPair struct {
	Kind string `json:"kind"`
	Base string `json:"base"`
	Now  string `json:"now"`
}

// against states the evidence of both sides, kind by kind.
func against(base, now []diagnose.Artefact) (out []BasisPair) {
	var kinds []string
	for _, a := range slices.Concat(base, now) {
		if !slices.Contains(kinds, a.Kind) {
			kinds = append(kinds, a.Kind)
			out = append(out, BasisPair{a.Kind, basisText(base, a.Kind), basisText(now, a.Kind)})
		}
	}
	return out
}

// doubt withdraws that a finding is gone if the evidence it was based on was not captured again. Its detector may have
// looked at other evidence, which does not show the fault.
func (c *Change) doubt(now []diagnose.Artefact) {
	if c.State != diagnose.StateGone {
		return
	}
	var missing []string
	there := false
	for _, e := range c.Base.Evidence {
		switch has := slices.ContainsFunc(now, func(a diagnose.Artefact) bool { return sameKind(a.Kind, e.Kind) }); {
		case has:
			there = true
		case !slices.Contains(missing, e.Kind):
			missing = append(missing, e.Kind)
		}
	}
	if len(missing) == 0 {
		return
	}
	c.Note = "it was based on evidence that is missing now: " + strings.Join(missing, ", ")
	if !there {
		c.State, c.Score, c.Share = diagnose.StateUnjudged, 0, 0
	}
}

// sameKind reports whether two kinds contain the same: an allocs profile is a heap profile with another default.
func sameKind(a, b string) bool {
	plain := func(kind string) string {
		switch kind {
		case casefile.Allocs:
			return casefile.Heap
		case casefile.GoroutineDump:
			return casefile.Goroutine
		}
		return kind
	}
	return plain(a) == plain(b)
}

// basisText describes the evidence of one kind.
func basisText(read []diagnose.Artefact, kind string) string {
	var texts []string
	for _, a := range read {
		if a.Kind == kind {
			texts = append(texts, a.Text)
		}
	}
	if len(texts) > 2 {
		return fmt.Sprintf("%d files: %s; …; %s", len(texts), texts[0], texts[len(texts)-1])
	}
	return strings.Join(texts, "; ")
}
