package middleware_test

import (
	"net/http"
	"net/http/httptest"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gocasebook/casebook/middleware"
)

// serve runs a real server with one handler under a Meter. It sends on the channel when a request has been counted.
func serve(t *testing.T, h2 bool, h http.HandlerFunc) (*middleware.Meter, *httptest.Server, chan struct{}) {
	t.Helper()
	m := middleware.New()
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

// A stream that lasts for hours does not distort the latency: it counts once, with the time to its first byte.
func TestStreamDoesNotAge(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := middleware.New()
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

func TestStreamOfAForeignWriter(t *testing.T) {
	if middleware.Stream(httptest.NewRecorder()) || middleware.Stream(nil) {
		t.Error("a writer of no Meter is said to be one")
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
	if got, want := m.Totals(), (middleware.Totals{Failed: 1}); got != want {
		t.Errorf("totals are %+v, want %+v", got, want)
	}
}
