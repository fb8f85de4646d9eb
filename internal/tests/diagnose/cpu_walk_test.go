package diagnose_test

import (
	"strings"
	"testing"

	"github.com/google/pprof/profile"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose"
)

// mistaken are loops that are taken for a search, and are not: what a profile cannot tell. A profile that is not
// mistaken any more leaves the list.
func mistaken() []string { return []string{"other-bitset", "other-probe"} }

// TestLoopsByHand tries what a CPU profile tells of loops that people wrote by hand. testdata/loops says how they are
// written and recorded.
func TestLoopsByHand(t *testing.T) {
	eachRecording(t, "forms/loops", ".pb.gz", 70, func(t *testing.T, name string) {
		checkLoop(t, name, likelyLoop(t, "forms/loops", name))
	})
}

// rightOnAMD is of how many loops the same is told from profiles that an AMD EPYC recorded: a processor decides at
// which instructions of a loop samples lie.
const rightOnAMD = 71

func TestLoopsByHandOnAMD(t *testing.T) {
	right, all := 0, 0
	eachRecording(t, "forms/loops-amd", ".pb.gz", 70, func(t *testing.T, name string) {
		kind, _ := kindOfLoop(name)
		all++
		if got := likelyLoop(t, "forms/loops-amd", name).Kind; got == kind {
			right++
		} else {
			t.Logf("found %q, want %q", got, kind)
		}
	})
	if right != rightOnAMD {
		t.Errorf("right of %d of %d loops, rightOnAMD says %d", right, all, rightOnAMD)
	}
}

// likelyLoop is what is found to be likely of a recorded loop.
func likelyLoop(t *testing.T, folder, name string) (got casefile.Finding) {
	in := recordings(t, 1, folder, name+".pb.gz")
	in[0].Seconds = 2.5
	if p, err := profile.ParseData(in[0].Data); err != nil || ticks(p) < 2*walkSamples {
		t.Fatalf("%v: fewer than %d samples say nothing", err, 2*walkSamples)
	}
	for _, f := range diagnose.Run(t.Context(), diagnose.Input{Evidence: in}, diagnose.Options{}).Findings {
		if strings.Contains(f.Title, "likely") { // std-csv calls bytes.IndexRune
			got = f
		}
	}
	return got
}

func ticks(p *profile.Profile) (n int64) {
	for _, s := range p.Sample {
		n += s.Value[0]
	}
	return n
}

// kindOfLoop is what should be found of a loop by its name, and the first remedy.
func kindOfLoop(name string) (kind, remedy string) {
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
	return kind, remedy
}

// checkLoop compares what was found with what a loop does by its name.
func checkLoop(t *testing.T, name string, got casefile.Finding) {
	kind, remedy := kindOfLoop(name)
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
