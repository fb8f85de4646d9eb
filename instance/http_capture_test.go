package instance

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/internal/budget"
	"github.com/gocasebook/casebook/internal/profiletest"
	"github.com/gocasebook/casebook/internal/victimtest"
)

// The facts of a target are those that the budget computes with.
var _ = budget.Facts(Facts{})

func TestCaptureSpansRealProcess(t *testing.T) {
	addr, _ := victimtest.StartNew(t, "-objects", "100000", "-contend")
	h := newHTTP(t, addr)
	// This lasts until the first wait is recorded and the process was read, which happens at the end of the first
	// sample.
	for n := 0; n == 0 || h.Facts().Threads == 0; n = (*h.seen.Load())[casefile.Mutex] {
		take(t, h, time.Now())
	}
	if h.proc.Load() == nil {
		t.Fatalf("the process was not found: %s", h.whyNoProcess())
	}
	for _, kind := range []string{casefile.Mutex, casefile.Block} {
		for _, subtract := range []func(context.Context, string, time.Duration) (Profile, error){h.Capture,
			h.captureDelta} {
			p, err := subtract(t.Context(), kind, time.Second)
			if err != nil {
				t.Errorf("%s: %v", kind, err)
				continue
			}
			if !strings.Contains(functions(t, p.Data), "main.contend") || p.Seconds < 1 {
				t.Errorf("%s of %g s has the functions %s; want main.contend among them", kind, p.Seconds,
					functions(t, p.Data))
			}
		}
	}
	p, err := h.Capture(t.Context(), casefile.Allocs, 2*time.Second)
	if err != nil {
		t.Fatal(err)
	}
	if prof := parse(t, p.Data); len(prof.SampleType) != 2 || !strings.Contains(functions(t, p.Data), "main.churn") ||
		strings.Contains(functions(t, p.Data), "main.grow") {
		t.Errorf("allocs meanwhile are %v of %s; want main.churn, and not main.grow, which was before", prof.SampleType,
			functions(t, p.Data))
	}
	p, err = h.Capture(t.Context(), casefile.Trace, time.Second)
	if err != nil || len(p.Data) == 0 {
		t.Errorf("a trace of %d bytes, %v", len(p.Data), err)
	}
	if f := h.Facts(); f.Goroutines == 0 || f.HeapRecords == 0 || f.HeapBytes == 0 || f.HeapObjects < 100_000 ||
		f.Threads == 0 || !f.Outside {
		t.Errorf("facts are %+v", f)
	}
}

func TestCaptureSnapshotsRealProcess(t *testing.T) {
	addr, _ := victimtest.StartNew(t, "-park", "950")
	h := newHTTP(t, addr)
	for n := 0; n < 950; n = (*h.seen.Load())["goroutine"] { // until all are parked
		take(t, h, time.Now())
	}
	p, err := h.Capture(t.Context(), casefile.GoroutineDump, 0)
	if n := bytes.Count(p.Data, []byte("main.park")); err != nil || n < 950 {
		t.Errorf("main.park is %d times in the dump, %v; want it 950 times at least", n, err)
	}
	p, err = h.Capture(t.Context(), casefile.GoroutineLeak, 0)
	wantEmpty(t, p, err, "offers no goroutineleak")
	p, err = h.Capture(t.Context(), casefile.Prometheus, 0)
	wantEmpty(t, p, err, "no page of Prometheus metrics is configured")
	h.PrometheusURL = "/metrics"
	p, err = h.Capture(t.Context(), casefile.Prometheus, 0)
	wantEmpty(t, p, err, "answered 404")

	p, err = h.Capture(t.Context(), casefile.Metrics, 0)
	var vars map[string]any
	if err != nil || json.Unmarshal(p.Data, &vars) != nil || vars["memstats"] == nil || vars["served_total"] == nil ||
		vars["cmdline"] != nil {
		t.Errorf("expvar's page is %.300s, %v; want memstats and served_total, and no command line", p.Data, err)
	}
}

// A leaked goroutine is found in a program that was built with the detector.
func TestLeakRealProcess(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the standard library with another GOEXPERIMENT")
	}
	t.Setenv("GOEXPERIMENT", "goroutineleakprofile")
	bin, err := victimtest.Build(t.TempDir())
	if err != nil {
		t.Skip("this Go has no such experiment: ", err)
	}
	addr, _ := victimtest.Start(t, bin, "-park", "300")
	h := newHTTP(t, addr)
	for n := 0; n < 300; n = (*h.seen.Load())["goroutine"] { // until all are parked
		take(t, h, time.Now())
	}
	p, err := h.Capture(t.Context(), casefile.GoroutineLeak, 0)
	if err != nil {
		t.Fatal(err)
	}
	// The goroutine that parked them is in an endless select, and is found, too.
	if n, err := goroutinesIn(t.Context(), p.Data); n != 301 || err != nil ||
		!strings.Contains(functions(t, p.Data), "main.park") {
		t.Errorf("%d goroutines leaked in %s (%v), want 301, most in main.park", n, functions(t, p.Data), err)
	}
}

// A page is a fake target: it answers under /debug/pprof/ with the index, and elsewhere as the test wants.
func fakeTarget(t *testing.T, page string, handler http.HandlerFunc) *HTTP {
	t.Helper()
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/debug/pprof/" {
			_, _ = io.WriteString(w, page)
			return
		}
		handler(w, r)
	}))
	t.Cleanup(srv.Close)
	return newHTTP(t, srv.URL)
}

func indexOf(profile string, n int) string {
	return fmt.Sprintf(`%s<tr><td>%d</td><td><a href='%s?debug=1'>x</a></td></tr>`, index, n, profile)
}

// A delta that is expensive for the target is made from two snapshots. One that is expensive for us is not taken.
func TestBigDeltasFromOutside(t *testing.T) {
	types := []string{"contentions", "delay"}
	for _, c := range []struct {
		records int
		seconds float64
		note    string
	}{{maxWaitRecords + 1, 0.05, ""}, {maxDeltaRecordsOutside + 1, 0, "the total since"}} {
		var asked atomic.Int64
		h := fakeTarget(t, indexOf("mutex", c.records), func(w http.ResponseWriter, r *http.Request) {
			if r.FormValue("seconds") != "" {
				t.Errorf("of %d records the target was asked for a delta", c.records)
			}
			_, _ = w.Write(profiletest.Of(t, types, profiletest.Record([]uint64{1}, 0, asked.Add(1), 5)))
		})
		take(t, h, time.Now())
		asked.Store(0)
		p, err := h.Capture(t.Context(), casefile.Mutex, 50*time.Millisecond)
		if err != nil {
			t.Fatal(err)
		}
		if p.Seconds < c.seconds || c.seconds == 0 && p.Seconds != 0 || !strings.Contains(p.Note, c.note) {
			t.Errorf("%d records: it spans %g s with the note %q", c.records, p.Seconds, p.Note)
		}
		if got := parse(t, p.Data).Sample[0].Value[0]; got != 1 {
			t.Errorf("%d records: %d waits, want 1: of the first answer, or between the two", c.records, got)
		}
	}
}

// A trace that is larger than what is kept is asked for again, for a shorter time.
func TestLargeTraceFromOutside(t *testing.T) {
	header := []byte("go 1.26 trace\x00\x00\x00")
	var asked []string
	h := fakeTarget(t, index, func(w http.ResponseWriter, r *http.Request) {
		asked = append(asked, r.FormValue("seconds"))
		_, _ = w.Write(header)
		if len(asked) > 1 {
			return
		}
		flush(w)
		_ = sleep(r.Context(), 2*time.Second) // one that comes too early is not asked for again
		for piece := make([]byte, 1<<20); ; {
			if _, err := w.Write(piece); err != nil {
				return
			}
		}
	})
	p, err := h.Capture(t.Context(), casefile.Trace, 9*time.Second)
	if err != nil {
		t.Fatal(err)
	}
	if len(asked) != 2 || asked[0] != "9" || fmt.Sprint(p.Seconds) != asked[1] || !strings.Contains(p.Note,
		"only: 64 MiB arrived in") {
		t.Errorf("asked for %v seconds; it spans %g s with the note %q", asked, p.Seconds, p.Note)
	}
}

func flush(w http.ResponseWriter) {
	if f, ok := w.(http.Flusher); ok {
		f.Flush()
	}
}

// Only what cannot hold a secret is kept of the build and the environment, both from outside and from inside.
func TestEnvironmentHoldsNoSecrets(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("another process's files are read on Linux only")
	}
	bin, err := victimtest.Build(t.TempDir(), "-ldflags=-X main.password=s3cret", "-tags=blue")
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("PASSWORD", "s3cret")
	t.Setenv("GOFLAGS", "-ldflags=-X=main.password=s3cret")
	t.Setenv("GOGC", "150")
	addr, _ := victimtest.Start(t, bin, "-listen", "127.0.0.1:0")
	h := newHTTP(t, addr)
	p, err := h.Capture(t.Context(), casefile.Runtime, 0)
	wantEmpty(t, p, err, "needs the process's files")
	take(t, h, time.Now())
	outside, err := h.Capture(t.Context(), casefile.Runtime, 0)
	if err != nil {
		t.Fatal(err)
	}
	inside := capture(t, casefile.Runtime, 0)
	for name, data := range map[string][]byte{"outside": outside.Data, "inside": inside.Data} {
		var e environment
		if err := json.Unmarshal(data, &e); err != nil {
			t.Fatal(err)
		}
		if bytes.Contains(data, []byte("s3cret")) {
			t.Errorf("%s: a secret is kept: %s", name, data)
		}
		if len(e.Environment) == 0 || e.Environment["GOGC"] != "150" || e.Settings["GOOS"] != "linux" ||
			e.Build.GoVersion == "" ||
			len(e.Rlimits["Max open files"]) != 3 || e.System.Kernel == "" || e.System.CPUs == 0 ||
			e.System.MemoryBytes == 0 || e.Limits.CPUs == 0 {
			t.Errorf("%s: the environment is %s", name, data)
		}
		if (e.Effective != nil) != (name == "inside") || (e.Absent["effective"] != "") != (name == "outside") {
			t.Errorf("%s: how the runtime is set is %+v, absent because of %q", name, e.Effective,
				e.Absent["effective"])
		}
	}
	if !bytes.Contains(outside.Data, []byte(`"-tags": "blue"`)) {
		t.Errorf("the build's tags are lost: %s", outside.Data)
	}
	h.proc.Load().start++
	if _, err := h.Capture(t.Context(), casefile.Runtime, 0); err == nil ||
		!strings.Contains(err.Error(), "was replaced") {
		t.Errorf("error for a number that another process has now: %v", err)
	}
}

// Data that is not what its kind says never becomes evidence.
func TestCheck(t *testing.T) {
	for _, c := range []struct {
		kind, data string
		ok         bool
	}{
		{casefile.Trace, "go 1.26 trace\x00\x00\x00", true},
		{casefile.Trace, "go 1.", false},
		{casefile.Trace, "hello", false},
		{casefile.GoroutineDump, "goroutine 1 [running]:\n", true},
		{casefile.GoroutineDump, "<html>", false},
		{casefile.Metrics, "{}", true},
		{casefile.Metrics, "{", false},
		{casefile.Prometheus, "a 1\n", true},
		{casefile.Prometheus, "a\x001\n", false},
		{casefile.Heap, "heap", false},
		{casefile.Prometheus, "", false},
	} {
		if err := check(c.kind, []byte(c.data)); (err == nil) != c.ok {
			t.Errorf("%s %q: %v, want ok %v", c.kind, c.data, err, c.ok)
		}
	}
}
