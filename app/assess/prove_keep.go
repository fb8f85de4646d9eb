package assess

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"

	"github.com/gocasebook/casebook/app/casework"
	"github.com/gocasebook/casebook/app/report"
	"github.com/gocasebook/casebook/casefile"
)

// ProofName is the file in which Keep keeps a proof.
const ProofName = "proof.json"

// Attach puts the proof into its case and draws the case's page again.
func (p *Proved) Attach(links report.Links) error {
	if err := p.Case.Update(func(c *casefile.Case) { c.AddProof(&p.Proof) }); err != nil {
		return fmt.Errorf("putting the proof into case %s: %w", p.Case.Case.ID, err)
	}
	return casework.DrawPage(p.Case, links)
}

// Keep writes a folder with the proof, and the profiles in their native format.
func (p *Proved) Keep(dir string) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	data, err := json.MarshalIndent(p, "", "  ")
	if err != nil {
		return fmt.Errorf("writing the proof: %w", err)
	}
	files := map[string][]byte{ProofName: append(data, '\n')}
	if p.Result.Profiles != nil {
		maps.Copy(files, p.Result.Profiles.Files())
	}
	for name, content := range files {
		if err := os.WriteFile(filepath.Join(dir, name), content, 0o600); err != nil {
			return err
		}
	}
	return nil
}

// HasProof reports whether Keep has kept a proof in a folder.
func HasProof(dir string) bool {
	_, err := os.Stat(filepath.Join(dir, ProofName))
	return err == nil
}
