package casebook_test

import (
	"context"
	"net/http"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/gocasebook/casebook"
	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/instance"
	"github.com/gocasebook/casebook/internal/blackbox"
	"github.com/gocasebook/casebook/vitals"
)

// knowsExits reports whether this kernel tells processes other than the parent how a process ended.
func knowsExits(t *testing.T) bool {
	t.Helper()
	addr, stop := start(t)
	h := httpTarget(t, addr)
	if _, err := h.Describe(t.Context()); err != nil {
		t.Fatal(err)
	}
	stop()
	sample(t, h)
	e, ok := h.Ended()
	return ok && e.Known
}

func ask(addr, page string) {
	//nolint:gosec,noctx // a process of ours that is about to end
	if resp, err := http.Get("http://" + addr + page); err == nil {
		_ = resp.Body.Close()
	}
}

// Ends of real processes, seen from outside: which of them make a case, and what the case says.
func TestEndsOfRealProcesses(t *testing.T) {
	if !knowsExits(t) {
		t.Skip("this kernel (before Linux 6.15) tells only the parent how a process ended")
	}
	for _, c := range []struct {
		name   string
		end    string
		signal syscall.Signal
		again  bool // another process takes its place
		want   string
	}{
		{"a panic, nobody restarts it", "panic", 0, false, "exit status 2, as after a panic"},
		{"a panic, the same build comes back", "panic", 0, true, "exit status 2, as after a panic"},
		{"SIGKILL, the same build comes back", "", syscall.SIGKILL, true, "signal killed"},
		{"log.Fatal, the same build comes back", "exit1", 0, true, "exit status 1"},
		{"SIGSEGV", "", syscall.SIGSEGV, false, "exit status 2"}, // the runtime treats it as a fault and prints where
		{"an orderly end", "exit0", 0, true, ""},
		{"SIGTERM, nobody restarts it", "", syscall.SIGTERM, false, ""},
		{"SIGTERM, the same build comes back", "", syscall.SIGTERM, true, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			got := watchEnd(t, c.end, c.signal, c.again)
			switch {
			case c.want == "" && len(got) > 0:
				t.Errorf("it is a case: %s", got[0].Trigger.Text)
			case c.want != "" && (len(got) != 1 || !strings.Contains(got[0].Trigger.Text, c.want)):
				t.Errorf("cases %+v; want one with %q in it", got, c.want)
			case c.want != "" && (got[0].Trigger.Rule != blackbox.Killed || len(got[0].Evidence) == 0):
				t.Errorf("the case is of rule %s with %d pieces of evidence", got[0].Trigger.Rule, len(got[0].Evidence))
			}
		})
	}
}

// watchEnd watches a victim until after it ended: until its case is closed, or no case can come any more. It returns
// the cases.
func watchEnd(t *testing.T, how string, signal syscall.Signal, again bool) []casefile.Case {
	addr, stop := start(t, "-end", how)
	h := httpTarget(t, addr)
	d, err := h.Describe(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	l := endLog{ready: make(chan struct{}), enough: cancel}
	w, err := casebook.New(casebook.Config{
		Target: h, Dir: t.TempDir(), Interval: 100 * time.Millisecond, Rules: when("goroutines", 1e9), OnEvent: l.on,
	})
	if err != nil {
		t.Fatal(err)
	}
	ran := make(chan error, 1)
	go func() { ran <- w.Run(ctx) }()
	<-l.ready
	if signal != 0 {
		if err := syscall.Kill(d.PID, signal); err != nil {
			t.Fatal(err)
		}
	} else {
		ask(addr, "/end")
	}
	until(ctx, func() bool { e, ok := h.Ended(); return ok && e.PID == d.PID })
	stop() // collects it
	if again {
		start(t, "-listen", addr)
	} else {
		until(ctx, func() bool { return w.Status().Failed > 5 })
	}
	if !again && how != "panic" && signal != syscall.SIGSEGV {
		cancel() // by now the worker has what was to be a case
	}
	if err := <-ran; err != nil {
		t.Fatal(err)
	}
	return l.cases
}

func until(ctx context.Context, holds func() bool) {
	look := time.NewTicker(20 * time.Millisecond)
	defer look.Stop()
	for !holds() && ctx.Err() == nil {
		<-look.C
	}
}

// An endLog notes cases. It ends the watch soon after a case, or a while after the process was replaced.
type endLog struct {
	ready  chan struct{} // closed after some samples
	enough context.CancelFunc

	ticks, since int
	restarted    bool
	cases        []casefile.Case
}

func (l *endLog) on(e casebook.Event) {
	switch e.Kind {
	case casebook.Sampled:
		if l.ticks++; l.ticks == 5 {
			close(l.ready)
		}
		if l.restarted {
			if l.since++; l.since == 3 {
				l.enough()
			}
		}
	case casebook.Restarted:
		l.restarted = true
	case casebook.Closed:
		l.cases = append(l.cases, e.Case)
		l.enough()
	}
}

// sample takes one sample and ignores errors.
func sample(t *testing.T, h *instance.HTTP) {
	t.Helper()
	s := vitals.NewSample(time.Now())
	_ = h.Sample(t.Context(), &s)
}
