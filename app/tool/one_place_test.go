package tool_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// git and the go command are started by this package alone. By Run, which takes nothing away, the go command is started
// in packages that run code of the tree on purpose, and git nowhere.
func TestOnePlace(t *testing.T) {
	start := regexp.MustCompile(`exec\.Command(?:Context)?\([^\n"]*"(git|go)"|tool\.Run\([^\n"]*"(git|go)"`)
	runsCode := []string{"assess/pgo_prove.go", "fix/prove.go", "gate/build.go", "revision/build.go"}
	tests := []string{"store/storetest"}
	files := 0
	err := filepath.WalkDir("..", func(path string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if e.IsDir() && e.Name() == "testdata" {
			return filepath.SkipDir
		}
		name := strings.TrimPrefix(filepath.ToSlash(path), "../")
		if e.IsDir() || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") ||
			strings.HasPrefix(name, "tool/") || slices.ContainsFunc(tests, func(d string) bool { return strings.HasPrefix(name, d) }) {
			return nil
		}
		files++
		text, err := os.ReadFile(path)
		for _, m := range start.FindAllStringSubmatch(string(text), -1) {
			if m[2] != "go" || !slices.Contains(runsCode, name) {
				t.Errorf("%s starts git or go by itself: %s", name, m[0])
			}
		}
		return err
	})
	if err != nil || files < 300 {
		t.Errorf("looked at %d files, %v", files, err)
	}
}
