package source

import (
	"os"
	"testing"
	"testing/fstest"

	"github.com/gocasebook/casebook/casefile"
)

// TestNamed: a name is found as a word in the module's own code, and that it is nowhere is said only where all was
// read.
func TestNamed(t *testing.T) {
	dir := t.TempDir()
	if err := os.CopyFS(dir, fstest.MapFS{
		"go.mod":           {Data: []byte("module example.com/shop\n")},
		"a/a.go":           {Data: []byte("package a\n\nvar x = T{MaxConns: 4} // MaxIdle\n\nvar MaxConnsOfAll int\n")},
		"a/a_test.go":      {Data: []byte("package a\n\nvar y = T{MaxIdle: 4}\n")},
		"vendor/v/v.go":    {Data: []byte("package v\n\nvar y = T{MaxIdle: 4}\n")},
		"other/go.mod":     {Data: []byte("module example.com/other\n")},
		"other/other.go":   {Data: []byte("package other\n\nvar y = T{MaxIdle: 4}\n")},
		"a/testdata/td.go": {Data: []byte("package td\n\nvar y = T{MaxIdle: 4}\n")},
	}); err != nil {
		t.Fatal(err)
	}
	places, err := FindPlaces(t.Context(), dir, casefile.Build{})
	if err != nil {
		t.Fatal(err)
	}
	r := NewReader(t.Context(), places)
	found, all := r.Named(t.Context(), "MaxConns")
	if len(found) != 1 || found[0].File != "a/a.go" || found[0].Line != 3 || !all {
		t.Errorf("MaxConns: %+v, all %t", found, all)
	}
	if found, all := r.Named(t.Context(), "MaxIdle"); len(found) > 0 || !all {
		t.Errorf("MaxIdle: %+v, all %t", found, all)
	}
	elsewhere, err := Elsewhere(t.Context(), casefile.Build{})
	if err != nil {
		t.Fatal(err)
	}
	if found, all := NewReader(t.Context(), elsewhere).Named(t.Context(), "MaxIdle"); len(found) > 0 || all {
		t.Errorf("without source: %+v, all %t", found, all)
	}
}
