package assess

import (
	"context"
	"fmt"
	"strings"

	"github.com/gocasebook/casebook/app/casework"
	"github.com/gocasebook/casebook/app/likeness"
	"github.com/gocasebook/casebook/app/prove"
	"github.com/gocasebook/casebook/app/prove/trial"
	"github.com/gocasebook/casebook/casefile"
)

// A ProveRequest says which two servers to measure against each other, and how.
type ProveRequest struct {
	Sides Sides
	URL   string          // that is loaded, with a place for the port
	Trial trial.Config    // everything except the commands of A and B; its View gets the builds, too
	Case  *casework.Which // the case that the proof is for; nil: none
	// Finding is the ID or the kind of the case's finding whose remedy is measured; "": the first whose promise the
	// figures measure (prove.About).
	Finding string
	// Opinion is the ID of the case's opinion whose change is measured; "": none. The finding at its place is the one
	// that the proof is about.
	Opinion string
}

// Proved is what was measured. It encodes as `casebook prove --json`.
type Proved struct {
	Kind   string         `json:"kind"` // casebook-proof
	Schema int            `json:"schema"`
	Proof  casefile.Proof `json:"proof"`
	Blocks []prove.Block  `json:"blocks"`

	Result trial.Result     `json:"-"`
	Cut    error            `json:"-"` // why the measurement was cut short; nil if it was not
	Left   []error          `json:"-"` // what could not be cleaned up
	Case   *casefile.Folder `json:"-"` // that the proof is for; nil: none
	Keeps  bool             `json:"-"` // the measurement was cut short, and Case keeps the proof that it has

	same   bool              // A and B
	treats *casefile.Treated // as was asked for; nil: to be deduced
	of     string            // the opinion whose change it is; "": none
}

// Prove builds the sides if revisions are named, measures them in turns, and says what the measurement proves. Without
// a single block there is an error; what was measured before a measurement was cut short is a result, with Cut. The
// result is never nil: it says what could not be cleaned up.
func Prove(ctx context.Context, r ProveRequest) (*Proved, error) {
	done := &Proved{Kind: "casebook-proof", Schema: 1}
	if r.Case != nil { // before anything is measured
		var err error
		if done.Case, err = casework.Open(*r.Case); err != nil {
			return done, err
		}
		if done.treats, err = r.treated(&done.Case.Case); err == nil {
			err = done.ofOpinion(r.Opinion)
		}
		if err != nil {
			return done, err
		}
	}
	done.same = r.Sides.Same() // the builds have different paths
	if done.same {
		r.say("A and B are the same: this measures the noise")
	}
	remove, err := r.Sides.build(ctx, r.say)
	if err == nil {
		err = done.measure(ctx, &r)
	}
	if failed := remove(); failed != nil {
		done.Left = append(done.Left, failed)
	}
	return done, err
}

func (r *ProveRequest) say(text string) {
	if r.Trial.View.Say != nil {
		r.Trial.View.Say(text)
	}
}

// treated finds what was asked for in the case; nil for nothing.
func (r *ProveRequest) treated(c *casefile.Case) (*casefile.Treated, error) {
	if r.Finding == "" {
		return nil, nil
	}
	var have []string
	for i := range c.Findings {
		f := &c.Findings[i]
		if strings.EqualFold(f.ID, r.Finding) || f.Kind == r.Finding {
			return prove.Treated(f), nil
		}
		have = append(have, f.ID)
	}
	if len(have) == 0 {
		return nil, fmt.Errorf("case %s has no findings: casebook diagnose it first", c.ID)
	}
	return nil, fmt.Errorf("case %s has no finding %s; it has %s", c.ID, r.Finding, strings.Join(have, ", "))
}

// ofOpinion says that the change is that of an opinion, and finds the finding at its place.
func (p *Proved) ofOpinion(id string) error {
	if id == "" {
		return nil
	}
	c := &p.Case.Case
	var have []string
	for i := range c.Opinions {
		o := &c.Opinions[i]
		if strings.EqualFold(o.ID, id) {
			p.of = o.ID
			if k := prove.FindingOf(o, c.Findings); k >= 0 {
				p.treats = prove.Treated(&c.Findings[k])
			}
			return nil
		}
		have = append(have, o.ID)
	}
	if len(have) == 0 {
		return fmt.Errorf("case %s has no opinions: casebook answer gives one", c.ID)
	}
	return fmt.Errorf("case %s has no opinion %s; it has %s", c.ID, id, strings.Join(have, ", "))
}

// putBeside says which finding of the case the proof is about, what that one promised, and whether the load exercised
// what was ill.
func (p *Proved) putBeside() {
	c := &p.Case.Case
	p.Proof.Finding, p.Proof.Opinion = p.treats, p.of
	prove.Attribute(&p.Proof, c.Findings)
	if p.Result.Profiles == nil {
		return
	}
	var about *casefile.Finding
	if i := prove.About(&p.Proof, c.Findings); i >= 0 {
		about = &c.Findings[i]
	}
	a := p.Result.Profiles.A
	s := likeness.OfCase(c, about, p.Case.Read, likeness.Taken{CPU: a.CPU, Heap: a.Heap})
	p.Proof.Similarity = s
	if s != nil && s.Low {
		p.Proof.Summary = "The load does not stand for the case. " + p.Proof.Summary
	}
}

func (p *Proved) measure(ctx context.Context, r *ProveRequest) error {
	r.Trial.A, r.Trial.B = r.Sides.A, r.Sides.B
	result, cut := trial.Run(ctx, r.Trial)
	p.Left = append(p.Left, result.Left...)
	if len(result.Blocks) == 0 {
		return cut
	}
	p.Result, p.Blocks, p.Cut = result, result.Blocks, cut
	p.Proof = r.proof(result, p.same, cut)
	if p.Case != nil {
		p.putBeside()
		p.Keeps = cut != nil && !judged(result) && p.had()
	}
	return nil
}

// had reports whether the case has a proof already that this one would replace.
func (p *Proved) had() bool {
	if o := p.Case.Case.Opinion(p.of); o != nil {
		return o.Proof != nil
	}
	return p.Case.Case.Proof != nil
}
