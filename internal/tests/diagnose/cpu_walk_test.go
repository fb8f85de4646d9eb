package diagnose_test

import (
	"strings"
	"testing"

	"github.com/google/pprof/profile"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose"
	"github.com/gocasebook/casebook/internal/checkout"
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

// The CPU profile alone tells a select that spins from a busy one that waits. testdata/selects says how they are
// written.
func TestSelectsThatSpin(t *testing.T) {
	eachRecording(t, "forms/selects", ".pb.gz", 9, func(t *testing.T, way string) {
		in := diagnose.Input{Evidence: recordings(t, 1, "forms/selects", way+".pb.gz")}
		f, score := scoreOf(t, in, "goroutine-busy-poll")
		switch spins := strings.HasPrefix(way, "spin-"); {
		case !spins && score > 0:
			t.Errorf("scores %d at %v, and it waits", score, f.Where)
		case spins && (score < 50 || !strings.HasPrefix(f.Where[0].Function, "main.(*server).spin")):
			t.Errorf("scores %d at %v", score, f.Where)
		case spins && !strings.Contains(f.Remedies[0].Text, "without default"):
			t.Errorf("advises %q", f.Remedies[0].Text)
		}
	})
}

// TestYieldingUnseen: where no sample shows who calls Gosched, the goroutine profile is used.
func TestYieldingUnseen(t *testing.T) {
	cpu := cpuProfile(t, 10, map[string]int64{
		"runtime.casgstatus runtime.execute runtime.schedule runtime.goschedImpl runtime.gosched_m runtime.mcall": 400,
		workStack: 600,
	})
	for _, tt := range []struct {
		name, goroutine string
		score           int
	}{
		{"a goroutine stands there", "runtime.Gosched main.await:7 main.serve:9", 74},
		{"none does: it may be the runtime that sweeps", "runtime.chanrecv1 main.idle:4 main.main:9", 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			in := with(apart(0, dumpOf(crowd{1, "runnable", tt.goroutine, ""})), cpu)
			f, got := scoreOf(t, in, "cpu-spin")
			if got != tt.score || got > 0 && f.Where[0].Function != "main.await" {
				t.Errorf("scores %d at %v, want %d at main.await", got, f.Where, tt.score)
			}
		})
	}
}
