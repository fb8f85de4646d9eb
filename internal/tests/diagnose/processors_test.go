package diagnose_test

import (
	"encoding/json"
	"os"
	"slices"
	"testing"

	"github.com/gocasebook/casebook/internal/checkout"
)

// A processorCase is a row of lab/holdout/processors.json: a service that somebody else wrote, with another GOMAXPROCS,
// or under more load than it was made for.
type processorCase struct {
	Name  string
	Kinds []string // of a healthy one: none
	Also  []string
}

// TestProcessors: where GOMAXPROCS or an overload is what is wrong, it is found, and nothing but a waste comes before
// it; everywhere else neither is.
func TestProcessors(t *testing.T) {
	checkout.Need(t)
	var cases []processorCase
	b, err := os.ReadFile("../../../lab/holdout/processors.json")
	if err == nil {
		err = json.Unmarshal(b, &cases)
	}
	if err != nil || len(cases) < 10 {
		t.Fatalf("%d services in the table of processors, want 10 or more (%v)", len(cases), err)
	}
	for _, c := range cases {
		t.Run(c.Name, func(t *testing.T) {
			rep := judged(t, "processors/"+c.Name)
			if len(c.Kinds) > 0 && (len(rep.Findings) == 0 || !slices.Contains(c.Kinds, rep.Findings[0].Kind)) {
				t.Errorf("the first of %d findings is none of %v", len(rep.Findings), c.Kinds)
			}
			for _, kind := range []string{"gomaxprocs-mismatch", "overload"} {
				_, found := ofKind(rep, kind)
				if found != slices.Contains(c.Kinds, kind) && !slices.Contains(c.Also, kind) {
					t.Errorf("%s is found: %v", kind, found)
				}
			}
		})
	}
}
