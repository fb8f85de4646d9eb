//go:build !casebook_nodiagnose

package casebook

import (
	"context"
	"errors"
	"fmt"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose"
)

// DiagnoseOptions say how a case is judged: by which detectors, and after which derivers. The zero value means the
// built-in detectors. A build with the tag casebook_nodiagnose has none of its fields.
type DiagnoseOptions = diagnose.Options

// Diagnose reads a case's evidence and records the findings in the case. It runs anywhere: in the service, next to it,
// on a laptop.
//
// All watches of the process together read one case at a time, within the memory limit. Evidence that does not fit is
// an error, and the case is judged without it.
//
// Built with the tag casebook_nodiagnose it records that nothing was judged, and how to get a judgement: the detectors
// are then not linked, which makes a service's binary about 9 MB smaller.
func Diagnose(ctx context.Context, f *casefile.Folder) error {
	return diagnoseWith(ctx, f, DiagnoseOptions{})
}

// diagnoseWith is Diagnose with the options of a Config.
func diagnoseWith(ctx context.Context, f *casefile.Folder, opts DiagnoseOptions) error {
	var problems []error
	var report diagnose.Report
	waited := reading.Do(ctx, func() {
		var in diagnose.Input
		in, problems = diagnose.CaseInput(f, opts)
		report = diagnose.Run(ctx, in, opts)
	})
	if waited != nil {
		return fmt.Errorf("waiting for another case to be diagnosed: %w", waited)
	}
	for _, p := range report.Problems {
		problems = append(problems, fmt.Errorf("%s: %s; %s", p.File, p.Reason, p.Next))
	}
	err := f.Update(func(c *casefile.Case) { c.Diagnosis = report.Diagnosis })
	return errors.Join(append(problems, err)...)
}

// wantedBy is the kind of evidence that would say why a rule tripped; "" if a finding does, or none that a target can
// be asked for would. later says that what the case has would do it, taken once more in some minutes.
func wantedBy(ctx context.Context, f *casefile.Folder, opts DiagnoseOptions) (kind string, later bool) {
	if !diagnose.MayWant(&f.Case) {
		return "", false
	}
	_ = reading.Do(ctx, func() { // an error means that the watch ends: there is nothing to be taken then
		in, _ := diagnose.CaseInput(f, opts) // what cannot be read is reported when the case is diagnosed
		if v := diagnose.Run(ctx, in, opts).Verdict; v != nil {
			kind, later = v.Take, v.Later
		}
	})
	return kind, later
}
