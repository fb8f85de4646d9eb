package recorder_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
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

	"github.com/gocasebook/casebook/internal/recorder"
	"github.com/google/pprof/profile"
)

// profileTake gives windows that are real profiles: one sample a second, of value 1.
func profileTake(ctx context.Context, cut <-chan struct{}, d time.Duration) (recorder.Window, error) {
	w, err := (&fakeTake{}).take(ctx, cut, d)
	if err != nil {
		return w, err
	}
	fn := &profile.Function{ID: 1, Name: "main.work"}
	loc := &profile.Location{ID: 1, Line: []profile.Line{{Function: fn}}}
	p := &profile.Profile{
		SampleType: []*profile.ValueType{{Type: "samples", Unit: "count"}},
		Sample: []*profile.Sample{{Location: []*profile.Location{loc},
			Value: []int64{int64(w.Ended.Sub(w.Began).Seconds())}}},
		Location: []*profile.Location{loc}, Function: []*profile.Function{fn},
		DurationNanos: int64(w.Ended.Sub(w.Began)),
	}
	var b bytes.Buffer
	err = p.Write(&b)
	w.Data = b.Bytes()
	return w, err
}

// wantProfile fails unless w is a complete profile of d.
func wantProfile(t *testing.T, w recorder.Window, err error, d time.Duration) {
	t.Helper()
	if err != nil {
		t.Error(err)
		return
	}
	p, err := profile.ParseData(w.Data)
	if err != nil {
		t.Error(err)
		return
	}
	if got := time.Duration(p.DurationNanos); got != d || p.Sample[0].Value[0] != int64(d.Seconds()) {
		t.Errorf("a profile of %s with %d samples, want one of %s with one a second; note %q", got,
			p.Sample[0].Value[0], d, w.Note)
	}
}

func TestNext(t *testing.T) {
	for _, d := range []time.Duration{time.Second, 10 * time.Second, 25 * time.Second, recorder.MaxSpan} {
		t.Run(d.String(), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c := runCPU(t, recorder.CPUConfig{Take: profileTake})
				time.Sleep(4 * time.Second)
				began := time.Now()
				w, err := c.Next(t.Context(), d)
				wantProfile(t, w, err, d)
				if took := time.Since(began); took != d {
					t.Errorf("it took %s, want %s", took, d)
				}
				time.Sleep(time.Second)
				if got := lengths(c.Cut(t.Context())); got[len(got)-1] != time.Second ||
					got[len(got)-2] > 10*time.Second {
					t.Errorf("windows of %v: want the ring to go on with windows of its own length", got)
				}
			})
		})
	}
}

// A case and two people at once: each gets its own stretch of time, and a Cut in the middle is not blocked.
func TestNextBesideNextAndCut(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := runCPU(t, recorder.CPUConfig{Take: profileTake})
		type answer struct {
			w   recorder.Window
			err error
		}
		first, second := make(chan answer, 1), make(chan answer, 1)
		go func() {
			w, err := c.Next(t.Context(), 30*time.Second)
			first <- answer{w, err}
		}()
		time.Sleep(3 * time.Second)
		go func() {
			w, err := c.Next(t.Context(), 10*time.Second)
			second <- answer{w, err}
		}()
		time.Sleep(4 * time.Second)
		if got := c.Cut(t.Context()); len(got) != 2+1 { // before the first, before the second, and until now
			t.Errorf("%d windows, want 3", len(got))
		}
		a := <-second
		wantProfile(t, a.w, a.err, 10*time.Second)
		if want := "joined from 2 windows; 0 s between them are missing"; a.w.Note != want {
			t.Errorf("note %q, want %q", a.w.Note, want)
		}
		a = <-first
		wantProfile(t, a.w, a.err, 30*time.Second)
	})
}

func TestNextWhileNotRunning(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, err := recorder.NewCPU(recorder.CPUConfig{Take: profileTake})
		if err != nil {
			t.Fatal(err)
		}
		w, err := c.Next(t.Context(), 3*time.Second)
		wantProfile(t, w, err, 3*time.Second)
	})
}

func TestNextThatIsCutShort(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := runCPU(t, recorder.CPUConfig{Take: profileTake})
		ctx, cancel := context.WithTimeout(t.Context(), 14*time.Second)
		defer cancel()
		w, err := c.Next(ctx, time.Minute)
		wantProfile(t, w, err, 14*time.Second)
		if want := "14 s of the 60 s asked for: context deadline exceeded"; !strings.Contains(w.Note, want) {
			t.Errorf("note %q, want it to say %q", w.Note, want)
		}
	})
}

func TestNextRefuses(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := runCPU(t, recorder.CPUConfig{Take: profileTake})
		for _, d := range []time.Duration{-1, 0, time.Millisecond, recorder.MaxSpan + 1} {
			if _, err := c.Next(t.Context(), d); err == nil {
				t.Errorf("Next(%s) succeeded", d)
			}
		}
		answers := make(chan error, maxSpans)
		for range maxSpans {
			go func() {
				_, err := c.Next(t.Context(), 5*time.Second)
				answers <- err
			}()
		}
		synctest.Wait()
		if _, err := c.Next(t.Context(), time.Second); !errors.Is(err, recorder.ErrBusy) {
			t.Errorf("one too many gave %v, want ErrBusy", err)
		}
		for range maxSpans {
			if err := <-answers; err != nil {
				t.Error(err)
			}
		}
		if _, err := c.Next(t.Context(), time.Second); err != nil {
			t.Errorf("after the others: %v", err)
		}
	})
}

func TestNextWhenRunEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, err := recorder.NewCPU(recorder.CPUConfig{Take: profileTake})
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan error, 1)
		go func() { done <- c.Run(ctx) }()
		synctest.Wait()
		go func() { time.Sleep(2 * time.Second); cancel() }()
		w, err := c.Next(t.Context(), 10*time.Second)
		wantProfile(t, w, err, 2*time.Second)
		if !strings.Contains(w.Note, "2 s of the 10 s asked for") {
			t.Errorf("note %q: want it to say that it is short", w.Note)
		}
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
}

// BenchmarkSnapshot prints the time and size of a snapshot, and how long starting and stopping the recorder takes.
func BenchmarkSnapshot(b *testing.B) {
	for _, burners := range []int{0, 2} {
		b.Run(fmt.Sprintf("burners=%d", burners), func(b *testing.B) {
			stopBurning := burning(burners)
			defer stopBurning()
			began := time.Now()
			tr, stop := realTrace(b)
			start := time.Since(began)
			size := 0
			for b.Loop() {
				data, _, err := tr.Snapshot(b.Context())
				if err != nil {
					b.Fatal(err)
				}
				size = len(data)
			}
			b.ReportMetric(float64(size)/1e3, "kB")
			began = time.Now()
			stop()
			b.ReportMetric(float64(start.Microseconds()), "start-µs")
			b.ReportMetric(float64(time.Since(began).Microseconds()), "stop-µs")
		})
	}
}

func wantStatus(t *testing.T, tr *recorder.Trace, mode recorder.Mode, why string) {
	t.Helper()
	if s := tr.Status(); s.Mode != mode || !strings.Contains(s.Why, why) {
		t.Errorf("status %s, %q; want %s, with %q", s.Mode, s.Why, mode, why)
	}
}

func TestNewTrace(t *testing.T) {
	for _, tt := range []struct {
		name string
		cfg  recorder.TraceConfig
		want string
	}{
		{"zero", recorder.TraceConfig{}, ""},
		{"never", recorder.TraceConfig{MaxCost: -1}, ""},
		{"NaN", recorder.TraceConfig{MaxCost: math.NaN()}, "field MaxCost is NaN"},
		{"percent", recorder.TraceConfig{MaxCost: 2}, "field MaxCost is 2"},
		{"window", recorder.TraceConfig{Window: -1}, "field Window is -1ns"},
		{"bytes", recorder.TraceConfig{MaxBytes: 1}, "field MaxBytes is 1"},
		{"arm", recorder.TraceConfig{ArmFor: 1}, "field ArmFor is 1ns"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := recorder.NewTrace(tt.cfg)
			if (err == nil) != (tt.want == "") || err != nil && !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error %v, want one with %q", err, tt.want)
			}
		})
	}
}

// realTrace runs the runtime's flight recorder until stop is called. It is armed, whatever the load of the tests.
func realTrace(t testing.TB) (tr *recorder.Trace, stop func()) {
	t.Helper()
	tr, err := recorder.NewTrace(recorder.TraceConfig{MaxCost: 1})
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
	for tr.Status().Mode == recorder.Off {
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
	_, stop := func() (*recorder.Trace, func()) {
		defer other.Stop()
		tr, stop := realTrace(t)
		wantStatus(t, tr, recorder.Taken, "somebody else uses")
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
