package diagnose_test

import (
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/gocasebook/casebook/diagnose"
	"github.com/gocasebook/casebook/internal/checkout"
)

// Loops that wait by asking for the time are told to sleep, whatever else they look at. testdata/clocks says how they
// are written; a walk over a list asks as much as they do, and may be told both.
func TestClocksThatWait(t *testing.T) {
	eachRecording(t, "forms/clocks", ".pb.gz", 10, func(t *testing.T, way string) {
		in := diagnose.Input{Evidence: recordings(t, 1, "forms/clocks", way+".pb.gz")}
		if _, score := scoreOf(t, in, "cpu-runtime"); score > 0 {
			t.Errorf("called scheduling, %d", score)
		}
		f, score := scoreOf(t, in, "cpu-time-now")
		if spin, spins := scoreOf(t, in, "cpu-spin"); way == "wait-marks" || way == "wait-listing" { // by their names
			if f, score = spin, spins; score > 0 && strings.Contains(f.Remedies[0].Title+f.Remedies[1].Title, "clock") {
				t.Errorf("a wait, and the advice is %q and %q", f.Remedies[0].Title, f.Remedies[1].Title)
			}
		}
		advice := ""
		if score > 0 {
			advice = f.Remedies[0].Title + ". " + f.Remedies[0].Text
		}
		sleep, once := strings.Contains(advice, "time.Sleep"), strings.Contains(advice, "before the loop")
		switch {
		case strings.HasPrefix(way, "wait-"):
			if score < 50 || !sleep {
				t.Errorf("scores %d and advises %q", score, advice)
			}
		case score > 0 && !once, sleep && way != "read-queue":
			t.Errorf("scores %d and advises %q", score, advice)
		}
	})
}

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
