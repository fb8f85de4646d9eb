//go:build !casebook_nodiagnose

package casebook

import (
	"context"
	"errors"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose"
)

// Diagnose reads a case's evidence and records the findings in the case. It runs anywhere: in the service, beside it,
// on a laptop.
//
// Built with the tag casebook_nodiagnose it records that nothing was judged, and how to have it judged: the detectors are
// not linked then, which makes a service's binary about 2 MB smaller.
func Diagnose(ctx context.Context, f *casefile.Folder) error {
	in, problems := diagnose.CaseInput(f)
	report := diagnose.Run(ctx, in)
	err := f.Update(func(c *casefile.Case) { c.Diagnosis = report.Diagnosis })
	return errors.Join(append(problems, err)...)
}
