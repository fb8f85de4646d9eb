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
