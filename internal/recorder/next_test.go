package recorder

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/pprof/profile"
)

// profileTake gives windows that are real profiles: one sample a second, of value 1.
func profileTake(ctx context.Context, cut <-chan struct{}, d time.Duration) (Window, error) {
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
func wantProfile(t *testing.T, w Window, err error, d time.Duration) {
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
	for _, d := range []time.Duration{time.Second, 10 * time.Second, 25 * time.Second, MaxSpan} {
		t.Run(d.String(), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c := runCPU(t, CPUConfig{Take: profileTake})
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
		c := runCPU(t, CPUConfig{Take: profileTake})
		type answer struct {
			w   Window
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
		c, err := NewCPU(CPUConfig{Take: profileTake})
		if err != nil {
			t.Fatal(err)
		}
		w, err := c.Next(t.Context(), 3*time.Second)
		wantProfile(t, w, err, 3*time.Second)
	})
}

func TestNextThatIsCutShort(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := runCPU(t, CPUConfig{Take: profileTake})
		ctx, cancel := context.WithTimeout(t.Context(), 14*time.Second)
		defer cancel()
		w, err := c.Next(ctx, time.Minute)
		wantProfile(t, w, err, 14*time.Second)
		if want := "14 s of the 60 s asked for: context deadline exceeded"; !strings.Contains(w.Note, want) {
			t.Errorf("note %q, want it to say %q", w.Note, want)
		}
	})
}

func TestNextWhileSomebodyElseHoldsTheProfiler(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		fails := make([]error, 1000)
		for i := range fails {
			fails[i] = errInUse
		}
		f := &fakeTake{fails: fails}
		c := runCPU(t, CPUConfig{Take: f.take})
		time.Sleep(5 * time.Minute) // by now the attempts are 30 s apart
		go func() {
			time.Sleep(5 * time.Second)
			f.mu.Lock()
			defer f.mu.Unlock()
			f.fails = nil
		}()
		began := time.Now()
		if _, err := c.Next(t.Context(), time.Second); err != nil {
			t.Error(err)
		}
		if d := time.Since(began); d > 7*time.Second {
			t.Errorf("Next took %s: it must try each second while somebody waits", d)
		}
	})
	synctest.Test(t, func(t *testing.T) {
		f := &fakeTake{fails: make([]error, 1000)}
		for i := range f.fails {
			f.fails[i] = errInUse
		}
		c := runCPU(t, CPUConfig{Take: f.take})
		began := time.Now()
		_, err := c.Next(t.Context(), time.Second)
		if err == nil || !strings.Contains(err.Error(), "somebody else holds the CPU profiler") {
			t.Errorf("Next gave %v, want an error that says why", err)
		}
		if d := time.Since(began); d > time.Second+patience+DefaultWindow {
			t.Errorf("it gave up after %s", d)
		}
	})
}

func TestNextRefuses(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := runCPU(t, CPUConfig{Take: profileTake})
		for _, d := range []time.Duration{-1, 0, time.Millisecond, MaxSpan + 1} {
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
		if _, err := c.Next(t.Context(), time.Second); !errors.Is(err, ErrBusy) {
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
		c, err := NewCPU(CPUConfig{Take: profileTake})
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

func TestJoinRefusesGarbage(t *testing.T) {
	good, err := profileTake(t.Context(), nil, 20*time.Millisecond)
	if err != nil {
		t.Fatal(err)
	}
	for name, data := range map[string][]byte{
		"empty": nil, "not a profile": packed("garbage"), "cut": good.Data[:len(good.Data)/2],
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := joinWindows([]Window{good, {Data: data}}); err == nil {
				t.Error("it was joined")
			}
		})
	}
	if _, err := parse(packed(strings.Repeat("x", 1001)), 1000); err == nil ||
		!strings.Contains(err.Error(), "too large") {
		t.Errorf("a bomb gave %v", err)
	}
}
