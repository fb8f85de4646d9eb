package fix

import (
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/gocasebook/casebook/app/diff"
)

// diffs are unified diffs of files against those on the disk, named from a folder as git does.
func diffs(dir string, files map[string][]byte) string {
	var b strings.Builder
	for _, file := range slices.Sorted(maps.Keys(files)) {
		if old, err := os.ReadFile(file); err == nil { // it was read a moment ago; the diff is only for people
			b.WriteString(diff.Unified(nearFile(dir, file), string(old), string(files[file])))
		}
	}
	return b.String()
}
