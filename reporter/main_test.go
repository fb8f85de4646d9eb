package reporter

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"os"
	"testing"
	"time"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/internal/casetest"
	"github.com/gocasebook/casebook/internal/leaktest"
)

// childVar makes this test binary play a role in a test that needs another process. Its value is the name of the role.
const childVar = "REPORTER_TEST_CHILD"

func TestMain(m *testing.M) {
	switch os.Getenv(childVar) {
	case "deliver":
		if err := deliverCases(os.Args[1], os.Args[2], os.Args[3]); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	default: // the tests, or one that runs itself again in another environment
		os.Exit(leaktest.Check(m.Run(), "casebook/reporter."))
	}
}

// mustCommit writes the n-th case to disk, with size bytes of evidence, and returns its report.
func mustCommit(t testing.TB, dir string, n, size int) Report {
	t.Helper()
	f, err := casetest.Commit(dir, n, size)
	if err != nil {
		t.Fatal(err)
	}
	return Report{Case: f.Case, Folder: f.Path, Service: "phones"}
}

func named(n int) Report {
	c := casetest.Sample()
	c.ID = casefile.NewID(casetest.Opened.Add(time.Duration(n)*time.Second), "gc-cpu")
	return Report{Case: c}
}

func mustQueue(t testing.TB, opts QueueOptions, reporters ...Reporter) *Queue {
	t.Helper()
	q, err := NewQueue(reporters, opts)
	if err != nil {
		t.Fatal(err)
	}
	return q
}

// running runs q until the function that it returns is called. That function returns what Run returned.
func running(q *Queue) (stop func() error) {
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

func discardLog() *log.Logger { return log.New(io.Discard, "", 0) }
