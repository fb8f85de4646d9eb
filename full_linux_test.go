package casebook_test

import (
	"context"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/gocasebook/casebook"
	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/internal/disktest"
	"github.com/gocasebook/casebook/reporter"
	"github.com/gocasebook/casebook/target"
)

// A disk that is full stops the taking and is told; when there is room again, so are cases.
func TestFullDiskStopsTheTaking(t *testing.T) {
	if !disktest.InNamespace(t) {
		return
	}
	dir := disktest.Mount(t, 4<<20, 0)
	trouble, told := make(chan casebook.Event, 100), make(chan reporter.Report, 100)
	w := runningIn(t, dir, casebook.Config{
		Target: target.NewSelf(), Interval: 100 * time.Millisecond, Windows: -1, TraceCost: -1, Rules: when("goroutines", 1e9),
		Reporters: []reporter.Reporter{{Name: "told", Send: func(_ context.Context, r reporter.Report) error { told <- r; return nil }}},
		OnEvent: func(e casebook.Event) {
			if e.Kind == casebook.Missed || e.Kind == casebook.Failed {
				trouble <- e
			}
		},
	})
	filler := disktest.Fill(t, dir, 0)
	if _, err := w.Capture(t.Context(), "on a full disk", casefile.Goroutine); err == nil || !strings.Contains(err.Error(), "disk is full") {
		t.Errorf("a case on a full disk gave %v, want the cause", err)
	}
	if e := <-trouble; e.Kind != casebook.Failed || !strings.Contains(e.Err.Error(), "disk is full") {
		t.Errorf("the event is %s with %v, want that the case failed, and why", e.Kind, e.Err)
	}
	if r := <-told; r.Folder != "" || !strings.Contains(r.Case.Trigger.Text, "its case could not be written") || !strings.Contains(r.Case.Trigger.Text, "disk is full") {
		t.Errorf("the reporter was told %+v, want the trip and that the disk is full", r)
	}
	if err := os.Remove(filler); err != nil {
		t.Fatal(err)
	}
	f, err := w.Capture(t.Context(), "with room again", casefile.Goroutine)
	if err != nil || !has(f, casefile.Goroutine) {
		t.Errorf("with room again: %v", err)
	}
	if s := w.Status(); s.Ticks == 0 {
		t.Error("the sampling stopped")
	}
}
