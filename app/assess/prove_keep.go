package assess

import (
	"os"
	"path/filepath"
)

// ProofName is the file in which casebook prove --out keeps a proof.
const ProofName = "proof.json"

// HasProof reports whether a proof was kept in a folder.
func HasProof(dir string) bool {
	_, err := os.Stat(filepath.Join(dir, ProofName))
	return err == nil
}
