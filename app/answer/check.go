package answer

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/gocasebook/casebook/app/facts"
	"github.com/gocasebook/casebook/app/source"
	"github.com/gocasebook/casebook/casefile"
)

// Parts of an answer that a reason may be about.
const (
	AboutPlace   = "place"
	AboutFact    = "fact"
	AboutNumber  = "number"
	AboutGain    = "gain"
	AboutVersion = "version"
	AboutSetting = "setting"
	AboutDiff    = "diff"
	AboutCure    = "cure"
	AboutText    = "text" // the cause
)

// Options are what a check may look at beside the facts. The zero value looks at nothing else but the modules that are
// on this machine.
type Options struct {
	Source *source.Places // of the program; nil: none is at hand
	Test   bool           // run the tests of the packages that a diff changes: they run code of the diff
	Online bool           // ask the module proxy for what this machine does not have
	Limit  time.Duration  // for compiling and testing a diff; 0 is DefaultLimit
}

// DefaultLimit bounds what compiling and testing a diff takes.
const DefaultLimit = 5 * time.Minute

// Check holds an answer against facts. It never fails: what cannot be looked at is said in a reason.
func Check(ctx context.Context, a Answer, s *facts.Sheet, o Options) casefile.Opinion {
	c := &check{a: &a, sheet: s, o: o}
	c.code = codeOf(o.Source)
	c.modules = newModules(ctx, s, o)
	for _, part := range parts {
		part(c, ctx)
	}
	slices.SortStableFunc(c.reasons, func(x, y casefile.Reason) int {
		return cmp.Compare(worse(y.Verdict), worse(x.Verdict))
	})
	op := casefile.Opinion{Author: a.Author, Where: a.Place, Cause: a.Cause, Change: a.Change, Rests: a.Rests,
		Gain: a.Gain, Verdict: casefile.Supported, Reasons: c.reasons}
	if len(a.Diff) <= maxDiff {
		op.Diff = a.Diff
	}
	if len(c.reasons) > 0 {
		op.Verdict = c.reasons[0].Verdict
	}
	return op
}

// parts are what is checked, in order: a later one may ask at which facts the places are.
var parts = [...]func(*check, context.Context){(*check).places, (*check).cited, (*check).numbers, (*check).gain,
	(*check).uses, (*check).diff, (*check).cause, (*check).cure}

// A check is one answer while it is checked.
type check struct {
	a       *Answer
	sheet   *facts.Sheet
	o       Options
	code    *code // nil: no source
	modules *modules

	at      []*facts.Fact // that a place of the answer is at, the most harmful first
	user    bool          // a place is in code that its user can change
	reasons []casefile.Reason
}

// worse orders verdicts.
func worse(verdict string) int {
	switch verdict {
	case casefile.Contradicted:
		return 2
	case casefile.Unsupported:
		return 1
	}
	return 0
}

// say adds a reason.
func (c *check) say(verdict, about, text string, by ...*facts.Fact) {
	r := casefile.Reason{Verdict: verdict, About: about, Text: text}
	for _, f := range by {
		if !slices.Contains(r.Facts, f.ID) {
			r.Facts = append(r.Facts, f.ID)
		}
	}
	c.reasons = append(c.reasons, r)
}

// fact is the one with an ID; nil if there is none.
func (c *check) fact(id string) *facts.Fact {
	for i := range c.sheet.Facts {
		if c.sheet.Facts[i].ID == id {
			return &c.sheet.Facts[i]
		}
	}
	return nil
}

// rests are the facts that the answer cites and that exist.
func (c *check) rests() (all []*facts.Fact) {
	for _, id := range c.a.Rests {
		if f := c.fact(id); f != nil && !slices.Contains(all, f) {
			all = append(all, f)
		}
	}
	return all
}

// ids are the IDs of facts, as prose has them: "W1, H2".
func ids(all []*facts.Fact) string {
	const most = 4
	out := ""
	for i, f := range all {
		if i == most {
			return out + " …"
		}
		if i > 0 {
			out += ", "
		}
		out += f.ID
	}
	return out
}
