package instance_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/pprof"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/instance"
	"github.com/gocasebook/casebook/internal/profiletest"
	"github.com/gocasebook/casebook/internal/victimtest"
	"github.com/gocasebook/casebook/vitals"
	"github.com/google/pprof/profile"
)

// goesOn limits how long a test waits for what comes at any speed of the machine. After that it says what did not come.
const goesOn = 8 * time.Minute

func newHTTP(t *testing.T, url string) *instance.HTTP {
	t.Helper()
	h, err := instance.NewHTTP(url)
	if err != nil {
		t.Fatal(err)
	}
	return h
}

func take(t *testing.T, h *instance.HTTP, at time.Time) vitals.Sample {
	t.Helper()
	s := vitals.NewSample(at)
	if err := h.Sample(t.Context(), &s); err != nil {
		t.Fatal(err)
	}
	return s
}

func TestCaptureRealProcess(t *testing.T) {
	addr, _ := victimtest.StartNew(t, "-objects", "100000", "-park", "50")
	h := newHTTP(t, "http://"+addr+"/debug/pprof/heap?debug=1")
	take(t, h, time.Now())
	for _, kind := range []string{casefile.CPU, casefile.Heap, casefile.Allocs, casefile.Goroutine,
		casefile.ThreadCreate} {
		// A starved process may not get the 10 ms of CPU within a second that make a sample.
		for d := time.Second; d <= time.Minute; d *= 4 {
			p, err := h.Capture(t.Context(), kind, d)
			if err != nil {
				t.Errorf("%s: %v", kind, err)
				break
			}
			prof, err := profile.ParseData(p.Data)
			if err != nil {
				t.Errorf("%s is not a profile: %v", kind, err)
				break
			}
			if len(prof.Sample) > 0 {
				break
			}
			if kind != casefile.CPU || 4*d > time.Minute {
				t.Errorf("%s of %s has no samples", kind, d)
				break
			}
		}
	}
	for _, kind := range []string{casefile.Mutex, casefile.Block} {
		var empty *instance.EmptyError
		if _, err := h.Capture(t.Context(), kind, time.Second); !errors.As(err, &empty) {
			t.Errorf("%s of a process that does not record it: %v, want an EmptyError", kind, err)
		}
	}
	if _, err := h.Capture(t.Context(), "cup", time.Second); err == nil {
		t.Error("an unknown kind was captured")
	}
}

func TestSecretsAreNotShown(t *testing.T) {
	h := newHTTP(t, "http://ann:s3cret@127.0.0.1:1/debug/pprof/?token=s3cret")
	d, err := h.Describe(t.Context())
	if err == nil {
		t.Fatal("port 1 answers")
	}
	_, bad := instance.NewHTTP("http://ann:s3cret@h:port/?token=s3cret")
	for _, text := range []string{err.Error(), h.URL(), d.URL, d.Name, bad.Error()} {
		if strings.Contains(text, "s3cret") {
			t.Errorf("a secret is shown: %s", text)
		}
	}
}

// index is the index page of net/http/pprof.
const index = `<tr><td>3</td><td><a href='goroutine?debug=1'>goroutine</a></td></tr>`

func TestBadTargets(t *testing.T) {
	var busy atomic.Int32
	var zipped bytes.Buffer
	zw := gzip.NewWriter(&zipped)
	_, _ = zw.Write(bytes.Repeat([]byte("profile"), 1000))
	_ = zw.Close()
	for _, c := range []struct {
		name    string
		handler http.HandlerFunc
		capture bool // the fault shows in Capture, not in Describe
		want    string
	}{
		{"not pprof", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "<html>hello</html>") }, false,
			"not the index page"},
		{"not mounted", http.NotFound, false, "is net/http/pprof mounted there?"},
		{"credentials", func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "no", http.StatusUnauthorized) },
			false, "--bearer-file"},
		{"html", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "<html>login</html>") }, true,
			"HTML page"},
		{"empty", func(http.ResponseWriter, *http.Request) {}, true, "empty"},
		{"text", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "hello") }, true,
			"not a gzipped pprof profile"},
		{"cut", func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(zipped.Bytes()[:zipped.Len()-5]) }, true,
			"cut or damaged"},
		{"broken off", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "1000")
			_, _ = w.Write(zipped.Bytes()[:10])
		}, true, "the answer ends in the middle"},
		{"busy, then free", func(w http.ResponseWriter, _ *http.Request) {
			if busy.Add(1) == 1 {
				http.Error(w, "Could not enable CPU profiling: cpu profiling already in use",
					http.StatusInternalServerError)
				return
			}
			_, _ = w.Write(zipped.Bytes())
		}, true, ""},
		{"short write timeout", func(w http.ResponseWriter, r *http.Request) {
			if r.FormValue("seconds") != "1" {
				http.Error(w, "profile duration exceeds server's WriteTimeout", http.StatusBadRequest)
				return
			}
			_, _ = w.Write(zipped.Bytes())
		}, true, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			mux := http.NewServeMux()
			mux.HandleFunc("/debug/pprof/", func(w http.ResponseWriter, r *http.Request) {
				if c.capture && r.URL.Path == "/debug/pprof/" {
					_, _ = io.WriteString(w, index)
					return
				}
				c.handler(w, r)
			})
			srv := httptest.NewServer(mux)
			defer srv.Close()
			h := newHTTP(t, srv.URL)
			_, err := h.Describe(t.Context())
			if c.capture {
				if err != nil {
					t.Fatal(err)
				}
				var p instance.Profile
				p, err = h.Capture(t.Context(), casefile.CPU, 4*time.Second)
				if err == nil && p.Note == "" {
					t.Error("the profile came at the second try; want a note that says so")
				}
			}
			if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
				t.Errorf("error is %v, want %q in it", err, c.want)
			}
		})
	}
}

func TestUnreachable(t *testing.T) {
	_, err := newHTTP(t, "127.0.0.1:1").Describe(t.Context())
	if err == nil || !strings.Contains(err.Error(), "connection refused") {
		t.Errorf("error is %v", err)
	}
	hang := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }))
	defer hang.Close()
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	_, err = newHTTP(t, hang.URL).Describe(ctx)
	if err == nil || !strings.Contains(err.Error(), "no answer in time") {
		t.Errorf("error is %v", err)
	}
}

// A page is a fake target: it answers under /debug/pprof/ with the index, and elsewhere as the test wants.
func fakeTarget(t *testing.T, page string, handler http.HandlerFunc) *instance.HTTP {
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

// What would stop the target for long is not asked for at all.
func TestDumpOfManyIsNotAskedFor(t *testing.T) {
	for _, page := range []string{indexOf("goroutine", maxDumped+1), "<a href='goroutine?debug=1'>"} {
		h := fakeTarget(t, page, func(http.ResponseWriter,
			*http.Request) {
			t.Error("the target was asked for a dump")
		})
		p, err := h.Capture(t.Context(), casefile.GoroutineDump, 0)
		wantEmpty(t, p, err, "goroutines")
	}
	h := fakeTarget(t, indexOf("goroutine", maxCensus+1),
		func(http.ResponseWriter, *http.Request) { t.Error("the target was asked for a profile") })
	if _, err := h.Census(t.Context()); err == nil || !strings.Contains(err.Error(), "no census is taken") {
		t.Errorf("error of a census of many is %v", err)
	}
}

// Nobody waited in the seconds that were asked for.
func TestNoWaitsFromOutside(t *testing.T) {
	h := fakeTarget(t, indexOf("mutex", 5), func(w http.ResponseWriter, _ *http.Request) {
		_, _ = w.Write(profiletest.Of(t, []string{"contentions", "delay"}))
	})
	take(t, h, time.Now())
	p, err := h.Capture(t.Context(), casefile.Mutex, 10*time.Millisecond)
	wantEmpty(t, p, err, "no goroutine waited")
}

func TestPages(t *testing.T) {
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch user, password, _ := r.BasicAuth(); {
		case r.URL.Path == "/metrics" && user == "ann" && password == "s3cret" && r.FormValue("token") == "t0ken":
			fmt.Fprint(w, "go_goroutines 7\n")
		case r.URL.Path == "/endless":
			for piece := bytes.Repeat([]byte("a 1\n"), 1<<18); ; {
				if _, err := w.Write(piece); err != nil {
					return
				}
			}
		case r.URL.Path == "/html":
			fmt.Fprint(w, "<html>login</html>")
		case r.URL.Path == "/list":
			fmt.Fprint(w, "[1]")
		case r.URL.Path == "/svc/debug/vars":
			fmt.Fprint(w, `{"cmdline": ["-password=s3cret"]}`)
		case r.URL.Path == "/other/debug/vars":
			fmt.Fprint(w, `[1]`)
		default:
			http.Error(w, "no", http.StatusForbidden)
		}
	}))
	defer srv.Close()
	host := strings.TrimPrefix(srv.URL, "http://")
	for _, c := range []struct{ base, page, want string }{
		{"http://ann:s3cret@" + host + "/debug/pprof/?token=t0ken", "/metrics", ""},
		{"http://" + host, "http://ann:s3cret@" + host + "/metrics?token=t0ken", ""},
		{"http://" + host, "http://ann:wrong@" + host + "/metrics?token=wrong", "wants credentials"},
		{"http://" + host, "/endless", "larger than 16 MiB"},
		{"http://" + host, "/html", "not a page of metrics"},
		{"http://" + host, "ftp://ann:wrong@h/metrics", "not an http or https URL"},
		{"http://" + host, "http://ann:wrong@h:port/", "is not a URL"},
	} {
		h := newHTTP(t, c.base)
		h.PrometheusURL = c.page
		p, err := h.Capture(t.Context(), casefile.Prometheus, 0)
		switch {
		case c.want == "" && (err != nil || string(p.Data) != "go_goroutines 7"):
			t.Errorf("%s: %q, %v", c.page, p.Data, err)
		case c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want) ||
			strings.Contains(err.Error(), "wrong")):
			t.Errorf("%s: error is %v, want %q in it and no secret", c.page, err, c.want)
		}
	}
	p, err := newHTTP(t, srv.URL+"/svc/debug/pprof/").Capture(t.Context(), casefile.Metrics, 0)
	wantEmpty(t, p, err, "nothing but the command line")
	if p, err := newHTTP(t, srv.URL+"/other").Capture(t.Context(), casefile.Metrics, 0); err == nil || len(p.Data) > 0 {
		t.Errorf("a page that is no object: %q, %v", p.Data, err)
	}
}

// hang never answers, drip sends a byte now and then. Neither ends before the request does.
func hang(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }

func wantLate(t *testing.T, what string, ask func(context.Context) error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Millisecond)
	defer cancel()
	err := ask(ctx)
	var unreachable *instance.UnreachableError
	if !errors.As(err, &unreachable) || !errors.Is(err, context.DeadlineExceeded) ||
		!strings.Contains(err.Error(), "no answer in time") {
		t.Errorf("%s: error is %v, want that there was no answer in time", what, err)
	}
}

// A capture may run at the same time as Sample, also while the process is replaced.
func TestCaptureBesideSample(t *testing.T) {
	addr, stop := victimtest.StartNew(t)
	h := newHTTP(t, addr)
	take(t, h, time.Now())
	done := make(chan struct{})
	go func() {
		defer close(done)
		for _, kind := range []string{casefile.Runtime, casefile.Goroutine, casefile.Mutex, casefile.GoroutineDump,
			casefile.Runtime} {
			for range 5 {
				_, _ = h.Capture(t.Context(), kind, 0) // may fail while there is no process
				h.Facts()
				h.Absent()
			}
		}
	}()
	s := vitals.NewSample(time.Now())
	for range 20 {
		_ = h.Sample(t.Context(), &s)
	}
	stop()
	_ = h.Sample(t.Context(), &s) // nothing answers
	victimtest.StartNew(t, "-listen", addr)
	take(t, h, time.Now())
	<-done
	if p, err := h.Capture(t.Context(), casefile.Goroutine, 0); err != nil || len(p.Data) == 0 {
		t.Errorf("after all that there is no evidence: %v", err)
	}
}

// The real server of traces: it ends its trace when our half of the connection is closed, and the reader of the Go
// toolchain reads what came until then.
func TestTraceIsEndedByBytes(t *testing.T) {
	for _, tls := range []bool{false, true} {
		t.Run(map[bool]string{false: "http", true: "https"}[tls], func(t *testing.T) {
			h := tracedTarget(t, tls)
			h.TraceBytes = 256 << 10
			stop := victimtest.MakeEvents()
			defer stop()
			p, err := h.Capture(t.Context(), casefile.Trace, time.Hour)
			if err != nil {
				t.Fatal(err)
			}
			defer p.Release()
			if !strings.Contains(p.Note, " of 60 min: 256 KiB had arrived, ") || len(p.Data) < h.TraceBytes ||
				p.Seconds <= 0 {
				t.Errorf("%d bytes of %g s with the note %q; want it ended at 256 KiB", len(p.Data), p.Seconds, p.Note)
			}
			path := filepath.Join(t.TempDir(), "trace")
			if err := os.WriteFile(path, p.Data, 0o600); err != nil {
				t.Fatal(err)
			}
			out, err := exec.CommandContext(t.Context(), "go", "tool", "trace", "-d=parsed", path).CombinedOutput()
			if err != nil || !strings.Contains(string(out), "victimtest.MakeEvents.func") {
				t.Errorf("go tool trace: %v\n%.500s", err, out)
			}
		})
	}
}

// tracedTarget is this process behind net/http/pprof.
func tracedTarget(t *testing.T, tls bool) *instance.HTTP {
	t.Helper()
	mux := http.NewServeMux()
	mux.HandleFunc("/debug/pprof/", pprof.Index)
	mux.HandleFunc("/debug/pprof/trace", pprof.Trace)
	srv := httptest.NewUnstartedServer(mux)
	t.Cleanup(srv.Close)
	if !tls {
		srv.Start()
		return newHTTP(t, srv.URL)
	}
	srv.StartTLS()
	h, err := instance.NewHTTPWith(srv.URL, instance.HTTPOptions{Insecure: true})
	if err != nil {
		t.Fatal(err)
	}
	return h
}
