//go:build unix

package cli_test

import (
	"path/filepath"
	"regexp"
	"syscall"
	"testing"
	"time"

	"github.com/gocasebook/casebook/casefile"
)

// SIGUSR1 opens a case, and the watch goes on.
func TestSignalOpensACase(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	b := begin(t, dir, "watch", "--profile", "1s", "--interval", "200ms", start(t))
	b.await(t, "watching victim")
	b.signal(t, syscall.SIGUSR1)
	b.await(t, "Report  ")
	b.stop(t).want(t, 0, "a case by signal: the process received user defined signal 1", "cases    1 case")
	if c := onlyCase(t, filepath.Join(dir, "casebook-cases")).Case; c.Trigger.Rule != "signal" {
		t.Errorf("the trigger is %+v", c.Trigger)
	}
}

// Rolling windows hold what was going on before the trip.
func TestRollingWindows(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	b := begin(t, dir, "watch", "--json", "--rolling", "--profile", "1s", start(t))
	b.awaitMatch(t, regexp.MustCompile(`(?s)("event":"sample".*){3}`)) // the first window has begun by then
	b.signal(t, syscall.SIGUSR1)
	b.await(t, `"event":"case"`)
	b.stop(t).want(t, 0, "cpu-before-1.pb.gz", `"windows":`)
	f := onlyCase(t, filepath.Join(dir, "casebook-cases"))
	var before, during casefile.Evidence
	for _, e := range f.Case.Evidence {
		switch {
		case e.Kind == casefile.CPU && e.Phase == casefile.Before:
			before = e
		case e.Kind == casefile.Goroutine && e.Phase == casefile.During:
			during = e
		}
	}
	if before.File == "" || !before.Taken.Before(f.Case.Trigger.Time) {
		t.Errorf("the window is %+v, want one that began before the trip at %s", before, f.Case.Trigger.Time)
	}
	if end := before.Taken.Add(time.Duration(before.Seconds * float64(time.Second))); during.File == "" || during.Taken.After(end) {
		t.Errorf("the goroutines were captured at %s, after the window's end at %s; a snapshot should not wait for that", during.Taken, end)
	}
}
