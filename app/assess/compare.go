package assess

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"

	"github.com/gocasebook/casebook/app/casework"
	"github.com/gocasebook/casebook/app/compare"
	"github.com/gocasebook/casebook/app/report"
	"github.com/gocasebook/casebook/casefile"
)

// A CompareRequest names measurements, the old one first: outputs of go test -bench, results of casebook load, proofs,
// evidence. Their kind is found from their content.
type CompareRequest struct {
	Inputs   []string // FILE, label=FILE, or "-" for Stdin
	Stdin    io.Reader
	Options  compare.Options
	Evidence DiagnoseRequest // who gets events while evidence is read; What and Base are not used
}

// Compared is what differs: a report, findings, or both. It encodes as `casebook compare --json`.
type Compared struct {
	Report    *compare.Report // nil of evidence without proofs
	Diagnosed *Diagnosed      // nil of measurements

	old, latest string
	loads       *comparedLoads  // two results of load: their page has more to show
	proofs      *comparedProofs // two proofs, likewise
}

// Warning is the score at which the severity warning begins.
const Warning = 50

// Worse reports whether something is worse.
func (c *Compared) Worse() bool {
	return c.Report != nil && c.Report.Count(casefile.Worse) > 0 || c.Diagnosed != nil && c.Diagnosed.Worst() >= Warning
}

// MarshalJSON returns the findings with the report of the cases' proofs below, otherwise the report.
func (c *Compared) MarshalJSON() ([]byte, error) {
	if c.Diagnosed == nil {
		return json.Marshal(c.Report)
	}
	return json.Marshal(struct {
		*Diagnosed
		Proofs *compare.Report `json:"proofs,omitempty"`
	}{c.Diagnosed, c.Report})
}

// Page returns the page of what was compared.
func (c *Compared) Page() (report.Comparison, error) {
	switch {
	case c.loads != nil:
		return c.loads.page(c.Report.Warnings)
	case c.Diagnosed != nil:
		page := compare.OfEvidence(c.old, c.latest, c.Diagnosed.Base, c.Diagnosed.Now, c.Diagnosed.Comparison)
		if c.Report != nil { // both cases have a proof
			proofs := c.Report.Page()
			page.Figures = append(proofs.Figures, page.Figures...)
			page.Method, page.Warnings = append(page.Method, proofs.Method...),
				append(page.Warnings, proofs.Warnings...)
		}
		return page, nil
	case c.proofs != nil:
		return c.proofs.page(c.Report), nil
	}
	return c.Report.Page(), nil
}

// Compare reads the inputs, which must be of one kind, and compares the first with each of the others.
func Compare(ctx context.Context, r CompareRequest) (*Compared, error) {
	in, err := readCompared(r.Stdin, r.Inputs)
	if err != nil {
		return nil, err
	}
	var res Compared
	switch in[0].kind {
	case compare.Benchmarks:
		var inputs []compare.Input
		for _, i := range in {
			inputs = append(inputs, compare.Input{Label: i.label, Data: bytes.NewReader(i.data)})
		}
		res.Report, err = compare.OfBenchmarks(inputs, r.Options)
	case compare.Load:
		res.loads, res.Report, err = ofLoads(in[0], in[1], r.Options)
	case compare.Proof:
		res.proofs, res.Report, err = ofProofs(in[0], in[1], r.Options)
	default:
		return r.ofEvidence(ctx, in[0], in[1])
	}
	if err != nil {
		return nil, err
	}
	return &res, nil
}

// ErrOnlyFiles says that standard input is named as evidence to compare.
var ErrOnlyFiles = errors.New("compare reads evidence only from files")

// ofEvidence compares findings, as Diagnose with a base does, and the proofs if both cases have one.
func (r *CompareRequest) ofEvidence(ctx context.Context, a, b comparedInput) (*Compared, error) {
	if a.path == "-" || b.path == "-" {
		return nil, ErrOnlyFiles
	}
	ask := r.Evidence
	ask.Base, ask.What = []string{a.path}, []string{b.path}
	res, err := compareEvidence(ctx, ask, a.label, b.label)
	if err != nil {
		return nil, err
	}
	return res, res.addProofs(proofOfCase(a.path), proofOfCase(b.path), r.Options)
}

// compareEvidence compares what was found in the evidence of a request with what was found in its base.
func compareEvidence(ctx context.Context, ask DiagnoseRequest, old, latest string) (*Compared, error) {
	found, err := Diagnose(ctx, ask)
	if err != nil {
		return nil, err
	}
	if len(found.Failed) > 0 || found.Comparison == nil {
		return nil, errors.Join(append(found.Failed, errors.New("nothing was compared"))...)
	}
	return &Compared{Diagnosed: found, old: old, latest: latest}, nil
}

// proofOfCase returns the proof in a case's folder; nil if there is none.
func proofOfCase(path string) *casefile.Proof {
	if !casework.IsCase(path) {
		return nil
	}
	f, err := casefile.Open(path)
	if err != nil { // Diagnose has said so
		return nil
	}
	return f.Case.Proof
}
