package recorder

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"runtime/pprof"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// packed is the smallest data that passes for a profile.
func packed(text string) []byte {
	var b bytes.Buffer
	zw := gzip.NewWriter(&b)
	_, _ = zw.Write([]byte(text)) // a bytes.Buffer accepts everything
	_ = zw.Close()
	return b.Bytes()
}

// fakeTake gives windows that are numbered.
type fakeTake struct {
	mu    sync.Mutex
	n     int
	fails []error // of the next attempts, one each; nil: succeeds
	stiff bool    // cannot be cut
}

func (f *fakeTake) take(ctx context.Context, cut <-chan struct{}, d time.Duration) (Window, error) {
	f.mu.Lock()
	f.n++
	n, stiff := f.n, f.stiff
	var err error
	if len(f.fails) > 0 {
		err, f.fails = f.fails[0], f.fails[1:]
	}
	f.mu.Unlock()
	if err != nil {
		return Window{}, err
	}
	if stiff {
		cut = nil
	}
	w := Window{Began: time.Now(), Data: packed(fmt.Sprint("window ", n))}
	select {
	case <-time.After(d):
	case <-cut:
	case <-ctx.Done():
	}
	w.Ended = time.Now()
	return w, nil
}

var errInUse = errors.New("starting the CPU profile: cpu profiling already in use")

// runCPU runs a recorder in a bubble until the test ends, and waits until its first window has begun.
func runCPU(t *testing.T, cfg CPUConfig) *CPU {
	t.Helper()
	c, err := NewCPU(cfg)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- c.Run(ctx) }()
	t.Cleanup(func() {
		cancel()
		if err := <-done; err != nil {
			t.Errorf("Run ended with %v", err)
		}
	})
	synctest.Wait()
	return c
}

func lengths(ws []Window) (out []time.Duration) {
	for _, w := range ws {
		out = append(out, w.Ended.Sub(w.Began))
	}
	return out
}

func wantLengths(t *testing.T, ws []Window, want ...time.Duration) {
	t.Helper()
	if got := lengths(ws); fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("windows of %v, want %v", got, want)
	}
}

func TestNewCPU(t *testing.T) {
	for _, tt := range []struct {
		name string
		cfg  CPUConfig
		want string // in the error; empty: no error
	}{
		{"zero", CPUConfig{}, ""},
		{"negative window", CPUConfig{Window: -1}, "field Window is -1ns"},
		{"short window", CPUConfig{Window: time.Millisecond}, "field Window is 1ms"},
		{"long window", CPUConfig{Window: time.Hour}, "field Window is 1h0m0s"},
		{"keep nothing", CPUConfig{Keep: -1}, "field Keep is -1"},
		{"both", CPUConfig{Window: 1, Keep: 100}, "field Keep is 100"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := NewCPU(tt.cfg)
			if (err == nil) != (tt.want == "") || err != nil && !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error %v, want one with %q", err, tt.want)
			}
		})
	}
}

func TestWindowsFollowEachOther(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &fakeTake{}
		c := runCPU(t, CPUConfig{Take: f.take})
		if got := c.Cut(t.Context()); len(got) != 1 {
			t.Errorf("%d windows at the beginning, want the one that was cut", len(got))
		}
		time.Sleep(54 * time.Second) // 5 windows, and 4 s of the sixth
		wantLengths(t, c.Cut(t.Context()), 10*time.Second, 10*time.Second, 10*time.Second, 4*time.Second)
		time.Sleep(3 * time.Second)
		wantLengths(t, c.Cut(t.Context()), 10*time.Second, 10*time.Second, 10*time.Second, 4*time.Second, 3*time.Second)
		if s := c.Status(); s.State != Running || s.Taken != 8 || s.Kept != 5 || s.Failed != 0 || s.Bytes == 0 {
			t.Errorf("status %+v: want 8 windows taken and 5 kept", s)
		}
	})
}

// Holmes gives its reporter a buffer that it continues to write to.
func TestBuffersAreNotReused(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &fakeTake{}
		c := runCPU(t, CPUConfig{Take: f.take})
		time.Sleep(15 * time.Second)
		first := c.Cut(t.Context())
		for i := range first {
			clear(first[i].Data)
		}
		second := c.Cut(t.Context())
		if !bytes.Equal(second[0].Data, packed("window 1")) {
			t.Error("what was handed out is still the recorder's: clearing it cleared what is kept")
		}
	})
}

func TestCutOfWhatCannotBeCut(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &fakeTake{stiff: true}
		c := runCPU(t, CPUConfig{Take: f.take})
		time.Sleep(14 * time.Second)
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		wantLengths(t, c.Cut(ctx), 10*time.Second) // the current window takes longer than ctx allows
		began := time.Now()
		wantLengths(t, c.Cut(t.Context()), 10*time.Second, 10*time.Second)
		if d := time.Since(began); d != 5*time.Second {
			t.Errorf("Cut waited %s, want the 5 s that the window still had", d)
		}
	})
}

func TestStandingBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &fakeTake{fails: []error{nil, errInUse, errInUse, errInUse}}
		c := runCPU(t, CPUConfig{Take: f.take})
		time.Sleep(10*time.Second + 2*time.Second)
		s := c.Status()
		if s.State != StandingBack || s.Why != "somebody else holds the CPU profiler" || s.Failed != 2 {
			t.Errorf("status %+v: want it standing back after 2 failures", s)
		}
		if got := c.Cut(t.Context()); len(got) != 1 || got[0].Note != "" {
			t.Errorf("Cut while standing back gave %d windows, want the one kept before", len(got))
		}
		time.Sleep(20 * time.Second) // attempts after 1, 3 and 7 s
		got := c.Cut(t.Context())
		const want = "nothing was recorded for 7 s before this: somebody else held the CPU profiler"
		if len(got) < 2 || got[1].Note != want || got[2].Note != "" {
			t.Errorf("windows %+v, want the second with the note %q", got, want)
		}
		if s := c.Status(); s.State != Running || s.Failed != 3 || s.Why != "" {
			t.Errorf("status %+v: want it running again", s)
		}
	})
}

func TestBackOff(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &fakeTake{fails: make([]error, 1000)}
		for i := range f.fails {
			f.fails[i] = errInUse
		}
		c := runCPU(t, CPUConfig{Take: f.take})
		time.Sleep(10 * time.Minute)
		// At 0, 1, 3, 7, 15, 31 s, and then every 30 s.
		if s := c.Status(); s.Failed != 6+(600-31)/30 {
			t.Errorf("%d tries in 10 min, want %d", s.Failed, 6+(600-31)/30)
		}
	})
}

func TestTakeThatMisbehaves(t *testing.T) {
	for _, tt := range []struct {
		name string
		take func(context.Context, <-chan struct{}, time.Duration) (Window, error)
		why  string
	}{
		{"panics", func(context.Context, <-chan struct{}, time.Duration) (Window, error) { panic("boom") },
			"panicked: boom"},
		{"gives nothing", func(_ context.Context, _ <-chan struct{}, d time.Duration) (Window, error) {
			time.Sleep(d)
			return Window{}, nil
		}, "empty or not gzipped"},
		{"gives garbage", func(_ context.Context, _ <-chan struct{}, d time.Duration) (Window, error) {
			time.Sleep(d)
			return Window{Data: []byte("<html>")}, nil
		}, "empty or not gzipped"},
		{"ends at once", func(context.Context, <-chan struct{}, time.Duration) (Window, error) {
			return Window{Data: packed("x")}, nil
		}, "ended at once"},
		{"hangs", func(ctx context.Context, _ <-chan struct{}, _ time.Duration) (Window, error) {
			<-ctx.Done()
			return Window{}, ctx.Err()
		}, "deadline exceeded"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c := runCPU(t, CPUConfig{Take: tt.take})
				time.Sleep(71 * time.Second)
				synctest.Wait()
				s := c.Status()
				if s.State != StandingBack || !strings.Contains(s.Why, tt.why) || s.Taken != 0 || s.Failed == 0 ||
					s.Failed > 20 {
					t.Errorf("status %+v: want it standing back because of %q, after few tries", s, tt.why)
				}
				began := time.Now()
				if _, err := c.Next(t.Context(), time.Second); err == nil || time.Since(began) > 2*time.Minute {
					t.Errorf("Next gave %v after %s, want an error soon", err, time.Since(began))
				}
			})
		})
	}
}

func TestLargeWindowIsDropped(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := 0
		c := runCPU(t, CPUConfig{Take: func(ctx context.Context, cut <-chan struct{}, d time.Duration) (Window, error) {
			n++
			w, err := (&fakeTake{}).take(ctx, cut, d)
			if n == 2 {
				w.Data = append(w.Data, make([]byte, maxBytes)...)
			}
			return w, err
		}})
		time.Sleep(25 * time.Second)
		got := c.Cut(t.Context())
		wantLengths(t, got, 10*time.Second, 5*time.Second)
		if want := "the window before was not kept: it has 8 MiB, the limit is 8 MiB"; got[1].Note != want {
			t.Errorf("note %q, want %q", got[1].Note, want)
		}
		if s := c.Status(); s.Dropped != 1 {
			t.Errorf("status %+v: want one dropped", s)
		}
	})
}

func TestRunTwice(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, err := NewCPU(CPUConfig{Take: (&fakeTake{}).take})
		if err != nil {
			t.Fatal(err)
		}
		for run := range 2 {
			ctx, cancel := context.WithCancel(t.Context())
			done := make(chan error, 1)
			go func() { done <- c.Run(ctx) }()
			synctest.Wait()
			if err := c.Run(ctx); !errors.Is(err, ErrRunning) {
				t.Errorf("a second Run beside the first gave %v, want ErrRunning", err)
			}
			time.Sleep(3 * time.Second)
			cancel()
			if err := <-done; err != nil {
				t.Error(err)
			}
			if s := c.Status(); s.State != Stopped || s.Taken != run+1 {
				t.Errorf("status %+v: want it stopped, with the window under way kept", s)
			}
		}
		wantLengths(t, c.Cut(t.Context()), 3*time.Second, 3*time.Second)
	})
}

// The error has no name in runtime/pprof; if its text changes, this fails.
func TestInUse(t *testing.T) {
	var b bytes.Buffer
	if err := pprof.StartCPUProfile(&b); err != nil {
		t.Skip("somebody else holds the CPU profiler: ", err) // go test -cpuprofile
	}
	defer pprof.StopCPUProfile()
	if _, err := takeSelf(t.Context(), nil, time.Second); err == nil || !inUse(err) {
		t.Errorf("a second profile gave %v, want an error that inUse knows", err)
	}
}
