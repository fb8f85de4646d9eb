package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/gocasebook/casebook/app/prove"
	"github.com/gocasebook/casebook/app/prove/trial"
	"github.com/gocasebook/casebook/app/terminal"
	"github.com/gocasebook/casebook/casefile"
)

// A proofFile is what --out and --json write.
type proofFile struct {
	Kind   string         `json:"kind"` // casebook-proof
	Schema int            `json:"schema"`
	Proof  casefile.Proof `json:"proof"`
	Blocks []prove.Block  `json:"blocks"`
}

// write prints the proof, keeps it, and puts it into the case.
func (f *proveFlags) write(w io.Writer, p casefile.Proof, r trial.Result, folder *casefile.Folder) error {
	file := proofFile{"casebook-proof", 1, p, r.Blocks}
	var errs []error
	if f.json {
		errs = append(errs, writeJSON(w, file))
	} else {
		errs = append(errs, terminal.Proof(w, p))
	}
	if f.file != "" {
		errs = append(errs, keepProof(f.file, file, r.Profiles))
	}
	if f.html != "" {
		errs = append(errs, f.writeHTML(p, r))
	}
	if folder != nil {
		errs = append(errs, attachProof(folder, p))
	}
	return errors.Join(errs...)
}

// attachProof puts the proof into the case and draws its report again.
func attachProof(folder *casefile.Folder, p casefile.Proof) error {
	if err := folder.Update(func(c *casefile.Case) { c.Proof = &p }); err != nil {
		return fmt.Errorf("putting the proof into case %s: %w", folder.Case.ID, err)
	}
	return rewriteReport(folder)
}

// keepProof writes a folder with proof.json, and the profiles in their native format.
func keepProof(dir string, file proofFile, profiles *trial.Profiles) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return fmt.Errorf("--out: %w", err)
	}
	data, err := json.MarshalIndent(file, "", "  ")
	if err != nil {
		return fmt.Errorf("writing the proof: %w", err)
	}
	files := map[string][]byte{"proof.json": append(data, '\n')}
	if profiles != nil {
		for name, content := range profiles.Files() {
			files[name] = content
		}
	}
	for name, content := range files {
		if err := os.WriteFile(filepath.Join(dir, name), content, 0o600); err != nil {
			return fmt.Errorf("--out: %w", err)
		}
	}
	return nil
}
