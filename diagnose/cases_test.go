package diagnose

import (
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/internal/checkout"
)

// Recorded evidence is in testdata/<detector>/<case>/: the files as they were captured from a program of
// testdata/programs or lab/faults, manifest.json with what a capture knows about them, and expected.json with the
// findings wanted.

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
}

type recorded struct {
	File    string         `json:"file"`
	Kind    string         `json:"kind,omitempty"` // "": found by content
	Phase   casefile.Phase `json:"phase,omitempty"`
	Taken   time.Time      `json:"taken"`
	Seconds float64        `json:"seconds,omitempty"`
}

// caseFolders are all folders with recorded evidence.
func caseFolders(t testing.TB) []string {
	t.Helper()
	checkout.Need(t)
	found, err := filepath.Glob("testdata/*/*/manifest.json")
	if err != nil || len(found) == 0 {
		t.Fatalf("no recorded evidence under testdata: %v", err)
	}
	for i := range found {
		found[i] = filepath.Dir(found[i])
	}
	return found
}

// loadManifest reads what was known when the evidence of a folder was recorded.
func loadManifest(t testing.TB, dir string) manifest {
	t.Helper()
	checkout.Need(t)
	var m manifest
	b, err := os.ReadFile(filepath.Join(dir, "manifest.json"))
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(b, &m); err != nil {
		t.Fatalf("%s/manifest.json: %v", dir, err)
	}
	return m
}

// loadCase reads the evidence of a folder that detectors read.
func loadCase(t testing.TB, dir string) Input {
	t.Helper()
	m := loadManifest(t, dir)
	in := Input{Build: m.Build, Limits: m.Limits, Started: m.Started}
	for _, e := range m.Evidence {
		if !readable(e.Kind) {
			continue
		}
		data, err := os.ReadFile(filepath.Join(dir, e.File))
		if err != nil {
			t.Fatal(err)
		}
		in.Evidence = append(in.Evidence, Evidence{Name: e.File, Kind: e.Kind, Phase: e.Phase, Taken: e.Taken,
			Seconds: e.Seconds, Data: data})
	}
	return in
}

// reports holds what is found in each folder with recorded evidence. Six tests ask for it, and all folders take half a
// minute under the race detector.
var reports sync.Map // of folder to func() Report

// judged returns what is found in a folder with recorded evidence. Nobody may change it.
func judged(t testing.TB, dir string) Report {
	t.Helper()
	in := loadCase(t, dir)
	once, _ := reports.LoadOrStore(dir, sync.OnceValue(func() Report {
		return Run(context.Background(), in,
			Options{})
	}))
	return once.(func() Report)()
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
