package fix

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gocasebook/casebook/app/diff"
)

// diffs are unified diffs of files against those on the disk, named from a folder as git does.
func diffs(dir string, files map[string][]byte) string {
	var b strings.Builder
	for _, file := range slices.Sorted(maps.Keys(files)) {
		old, err := os.ReadFile(file)
		if err != nil {
			continue // it was read a moment ago; the diff is only for people
		}
		name := file
		if rel, err := filepath.Rel(dir, file); err == nil {
			name = filepath.ToSlash(rel)
		}
		b.WriteString(diff.Unified(name, string(old), string(files[file])))
	}
	return b.String()
}
