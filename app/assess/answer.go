package assess

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/gocasebook/casebook/app/answer"
	"github.com/gocasebook/casebook/app/facts"
	"github.com/gocasebook/casebook/app/source"
	"github.com/gocasebook/casebook/casefile"
)

const maxAuthor = 100 // characters

// An AnswerRequest names the evidence that an answer is about, and brings the answer.
type AnswerRequest struct {
	DiagnoseRequest        // whose What is a case, or evidence of one process
	Answer          []byte // JSON, or prose with JSON in it
	Author          string // in place of the answer's own; "" takes that
	Source          string // folder of the program's source; "": none is at hand
	Test            bool   // run the tests of the packages that a diff changes
	Online          bool   // ask the module proxy
	DryRun          bool   // keep nothing
	Given           time.Time
}

// Answered is an answer as it was checked.
type Answered struct {
	Schema  int              `json:"schema"`
	Opinion casefile.Opinion `json:"opinion"`
	Case    string           `json:"case,omitempty"` // ID of the case that has it; "" where none keeps it
	Again   bool             `json:"again,omitempty"`

	Folder *casefile.Folder `json:"-"` // of the case that it is about; nil for evidence of none
}

// Answer checks what somebody says of a case against its facts, and puts it into the case. An answer that the case has
// already is checked again and stays one.
func Answer(ctx context.Context, r AnswerRequest) (*Answered, error) {
	a, err := answer.Parse(r.Answer)
	if err != nil {
		return nil, err
	}
	if r.Author != "" {
		a.Author = r.Author
	}
	sheet, folder, err := Sheet(ctx, r.DiagnoseRequest)
	if err != nil {
		return nil, err
	}
	res, err := r.check(ctx, a, sheet, folder)
	if err != nil || folder == nil || r.DryRun {
		return res, err
	}
	return res, res.keep(folder)
}

// check holds an answer against facts that were read of a case; folder is nil for evidence of none.
func (r *AnswerRequest) check(ctx context.Context, a answer.Answer, sheet *facts.Sheet,
	folder *casefile.Folder) (*Answered, error) {
	o := answer.Options{Test: r.Test, Online: r.Online}
	var err error
	if r.Source != "" {
		if o.Source, err = sourceOf(ctx, r.Source, sheet, folder); err != nil {
			return nil, err
		}
	}
	if r.Test && o.Source == nil {
		return nil, errors.New("tests are run in the source: say where it is (--source DIR)")
	}
	op := answer.Check(ctx, a, sheet, o)
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	op.Author, op.Given = authorOf(op.Author), r.Given.UTC()
	return &Answered{Schema: casefile.Schema, Opinion: op, Folder: folder}, nil
}

// sourceOf is the source of the program that the evidence is of.
func sourceOf(ctx context.Context, dir string, s *facts.Sheet, f *casefile.Folder) (*source.Places, error) {
	build := casefile.Build{Module: s.Subject.Module, GoVersion: s.Subject.Go}
	if f != nil && f.Case.Target.Build != (casefile.Build{}) {
		build = f.Case.Target.Build
	}
	p, err := source.FindPlaces(ctx, dir, build)
	if err != nil {
		return nil, fmt.Errorf("--source: %w", err)
	}
	return p, nil
}

// authorOf is who gave an answer, bounded; somebody who does not say is that.
func authorOf(said string) string {
	if r := []rune(said); len(r) > maxAuthor {
		said = string(r[:maxAuthor-1]) + "…"
	}
	if said == "" {
		return "unnamed"
	}
	return said
}

// keep puts the opinion into its case.
func (res *Answered) keep(f *casefile.Folder) error {
	var full error
	err := f.Update(func(c *casefile.Case) {
		had := len(c.Opinions)
		var id string
		if id, full = c.AddOpinion(res.Opinion); full == nil {
			res.Again, res.Opinion = len(c.Opinions) == had, *c.Opinion(id)
		}
	})
	switch {
	case err != nil:
		return err
	case full != nil:
		return fmt.Errorf("case %s does not keep it: %w; --dry-run checks without keeping", f.Case.ID, full)
	}
	res.Case = f.Case.ID
	return nil
}
