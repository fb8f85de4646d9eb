package checkout

import (
	"os"
	"path/filepath"
	"testing"
)

func TestWithin(t *testing.T) {
	cache, clone := t.TempDir(), t.TempDir()
	for _, dir := range []string{
		filepath.Join(cache, "diagnose", "stacks"), filepath.Join(clone, "evidence", "cases"),
	} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(clone, filepath.FromSlash(only)), []byte("module x\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if !within(filepath.Join(clone, "evidence", "cases")) || !within(clone) {
		t.Error("a clone is not known as one")
	}
	if within(filepath.Join(cache, "diagnose", "stacks")) {
		t.Error("a module cache is taken for a clone")
	}
}

// TestNeedSkips runs in a folder that is no checkout, such as a module cache.
func TestNeedSkips(t *testing.T) {
	t.Chdir(t.TempDir())
	var skipped bool
	t.Run("in a module cache", func(t *testing.T) {
		defer func() { skipped = t.Skipped() }()
		Need(t)
	})
	if !skipped {
		t.Error("a test that needs a checkout is not skipped outside of one")
	}
}
