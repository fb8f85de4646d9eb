package reporter_test

import (
	"context"
	"errors"
	"os"
	"testing"
	"time"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/internal/casetest"
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

// mustCommit writes the n-th case to disk, with size bytes of evidence, and returns its report.
func mustCommit(t testing.TB, dir string, n, size int) reporter.Report {
	t.Helper()
	f, err := casetest.Commit(dir, n, size)
	if err != nil {
		t.Fatal(err)
	}
	return reporter.Report{Case: f.Case, Folder: f.Path, Service: "phones"}
}

func named(n int) reporter.Report {
	c := casetest.Sample()
	c.ID = casefile.NewID(casetest.Opened.Add(time.Duration(n)*time.Second), "gc-cpu")
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
