package checkout

import (
	"path"
	"path/filepath"
	"slices"
	"testing"

	"github.com/gocasebook/casebook/internal/archive"
)

// Evidence is the recorded evidence of the checkout, evidence/cases.
func Evidence(t testing.TB) archive.Set {
	t.Helper()
	Need(t)
	set, err := archive.Find()
	if err != nil {
		t.Fatal(err)
	}
	return set
}

// parts are the groups that have files for one question, or measurements of the lab.
var parts = []string{"forms", "slowcalls", "neighbours", "gains", "lint"}

// Cases are the names of all cases that are whole: a service, as a capture found it.
func Cases(t testing.TB) []string {
	t.Helper()
	names, err := Evidence(t).Cases("*/*")
	if err != nil {
		t.Fatal(err)
	}
	return slices.DeleteFunc(names, func(name string) bool { return slices.Contains(parts, path.Dir(name)) })
}

// Case reads the files of a recorded case, such as "modules/grpc".
func Case(t testing.TB, name string) archive.Files {
	t.Helper()
	files, err := Evidence(t).Case(name)
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// File reads one file of a recorded case, such as "modules/grpc/cpu.pb.gz".
func File(t testing.TB, name string) []byte {
	t.Helper()
	data, err := Evidence(t).ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// Folder writes a recorded case into a folder of the test, for commands that take one.
func Folder(t testing.TB, name string) string {
	t.Helper()
	dir := t.TempDir()
	if _, err := Evidence(t).Extract(name, dir); err != nil {
		t.Fatal(err)
	}
	return filepath.Join(dir, filepath.FromSlash(name))
}
