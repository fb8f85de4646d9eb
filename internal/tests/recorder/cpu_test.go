package recorder_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/pprof"
	"runtime"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gocasebook/casebook/internal/filetest"
	"github.com/gocasebook/casebook/internal/recorder"
	"github.com/gocasebook/casebook/internal/victimtest"
	"github.com/google/pprof/profile"
)

// fakeTake gives windows that are numbered.
type fakeTake struct {
	mu    sync.Mutex
	n     int
	fails []error // of the next attempts, one each; nil: succeeds
	stiff bool    // cannot be cut
}

func (f *fakeTake) take(ctx context.Context, cut <-chan struct{}, d time.Duration) (recorder.Window, error) {
	f.mu.Lock()
	f.n++
	n, stiff := f.n, f.stiff
	var err error
	if len(f.fails) > 0 {
		err, f.fails = f.fails[0], f.fails[1:]
	}
	f.mu.Unlock()
	if err != nil {
		return recorder.Window{}, err
	}
	if stiff {
		cut = nil
	}
	w := recorder.Window{Began: time.Now(), Data: filetest.Gzip(fmt.Sprint("window ", n))}
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
func runCPU(t *testing.T, cfg recorder.CPUConfig) *recorder.CPU {
	t.Helper()
	c, err := recorder.NewCPU(cfg)
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

func lengths(ws []recorder.Window) (out []time.Duration) {
	for _, w := range ws {
		out = append(out, w.Ended.Sub(w.Began))
	}
	return out
}

func wantLengths(t *testing.T, ws []recorder.Window, want ...time.Duration) {
	t.Helper()
	if got := lengths(ws); fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("windows of %v, want %v", got, want)
	}
}

func TestNewCPU(t *testing.T) {
	for _, tt := range []struct {
		name string
		cfg  recorder.CPUConfig
		want string // in the error; empty: no error
	}{
		{"zero", recorder.CPUConfig{}, ""},
		{"negative window", recorder.CPUConfig{Window: -1}, "field Window is -1ns"},
		{"short window", recorder.CPUConfig{Window: time.Millisecond}, "field Window is 1ms"},
		{"long window", recorder.CPUConfig{Window: time.Hour}, "field Window is 1h0m0s"},
		{"keep nothing", recorder.CPUConfig{Keep: -1}, "field Keep is -1"},
		{"both", recorder.CPUConfig{Window: 1, Keep: 100}, "field Keep is 100"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := recorder.NewCPU(tt.cfg)
			if (err == nil) != (tt.want == "") || err != nil && !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error %v, want one with %q", err, tt.want)
			}
		})
	}
}

func TestWindowsFollowEachOther(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &fakeTake{}
		c := runCPU(t, recorder.CPUConfig{Take: f.take})
		if got := c.Cut(t.Context()); len(got) != 1 {
			t.Errorf("%d windows at the beginning, want the one that was cut", len(got))
		}
		time.Sleep(54 * time.Second) // 5 windows, and 4 s of the sixth
		wantLengths(t, c.Cut(t.Context()), 10*time.Second, 10*time.Second, 10*time.Second, 4*time.Second)
		time.Sleep(3 * time.Second)
		wantLengths(t, c.Cut(t.Context()), 10*time.Second, 10*time.Second, 10*time.Second, 4*time.Second, 3*time.Second)
		if s := c.Status(); s.State != recorder.Running || s.Taken != 8 || s.Kept != 5 || s.Failed != 0 || s.Bytes == 0 {
			t.Errorf("status %+v: want 8 windows taken and 5 kept", s)
		}
	})
}

// Holmes gives its reporter a buffer that it continues to write to.
func TestBuffersAreNotReused(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &fakeTake{}
		c := runCPU(t, recorder.CPUConfig{Take: f.take})
		time.Sleep(15 * time.Second)
		first := c.Cut(t.Context())
		for i := range first {
			clear(first[i].Data)
		}
		second := c.Cut(t.Context())
		if !bytes.Equal(second[0].Data, filetest.Gzip("window 1")) {
			t.Error("what was handed out is still the recorder's: clearing it cleared what is kept")
		}
	})
}

func TestCutOfWhatCannotBeCut(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &fakeTake{stiff: true}
		c := runCPU(t, recorder.CPUConfig{Take: f.take})
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
		c := runCPU(t, recorder.CPUConfig{Take: f.take})
		time.Sleep(10*time.Second + 2*time.Second)
		s := c.Status()
		if s.State != recorder.StandingBack || s.Why != "somebody else holds the CPU profiler" || s.Failed != 2 {
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
		if s := c.Status(); s.State != recorder.Running || s.Failed != 3 || s.Why != "" {
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
		c := runCPU(t, recorder.CPUConfig{Take: f.take})
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
		take func(context.Context, <-chan struct{}, time.Duration) (recorder.Window, error)
		why  string
	}{
		{"panics", func(context.Context, <-chan struct{}, time.Duration) (recorder.Window, error) { panic("boom") },
			"panicked: boom"},
		{"gives nothing", func(_ context.Context, _ <-chan struct{}, d time.Duration) (recorder.Window, error) {
			time.Sleep(d)
			return recorder.Window{}, nil
		}, "empty or not gzipped"},
		{"gives garbage", func(_ context.Context, _ <-chan struct{}, d time.Duration) (recorder.Window, error) {
			time.Sleep(d)
			return recorder.Window{Data: []byte("<html>")}, nil
		}, "empty or not gzipped"},
		{"ends at once", func(context.Context, <-chan struct{}, time.Duration) (recorder.Window, error) {
			return recorder.Window{Data: filetest.Gzip("x")}, nil
		}, "ended at once"},
		{"hangs", func(ctx context.Context, _ <-chan struct{}, _ time.Duration) (recorder.Window, error) {
			<-ctx.Done()
			return recorder.Window{}, ctx.Err()
		}, "deadline exceeded"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c := runCPU(t, recorder.CPUConfig{Take: tt.take})
				time.Sleep(71 * time.Second)
				synctest.Wait()
				s := c.Status()
				if s.State != recorder.StandingBack || !strings.Contains(s.Why, tt.why) || s.Taken != 0 || s.Failed == 0 ||
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
		c := runCPU(t, recorder.CPUConfig{Take: func(ctx context.Context, cut <-chan struct{},
			d time.Duration) (recorder.Window, error) {
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
		c, err := recorder.NewCPU(recorder.CPUConfig{Take: (&fakeTake{}).take})
		if err != nil {
			t.Fatal(err)
		}
		for run := range 2 {
			ctx, cancel := context.WithCancel(t.Context())
			done := make(chan error, 1)
			go func() { done <- c.Run(ctx) }()
			synctest.Wait()
			if err := c.Run(ctx); !errors.Is(err, recorder.ErrRunning) {
				t.Errorf("a second Run beside the first gave %v, want ErrRunning", err)
			}
			time.Sleep(3 * time.Second)
			cancel()
			if err := <-done; err != nil {
				t.Error(err)
			}
			if s := c.Status(); s.State != recorder.Stopped || s.Taken != run+1 {
				t.Errorf("status %+v: want it stopped, with the window under way kept", s)
			}
		}
		wantLengths(t, c.Cut(t.Context()), 3*time.Second, 3*time.Second)
	})
}

func TestHandlerRefuses(t *testing.T) {
	c, err := recorder.NewCPU(recorder.CPUConfig{Take: profileTake})
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		method, query string
		status        int
		text          string
	}{
		{"GET", "seconds=0", 400, `seconds="0": it must be a whole number from 1 to 300`},
		{"GET", "seconds=-1", 400, "from 1 to 300"},
		{"GET", "seconds=301", 400, "from 1 to 300"},
		{"GET", "seconds=99999999999999999999", 400, "from 1 to 300"},
		{"GET", "seconds=1.5", 400, "whole number"},
		{"GET", "seconds=%3Cscript%3E", 400, "whole number"},
		{"GET", "debug=1", 400, "no text form"},
		{"POST", "seconds=1", 405, "with GET"},
		{"HEAD", "seconds=1", 200, ""},
	} {
		t.Run(tt.method+"?"+tt.query, func(t *testing.T) {
			rec := httptest.NewRecorder()
			c.Handler().ServeHTTP(rec, httptest.NewRequest(tt.method, "/debug/pprof/profile?"+tt.query, nil))
			if rec.Code != tt.status || !strings.Contains(rec.Body.String(), tt.text) {
				t.Errorf("%d %q, want %d with %q", rec.Code, rec.Body, tt.status, tt.text)
			}
			if tt.status >= 400 && (rec.Header().Get("X-Go-Pprof") != "1" ||
				!strings.HasPrefix(rec.Header().Get("Content-Type"), "text/plain")) {
				t.Errorf("headers %v: want those of net/http/pprof", rec.Header())
			}
		})
	}
}

// While the recorder holds the profiler, its handler serves what net/http/pprof refuses.
func TestHandlerServesWhileTheRecorderRuns(t *testing.T) {
	c, stop := runReal(t, recorder.CPUConfig{})
	defer stop()
	mux := http.NewServeMux()
	mux.Handle("/ours", c.Handler())
	mux.HandleFunc("/theirs", pprof.Profile)
	srv := httptest.NewUnstartedServer(mux)
	srv.Config.WriteTimeout = 500 * time.Millisecond // shorter than the profile
	srv.Start()
	defer srv.Close()

	theirs, _ := get(t, srv.URL+"/theirs?seconds=1")
	if theirs.StatusCode != http.StatusInternalServerError {
		t.Fatalf("net/http/pprof answered %s, want it refused: does the recorder run?", theirs.Status)
	}
	began := time.Now()
	ours, body := get(t, srv.URL+"/ours?seconds=1")
	took := time.Since(began)
	if ours.StatusCode != http.StatusOK || ours.Header.Get("Content-Type") != "application/octet-stream" ||
		ours.Header.Get("Content-Disposition") != `attachment; filename="profile"` {
		t.Fatalf("%s %v %.100s", ours.Status, ours.Header, body)
	}
	p, err := profile.Parse(bytes.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	if d := time.Duration(p.DurationNanos); d < 900*time.Millisecond || d > took {
		t.Errorf("the profile is of %s, want about 1 s, and no more than the request took, %s", d, took)
	}
}

func get(t *testing.T, url string) (*http.Response, []byte) {
	t.Helper()
	resp, err := http.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp, body
}

// Two watchers in one process: one waits, and continues when the other ends.
func TestTwoRecorders(t *testing.T) {
	type watcher struct {
		*recorder.CPU
		end  context.CancelFunc
		done chan error
	}
	var both [2]watcher
	for i := range both {
		c, err := recorder.NewCPU(recorder.CPUConfig{})
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		r := watcher{c, cancel, make(chan error, 1)}
		go func() { r.done <- r.Run(ctx) }()
		both[i] = r
	}
	waits := 0
	for ; both[waits].Status().State != recorder.StandingBack; waits = 1 - waits {
		time.Sleep(time.Millisecond)
	}
	both[1-waits].end()
	w, err := both[waits].Next(t.Context(), 100*time.Millisecond)
	if err != nil || !strings.Contains(w.Note, "somebody else held the CPU profiler") {
		t.Errorf("note %q, error %v: want a profile whose note says that there is a gap before it", w.Note, err)
	}
	both[waits].end()
	for _, r := range both {
		if err := <-r.done; err != nil {
			t.Error(err)
		}
	}
}

// runReal records this process until stop is called, and waits until a first profile has begun.
func runReal(t testing.TB, cfg recorder.CPUConfig) (c *recorder.CPU, stop func()) {
	t.Helper()
	c, err := recorder.NewCPU(cfg)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- c.Run(ctx) }()
	for c.Cut(ctx) == nil { // the profiler is on once a window could be cut
		if s := c.Status(); s.State == recorder.StandingBack {
			cancel()
			t.Fatalf("the recorder is %s: %s", s.State, s.Why)
		}
		runtime.Gosched()
	}
	return c, func() {
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
}

// spawn starts a goroutine and waits until it ends.
func spawn(testing.TB) func() {
	return func() {
		var one sync.WaitGroup
		one.Go(func() {})
		one.Wait()
	}
}

// burning keeps n goroutines busy until stop is called.
func burning(n int) (stop func()) {
	quit, ended := make(chan struct{}), make(chan struct{}, n)
	for range n {
		go func() {
			for {
				select {
				case <-quit:
					ended <- struct{}{}
					return
				default:
					runtime.KeepAlive(victimtest.Burn(10_000))
				}
			}
		}()
	}
	return func() {
		close(quit)
		for range n {
			<-ended
		}
	}
}
