package assess

import (
	"context"
	"errors"

	"github.com/gocasebook/casebook/app/heat"
	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose"
)

// Heated is what lines of source cost, by the evidence that a request names.
type Heated struct {
	Map      *heat.Map
	Findings []casefile.Finding // what the detectors say of the same evidence
	Build    casefile.Build     // that the evidence is from
	Failed   []error            // what could not be read; the rest was
}

// Heat gathers what a request names, all of one process, as Diagnose does, and returns what lines of source cost there.
// locate is made when the build is known; nil leaves the names of files as the build recorded them. It is an error if
// nothing says what lines cost.
func Heat(ctx context.Context, r DiagnoseRequest, locate func(casefile.Build) (heat.Locate, error)) (*Heated, error) {
	g := gatherer{request: &r, found: make(map[string]bool)}
	for _, arg := range r.What {
		g.gather(ctx, arg)
	}
	if ctx.Err() != nil {
		return nil, errors.New("interrupted")
	}
	sets, problems := heat.Read(g.in)
	for _, p := range problems {
		g.problem(diagnose.Problem{File: p.File, Reason: p.Reason, Next: p.Next}, len(sets) > 0)
	}
	if len(sets) == 0 {
		return nil, errors.Join(append(g.failed, errors.New("no CPU, heap, block or mutex profile could be read: "+
			"nothing says what lines cost"))...)
	}
	res := &Heated{Build: g.in.Build, Failed: g.failed}
	var where heat.Locate
	if locate != nil {
		var err error
		if where, err = locate(g.in.Build); err != nil {
			return nil, err
		}
	}
	res.Map = heat.Of(sets, where)
	g.in.Release = true
	res.Findings = diagnose.Run(ctx, g.in, options()).Findings
	return res, nil
}
