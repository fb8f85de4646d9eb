package recorder

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/pprof"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/google/pprof/profile"
)

func TestHandlerRefuses(t *testing.T) {
	c, err := NewCPU(CPUConfig{Take: profileTake})
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
	c, stop := runReal(t, CPUConfig{})
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
	type recorder struct {
		*CPU
		end  context.CancelFunc
		done chan error
	}
	var both [2]recorder
	for i := range both {
		c, err := NewCPU(CPUConfig{})
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		r := recorder{c, cancel, make(chan error, 1)}
		go func() { r.done <- r.Run(ctx) }()
		both[i] = r
	}
	waits := 0
	for ; both[waits].Status().State != StandingBack; waits = 1 - waits {
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
func runReal(t testing.TB, cfg CPUConfig) (c *CPU, stop func()) {
	t.Helper()
	c, err := NewCPU(cfg)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- c.Run(ctx) }()
	for c.Cut(ctx) == nil { // the profiler is on once a window could be cut
		if s := c.Status(); s.State == StandingBack {
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
