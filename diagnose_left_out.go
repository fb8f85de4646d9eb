//go:build casebook_nodiagnose

package casebook

import (
	"context"

	"github.com/gocasebook/casebook/casefile"
)

// DiagnoseOptions has no fields in this build, which judges nothing.
type DiagnoseOptions struct{}

// Diagnose records that this build judges nothing: see the one without the tag casebook_nodiagnose.
func Diagnose(ctx context.Context, f *casefile.Folder) error {
	return diagnoseWith(ctx, f, DiagnoseOptions{})
}

func diagnoseWith(_ context.Context, f *casefile.Folder, _ DiagnoseOptions) error {
	return f.Update(func(c *casefile.Case) {
		c.Diagnosis = casefile.Diagnosis{Undecided: []casefile.Undecided{{
			Kind:        "every kind",
			Reason:      "the service was built with the tag casebook_nodiagnose, which leaves the detectors out",
			CaptureNext: "nothing: casebook diagnose judges this case's evidence",
		}}}
	})
}

// wantedBy is the kind of evidence that would decide a case: nothing judges it here.
func wantedBy(context.Context, *casefile.Folder, DiagnoseOptions) (kind string, later bool) {
	return "", false
}
