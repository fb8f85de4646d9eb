package golden

import (
	"os"
	"path/filepath"
	"testing"
)

// A recorder keeps whether a test failed.
type recorder struct {
	testing.TB
	failed bool
}

func (r *recorder) Helper()               {}
func (r *recorder) Name() string          { return "TestPage" }
func (r *recorder) Errorf(string, ...any) { r.failed = true }

func TestIs(t *testing.T) {
	if Updating() {
		t.Skip("-update makes every file right")
	}
	file := filepath.Join(t.TempDir(), "page.md")
	if err := os.WriteFile(file, []byte("text\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		file, made string
		fails      bool
	}{
		{file, "text\n", false},
		{file, "text", true},
		{file, "", true},
		{filepath.Join(t.TempDir(), "none.md"), "text\n", true},
	} {
		r := &recorder{TB: t}
		Is(r, c.file, c.made)
		if r.failed != c.fails {
			t.Errorf("%q in %s: failed %v, want %v", c.made, filepath.Base(c.file), r.failed, c.fails)
		}
	}
}

func TestUpdate(t *testing.T) {
	file, before := filepath.Join(t.TempDir(), "page.md"), *update
	*update = true
	defer func() { *update = before }()
	Is(t, file, "new\n")
	if have, err := os.ReadFile(file); err != nil || string(have) != "new\n" {
		t.Errorf("the file has %q, %v", have, err)
	}
}
