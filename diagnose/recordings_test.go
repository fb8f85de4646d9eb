package diagnose

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gocasebook/casebook/internal/checkout"
)

// eachRecording tries every profile of a folder of testdata whose name ends so, at least so many, by the name before.
func eachRecording(t *testing.T, folder, ending string, least int, try func(t *testing.T, name string)) {
	t.Helper()
	checkout.Need(t)
	files, err := filepath.Glob(filepath.Join("testdata", folder, "*"+ending))
	if err != nil || len(files) < least {
		t.Fatalf("%d profiles, %v", len(files), err)
	}
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ending)
		t.Run(name, func(t *testing.T) { try(t, name) })
	}
}

// recordings are so many files of testdata, by a pattern, as evidence.
func recordings(t *testing.T, want int, pattern ...string) (in []Evidence) {
	t.Helper()
	checkout.Need(t)
	files, err := filepath.Glob(filepath.Join("testdata", filepath.Join(pattern...)))
	if err != nil || len(files) != want {
		t.Fatalf("%d files, want %d: %v", len(files), want, err)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		in = append(in, Evidence{Name: filepath.Base(file), Data: data})
	}
	return in
}
