package middleware_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gocasebook/casebook/internal/race"
	"github.com/gocasebook/casebook/middleware"
	"github.com/gocasebook/casebook/vitals"
)

// What the package does not export, and promises.
const numValues = 5

// call sends one request to a handler and swallows its panic.
func call(t testing.TB, h http.Handler) *httptest.ResponseRecorder {
	t.Helper()
	return callContext(t.Context(), h)
}

func callContext(ctx context.Context, h http.Handler) *httptest.ResponseRecorder {
	w := httptest.NewRecorder()
	defer func() { _ = recover() }() // as net/http's server does
	h.ServeHTTP(w, httptest.NewRequestWithContext(ctx, http.MethodGet, "/", nil))
	return w
}

// read reads a source into values by signal name. Absent ones are missing.
func read(t testing.TB, s vitals.Source) map[string]float64 {
	t.Helper()
	values := make([]float64, len(s.Signals))
	for i := range values {
		values[i] = math.NaN()
	}
	if err := s.Read(t.Context(), values); err != nil {
		t.Fatal(err)
	}
	got := make(map[string]float64)
	for i, v := range values {
		if !math.IsNaN(v) {
			got[s.Signals[i].Name] = v
		}
	}
	return got
}

// wantValues compares with a tolerance of 3.2 %, the error of latencies.
func wantValues(t *testing.T, got, want map[string]float64) {
	t.Helper()
	for name, w := range want {
		if g, ok := got[name]; !ok || math.Abs(g-w) > 0.032*w {
			t.Errorf("%s = %v (present: %v), want %g", name, g, ok, w)
		}
	}
	for name, g := range got {
		if _, ok := want[name]; !ok {
			t.Errorf("%s = %g, want absent", name, g)
		}
	}
}

func TestSourceGivesTheBuiltInSignals(t *testing.T) {
	s := middleware.New().Source()
	for _, name := range []string{"http_rate", "http_in_flight", "http_latency_p50", "http_latency_p99",
		"http_errors"} {
		id, ok := vitals.Lookup(name)
		if !ok || !hasSignal(s, id.Signal()) {
			t.Errorf("the source does not give %s as package vitals describes it", name)
		}
	}
	if err := s.Read(t.Context(), make([]float64, 4)); err == nil {
		t.Error("reading into too few values is no error")
	}
}

func hasSignal(s vitals.Source, want vitals.Signal) bool {
	for _, got := range s.Signals {
		if got == want {
			return true
		}
	}
	return false
}

func TestNoTraffic(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := middleware.New().Source()
		for range 3 {
			time.Sleep(time.Second)
			wantValues(t, read(t, s), map[string]float64{"http_rate": 0, "http_in_flight": 0})
		}
	})
}

func TestTraffic(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := middleware.New()
		s := m.Source()
		h := m.Handler(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			time.Sleep(10 * time.Millisecond)
			w.WriteHeader(http.StatusServiceUnavailable)
		}))
		ok := m.Handler(http.HandlerFunc(func(http.ResponseWriter,
			*http.Request) {
			time.Sleep(10 * time.Millisecond)
		}))
		for range 75 {
			call(t, ok)
		}
		for range 25 {
			call(t, h)
		}
		wantValues(t, read(t, s), map[string]float64{
			"http_rate": 100, "http_in_flight": 0, "http_errors": 0.25, "http_latency_p50": 0.010,
			"http_latency_p99": 0.010,
		})
		time.Sleep(time.Second)
		wantValues(t, read(t, s), map[string]float64{"http_rate": 0, "http_in_flight": 0})
	})
}

// A total hang shows in the next sample and grows with it. It does not show only when it ends.
func TestHangShowsWhileItLasts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := middleware.New()
		s := m.Source()
		release := make(chan struct{})
		h := m.Handler(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { <-release }))
		var wg sync.WaitGroup
		for range 10 {
			wg.Go(func() { call(t, h) })
		}
		time.Sleep(time.Second)
		// They are in flight for exactly the interval, not longer.
		wantValues(t, read(t, s), map[string]float64{"http_rate": 0, "http_in_flight": 10})
		for i := 2; i < 5; i++ {
			time.Sleep(time.Second)
			age := float64(i)
			wantValues(t, read(t, s), map[string]float64{"http_rate": 0, "http_in_flight": 10, "http_latency_p50": age,
				"http_latency_p99": age})
		}
		time.Sleep(500 * time.Millisecond)
		close(release)
		wg.Wait()
		time.Sleep(500 * time.Millisecond)
		wantValues(t, read(t, s), map[string]float64{
			"http_rate": 10, "http_in_flight": 0, "http_errors": 0, "http_latency_p50": 4.5, "http_latency_p99": 4.5,
		})
	})
}

// Two watchers with a source each see the same requests. A source begins with what comes after it was made.
func TestSourcesAreIndependent(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := middleware.New()
		h := m.Handler(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
		call(t, h)
		a, b := m.Source(), m.Source()
		for range 3 {
			call(t, h)
		}
		time.Sleep(time.Second)
		for _, s := range []vitals.Source{a, b} {
			if got := read(t, s)["http_rate"]; got != 3 {
				t.Errorf("http_rate = %g, want 3", got)
			}
		}
	})
}

func TestOutcomes(t *testing.T) {
	canceledContext, cancel := context.WithCancel(t.Context())
	cancel()
	late, cancel := context.WithTimeout(t.Context(), 0)
	defer cancel()
	status := func(code int) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(code) }
	}
	nothing := func(http.ResponseWriter, *http.Request) {}
	for name, c := range map[string]struct {
		ctx  context.Context
		h    http.HandlerFunc
		want middleware.Totals
	}{
		"nothing written": {t.Context(), nothing, middleware.Totals{Served: 1}},
		"200":             {t.Context(), status(200), middleware.Totals{Served: 1}},
		"404":             {t.Context(), status(404), middleware.Totals{Served: 1}},
		"500":             {t.Context(), status(500), middleware.Totals{Failed: 1}},
		"503":             {t.Context(), status(503), middleware.Totals{Failed: 1}},
		"hints, then 500": {t.Context(), func(w http.ResponseWriter,
			_ *http.Request) {
			w.WriteHeader(103)
			w.WriteHeader(500)
		}, middleware.Totals{Failed: 1}},
		"200, then 500": {t.Context(), func(w http.ResponseWriter,
			_ *http.Request) {
			w.WriteHeader(200)
			w.WriteHeader(500)
		}, middleware.Totals{Served: 1}},
		"body, then 500": {t.Context(), func(w http.ResponseWriter, _ *http.Request) {
			_,
				_ = w.Write([]byte("x"))
			w.WriteHeader(500)
		}, middleware.Totals{Served: 1}},
		"panic": {t.Context(), func(http.ResponseWriter, *http.Request) { panic("boom") },
			middleware.Totals{Panicked: 1}},
		"panic after 500": {t.Context(), func(w http.ResponseWriter,
			_ *http.Request) {
			w.WriteHeader(500)
			panic("boom")
		}, middleware.Totals{Panicked: 1}},
		"panic of no comparison": {t.Context(), func(http.ResponseWriter, *http.Request) { panic([]int{1}) },
			middleware.Totals{Panicked: 1}},
		"panic, client gone": {canceledContext, func(http.ResponseWriter, *http.Request) { panic("boom") },
			middleware.Totals{Panicked: 1}},
		"aborted": {t.Context(), func(http.ResponseWriter,
			*http.Request) {
			panic(http.ErrAbortHandler)
		}, middleware.Totals{Aborted: 1}},
		"client gone, no answer":    {canceledContext, nothing, middleware.Totals{Canceled: 1}},
		"client gone, then 500":     {canceledContext, status(500), middleware.Totals{Canceled: 1}},
		"client gone, then 200":     {canceledContext, status(200), middleware.Totals{Served: 1}},
		"deadline passed, then 500": {late, status(500), middleware.Totals{Failed: 1}},
		"deadline passed, nothing":  {late, nothing, middleware.Totals{Served: 1}},
	} {
		t.Run(name, func(t *testing.T) {
			m := middleware.New()
			callContext(c.ctx, m.Handler(c.h))
			if got := m.Totals(); got != c.want {
				t.Errorf("totals are %+v, want %+v", got, c.want)
			}
		})
	}
}

// A client that leaves after the server began to answer 500 does not turn the request into a success.
func TestCancelAfterFailure(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	m := middleware.New()
	callContext(ctx, m.Handler(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusInternalServerError)
		cancel()
	})))
	if got, want := m.Totals(), (middleware.Totals{Failed: 1}); got != want {
		t.Errorf("totals are %+v, want %+v", got, want)
	}
}

func TestPanicGoesOn(t *testing.T) {
	m := middleware.New()
	boom := errors.New("boom")
	h := m.Handler(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { raise(boom) }))
	defer func() {
		if got := recover(); got != boom {
			t.Errorf("the panic became %v, want %v", got, boom)
		}
		stack := make([]byte, 16<<10)
		if stack = stack[:runtime.Stack(stack, false)]; !strings.Contains(string(stack), "middleware_test.raise") {
			t.Errorf("the stack has lost who panicked:\n%s", stack)
		}
	}()
	h.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest(http.MethodGet, "/", nil))
}

//go:noinline
func raise(err error) { panic(err) }

// runtime.Goexit runs deferred functions without a panic.
func TestGoexitCountsAsPanic(t *testing.T) {
	m := middleware.New()
	h := m.Handler(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { runtime.Goexit() }))
	var wg sync.WaitGroup
	wg.Go(func() { call(t, h) })
	wg.Wait()
	if got, want := m.Totals(), (middleware.Totals{Panicked: 1}); got != want {
		t.Errorf("totals are %+v, want %+v", got, want)
	}
}

func TestNestedHandlersCountOnce(t *testing.T) {
	m, other := middleware.New(), middleware.New()
	inner := m.Handler(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	call(t, m.Handler(inner))
	call(t, other.Handler(inner))
	if got := m.Totals().Served; got != 2 {
		t.Errorf("the nested Meter served %d, want 2", got)
	}
	if got := other.Totals().Served; got != 1 {
		t.Errorf("the other Meter served %d, want 1", got)
	}
}

func TestNilHandlerIsTheDefaultMux(t *testing.T) {
	if w := call(t, middleware.New().Handler(nil)); w.Code != http.StatusNotFound {
		t.Errorf("the empty default mux answered %d, want 404", w.Code)
	}
}

// A sink notes what a connection is given to copy from.
type sink struct {
	mu      sync.Mutex
	sources []string
}

type sinkListener struct {
	net.Listener
	*sink
}

type sinkConn struct {
	*net.TCPConn
	*sink
}

func (l sinkListener) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	return sinkConn{c.(*net.TCPConn), l.sink}, nil
}

func (c sinkConn) ReadFrom(src io.Reader) (int64, error) {
	c.mu.Lock()
	name := fmt.Sprintf("%T", src)
	if l, ok := src.(*io.LimitedReader); ok {
		name = fmt.Sprintf("limited %T", l.R)
	}
	c.sources = append(c.sources, name)
	c.mu.Unlock()
	return c.TCPConn.ReadFrom(src)
}

// A file reaches the TCP connection as a file, so that the kernel sends it without a copy.
func TestSendfileIsKept(t *testing.T) {
	path := filepath.Join(t.TempDir(), "big")
	if err := os.WriteFile(path, make([]byte, 1<<20), 0o600); err != nil {
		t.Fatal(err)
	}
	files := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { http.ServeFile(w, r, path) })
	m := middleware.New()
	for name, h := range map[string]http.Handler{"bare": files, "measured": m.Handler(files)} {
		t.Run(name, func(t *testing.T) {
			s := httptest.NewUnstartedServer(h)
			var got sink
			s.Listener = sinkListener{s.Listener, &got}
			s.Start()
			resp, err := http.Get(s.URL)
			if err != nil {
				t.Fatal(err)
			}
			n, err := io.Copy(io.Discard, resp.Body)
			resp.Body.Close()
			s.Close()
			if n != 1<<20 || err != nil {
				t.Errorf("%d bytes came, %v", n, err)
			}
			if want := "limited *os.File"; len(got.sources) != 1 || got.sources[0] != want {
				t.Errorf("the connection was given %q to copy from, want one %s", got.sources, want)
			}
		})
	}
	if got, want := m.Totals(), (middleware.Totals{Served: 1}); got != want {
		t.Errorf("totals are %+v, want %+v", got, want)
	}
}

// null is a server's writer that does nothing, with the abilities of HTTP/1.
type null struct{ h http.Header }

func (n null) Header() http.Header { return n.h }

func (n null) Write(b []byte) (int, error) { return len(b), nil }

func (n null) WriteHeader(int) {}

func (n null) Flush() {}

func handlers() (bare, measured http.Handler) {
	bare = http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(nil) })
	return bare, middleware.New().Handler(bare)
}

// BenchmarkHandler is what a request costs beyond its own work; run it with -cpu 1,2. The difference is ours.
func BenchmarkHandler(b *testing.B) {
	bare, measured := handlers()
	for _, c := range []struct {
		name string
		h    http.Handler
	}{{"bare", bare}, {"measured", measured}} {
		b.Run("handler="+c.name, func(b *testing.B) {
			b.ReportAllocs()
			b.RunParallel(func(pb *testing.PB) {
				w, r := &null{make(http.Header)}, httptest.NewRequest(http.MethodGet, "/", nil)
				for pb.Next() {
					c.h.ServeHTTP(w, r)
				}
			})
		})
	}
}

func TestAllocatesNothing(t *testing.T) {
	if race.Enabled {
		t.Skip("under the race detector sync.Pool drops objects at random")
	}
	_, h := handlers()
	w, r := &null{make(http.Header)}, httptest.NewRequest(http.MethodGet, "/", nil)
	if n := testing.AllocsPerRun(1000, func() { h.ServeHTTP(w, r) }); n != 0 {
		t.Errorf("a request allocates %g times", n)
	}
	s := middleware.New().Source()
	values := make([]float64, numValues)
	if n := testing.AllocsPerRun(100, func() { _ = s.Read(t.Context(), values) }); n != 0 {
		t.Errorf("a reading allocates %g times", n)
	}
}

// BenchmarkSample is what a request pays for a sample of one of a hundred, and one that is kept.
func BenchmarkSample(b *testing.B) {
	nothing := http.HandlerFunc(func(http.ResponseWriter, *http.Request) {})
	r := httptest.NewRequest(http.MethodGet, "/items/7?page=2", nil)
	for name, h := range map[string]http.Handler{"bare": nothing,
		"every=100": middleware.NewSample(middleware.SampleConfig{}).Handler(nothing),
		"every=1":   middleware.NewSample(middleware.SampleConfig{Every: 1}).Handler(nothing)} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				h.ServeHTTP(nil, r)
			}
		})
	}
}
