package instance_test

import (
	"context"
	"net"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/gocasebook/casebook/instance"
)

// TestSilentFromTheStart: of a process of this machine that never answers the error says how it stands.
func TestSilentFromTheStart(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0") // the kernel takes the connection, and nobody reads it
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	h, err := instance.NewHTTP(l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
	defer cancel()
	_, err = h.Describe(ctx)
	if err == nil || !strings.Contains(err.Error(), "no answer in time") ||
		!strings.Contains(err.Error(), "; after ") ||
		!strings.Contains(err.Error(), " lives") {
		t.Errorf("got %v, want that nothing answered, for how long, and the state of the process", err)
	}
}

// TestCourseOfNothing: without a process there is no course.
func TestCourseOfNothing(t *testing.T) {
	target, err := instance.NewHTTP("127.0.0.1:1")
	if err != nil {
		t.Fatal(err)
	}
	if got := target.Course(t.Context(), time.Second); got != nil {
		t.Errorf("%d samples of no process", len(got))
	}
}

// TestNeighbours watches this process beside one that is busy, until that has used something.
func TestNeighbours(t *testing.T) {
	busy := exec.Command("sh", "-c", "while :; do :; done")
	if err := busy.Start(); err != nil {
		t.Skip(err)
	}
	defer func() {
		_ = busy.Process.Kill()
		_ = busy.Wait()
	}()
	self := instance.NewSelf()
	for {
		use, err := self.Neighbours(t.Context(), time.Second)
		if err != nil {
			t.Skip(err) // a sandbox without an account, or thousands of processes
		}
		if use.Own.PID == 0 || use.CPUs <= 0 || use.Seconds <= 0 {
			t.Fatalf("%+v", use)
		}
		for _, o := range use.Others {
			if o.PID == busy.Process.Pid && o.Name == "sh" && o.CPU() > 0 {
				return
			}
		}
		t.Logf("others: %+v", use.Others)
	}
}
