package arch

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gocasebook/casebook/internal/checkout"
)

// mostReadsSource is how many lines of code may read source: app/typed loads it with types, app/lint looks for mistakes,
// app/settle answers what evidence asks, by app/flow, app/fix writes the change. It is to become 23,300, as many as on
// 29 November 2026 (without app/typed), by what they share: what a new class needs is to be paid for there.
const mostReadsSource = 28_323

// TestReadsSource prints and bounds the lines of these packages, without their tests.
func TestReadsSource(t *testing.T) {
	checkout.Need(t)
	all := 0
	for _, dir := range []string{"lint", "settle", "flow", "fix", "typed"} {
		lines := 0
		err := filepath.WalkDir(filepath.Join("../../../app", dir), func(path string, d fs.DirEntry, err error) error {
			if err == nil && d.IsDir() && d.Name() == "testdata" {
				return fs.SkipDir
			}
			if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
				return err
			}
			data, err := os.ReadFile(path)
			lines += bytes.Count(data, []byte{'\n'})
			return err
		})
		if err != nil || lines == 0 {
			t.Fatalf("app/%s: %d lines: %v", dir, lines, err)
		}
		t.Logf("app/%s: %d lines", dir, lines)
		all += lines
	}
	t.Logf("together: %d of %d lines, to become 23,300", all, mostReadsSource)
	if all > mostReadsSource {
		t.Errorf("%d lines of code read source, want %d at most", all, mostReadsSource)
	}
}
