package main

import (
	"path"
	"slices"
	"strings"
	"testing"
)

// tracked are the files of this repository that match, with the names that git uses.
func tracked(t *testing.T, pattern string) []string {
	t.Helper()
	out, err := run(t.Context(), "../../..", nil, "git", "ls-files", "-z", "--", pattern)
	if err != nil {
		t.Skipf("not in a clone of the repository: %v", err)
	}
	return strings.Split(strings.TrimSuffix(out, "\x00"), "\x00")
}

func TestEveryModuleHasARow(t *testing.T) {
	var want []string
	for _, file := range append(tracked(t, "go.mod"), tracked(t, "*/go.mod")...) {
		want = append(want, path.Dir(file))
	}
	var have []string
	for _, m := range modules {
		have = append(have, m.dir)
		if m.private == "" && len(m.commands)+len(m.imports) == 0 {
			t.Errorf("%s is released, and nothing of it is tried", m.dir)
		}
	}
	slices.Sort(want)
	slices.Sort(have)
	if !slices.Equal(have, want) {
		t.Errorf("modules have rows %q, the repository has %q", have, want)
	}
}

// TestRootZipIsSmall packs the root module as go does: all tracked files except those below another go.mod.
func TestRootZipIsSmall(t *testing.T) {
	all := tracked(t, ".")
	rows := slices.DeleteFunc(slices.Clone(all), func(name string) bool { return name != rowsFile })
	rest := slices.DeleteFunc(slices.Clone(all), func(name string) bool { return name == rowsFile })
	for _, part := range []struct {
		name  string
		files []string
		most  int64
	}{{"the root module's zip without " + rowsFile, rest, maxRootZip - maxRowsZip}, {rowsFile + " in it", rows, maxRowsZip}} {
		size, err := zipSize("../../..", part.files)
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("%s: %d bytes of %d", part.name, size, part.most)
		if size > part.most {
			t.Errorf("%s would have %d bytes, %d are allowed: everybody downloads it who imports Casebook. A go.mod above "+
				"recordings keeps them out of it; evidence has one", part.name, size, part.most)
		}
	}
}

// TestCloneIsSmall: `make sizes` prints these figures.
func TestCloneIsSmall(t *testing.T) {
	files := tracked(t, ".")
	bytes, disk, err := checkoutSize("../../..", files)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d files, %.1f MB, %.1f MB on a disk", len(files), float64(bytes)/1e6, float64(disk)/1e6)
	if len(files) > maxFiles || disk > maxDisk {
		t.Errorf("a clone has %d files that take %d bytes of a disk; %d and %d are allowed", len(files), disk, maxFiles,
			maxDisk)
	}
}
