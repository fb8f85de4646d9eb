package assess

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/gocasebook/casebook/app/compare"
	"github.com/gocasebook/casebook/app/prove"
	"github.com/gocasebook/casebook/app/report"
	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/vitals"
)

// comparedProofs are two proofs, as casebook prove keeps them.
type comparedProofs struct {
	inputs [2]comparedInput
	proofs [2]*casefile.Proof
}

func ofProofs(a, b comparedInput, opt compare.Options) (*comparedProofs, *compare.Report, error) {
	c := &comparedProofs{inputs: [2]comparedInput{a, b}}
	for i, in := range c.inputs {
		var err error
		if c.proofs[i], err = compare.DecodeProof(in.data); err != nil {
			return nil, nil, fmt.Errorf("%s: %w", in.path, err)
		}
	}
	r, err := compare.OfProofs(a.label, c.proofs[0], b.label, c.proofs[1], opt)
	if err != nil {
		return nil, nil, err
	}
	r.AddBlocks(compare.DecodeBlocks(a.data), compare.DecodeBlocks(b.data))
	return c, r, nil
}

// page returns the page of both: every block of the sides "after", and what differs in their profiles where the folders
// have some.
func (c *comparedProofs) page(r *compare.Report) report.Comparison {
	page := r.Page()
	page.Taken = c.proofs[1].Taken
	for i, p := range c.proofs {
		page.Sides[i].Command = p.After.Command
	}
	for _, kept := range []struct{ name, file, kind string }{
		{"CPU per request", "b.cpu.pb.gz", casefile.CPU}, {"Heap in use", "b.heap.pb.gz", casefile.Heap},
	} {
		pair := report.ProfilePair{Name: kept.name, Kind: kept.kind, Before: c.fileOf(0, kept.file),
			After: c.fileOf(1, kept.file)}
		if pair.Before == nil || pair.After == nil {
			continue
		}
		if kept.kind == casefile.CPU {
			pair.LevelBefore, pair.LevelAfter, pair.Unit = c.cpu(0), c.cpu(1), vitals.Seconds
		}
		page.Profiles = append(page.Profiles, pair)
	}
	return page
}

// fileOf returns a file in the folder of a proof; nil if there is none, or if the proof is not in a separate folder.
func (c *comparedProofs) fileOf(i int, name string) []byte {
	dir := c.inputs[i].path
	if filepath.Base(dir) == ProofName {
		dir = filepath.Dir(dir)
	}
	data, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil {
		return nil
	}
	return data
}

// cpu returns the CPU time per request that a proof measured after its remedy; 0 if it did not.
func (c *comparedProofs) cpu(i int) float64 {
	for _, f := range c.proofs[i].Figures {
		if f.Name == prove.CPUPerRequest {
			return f.After.Value
		}
	}
	return 0
}
