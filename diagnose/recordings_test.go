package diagnose

import (
	"path"
	"testing"

	"github.com/gocasebook/casebook/internal/checkout"
	"github.com/gocasebook/casebook/internal/race"
)

// recordings are so many files of a case, by a pattern, as evidence.
func recordings(t *testing.T, want int, folder, pattern string) (in []Evidence) {
	t.Helper()
	race.Skip(t)
	files := checkout.Case(t, folder)
	for _, file := range files.Names() {
		matches, err := path.Match(pattern, file)
		if err != nil {
			t.Fatal(err)
		}
		if matches {
			in = append(in, Evidence{Name: file, Data: files[file]})
		}
	}
	if len(in) != want {
		t.Fatalf("%d files, want %d", len(in), want)
	}
	return in
}
