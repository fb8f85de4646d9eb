package middleware

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// serve runs a real server with one handler under a Meter. It sends on the channel when a request has been counted.
func serve(t *testing.T, h2 bool, h http.HandlerFunc) (*Meter, *httptest.Server, chan struct{}) {
	t.Helper()
	m := New()
	counted := make(chan struct{}, 100)
	wrapped := m.Handler(h)
	s := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		defer func() { counted <- struct{}{} }()
		wrapped.ServeHTTP(w, r)
	}))
	if h2 {
		s.EnableHTTP2 = true
		s.StartTLS()
	} else {
		s.Start()
	}
	t.Cleanup(s.Close)
	return m, s, counted
}

// protocols runs a test over HTTP/1.1 and HTTP/2.
func protocols(t *testing.T, test func(t *testing.T, h2 bool)) {
	t.Run("http1", func(t *testing.T) { test(t, false) })
	t.Run("http2", func(t *testing.T) { test(t, true) })
}

// latencies counts the latencies so far, and reports whether no request in flight has an age.
func latencies(m *Meter) (noted uint64, aged int) {
	for i := range m.shards {
		for b := range m.shards[i].buckets {
			noted += m.shards[i].buckets[b].Load()
		}
	}
	m.inflight.each(func(int64) { aged++ })
	return noted, aged
}

func wantStream(t *testing.T, m *Meter, stream bool) {
	t.Helper()
	wantNoted, wantAged := uint64(0), 1
	if stream {
		wantNoted, wantAged = 1, 0
	}
	noted, aged := latencies(m)
	if noted != wantNoted || aged != wantAged {
		t.Errorf("%d latencies are noted and %d requests have an age, want %d and %d", noted, aged, wantNoted, wantAged)
	}
	if got, want := m.Totals(), (Totals{InFlight: 1}); got != want {
		t.Errorf("totals are %+v, want %+v: it is under way", got, want)
	}
}

// What a flush does to a response, as the client sees it while the handler still runs.
func TestFlushedResponses(t *testing.T) {
	for name, c := range map[string]struct {
		contentType string
		flush       func(w http.ResponseWriter)
		stream      bool
	}{
		"events":             {"text/event-stream", flushByAssertion, true},
		"events, controller": {"text/event-stream; charset=utf-8", flushByController, true},
		"upper case":         {"Text/Event-Stream", flushByAssertion, true},
		"json":               {"application/json", flushByAssertion, false},
		"stream by word": {"application/json", func(w http.ResponseWriter) { Stream(w); flushByAssertion(w) },
			true},
	} {
		t.Run(name, func(t *testing.T) {
			protocols(t, func(t *testing.T, h2 bool) {
				flushed, release := make(chan struct{}), make(chan struct{})
				m, s, counted := serve(t, h2, func(w http.ResponseWriter, _ *http.Request) {
					w.Header().Set("Content-Type", c.contentType)
					_, _ = io.WriteString(w, "data: x\n\n")
					c.flush(w)
					close(flushed)
					<-release
				})
				resp, err := s.Client().Get(s.URL)
				if err != nil {
					t.Fatal(err)
				}
				defer resp.Body.Close()
				line, err := bufio.NewReader(resp.Body).ReadString('\n')
				if err != nil || line != "data: x\n" {
					t.Errorf("read %q, %v", line, err)
				}
				<-flushed
				wantStream(t, m, c.stream)
				close(release)
				<-counted
				wantOne(t, m)
			})
		})
	}
}

// wantOne wants one request in total and nothing in flight.
func wantOne(t *testing.T, m *Meter) {
	t.Helper()
	noted, aged := latencies(m)
	if noted != 1 || aged != 0 {
		t.Errorf("%d latencies are noted and %d requests have an age, want 1 and 0", noted, aged)
	}
	if got, want := m.Totals(), (Totals{Served: 1}); got != want {
		t.Errorf("totals are %+v, want %+v", got, want)
	}
}

func flushByAssertion(w http.ResponseWriter) { w.(http.Flusher).Flush() }

func flushByController(w http.ResponseWriter) {
	if err := http.NewResponseController(w).Flush(); err != nil {
		panic(err)
	}
}

// A stream that lasts for hours does not distort the latency: it counts once, with the time to its first byte.
func TestStreamDoesNotAge(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := New()
		s := m.Source()
		release := make(chan struct{})
		h := m.Handler(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			time.Sleep(20 * time.Millisecond)
			w.Header().Set("Content-Type", "text/event-stream")
			w.(http.Flusher).Flush()
			<-release
		}))
		done := make(chan struct{})
		go func() { defer close(done); call(t, h) }()
		time.Sleep(time.Second)
		wantValues(t, read(t, s), map[string]float64{"http_rate": 0, "http_in_flight": 1, "http_latency_p50": 0.020,
			"http_latency_p99": 0.020})
		time.Sleep(time.Hour)
		wantValues(t, read(t, s), map[string]float64{"http_rate": 0, "http_in_flight": 1})
		close(release)
		<-done
		time.Sleep(time.Second)
		wantValues(t, read(t, s), map[string]float64{"http_rate": 1, "http_in_flight": 0, "http_errors": 0})
	})
}

// A stream whose handler panics counts as failed, once.
func TestStreamPanics(t *testing.T) {
	m := New()
	call(t, m.Handler(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		Stream(w)
		panic("boom")
	})))
	if noted, _ := latencies(m); noted != 1 {
		t.Errorf("%d latencies are noted, want 1", noted)
	}
	if got, want := m.Totals(), (Totals{Panicked: 1}); got != want {
		t.Errorf("totals are %+v, want %+v", got, want)
	}
}

func TestTunnelIsAStream(t *testing.T) {
	m := New()
	release, flushed, done := make(chan struct{}), make(chan struct{}), make(chan struct{})
	h := m.Handler(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.(http.Flusher).Flush()
		close(flushed)
		<-release
	}))
	go func() {
		defer close(done)
		h.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest(http.MethodConnect, "example.com:443", nil))
	}()
	<-flushed
	wantStream(t, m, true)
	close(release)
	<-done
	wantOne(t, m)
}

func TestStreamOfAForeignWriter(t *testing.T) {
	if Stream(httptest.NewRecorder()) || Stream(nil) {
		t.Error("a writer of no Meter is said to be one")
	}
}

// onlyUnwrap is the writer of a middleware that has only Unwrap, as many have since http.ResponseController.
type onlyUnwrap struct{ http.ResponseWriter }

func (w onlyUnwrap) Unwrap() http.ResponseWriter { return w.ResponseWriter }

func TestHijack(t *testing.T) {
	for name, c := range map[string]struct {
		outer  func(http.ResponseWriter) http.ResponseWriter
		hijack func(http.ResponseWriter) (net.Conn, *bufio.ReadWriter, error)
	}{
		"by assertion": {
			func(w http.ResponseWriter) http.ResponseWriter { return w },
			func(w http.ResponseWriter) (net.Conn, *bufio.ReadWriter, error) { return w.(http.Hijacker).Hijack() },
		},
		"by controller": {
			func(w http.ResponseWriter) http.ResponseWriter { return w },
			func(w http.ResponseWriter) (net.Conn, *bufio.ReadWriter, error) {
				return http.NewResponseController(w).Hijack()
			},
		},
		"by controller, through a writer that only unwraps": {
			func(w http.ResponseWriter) http.ResponseWriter { return onlyUnwrap{w} },
			func(w http.ResponseWriter) (net.Conn, *bufio.ReadWriter, error) {
				return http.NewResponseController(w).Hijack()
			},
		},
	} {
		t.Run(name, func(t *testing.T) {
			m := New()
			counted := make(chan struct{})
			echo := m.Handler(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				conn, buf, err := c.hijack(w)
				if err != nil {
					t.Errorf("hijacking: %v", err)
					return
				}
				defer conn.Close()
				_,
					_ = fmt.Fprint(buf,
					"HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: echo\r\n\r\n")
				_ = buf.Flush()
				line, _ := buf.ReadString('\n')
				_, _ = buf.WriteString(line)
				_ = buf.Flush()
			}))
			s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				defer close(counted)
				echo.ServeHTTP(c.outer(w), r)
			}))
			defer s.Close()
			conn, err := net.Dial("tcp", s.Listener.Addr().String())
			if err != nil {
				t.Fatal(err)
			}
			defer conn.Close()
			_, _ = fmt.Fprint(conn, "GET / HTTP/1.1\r\nHost: x\r\nConnection: upgrade\r\nUpgrade: echo\r\n\r\n")
			in := bufio.NewReader(conn)
			if line, err := in.ReadString('\n'); !strings.Contains(line, "101") {
				t.Fatalf("the answer is %q, %v; want 101", line, err)
			}
			wantStream(t, m, true)
			_, _ = fmt.Fprint(conn, "hello\n")
			rest, err := io.ReadAll(in)
			if !strings.HasSuffix(string(rest), "\r\n\r\nhello\n") {
				t.Errorf("the echo is %q, %v", rest, err)
			}
			<-counted
			wantOne(t, m)
		})
	}
}

// A hijack that fails leaves a request as it is.
func TestHijackNotPossible(t *testing.T) {
	m, s, counted := serve(t, true, func(w http.ResponseWriter, _ *http.Request) {
		if _, _, err := http.NewResponseController(w).Hijack(); err == nil {
			t.Error("HTTP/2 let itself be hijacked")
		}
		w.WriteHeader(http.StatusNotImplemented)
	})
	resp, err := s.Client().Get(s.URL)
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	<-counted
	if got, want := m.Totals(), (Totals{Failed: 1}); got != want {
		t.Errorf("totals are %+v, want %+v", got, want)
	}
}
