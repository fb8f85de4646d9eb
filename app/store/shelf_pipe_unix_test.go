//go:build unix

package store

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/gocasebook/casebook/casefile"
)

// Evidence that somebody made a pipe of is refused: each request for it would hold a thread for ever.
func TestShelfRefusesPipes(t *testing.T) {
	dir, p := t.TempDir(), newParcel(t, 1, "shop")
	f, err := casefile.Dir(dir).Import(bytes.NewReader(p.zip), int64(len(p.zip)))
	if err != nil {
		t.Fatal(err)
	}
	s, err := OpenShelf(dir)
	if err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(f.Path, filepath.FromSlash(p.c.Evidence[0].File))
	if err := os.Remove(name); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mkfifo(name, 0o600); err != nil {
		t.Skip(err)
	}
	_, _, err = s.Evidence(t.Context(), p.c.ID, p.c.Evidence[0].File)
	if err == nil || !strings.Contains(err.Error(), "not a regular file") {
		t.Errorf("evidence that is a pipe: %v", err)
	}
	c, err := s.Checkout(t.Context(), p.c.ID)
	if err != nil {
		t.Fatal(err)
	}
	if err := casefile.Export(c.Folder, &bytes.Buffer{}); err == nil {
		t.Error("a case whose evidence is a pipe was exported")
	}
}
