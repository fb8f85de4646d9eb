package reporter_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"testing"
	"time"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/internal/leaktest"
	"github.com/gocasebook/casebook/reporter"
)

// What the package does not export, and promises by its files or limits.
const (
	maxOutput = 2 << 10
	partBytes = 8 << 20
	spoolLock = ".lock"
	withheld  = "(a text that repeats a part of the address or a header; withheld)"
)

func TestMain(m *testing.M) { os.Exit(leaktest.Check(m.Run(), "casebook/reporter.")) }

var opened = time.Date(2026, 11, 21, 13, 25, 12, 0, time.UTC)

// sample is a case with two findings; the second explains the first.
func sample() casefile.Case {
	return casefile.Case{
		ID: "20261121T132512Z-gc-cpu-3f2a9c", Opened: opened, Closed: opened.Add(12 * time.Second),
		Target: casefile.Target{Name: "phones", URL: "http://127.0.0.1:6060", PID: 4711,
			Labels: map[string]string{"zone": "b"},
			Build:  casefile.Build{Version: "v1.2.3", GoVersion: "go1.26.8"}},
		Trigger: casefile.Trigger{Rule: "gc-cpu", Time: opened, Text: "gc_cpu was 31 %, above 25 % for 5s",
			Signal: "gc_cpu", Value: 0.31, Unit: "share"},
		Also: []casefile.Trigger{{Rule: "heap", Text: "heap_live doubled"}},
		Diagnosis: casefile.Diagnosis{Findings: []casefile.Finding{
			{ID: "CPU001", Title: "The collector takes a third of the CPU", Score: 90, Confidence: 0.9,
				Summary: "31 % of the CPU.", CausedBy: []string{"GC003"}},
			{ID: "GC003", Title: "Many pointers in the heap", Score: 80, Confidence: 0.8, Summary: "35 M objects.",
				Where:    []casefile.Frame{{Function: "main.load", File: "cache.go", Line: 42, Share: 0.61}},
				Remedies: []casefile.Remedy{{Kind: casefile.Change, Title: "Keep the entries in pointer-free memory"}}},
		}},
	}
}

// commit writes the n-th case to disk, with size bytes of evidence, and returns its report.
func commit(dir string, n, size int) (reporter.Report, error) {
	c := sample()
	c.ID = fmt.Sprintf("20261121T%02d%02d%02dZ-gc-cpu-%06x", n/3600, n/60%60, n%60, n)
	w, err := casefile.Dir(dir).Create(c)
	if err != nil {
		return reporter.Report{}, err
	}
	data := make([]byte, size+1)
	copy(data, "\x1f\x8b") // as if compressed: the zip stores it unchanged
	err = w.Add(casefile.Evidence{File: "during/cpu.pb.gz", Kind: casefile.CPU, Phase: casefile.During, Taken: opened},
		data)
	if err != nil {
		return reporter.Report{}, err
	}
	f, err := w.Commit()
	if err != nil {
		return reporter.Report{}, err
	}
	return reporter.Report{Case: f.Case, Folder: f.Path, Service: "phones"}, nil
}

func mustCommit(t testing.TB, dir string, n, size int) reporter.Report {
	t.Helper()
	r, err := commit(dir, n, size)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func named(n int) reporter.Report {
	c := sample()
	c.ID = casefile.NewID(opened.Add(time.Duration(n)*time.Second), "gc-cpu")
	return reporter.Report{Case: c}
}

func mustQueue(t testing.TB, opts reporter.QueueOptions, reporters ...reporter.Reporter) *reporter.Queue {
	t.Helper()
	q, err := reporter.NewQueue(reporters, opts)
	if err != nil {
		t.Fatal(err)
	}
	return q
}

// running runs q until the function that it returns is called. That function returns what Run returned.
func running(q *reporter.Queue) (stop func() error) {
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- q.Run(ctx) }()
	return func() error {
		cancel()
		return <-done
	}
}

// eventually waits until ok holds, for minutes on a busy machine.
func eventually(t testing.TB, what string, ok func() bool) {
	t.Helper()
	const limit = 5 * time.Minute
	for end := time.Now().Add(limit); !ok(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("after %s: not %s", limit, what)
		}
	}
}

var errTest = errors.New("told to fail")
