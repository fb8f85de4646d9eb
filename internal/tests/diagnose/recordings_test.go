package diagnose_test

import (
	"path"
	"strings"
	"testing"

	"github.com/gocasebook/casebook/diagnose"
	"github.com/gocasebook/casebook/internal/checkout"
	"github.com/gocasebook/casebook/internal/race"
)

// eachRecording tries every profile of a case, such as forms/loops, whose name ends so, at least so many, by the name before.
func eachRecording(t *testing.T, folder, ending string, least int, try func(t *testing.T, name string)) {
	t.Helper()
	race.Skip(t)
	tried := 0
	for _, file := range checkout.Case(t, folder).Names() {
		if name, ok := strings.CutSuffix(file, ending); ok {
			tried++
			t.Run(name, func(t *testing.T) { try(t, name) })
		}
	}
	if tried < least {
		t.Errorf("%d profiles, want %d or more", tried, least)
	}
}

// recordings are so many files of a case, by a pattern, as evidence.
func recordings(t *testing.T, want int, folder, pattern string) (in []diagnose.Evidence) {
	t.Helper()
	race.Skip(t)
	files := checkout.Case(t, folder)
	for _, file := range files.Names() {
		matches, err := path.Match(pattern, file)
		if err != nil {
			t.Fatal(err)
		}
		if matches {
			in = append(in, diagnose.Evidence{Name: file, Data: files[file]})
		}
	}
	if len(in) != want {
		t.Fatalf("%d files, want %d", len(in), want)
	}
	return in
}
