package diagnose

import (
	"strings"
	"testing"

	"github.com/gocasebook/casebook/casefile"
	"github.com/google/pprof/profile"
)

// mistaken are loops that are taken for a search, and are not: what a profile cannot tell. A profile that is not
// mistaken any more leaves the list.
func mistaken() []string { return []string{"other-bitset"} }

// TestLoopsByHand tries what a CPU profile tells of loops that people wrote by hand. testdata/loops says how they are
// written and recorded.
func TestLoopsByHand(t *testing.T) {
	eachRecording(t, "loops", ".pb.gz", 70, func(t *testing.T, name string) {
		in := recordings(t, 1, "loops", name+".pb.gz")
		in[0].Seconds = 2.5
		if p, err := profile.ParseData(in[0].Data); err != nil || ticks(p) < 2*walkSamples {
			t.Fatalf("%v: fewer than %d samples say nothing", err, 2*walkSamples)
		}
		rep := Run(t.Context(), Input{Evidence: in}, Options{})
		var got casefile.Finding
		for _, f := range rep.Findings {
			if strings.Contains(f.Title, "likely") { // std-csv calls bytes.IndexRune
				got = f
			}
		}
		checkLoop(t, name, got)
	})
}

func ticks(p *profile.Profile) (n int64) {
	for _, s := range p.Sample {
		n += s.Value[0]
	}
	return n
}

// checkLoop compares what was found with what a loop does by its name.
func checkLoop(t *testing.T, name string, got casefile.Finding) {
	kind, remedy := "", ""
	switch what, _, _ := strings.Cut(name, "-"); {
	case strings.Contains(strings.Join(mistaken(), " "), name), what == "search":
		kind, remedy = "cpu-linear-search", "Look it up in a map"
	case what == "match" && (strings.Contains(name, "dedup") || strings.Contains(name, "unique")):
		kind, remedy = "cpu-quadratic", "Keep what was seen in a map"
	case what == "match" && name != "match-of":
		kind, remedy = "cpu-quadratic", "Index one side"
	case what == "match":
		kind, remedy = "cpu-linear-search", "Look it up in a map" // its name does not say that it is called in a loop
	}
	switch {
	case got.Kind != kind:
		t.Errorf("found %q at %v, want %q", got.Kind, got.Where, kind)
	case kind == "":
	case got.Remedies[0].Title != remedy:
		t.Errorf("advises %q, want %q", got.Remedies[0].Title, remedy)
	case !strings.Contains(got.Explanation, "go tool objdump -s"):
		t.Errorf("says %q, want what settles it", got.Explanation)
	}
}
