package assess

import (
	"context"
	"errors"

	"github.com/gocasebook/casebook/app/facts"
	"github.com/gocasebook/casebook/casefile"
)

// Sheet gathers what a request names, as Diagnose does, and says what it shows. The folder is that of the case; nil
// where the evidence is of none. What could not be read is a fact of the sheet, unless nothing could.
func Sheet(ctx context.Context, r DiagnoseRequest) (*facts.Sheet, *casefile.Folder, error) {
	g, err := r.gathered(ctx, r.What, false)
	if err != nil {
		return nil, nil, err
	}
	if len(g.in.Evidence) == 0 {
		return nil, nil, errors.Join(append(g.failed, errors.New("no evidence could be read"))...)
	}
	o := facts.Options{Unread: g.failed, Detectors: g.detectors()}
	if g.ofFolder != nil {
		o.Case = &g.ofFolder.Case
	}
	if o.Source, err = r.sourceOf(ctx, g.in.Build); err != nil {
		return nil, nil, err
	}
	g.in.Release = true
	sheet, report, err := facts.Read(ctx, g.in, o)
	if err != nil {
		return nil, nil, err
	}
	if len(report.Read) == 0 {
		for _, p := range report.Problems {
			g.problem(p, false)
		}
		return nil, nil, errors.Join(append(g.failed, errors.New("no evidence could be read"))...)
	}
	return sheet, g.ofFolder, nil
}
