package diagnose

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gocasebook/casebook/casefile"
)

// TestMapWalks: a request that goes through a map for a part of it is told from one that needs all of it, from one that
// goes through many small maps, and from a sweep beside requests. testdata/mapwalks says how the profiles were made; a
// service of somebody else that forgets idle clients in each request is testdata/holdout3/frontdoor.
func TestMapWalks(t *testing.T) {
	files, err := filepath.Glob("testdata/mapwalks/*.pb.gz")
	if err != nil || len(files) < 11 {
		t.Fatalf("%d profiles: %v", len(files), err)
	}
	for _, file := range files {
		name := filepath.Base(file)
		t.Run(name, func(t *testing.T) {
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			rep := Run(t.Context(), Input{Evidence: []Evidence{{Name: name, Kind: casefile.CPU, Data: data}}}, Options{})
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
