//go:build unix

package casebook_test

import (
	"os"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/gocasebook/casebook"
)

func TestSignalOpensACase(t *testing.T) {
	t.Parallel()
	closed := make(chan casebook.Event, 1)
	running(t, casebook.Config{
		Target: &rogue{capture: snapshot}, Interval: 100 * time.Millisecond, Rules: when("goroutines", 1e9),
		Signals: []os.Signal{syscall.SIGUSR1},
		OnEvent: func(e casebook.Event) {
			if e.Kind == casebook.Closed {
				closed <- e
			}
		},
	})
	if err := syscall.Kill(syscall.Getpid(), syscall.SIGUSR1); err != nil {
		t.Fatal(err)
	}
	if e := <-closed; e.Case.Trigger.Rule != "signal" ||
		!strings.Contains(e.Case.Trigger.Text, "user defined signal 1") {
		t.Errorf("the case is of %+v", e.Case.Trigger)
	}
}

func TestTerminationSignalsAreRefused(t *testing.T) {
	_, err := casebook.New(casebook.Config{Signals: []os.Signal{syscall.SIGUSR1, syscall.SIGTERM}})
	if err == nil || !strings.Contains(err.Error(), "CaptureAtEnd") {
		t.Errorf("error is %v, want the way that there is", err)
	}
}
