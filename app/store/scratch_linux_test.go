package store

import (
	"os"
	"testing"
)

// A file without a name leaves none behind whenever its process is killed, and giving it up does not take the folder
// along.
func TestNameless(t *testing.T) {
	dir := t.TempDir()
	file, err := nameless(dir)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := file.WriteString("a case"); err != nil {
		t.Fatal(err)
	}
	got := make([]byte, 6)
	if _, err := file.ReadAt(got, 0); err != nil || string(got) != "a case" {
		t.Errorf("it holds %q, %v", got, err)
	}
	left, err := os.ReadDir(dir)
	if err != nil || len(left) > 0 {
		t.Errorf("its folder holds %v, %v", left, err)
	}
	(&spooled{file: file}).discard()
	if _, err := os.Stat(dir); err != nil {
		t.Error(err)
	}
}
