package middleware

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
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

// kept is what a sample shows.
func kept(t *testing.T, s *Sample) (all []sampled) {
	t.Helper()
	w := httptest.NewRecorder()
	s.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/", nil))
	lines := bufio.NewScanner(w.Body)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var k sampled
		if err := json.Unmarshal(lines.Bytes(), &k); err != nil {
			t.Fatalf("%s: %v", lines.Text(), err)
		}
		all = append(all, k)
	}
	return all
}

func TestSampleKeepsTheLatest(t *testing.T) {
	s := NewSample(SampleConfig{Every: 1, Most: 3})
	h := s.Handler(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	for i := range 5 {
		h.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest(http.MethodGet, fmt.Sprintf("/items/%d", i), nil))
	}
	var urls []string
	for _, k := range kept(t, s) {
		urls = append(urls, k.URL)
		if !k.Whole || k.Host != "example.com" || k.Time.IsZero() {
			t.Errorf("kept %+v", k)
		}
	}
	if got := strings.Join(urls, " "); got != "/items/2 /items/3 /items/4" {
		t.Errorf("kept %s", got)
	}
}

// Over a real server: bodies reach the handler, secrets are not kept, and what is too long is not.
func TestSampleOfAServer(t *testing.T) {
	s := NewSample(SampleConfig{Every: 1, Body: 10, Header: []string{"X-Tenant"},
		Keep: func(r *http.Request) bool { return r.URL.Path != "/health" }})
	var got []string
	var mu sync.Mutex
	server := httptest.NewServer(s.Handler(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		mu.Lock()
		got = append(got, r.URL.Path+" "+string(body))
		mu.Unlock()
		if r.URL.Path == "/panics" {
			panic(http.ErrAbortHandler)
		}
	})))
	defer server.Close()
	send := func(method, target, body string) {
		req, err := http.NewRequestWithContext(t.Context(), method, server.URL+target, strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		for name, value := range map[string]string{"Authorization": "Bearer s3cret", "Cookie": "sid=s3cret",
			"X-Tenant": "acme", "User-Agent": "test"} {
			req.Header.Set(name, value)
		}
		resp, err := server.Client().Do(req)
		if err == nil {
			resp.Body.Close()
		}
	}
	send("POST", "/short?token=s3cret&page=2", "0123456789")
	send("POST", "/long", "0123456789a")
	send("GET", "/health", "")
	send("GET", "/"+strings.Repeat("x", maxTarget), "")
	send("PUT", "/panics", "x")
	mu.Lock()
	defer mu.Unlock()
	if len(got) != 5 || got[0] != "/short 0123456789" || got[1] != "/long 0123456789a" {
		t.Errorf("the handler saw %.200q", got)
	}
	all := kept(t, s)
	if len(all) != 3 {
		t.Fatalf("kept %+v", all)
	}
	for i, want := range []sampled{{Method: "POST", URL: "/short?token=redacted&page=2", Body: []byte("0123456789"),
		Whole: true},
		{Method: "POST", URL: "/long"}, {Method: "PUT", URL: "/panics", Body: []byte("x"), Whole: true}} {
		k := all[i]
		if k.Method != want.Method || k.URL != want.URL || string(k.Body) != string(want.Body) || k.Whole != want.Whole {
			t.Errorf("kept %+v, want %+v", k, want)
		}
		if k.Header.Get("X-Tenant") != "acme" || k.Header.Get("User-Agent") != "test" || len(k.Header) != 2 {
			t.Errorf("kept headers %v", k.Header)
		}
	}
}

// One of Every is kept, whatever the rhythm of requests.
func TestSampleIsRandom(t *testing.T) {
	s := NewSample(SampleConfig{Every: 10, Most: maxMost})
	h := s.Handler(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	for i := range 20_000 {
		h.ServeHTTP(nil, httptest.NewRequest(http.MethodGet, fmt.Sprintf("/%d", i%10), nil))
	}
	counts := make(map[string]int)
	for _, k := range kept(t, s) {
		counts[k.URL]++
	}
	for url, n := range counts { // 200 are expected; 100 are 7 standard deviations away
		if n < 100 || n > 300 {
			t.Errorf("%s was kept %d times", url, n)
		}
	}
	if len(counts) != 10 {
		t.Errorf("kept %v", counts)
	}
	w := httptest.NewRecorder()
	s.ServeHTTP(w, httptest.NewRequest(http.MethodPost, "/", nil))
	if w.Code != http.StatusMethodNotAllowed {
		t.Errorf("POST answered %d", w.Code)
	}
}

// Requests, and readers of the sample, at the same time.
func TestSampleConcurrently(t *testing.T) {
	s := NewSample(SampleConfig{Every: 1, Most: 10})
	h := s.Handler(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			for range 200 {
				h.ServeHTTP(nil, httptest.NewRequest(http.MethodGet, "/", nil))
				s.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest(http.MethodGet, "/", nil))
			}
		})
	}
	all.Wait()
	if n := len(kept(t, s)); n != 10 {
		t.Errorf("kept %d", n)
	}
}
