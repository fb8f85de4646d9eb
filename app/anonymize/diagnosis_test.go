package anonymize

import (
	"encoding/json"
	"fmt"
	"os"
	"regexp"
	"slices"
	"testing"
	"time"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose"
	"github.com/gocasebook/casebook/internal/checkout"
	"github.com/gocasebook/casebook/internal/race"
)

// recordedCases are recorded cases with all kinds of evidence: leaks, locks, the collector, CPU, a dump's
// deadlock, services written by others, healthy ones.
var recordedCases = []string{
	"mem_leak/faulty", "goroutine_leak/faulty", "goroutine_deadlock/faulty", "lock_contention/faulty",
	"gc_cpu/faulty", "cpu_json/faulty",
	"alloc_fmt/faulty", "timer_leak/faulty", "chan_bottleneck/faulty", "connection_leak/faulty",
	"mem_map_never_shrinks/faulty", "cpu_regexp/faulty",
	"trial/checkout", "trial/orders", "trial/stream", "goroutine_stuck/repaired", "mem_leak/repaired",
}

// recorded makes a case from recorded evidence.
func recorded(t *testing.T, name string) *casefile.Folder {
	t.Helper()
	var m struct {
		Limits   casefile.Limits
		Build    casefile.Build
		Evidence []struct {
			File, Kind string
			Phase      casefile.Phase
			Taken      time.Time
			Seconds    float64
		}
	}
	files := checkout.Case(t, name)
	if err := json.Unmarshal(files["manifest.json"], &m); err != nil {
		t.Fatal(err)
	}
	w, err := casefile.Dir(t.TempDir()).Create(casefile.Case{Target: casefile.Target{Name: "it", Limits: m.Limits,
		Build: m.Build}, Trigger: casefile.Trigger{Rule: "manual"}})
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range m.Evidence {
		data := files[e.File]
		phase := e.Phase
		if phase == "" {
			phase = casefile.During
		}
		kind := e.Kind
		if kind == "" { // recorded before kinds were kept
			kind = regexp.MustCompile(`^[a-z]+`).FindString(e.File)
			if kind == "goroutines" {
				kind = casefile.GoroutineDump
			}
		}
		if err := w.Add(casefile.Evidence{File: e.File, Kind: kind, Phase: phase, Taken: e.Taken,
			Seconds: e.Seconds}, data); err != nil {
			t.Fatal(err)
		}
	}
	f, err := w.Commit()
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// kindsOf are the kinds of the findings in a case, sorted.
func kindsOf(t *testing.T, f *casefile.Folder) []string {
	t.Helper()
	in, errs := diagnose.CaseInput(f, diagnose.Options{})
	if len(errs) > 0 {
		t.Fatal(errs)
	}
	rep := diagnose.Run(t.Context(), in, diagnose.Options{})
	out := []string{}
	for _, found := range rep.Findings {
		out = append(out, found.Kind)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// TestSameFindings diagnoses recorded cases before and after. With CASEBOOK_ANONYMIZE=all it takes every recorded case
// and prints in how many the kinds are the same: detectors that know third-party packages lose them without Keep.
func TestSameFindings(t *testing.T) {
	race.Skip(t)
	cases, all := recordedCases, os.Getenv("CASEBOOK_ANONYMIZE") == "all"
	if all {
		cases = checkout.Cases(t)
	}
	same, spoke := 0, 0
	for _, dir := range cases {
		t.Run(dir, func(t *testing.T) {
			f := recorded(t, dir)
			res, err := Case(f, t.TempDir(), Options{})
			if err != nil {
				t.Fatal(err)
			}
			want, got := kindsOf(t, f), kindsOf(t, res.Folder)
			if len(want) > 0 {
				spoke++
			}
			switch {
			case slices.Equal(want, got):
				same++
			case all:
				fmt.Printf("%s: found %v, anonymized %v\n", dir, want, got)
			default:
				t.Errorf("found %v, anonymized %v; left out: %v", want, got, res.LeftOut)
			}
		})
	}
	if spoke < len(cases)/3 {
		t.Errorf("only %d of %d cases have a finding: the rest proves nothing", spoke, len(cases))
	}
	if all {
		fmt.Printf("the same kinds in %d of %d cases, %d of them with findings\n", same, len(cases), spoke)
	}
}

// TestKeepFindsDependencies: detectors that know a module by name find the same when its names are kept.
func TestKeepFindsDependencies(t *testing.T) {
	for dir, keep := range map[string][]string{
		"modules/pgx-rows":      {"github.com/jackc/pgx", "github.com/jackc/puddle"},
		"modules/grpc-dial":     {"google.golang.org/grpc"},
		"cpu_protobuf/faulty":   {"google.golang.org/protobuf"},
		"foreign/etcd-watches":  {"go.etcd.io", "google.golang.org/grpc"},
		"goroutine_leak/faulty": {"main"},
	} {
		t.Run(dir, func(t *testing.T) {
			f := recorded(t, dir)
			res, err := Case(f, t.TempDir(), Options{Keep: keep})
			if err != nil {
				t.Fatal(err)
			}
			if want, got := kindsOf(t, f), kindsOf(t, res.Folder); !slices.Equal(want, got) {
				t.Errorf("found %v, anonymized with %v kept %v", want, keep, got)
			}
		})
	}
}
