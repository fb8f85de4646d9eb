package casefile

import (
	"fmt"
	"os"
	"testing"
	"time"
)

// childVar makes this test binary play a role in a test that needs another process. Its value is the name of the role.
const childVar = "CASEFILE_TEST_CHILD"

func TestMain(m *testing.M) {
	if os.Getenv(childVar) == "" {
		os.Exit(m.Run())
	}
	if err := writeIndexes(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(0)
}

var opened = time.Date(2026, 11, 21, 13, 25, 12, 0, time.UTC)

// newCase is what a watch knows when a rule fires.
func newCase() Case {
	return Case{
		Tool:   "v0.1.0",
		Opened: opened,
		Target: Target{Name: "phones", URL: "http://127.0.0.1:6060", PID: 4711, Started: opened.Add(-time.Hour),
			Build:  Build{Path: "example.org/phones", Module: "example.org/phones", GoVersion: "go1.26.8"},
			Limits: Limits{CPUs: 2, MemoryBytes: 6 << 30}},
		Trigger: Trigger{Rule: "gc-cpu", Time: opened, Text: "gc_cpu was 31 %, above 25 % for 5s", Signal: "gc_cpu",
			Value: 0.31, Unit: "share"},
	}
}

func evidence(file string) Evidence {
	return Evidence{File: file, Kind: CPU, Phase: During, Taken: opened, Seconds: 5, GoFormat: true}
}

// mustCommit writes a case with the given files.
func mustCommit(t testing.TB, dir string, c Case, files map[string]string) *Folder {
	t.Helper()
	w, err := Dir(dir).Create(c)
	if err != nil {
		t.Fatal(err)
	}
	for name, data := range files {
		if err := w.Add(evidence(name), []byte(data)); err != nil {
			t.Fatal(err)
		}
	}
	f, err := w.Commit()
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// wantVerified opens a case and fails unless all its evidence matches its checksums.
func wantVerified(t *testing.T, path string) *Folder {
	t.Helper()
	f, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	if damaged := f.Verify(); len(damaged) > 0 {
		t.Fatalf("case %s is damaged: %v", path, damaged)
	}
	return f
}
