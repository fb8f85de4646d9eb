package assess

import (
	"context"
	"fmt"
	"io/fs"
	"strings"

	"github.com/gocasebook/casebook/app/compare"
	"github.com/gocasebook/casebook/casefile"
)

// An Opened is evidence that is open already: a case, or a folder of profiles. A face that may read in one folder only
// (package mcp) opens it there, and nothing is looked up by its path again.
type Opened struct {
	Name  string
	Case  *casefile.Folder // nil: Files
	Files fs.FS            // a folder, whose direct files are read as far as they are evidence
}

func (g *gatherer) opened(o *Opened) {
	if o.Case != nil {
		g.ofCase(o.Case)
		return
	}
	entries, err := fs.ReadDir(o.Files, ".")
	if err != nil {
		g.fail(fmt.Errorf("reading %s: %w", o.Name, err))
		return
	}
	before := len(g.in.Evidence)
	for _, e := range entries {
		if !e.Type().IsRegular() || strings.HasPrefix(e.Name(), ".") {
			continue
		}
		f, err := o.Files.Open(e.Name())
		if err != nil {
			g.fail(fmt.Errorf("reading %s: %w", o.Name, err))
			continue
		}
		g.unnamed(e.Name(), f)
		_ = f.Close() // it was only read
	}
	if len(g.in.Evidence) == before {
		g.fail(fmt.Errorf("%s holds no evidence: none of its files is a Go profile or goroutine dump", o.Name))
	}
}

// CompareOpened is Compare of two pieces of evidence that are open, the old one first. Of r it uses Options and
// Evidence.
func CompareOpened(ctx context.Context, r CompareRequest, old, latest *Opened) (*Compared, error) {
	ask := r.Evidence
	ask.OpenedBase, ask.Opened = old, latest
	res, err := compareEvidence(ctx, ask, old.Name, latest.Name)
	if err != nil || old.Case == nil || latest.Case == nil {
		return res, err
	}
	return res, res.addProofs(old.Case.Case.Proof, latest.Case.Case.Proof, r.Options)
}

// addProofs compares two proofs, if there are two.
func (c *Compared) addProofs(old, latest *casefile.Proof, o compare.Options) (err error) {
	if old != nil && latest != nil {
		c.Report, err = compare.OfProofs(c.old, old, c.latest, latest, o)
	}
	return err
}
