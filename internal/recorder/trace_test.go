package recorder

import (
	"bytes"
	"context"
	"errors"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"runtime/trace"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// fakeFlight is a flight recorder that does nothing. Its fields are read in a bubble, when nothing else runs.
type fakeFlight struct {
	started, stopped int
	on               bool
	err              error         // of Start
	hang             chan struct{} // WriteTo waits for it, unless nil
}

func (f *fakeFlight) Start() error {
	f.started++
	f.on = f.err == nil
	return f.err
}

func (f *fakeFlight) Stop() { f.stopped++; f.on = false }

func (f *fakeFlight) WriteTo(w io.Writer) (int64, error) {
	if f.hang != nil {
		<-f.hang
	}
	n, err := w.Write([]byte("go 1.26 trace\x00\x00\x00"))
	return int64(n), err
}

// runTrace runs a Trace with a fake recorder in a bubble until the test ends.
func runTrace(t *testing.T, f *fakeFlight, cfg TraceConfig) *Trace {
	t.Helper()
	tr, err := NewTrace(cfg)
	if err != nil {
		t.Fatal(err)
	}
	tr.open = func(trace.FlightRecorderConfig) flight { return f }
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- tr.Run(ctx) }()
	t.Cleanup(func() {
		cancel()
		if err := <-done; err != nil {
			t.Errorf("Run ended with %v", err)
		}
		if f.on {
			t.Error("the recorder runs on after Run has ended")
		}
	})
	synctest.Wait()
	return tr
}

// observe lets tr see an estimate each second for d.
func observe(tr *Trace, d time.Duration, e estimate) {
	for range d / time.Second {
		tr.mu.Lock()
		tr.gov.step(time.Now(), e)
		tr.signal()
		tr.mu.Unlock()
		time.Sleep(time.Second)
	}
	synctest.Wait()
}

func wantStatus(t *testing.T, tr *Trace, mode Mode, why string) {
	t.Helper()
	if s := tr.Status(); s.Mode != mode || !strings.Contains(s.Why, why) {
		t.Errorf("status %s, %q; want %s, with %q", s.Mode, s.Why, mode, why)
	}
}

func TestNewTrace(t *testing.T) {
	for _, tt := range []struct {
		name string
		cfg  TraceConfig
		want string
	}{
		{"zero", TraceConfig{}, ""},
		{"never", TraceConfig{MaxCost: -1}, ""},
		{"NaN", TraceConfig{MaxCost: math.NaN()}, "field MaxCost is NaN"},
		{"percent", TraceConfig{MaxCost: 2}, "field MaxCost is 2"},
		{"window", TraceConfig{Window: -1}, "field Window is -1ns"},
		{"bytes", TraceConfig{MaxBytes: 1}, "field MaxBytes is 1"},
		{"arm", TraceConfig{ArmFor: 1}, "field ArmFor is 1ns"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := NewTrace(tt.cfg)
			if (err == nil) != (tt.want == "") || err != nil && !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error %v, want one with %q", err, tt.want)
			}
		})
	}
}

func TestTraceModes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &fakeFlight{}
		tr := runTrace(t, f, TraceConfig{})
		wantStatus(t, tr, Off, "off: its cost is not known yet")
		observe(tr, 5*time.Second, saturated(0.003, 0))
		wantStatus(t, tr, Off,
			"its cost, now estimated at 0.3 % of the process's CPU, must stay below the limit of 1 % for 10s first")
		observe(tr, 8*time.Second, saturated(0.003, 0))
		wantStatus(t, tr, On, "on: estimated cost 0.3 % of the process's CPU")
		_, note, err := tr.Snapshot(t.Context())
		if want := "flight recorder on: estimated cost 0.3 % of the process's CPU; it had run for 3 s only"; err != nil ||
			note != want {
			t.Errorf("note %q, error %v, want %q", note, err, want)
		}
		observe(tr, 15*time.Second, saturated(0.041, 0))
		wantStatus(t, tr, Off, "off: it would cost an estimated 4.1 % of the process's CPU, above the limit of 1 %")
		if _, _, err := tr.Snapshot(t.Context()); err == nil ||
			!strings.Contains(err.Error(), "above the limit of 1 %") {
			t.Errorf("Snapshot gave %v, want an error that says why", err)
		}
		tr.Warn(time.Now(), "rule gc-cpu")
		observe(tr, 12*time.Second, saturated(0.041, 0))
		wantStatus(t, tr, Armed, "armed 12 s before by rule gc-cpu: estimated cost 4.1 % of the process's CPU")
		observe(tr, 10*time.Second, saturated(0.2, 0))
		wantStatus(t, tr, Off, "above the limit of 5 % for an armed one")
		observe(tr, 20*time.Second, saturated(0.002, 40e6))
		wantStatus(t, tr, Off, "it would hold an estimated 108 MiB of memory, above the limit of 64 MiB")
		if f.started != 2 || f.stopped != 2 {
			t.Errorf("%d starts and %d stops, want 2 each", f.started, f.stopped)
		}
	})
}

func TestTraceThatIsForbidden(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &fakeFlight{}
		tr := runTrace(t, f, TraceConfig{MaxCost: -1})
		tr.Warn(time.Now(), "rule gc-cpu")
		for range 30 {
			tr.Observe(time.Now())
			time.Sleep(time.Second)
		}
		synctest.Wait()
		wantStatus(t, tr, Off, "off: a negative MaxCost forbids it")
		if f.started != 0 {
			t.Error("it was started")
		}
	})
}

// Another recorder in the process: it is tried once a minute, and never touched.
func TestTraceThatIsTaken(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &fakeFlight{err: errors.New("flight recorder already enabled")}
		tr := runTrace(t, f, TraceConfig{})
		observe(tr, 9*time.Minute+30*time.Second, saturated(0.001, 0)) // attempts at 10 s and each full minute
		wantStatus(t, tr, Taken, "taken: somebody else uses the runtime's flight recorder (flight recorder already "+
			"enabled)")
		if f.started != 10 || f.stopped != 0 {
			t.Errorf("%d tries and %d stops in 9.5 min, want 10 and none", f.started, f.stopped)
		}
		if _, _, err := tr.Snapshot(t.Context()); err == nil || !strings.Contains(err.Error(), "somebody else uses") {
			t.Errorf("Snapshot gave %v, want an error that says why", err)
		}
		f.err = nil
		observe(tr, time.Minute, saturated(0.001, 0))
		wantStatus(t, tr, On, "")
	})
}

func TestSnapshotThatHangs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &fakeFlight{hang: make(chan struct{})}
		tr := runTrace(t, f, TraceConfig{})
		observe(tr, 12*time.Second, saturated(0.001, 0))
		began := time.Now()
		for range 2 { // the running one, and one that waits for it
			if _, _, err := tr.Snapshot(t.Context()); !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("Snapshot gave %v, want the deadline", err)
			}
		}
		if d := time.Since(began); d != 2*snapshotTimeout {
			t.Errorf("they took %s, want %s", d, 2*snapshotTimeout)
		}
		observe(tr, time.Minute, saturated(0.2, 0)) // Observe does not wait for it
		close(f.hang)
		synctest.Wait()
		wantStatus(t, tr, Off, "off")
	})
}

func TestTraceRunTwice(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		tr := runTrace(t, &fakeFlight{}, TraceConfig{})
		if err := tr.Run(t.Context()); !errors.Is(err, ErrRunning) {
			t.Errorf("a second Run beside the first gave %v, want ErrRunning", err)
		}
	})
	tr, err := NewTrace(TraceConfig{})
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if err := tr.Run(ctx); err != nil {
			t.Error(err)
		}
		tr.Observe(time.Now())
		if _, _, err := tr.Snapshot(t.Context()); err == nil ||
			!strings.Contains(err.Error(), "off: it is not running") {
			t.Errorf("Snapshot after Run gave %v", err)
		}
	}
}

// realTrace runs the runtime's flight recorder until stop is called. It is armed, whatever the load of the tests.
func realTrace(t testing.TB) (tr *Trace, stop func()) {
	t.Helper()
	tr, err := NewTrace(TraceConfig{MaxCost: 1})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- tr.Run(ctx) }()
	for tr.Status().Why == "off: it is not running" {
		runtime.Gosched()
	}
	now := time.Now()
	tr.Warn(now, "the test")
	tr.Observe(now)
	tr.Observe(now.Add(time.Second)) // a cost is known
	for tr.Status().Mode == Off {
		runtime.Gosched()
	}
	return tr, func() {
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
}

// A snapshot is what `go tool trace` reads.
func TestSnapshotIsReadable(t *testing.T) {
	tr, stop := realTrace(t)
	defer stop()
	once := spawn(t)
	for range 1000 {
		once()
	}
	data, note, err := tr.Snapshot(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.HasPrefix(data, []byte("go 1.2")) ||
		!regexp.MustCompile(`^flight recorder armed \S+ \S+ before by the test: estimated cost `).MatchString(note) {
		t.Fatalf("it begins with %q, note %q", data[:min(len(data), 16)], note)
	}
	name := filepath.Join(t.TempDir(), "trace")
	if err := os.WriteFile(name, data, 0o600); err != nil {
		t.Fatal(err)
	}
	out, err := exec.CommandContext(t.Context(), "go", "tool", "trace", "-d=parsed", name).CombinedOutput()
	if err != nil {
		t.Fatalf("go tool trace: %v\n%.500s", err, out)
	}
	if n := bytes.Count(out, []byte("spawn.func")); n < 1000 {
		t.Errorf("%d mentions of the goroutines of the test, want 1000 or more", n)
	}
}

// The real recorder, held by somebody else: we wait, and after us it is free.
func TestRealRecorderInOtherHands(t *testing.T) {
	other := trace.NewFlightRecorder(trace.FlightRecorderConfig{})
	if err := other.Start(); err != nil {
		t.Skip("somebody else holds the flight recorder: ", err)
	}
	_, stop := func() (*Trace, func()) {
		defer other.Stop()
		tr, stop := realTrace(t)
		wantStatus(t, tr, Taken, "somebody else uses")
		return tr, stop
	}()
	stop()
	_, stop = realTrace(t)
	if err := other.Start(); err == nil {
		t.Error("two recorders at once: the runtime now allows it, and we could share")
		other.Stop()
	}
	stop()
	if err := other.Start(); err != nil {
		t.Errorf("after us: %v", err)
	}
	other.Stop()
}

func TestObserveDoesNotAllocate(t *testing.T) {
	tr, stop := realTrace(t)
	defer stop()
	now := time.Now()
	if n := testing.AllocsPerRun(100, func() {
		now = now.Add(time.Second)
		tr.Observe(now)
	}); n != 0 {
		t.Errorf("%v allocations, want none", n)
	}
}

func BenchmarkObserve(b *testing.B) {
	b.Run("part=all", func(b *testing.B) {
		tr, stop := realTrace(b)
		defer stop()
		b.ReportAllocs()
		for now := time.Now(); b.Loop(); now = now.Add(time.Second) {
			tr.Observe(now)
		}
	})
	b.Run("part=proc-io", func(b *testing.B) {
		c := newIOCounter()
		defer c.close()
		b.ReportAllocs()
		for b.Loop() {
			c.count()
		}
	})
}
