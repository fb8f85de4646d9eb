package instance

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/internal/profiletest"
	"github.com/gocasebook/casebook/internal/victimtest"
	"github.com/gocasebook/casebook/vitals"
)

// kinds are all that HTTP can capture.
var kinds = []string{
	casefile.CPU, casefile.Heap, casefile.Allocs, casefile.Goroutine, casefile.Mutex, casefile.Block,
	casefile.ThreadCreate,
	casefile.GoroutineLeak, casefile.GoroutineDump, casefile.Trace, casefile.Metrics, casefile.Runtime,
	casefile.Prometheus,
}

// hang never answers, drip sends a byte now and then. Neither ends before the request does.
func hang(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }

func drip(w http.ResponseWriter, r *http.Request) {
	for r.Context().Err() == nil {
		_, _ = io.WriteString(w, " ")
		flush(w)
		_ = sleep(r.Context(), 5*time.Millisecond) // ends early with the request
	}
}

// A target that hangs, or answers too slowly, keeps nobody longer than the context allows, and the error says so.
func TestSlowTarget(t *testing.T) {
	for name, handler := range map[string]http.HandlerFunc{"hangs": hang, "drips": drip} {
		t.Run(name, func(t *testing.T) {
			all := httptest.NewServer(handler)
			defer all.Close()
			h := newHTTP(t, all.URL)
			s := vitals.NewSample(time.Now())
			wantLate(t, "Sample", func(ctx context.Context) error { return h.Sample(ctx, &s) })
			wantLate(t, "Describe", func(ctx context.Context) error { _, err := h.Describe(ctx); return err })
			wantLate(t, "Census", func(ctx context.Context) error { _, err := h.Census(ctx); return err })
			half := fakeTarget(t, index, handler) // the index is quick, the rest is not
			half.PrometheusURL = "/metrics"
			for _, kind := range kinds {
				if kind == casefile.Runtime { // reads files
					continue
				}
				wantLate(t, kind, func(ctx context.Context) error {
					p, err := half.Capture(ctx, kind, time.Second)
					if len(p.Data) > 0 {
						t.Errorf("%s: %d bytes of a profile that did not end", kind, len(p.Data))
					}
					return err
				})
			}
			// MemStats come from a page of their own. Without it the sample has what the index says.
			err := error(nil)
			for d := 30 * time.Millisecond; d < goesOn; d *= 2 { // until the index has had the time that it needs
				ctx, cancel := context.WithTimeout(t.Context(), d)
				s = vitals.NewSample(time.Now())
				err = half.Sample(ctx, &s)
				cancel()
				if err == nil {
					break
				}
			}
			if v, ok := s.Get(vitals.Goroutines); err != nil || !ok || v != 3 ||
				!strings.Contains(half.Absent()["heap_alloc"], "no answer in time") {
				t.Errorf("%g goroutines (%v), %v; heap_alloc is absent because of %q", v, ok, err,
					half.Absent()["heap_alloc"])
			}
		})
	}
}

func wantLate(t *testing.T, what string, ask func(context.Context) error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Millisecond)
	defer cancel()
	err := ask(ctx)
	var unreachable *UnreachableError
	if !errors.As(err, &unreachable) || !errors.Is(err, context.DeadlineExceeded) ||
		!strings.Contains(err.Error(), "no answer in time") {
		t.Errorf("%s: error is %v, want that there was no answer in time", what, err)
	}
}

// Whatever a target answers, the result is an error or evidence that can be read.
func TestGarbage(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	noise := make([]byte, 100_000)
	for i := range noise {
		noise[i] = byte(rng.Uint32())
	}
	var bomb bytes.Buffer
	zw := gzip.NewWriter(&bomb)
	_, _ = zw.Write(bytes.Repeat([]byte{0x12, 0}, maxMessages+1)) // to memory
	_ = zw.Close()
	whole := profiletest.Of(t, []string{"a", "b"}, profiletest.Record([]uint64{1}, 0, 1, 1))
	for name, answer := range map[string][]byte{
		"noise": noise, "many samples of nothing": bomb.Bytes(), "half a profile": whole[:len(whole)/2],
		"numbers": []byte("NaN Inf -1 99999999999999999999"),
		"nothing": nil, "another target's index": []byte(index), "zeros": make([]byte, 1000),
		"an error as a page": []byte("<html>502 bad gateway</html>"),
	} {
		t.Run(name, func(t *testing.T) {
			h := fakeTarget(t, indexOf("goroutine", 10),
				func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(answer) })
			h.PrometheusURL = "/metrics"
			for _, kind := range kinds {
				p, err := h.Capture(t.Context(), kind, time.Millisecond)
				if err == nil && kind != casefile.Prometheus &&
					!(name == "many samples of nothing" && check(kind, p.Data) == nil) || err != nil &&
					len(p.Data) > 0 {
					t.Errorf("%s: %d bytes, %v", kind, len(p.Data), err)
				}
			}
			if _, err := h.Census(t.Context()); err == nil {
				t.Error("a census was made of it")
			}
			s := vitals.NewSample(time.Now())
			if err := h.Sample(t.Context(), &s); err != nil || h.Absent()["heap_alloc"] == "" {
				t.Errorf("sampling: %v; heap_alloc is absent because of %q", err, h.Absent()["heap_alloc"])
			}
			all := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				_,
					_ = w.Write(answer)
			}))
			defer all.Close()
			err := newHTTP(t, all.URL).Sample(t.Context(), &s)
			if (err != nil) != (name != "another target's index") {
				t.Errorf("an index of it: %v", err)
			}
		})
	}
}

// Absurd counts in the index break neither a sample nor what is computed from it.
func TestAbsurdIndex(t *testing.T) {
	page := strings.Replace(index, "3", "99999999999999999999999", 1) +
		`<tr><td>9223372036854775807</td><td><a href='heap?debug=1'>heap</a></td></tr>`
	h := fakeTarget(t, page, http.NotFound)
	s := take(t, h, time.Now())
	if v, ok := s.Get(vitals.Goroutines); ok {
		t.Errorf("%g goroutines from something that is not a number", v)
	}
	if f := h.Facts(); f.Goroutines != 0 || f.HeapRecords < 0 {
		t.Errorf("facts are %+v", f)
	}
	endless := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		for piece := bytes.Repeat([]byte("<td>1</td>"), 1<<16); ; {
			if _, err := w.Write(piece); err != nil {
				return
			}
		}
	}))
	defer endless.Close()
	if _, err := newHTTP(t, endless.URL).Describe(t.Context()); !errors.Is(err, errNotIndex) {
		t.Errorf("error for a page without end is %v", err)
	}
}

// A service that comes back at another address of its host name is found there, as another process.
func TestChangedAddress(t *testing.T) {
	l, err := net.Listen("tcp", "[::1]:0")
	if err != nil {
		t.Skip("no IPv6 here: ", err)
	}
	port := l.Addr().(*net.TCPAddr).Port
	_ = l.Close() // the victim takes its place
	_, stop := victimtest.StartNew(t, "-listen", fmt.Sprintf("127.0.0.1:%d", port))
	h := newHTTP(t, fmt.Sprintf("localhost:%d", port))
	at := "127.0.0.1"
	// A host name whose address changes.
	connections(t, h).DialContext = func(ctx context.Context, network, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, network, net.JoinHostPort(at, fmt.Sprint(port)))
	}
	take(t, h, time.Now())
	old := h.proc.Load()
	stop()
	s := vitals.NewSample(time.Now())
	var unreachable *UnreachableError
	if err := h.Sample(t.Context(), &s); !errors.As(err, &unreachable) {
		t.Errorf("error while it is gone is %v, want an UnreachableError", err)
	}
	at = "::1"
	victimtest.StartNew(t, "-listen", fmt.Sprintf("[::1]:%d", port))
	take(t, h, time.Now())
	if runtime.GOOS == "linux" && (!h.Restarted() || h.proc.Load() == nil || h.proc.Load().pid == old.pid) {
		t.Errorf("at its new address it is not taken for another process: %s", h.whyNoProcess())
	}
	if p, err := h.Capture(t.Context(), casefile.Goroutine, 0); err != nil || len(p.Data) == 0 {
		t.Errorf("no evidence from the new address: %v", err)
	}
}
