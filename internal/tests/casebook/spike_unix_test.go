//go:build unix

package casebook_test

import (
	"context"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/gocasebook/casebook"
	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose"
	"github.com/gocasebook/casebook/instance"
)

// culprit uses this much CPU time, however long that takes on a busy machine.
//
//go:noinline
func culprit(d time.Duration) (n int, err error) {
	began, err := used()
	for now := began; err == nil && now-began < d; now, err = used() {
		for i := range 100_000 {
			n += i * i
		}
	}
	return n, err
}

// used is the CPU time of this process.
func used() (time.Duration, error) {
	var u syscall.Rusage
	err := syscall.Getrusage(syscall.RUSAGE_SELF, &u)
	return time.Duration(u.Utime.Nano() + u.Stime.Nano()), err
}

// A spike of CPU that is over when a rule trips is still in a profile: in a window taken before. The rule trips on
// goroutines that start after the spike, because a busy machine decides how many CPUs a spike gets.
func TestShortSpikeIsInTheEvidence(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	const crowd = 10_000
	release, spiked := make(chan struct{}), make(chan error, 1)
	defer close(release)
	var once bool
	var closed casebook.Event
	w, err := casebook.New(casebook.Config{
		Target: instance.NewSelf(), Dir: t.TempDir(), Interval: 100 * time.Millisecond, ProfileFor: time.Second,
		TraceCost: -1,
		Rules:     when("goroutines", crowd/2, casefile.CPU),
		OnEvent: func(e casebook.Event) {
			switch {
			case e.Kind == casebook.Sampled && !once:
				once = true
				go func() {
					_, err := culprit(300 * time.Millisecond)
					for range crowd {
						go func() { <-release }()
					}
					spiked <- err
				}()
			case e.Kind == casebook.Closed:
				closed = e
				cancel()
			}
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Run(ctx); err != nil {
		t.Fatal(err)
	}
	if err := <-spiked; err != nil {
		t.Fatal(err)
	}
	f, err := casefile.Open(closed.Path)
	if err != nil {
		t.Fatal(err)
	}
	found := slices.ContainsFunc(f.Case.Evidence, func(e casefile.Evidence) bool {
		return e.Kind == casefile.CPU && e.Phase == casefile.Before &&
			strings.Contains(functions(t, f, e.File), "casebook_test.culprit")
	})
	if !found {
		t.Errorf("no window from before the trip holds the culprit: %+v", f.Case.Evidence)
	}
	in, _ := diagnose.CaseInput(f, diagnose.Options{})
	report := diagnose.Run(t.Context(), in, diagnose.Options{})
	t.Logf("findings: %d, undecided: %d, read: %+v", len(report.Findings), len(report.Undecided), report.Read)
}
