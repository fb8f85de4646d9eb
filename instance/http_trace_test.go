package instance

import (
	"net/http"
	"net/http/httptest"
	"net/http/pprof"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/gocasebook/casebook/casefile"
)

// The real server of traces: it ends its trace when our half of the connection is closed, and the reader of the Go
// toolchain reads what came until then.
func TestTraceIsEndedByBytes(t *testing.T) {
	for _, tls := range []bool{false, true} {
		t.Run(map[bool]string{false: "http", true: "https"}[tls], func(t *testing.T) {
			h := tracedTarget(t, tls)
			h.TraceBytes = 256 << 10
			stop := makeEvents()
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
			if err != nil || !strings.Contains(string(out), "instance.makeEvents.func") {
				t.Errorf("go tool trace: %v\n%.500s", err, out)
			}
		})
	}
}

// tracedTarget is this process behind net/http/pprof.
func tracedTarget(t *testing.T, tls bool) *HTTP {
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
	h, err := NewHTTPWith(srv.URL, HTTPOptions{Insecure: true})
	if err != nil {
		t.Fatal(err)
	}
	return h
}
