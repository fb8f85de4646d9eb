package assess

import (
	"context"

	"github.com/gocasebook/casebook/app/compare"
	"github.com/gocasebook/casebook/app/report"
	"github.com/gocasebook/casebook/casefile"
)

// CompareCases returns the page of what differs between two cases: what Compare and Page make of their folders.
func CompareCases(ctx context.Context, before, after *casefile.Folder) (report.Comparison, error) {
	r := CompareRequest{Options: compare.Options{Margin: compare.DefaultMargin, Alpha: compare.DefaultAlpha}}
	res, err := r.ofEvidence(ctx, comparedInput{label: before.Case.ID, path: before.Path},
		comparedInput{label: after.Case.ID, path: after.Path})
	if err != nil {
		return report.Comparison{}, err
	}
	return res.Page()
}
