package gate

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/gocasebook/casebook/app/prove"
	"github.com/gocasebook/casebook/casefile"
)

// A Proof is what casebook prove --out keeps in proof.json: a service's measurement, block by block.
type Proof struct {
	Kind   string         `json:"kind"`
	Proof  casefile.Proof `json:"proof"`
	Blocks []prove.Block  `json:"blocks"`
}

// maxProof bounds a proof's file; a block is about 2 kB.
const maxProof = 64 << 20

// ReadProof reads the JSON that casebook prove writes.
func ReadProof(r io.Reader) (*Proof, error) {
	limited := &io.LimitedReader{R: r, N: maxProof + 1}
	var p Proof
	err := json.NewDecoder(limited).Decode(&p)
	switch {
	case limited.N == 0:
		return nil, fmt.Errorf("reading a proof: it is larger than %d bytes", maxProof)
	case err != nil:
		return nil, fmt.Errorf("reading a proof: %w; want the proof.json that casebook prove --out DIR writes", err)
	case len(p.Blocks) == 0:
		return nil, errors.New("reading a proof: it has no blocks; want version 1 of the proof.json that casebook " +
			"prove --out DIR writes")
	}
	return &p, nil
}

// figures returns the pairs of a proof, with the units that it says.
func (p *Proof) figures() []Figure {
	figures := blockFigures(servicePrefix+p.Proof.After.Label, p.Blocks)
	for i := range figures {
		for _, f := range p.Proof.Figures {
			if f.Name == figures[i].Name {
				figures[i].Unit = f.Unit
			}
		}
	}
	return figures
}

// JudgeProof judges a service by what casebook prove measured of it.
func JudgeProof(p *Proof, limits []Limit) (*Result, error) {
	figures := p.figures()
	for _, l := range limits {
		if !slices.ContainsFunc(figures, func(f Figure) bool { return f.Name == l.Figure }) {
			return nil, fmt.Errorf("gate: the proof does not measure %q, which %s limits; it measures %s",
				l.Figure, l, strings.Join(blockNames(p.Blocks), ", "))
		}
	}
	r := &Result{
		Base: p.Proof.Before.Label, Head: p.Proof.After.Label, Judgements: Judge(figures, limits),
		Rounds: len(p.Blocks),
		Method: fmt.Sprintf("%d blocks of casebook prove, each with fresh processes of both sides under the same "+
			"load, in turns; signed-rank test for a change above the limit, %g %% level over all limits. Nothing was "+
			"measured again.",
			len(p.Blocks), 100*level),
	}
	for i := range r.Judgements {
		j := &r.Judgements[i]
		switch {
		case j.Outcome == Fail:
			j.Because = p.moved(*j)
		case j.Outcome == CannotTell && math.Exp2(-float64(len(p.Blocks)))*float64(len(limits)) > level:
			j.Reason = fmt.Sprintf("%d blocks are too few for a verdict on %d limits, which need %d: casebook gate "+
				"--against measures as many as it needs", len(p.Blocks), len(limits), blocksNeeded(len(limits)))
		}
	}
	r.Outcome = Worst(r.Judgements)
	return r, nil
}

// blocksNeeded returns how many pairs let the smallest p of the signed-rank test, 2⁻ⁿ, pass Holm's first step, with two
// to spare.
func blocksNeeded(limits int) int {
	return int(math.Ceil(math.Log2(float64(limits)/level))) + 2
}

// moved returns the functions whose CPU per request grew or shrank with the figure.
func (p *Proof) moved(j Judgement) []Blame {
	var out []Blame
	for _, m := range p.Proof.Moved {
		if (m.After-m.Before)*(j.Head-j.Base) > 0 && len(out) < maxBlames {
			out = append(out, Blame{Function: m.Function, Base: m.Before, Head: m.After, Unit: "seconds"})
		}
	}
	return out
}
