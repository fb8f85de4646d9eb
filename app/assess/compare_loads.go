package assess

import (
	"bytes"
	"fmt"
	"path/filepath"

	"github.com/gocasebook/casebook/app/compare"
	"github.com/gocasebook/casebook/app/load"
	"github.com/gocasebook/casebook/app/report"
)

// comparedLoads are two results of load.
type comparedLoads struct {
	old, latest comparedInput
	files       [2]*load.File
	opt         compare.Options
}

func ofLoads(a, b comparedInput, opt compare.Options) (*comparedLoads, *compare.Report, error) {
	var files [2]*load.File
	for i, in := range []comparedInput{a, b} {
		var err error
		if files[i], err = load.Read(bytes.NewReader(in.data)); err != nil {
			return nil, nil, fmt.Errorf("%s: %w", in.path, err)
		}
	}
	r, err := compare.OfLoad(a.label, files[0], b.label, files[1], opt)
	return &comparedLoads{a, b, files, opt}, r, err
}

// page returns the page of both: latency over percentiles, and every window.
func (l *comparedLoads) page(warnings []string) (report.Comparison, error) {
	proof, err := compare.LoadProof(l.old.label, l.files[0], l.latest.label, l.files[1], l.opt)
	if err != nil {
		return report.Comparison{}, err
	}
	proof.Taken = l.files[1].Start
	c := report.OfLoads(l.files[0], l.files[1], proof)
	if old, latest := filepath.Base(l.old.path), filepath.Base(l.latest.path); old != latest {
		c.Title = latest + " against " + old
	}
	c.Warnings = append(c.Warnings, warnings...)
	return c, nil
}
