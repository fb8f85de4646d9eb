package casebook_test

import (
	"bytes"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/gocasebook/casebook"
	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/vitals"
)

// A process that is stopped makes a case: the rules see samples while it does not answer, and the case has what the
// kernel knows.
func TestStoppedProcessIsACase(t *testing.T) {
	t.Parallel()
	addr, _ := start(t)
	h := httpTarget(t, addr)
	d, err := h.Describe(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = syscall.Kill(d.PID, syscall.SIGCONT) })
	ticks := 0
	on := func(e casebook.Event) {
		if e.Kind == casebook.Sampled {
			if ticks++; ticks == 3 {
				_ = syscall.Kill(d.PID, syscall.SIGSTOP)
			}
		}
	}
	e, _ := watch(t, casebook.Config{
		Target: h, Interval: 200 * time.Millisecond, Rules: when(vitals.Unanswered.String(), 1, casefile.Runtime,
			casefile.Goroutine),
		OnEvent: on,
	}, casebook.Closed)
	if text := e.Case.Trigger.Text; !strings.Contains(text, "unanswered") ||
		!strings.Contains(text, "stopped by a signal") {
		t.Errorf("the trigger says %q", text)
	}
	f, err := casefile.Open(e.Path)
	if err != nil {
		t.Fatal(err)
	}
	data, err := f.Read("runtime.json")
	if err != nil || !bytes.Contains(data, []byte(`"state": "T"`)) {
		t.Errorf("runtime.json does not say that the process is stopped (%v):\n%s", err, data)
	}
	if len(f.Case.Missing) == 0 {
		t.Error("a stopped process gave a goroutine profile")
	}
}

// A process that hangs while it is captured and then resumes is captured completely. The time in which it did not
// answer is not charged as if it had worked.
func TestHangDoesNotSpendTheHour(t *testing.T) {
	t.Parallel()
	addr, _ := start(t, "-traffic") // allocations are published when a collection ends
	h := httpTarget(t, addr)
	d, err := h.Describe(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = syscall.Kill(d.PID, syscall.SIGCONT) })
	ticks := 0
	on := func(e casebook.Event) {
		if e.Kind == casebook.Sampled {
			ticks++
		}
		switch {
		case e.Kind == casebook.Sampled && ticks == 3:
			_ = syscall.Kill(d.PID, syscall.SIGSTOP)
		case e.Kind == casebook.Missed: // the goroutine profile, after seconds
			_ = syscall.Kill(d.PID, syscall.SIGCONT)
		}
	}
	kinds := []string{casefile.Goroutine, casefile.Heap, casefile.ThreadCreate, casefile.Allocs}
	e, r := watch(t, casebook.Config{
		Target: h, Interval: 200 * time.Millisecond, Rules: when(vitals.Unanswered.String(), 1, kinds...),
		Budget: casebook.Budget{CPU: 5 * time.Second}, OnEvent: on,
	}, casebook.Closed)
	if missed, ok := r.first(casebook.Missed); !ok || !strings.Contains(missed.Err.Error(), "no answer in time") {
		t.Fatalf("the stopped process missed %v", missed.Err)
	}
	f, err := casefile.Open(e.Path)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"heap.pb.gz", "threadcreate.pb.gz", "goroutine-after.pb.gz", "allocs.pb.gz"}
	for _, m := range f.Case.Missing {
		if strings.Contains(m.Reason, "refused") {
			t.Errorf("%s %s: %s", m.Kind, m.Phase, m.Reason)
		}
		// On a crowded machine no collection may end in ten seconds. It was asked for, and answered.
		if m.Kind == casefile.Allocs && strings.Contains(m.Reason, "no allocation was published") {
			want = want[:3]
		}
	}
	for _, name := range want {
		if _, err := f.Read(name); err != nil {
			t.Errorf("the case has no %s: %v; missing: %+v", name, err, f.Case.Missing)
		}
	}
}
