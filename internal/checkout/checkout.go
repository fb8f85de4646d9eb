// Package checkout tells tests whether they run in a checkout of this repository. The module's zip, which go get
// downloads, lacks the recorded evidence, the other modules and what git knows. Tests that need those are skipped in a
// module cache, and fail in a checkout where a file is gone.
package checkout

import (
	"os"
	"path/filepath"
	"testing"
)

// only is a file that every checkout has and no zip of the module.
const only = "evidence/go.mod"

// Need skips a test that runs outside of a checkout.
func Need(t testing.TB) {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	if !within(dir) {
		t.Skip("needs a checkout (git clone https://github.com/gocasebook/casebook): " +
			"the module's zip has no recorded evidence")
	}
}

// within says whether dir or a folder above it is the root of a checkout.
func within(dir string) bool {
	for {
		if _, err := os.Stat(filepath.Join(dir, only)); err == nil {
			return true
		}
		above := filepath.Dir(dir)
		if above == dir {
			return false
		}
		dir = above
	}
}
