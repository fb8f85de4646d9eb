package diagnose_test

import (
	"strings"
	"testing"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose"
	"github.com/gocasebook/casebook/internal/checkout"
)

// TestMapWalks: a request that goes through a map for a part of it is told from one that needs all of it, from one that
// goes through many small maps, and from a sweep beside requests. testdata/mapwalks says how the profiles were made; a
// service of somebody else that forgets idle clients in each request is holdout3/frontdoor.
func TestMapWalks(t *testing.T) {
	files := checkout.Case(t, "forms/mapwalks")
	if len(files) < 11 {
		t.Fatalf("%d profiles, want 11 or more", len(files))
	}
	for name, data := range files {
		t.Run(name, func(t *testing.T) {
			rep := diagnose.Run(t.Context(), diagnose.Input{Evidence: []diagnose.Evidence{{Name: name, Kind: casefile.CPU,
				Data: data}}}, diagnose.Options{})
			found := ""
			for _, f := range rep.Findings {
				if f.Kind == "cpu-linear-search" {
					found = f.Title
				}
			}
			want := strings.HasPrefix(name, "search-")
			if got := strings.HasPrefix(found, "Going through a whole map"); got != want {
				t.Errorf("found %q, want a walk through a map: %t", found, want)
			}
		})
	}
}
