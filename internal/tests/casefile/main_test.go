package casefile_test

import (
	"fmt"
	"os"
	"testing"
	"time"

	"github.com/gocasebook/casebook/casefile"
)

// What the package does not export, and promises by its files or limits.
const (
	caseName      = "case.json"
	checkPrefix   = ".check-"
	fileMode      = 0o600
	importName    = ".imported"
	lockName      = ".lock"
	maxCaseBytes  = 4 << 20
	maxCaseCommas = 50_000
	maxFiles      = 1000
	partPrefix    = ".part-"
	reserveBytes  = 64 << 10
	reserveName   = ".reserve"
	scratchName   = ".scratch-"
	statePrefix   = ".state-"
	tmpPrefix     = ".tmp-"
	todoName      = ".todo"
)

// childVar makes this test binary play a role in a test that needs another process. Its value is the name of the role.
const childVar = "CASEFILE_TEST_CHILD"

func TestMain(m *testing.M) {
	switch part := os.Getenv(childVar); part {
	case "write":
		os.Exit(childResult(writeCases(os.Args[1])))
	case "update":
		os.Exit(childResult(updateCase(os.Args[1])))
	default: // the tests, or one that runs itself again in another environment
		os.Exit(m.Run())
	}
}

func childResult(err error) int {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}

var opened = time.Date(2026, 11, 21, 13, 25, 12, 0, time.UTC)

// newCase is what a watch knows when a rule fires.
func newCase() casefile.Case {
	return casefile.Case{
		Tool:   "v0.1.0",
		Opened: opened,
		Target: casefile.Target{Name: "phones", URL: "http://127.0.0.1:6060", PID: 4711, Started: opened.Add(-time.Hour),
			Build:  casefile.Build{Path: "example.org/phones", Module: "example.org/phones", GoVersion: "go1.26.8"},
			Limits: casefile.Limits{CPUs: 2, MemoryBytes: 6 << 30}},
		Trigger: casefile.Trigger{Rule: "gc-cpu", Time: opened, Text: "gc_cpu was 31 %, above 25 % for 5s", Signal: "gc_cpu",
			Value: 0.31, Unit: "share"},
	}
}

func evidence(file string) casefile.Evidence {
	return casefile.Evidence{File: file, Kind: casefile.CPU, Phase: casefile.During, Taken: opened, Seconds: 5,
		GoFormat: true}
}

// mustCommit writes a case with the given files.
func mustCommit(t testing.TB, dir string, c casefile.Case, files map[string]string) *casefile.Folder {
	t.Helper()
	w, err := casefile.Dir(dir).Create(c)
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
func wantVerified(t *testing.T, path string) *casefile.Folder {
	t.Helper()
	f, err := casefile.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	if damaged := f.Verify(); len(damaged) > 0 {
		t.Fatalf("case %s is damaged: %v", path, damaged)
	}
	return f
}
