package ranking

import (
	"bytes"
	"testing"

	"github.com/gocasebook/casebook/app/store"
	"github.com/gocasebook/casebook/casefile"
)

// putCase sends a case to a store, as a watch does.
func putCase(t *testing.T, s *store.Store, c casefile.Case) {
	t.Helper()
	c.Schema, c.ID = casefile.Schema, casefile.NewID(c.Opened, "gc-cpu")
	c.Trigger = casefile.Trigger{Rule: "gc-cpu", Time: c.Opened, Text: "gc_cpu was 31 %"}
	w, err := casefile.Dir(t.TempDir()).Create(c)
	if err != nil {
		t.Fatal(err)
	}
	f, err := w.Commit()
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := casefile.Export(f, &b); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Put(t.Context(), store.Upload{ID: c.ID, Body: &b}); err != nil {
		t.Fatal(err)
	}
}
