package diagnose_test

import (
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose"
	"github.com/gocasebook/casebook/internal/checkout"
	"github.com/gocasebook/casebook/internal/race"
)

// Recorded evidence is in evidence/cases/<group>/<case>.tar.zst: the files as they were captured from a program of
// testdata/programs or the lab, and manifest.json with what a capture knows about them.

// A manifest is what was known when evidence was recorded.
type manifest struct {
	Kind     string          `json:"kind,omitempty"`    // of the fault, if the program is from lab/faults
	Variant  string          `json:"variant,omitempty"` // faulty, limit or repaired
	Culprit  string          `json:"culprit,omitempty"` // the end of the name of the function to blame
	Program  string          `json:"program"`
	Go       string          `json:"go"`
	Started  time.Time       `json:"started,omitzero"` // the process
	Limits   casefile.Limits `json:"limits"`
	Build    casefile.Build  `json:"build"`
	Evidence []recorded      `json:"evidence"`

	Triggers []casefile.Trigger `json:"triggers,omitempty"` // of a case that a watch or a person opened
}

type recorded struct {
	File    string         `json:"file"`
	Kind    string         `json:"kind,omitempty"` // "": found by content
	Phase   casefile.Phase `json:"phase,omitempty"`
	Taken   time.Time      `json:"taken"`
	Seconds float64        `json:"seconds,omitempty"`

	Collected bool `json:"collected,omitempty"` // a heap profile after a forced collection
}

// caseFolders are the names of all recorded cases: group and case, such as modules/grpc. Under the race detector
// TestCases alone works on them.
func caseFolders(t testing.TB) []string {
	t.Helper()
	race.Skip(t)
	return checkout.Cases(t)
}

// loadManifest reads what was known when the evidence of a case was recorded.
func loadManifest(t testing.TB, name string) (m manifest) {
	t.Helper()
	if err := json.Unmarshal(checkout.File(t, name+"/manifest.json"), &m); err != nil {
		t.Fatalf("%s/manifest.json: %v", name, err)
	}
	return m
}

// loadCase reads the evidence of a case that detectors read. A detector works in one goroutine, so that what it finds
// in a case is not asked of it again under the race detector.
func loadCase(t testing.TB, name string) diagnose.Input {
	t.Helper()
	race.Skip(t)
	return load(t, name)
}

func load(t testing.TB, name string) diagnose.Input {
	t.Helper()
	files := checkout.Case(t, name)
	var m manifest
	if err := json.Unmarshal(files["manifest.json"], &m); err != nil {
		t.Fatalf("%s/manifest.json: %v", name, err)
	}
	in := diagnose.Input{Build: m.Build, Limits: m.Limits, Started: m.Started, Triggers: m.Triggers}
	if len(m.Triggers) > 0 {
		in.Tripped = m.Triggers[0].Time
	}
	for _, e := range m.Evidence {
		if slices.Contains([]string{casefile.Trace, casefile.Prometheus, casefile.Quote}, e.Kind) { // no detector reads them
			continue
		}
		data, ok := files[e.File]
		if !ok {
			t.Fatalf("%s has no %s", name, e.File)
		}
		in.Evidence = append(in.Evidence, diagnose.Evidence{Name: e.File, Kind: e.Kind, Phase: e.Phase, Taken: e.Taken,
			Seconds: e.Seconds, Data: data, Collected: e.Collected})
	}
	return in
}

// reports holds what is found in each recorded case, for which twenty tests ask.
var reports sync.Map // of name to func() Report

// judged returns what is found in a recorded case, as loadCase reads it. Nobody may change it.
func judged(t testing.TB, name string) diagnose.Report {
	t.Helper()
	race.Skip(t)
	return judge(t, name)
}

func judge(t testing.TB, name string) diagnose.Report {
	t.Helper()
	if once, ok := reports.Load(name); ok {
		return once.(func() diagnose.Report)()
	}
	in := load(t, name)
	once, _ := reports.LoadOrStore(name, sync.OnceValue(func() diagnose.Report {
		return diagnose.Run(context.Background(), in, diagnose.Options{})
	}))
	return once.(func() diagnose.Report)()
}

// pprofTestdata are the files of profile/testdata in the google/pprof module that this module is built with.
func pprofTestdata(t testing.TB) []string {
	t.Helper()
	// download and not list: go.work may have built the tests with another version, and this one is then not there.
	cmd := exec.Command("go", "mod", "download", "-json", "github.com/google/pprof")
	cmd.Env = append(os.Environ(), "GOWORK=off") // in a module cache, go.work names modules that are not there
	out, err := cmd.Output()
	var module struct{ Dir string }
	if err == nil {
		err = json.Unmarshal(out, &module)
	}
	if err != nil {
		t.Fatalf("go mod download: %v: %s", err, out)
	}
	files, err := filepath.Glob(filepath.Join(module.Dir, "profile", "testdata", "*"))
	if err != nil || len(files) < 20 {
		t.Fatalf("%d files in google/pprof's profile/testdata (%v), want 20 or more", len(files), err)
	}
	return files
}
