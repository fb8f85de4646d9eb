package prometheus

import (
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

const small = "# TYPE a_total counter\na_total 1\n"

// pages serves what its handler says. The handler may be replaced.
type pages struct {
	h atomic.Pointer[http.HandlerFunc]
}

func (p *pages) set(h http.HandlerFunc) { p.h.Store(&h) }

func (p *pages) text(body string) {
	p.set(func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, body) })
}

func (p *pages) ServeHTTP(w http.ResponseWriter, r *http.Request) { (*p.h.Load())(w, r) }

func servePages(t *testing.T) (*pages, string) {
	t.Helper()
	p := new(pages)
	s := httptest.NewServer(p)
	t.Cleanup(s.Close)
	u, err := url.Parse(s.URL)
	if err != nil {
		t.Fatal(err)
	}
	u.User, u.Path, u.RawQuery = url.UserPassword("user", "hunter2"), "/metrics", "token=hunter3"
	return p, u.String()
}

// Bad answers are errors that say what came and what to do, and reveal no secret. They end when good answers come.
func TestBadAnswers(t *testing.T) {
	for name, c := range map[string]struct {
		h    http.HandlerFunc
		want string
	}{
		"html by type": {func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			fmt.Fprint(w, "hello")
		}, "HTML page"},
		"html by looks": {func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/plain")
			fmt.Fprint(w, "\n<!DOCTYPE html>")
		}, "HTML page"},
		"json": {func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			fmt.Fprint(w, "{}")
		}, "application/json"},
		"protobuf": {func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type",
				"application/vnd.google.protobuf; proto=io.prometheus.client.MetricFamily; encoding=delimited")
		}, "protobuf"},
		"empty": {func(http.ResponseWriter, *http.Request) {}, "the page has no metrics"},
		"garbage": {func(w http.ResponseWriter, _ *http.Request) {
			_, _ = w.Write(bytes.Repeat([]byte{0x80, 0xff, '\n', 0, '{'}, 1000))
		}, "the page has no metrics"},
		"bad value": {func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "b 1\na_total x\n") },
			`malformed at "a_total x"`},
		"not found": {http.NotFound, "404"},
		"no entry": {func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "no", http.StatusUnauthorized) },
			"credentials"},
		"broken gzip": {func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Encoding", "gzip")
			fmt.Fprint(w, small)
		}, "unpacking"},
		"broken off": {func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "1000")
			fmt.Fprint(w, small)
		}, "unexpected EOF"},
		"no end": {func(w http.ResponseWriter, r *http.Request) { endless(w, r) }, "larger than 32 MiB"},
		"silent": {func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }, "no complete answer within"},
		"slow body": {func(w http.ResponseWriter, r *http.Request) {
			fmt.Fprint(w, small)
			w.(http.Flusher).Flush()
			<-r.Context().Done()
		}, "no complete answer within"},
		"gzip no end": {func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Encoding", "gzip")
			zipEndless(w, r)
		}, "larger than 32 MiB"},
		"to nowhere": {func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "http://127.0.0.1:1/?token=hunter4", http.StatusFound)
		}, "redirects to http://127.0.0.1:1, and no other place is asked"},
		"hangs up": {func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }, "does not answer"},
	} {
		t.Run(name, func(t *testing.T) {
			p, u := servePages(t)
			p.text(small)
			timeout := 5 * time.Minute
			if strings.Contains(c.want, "within") {
				timeout = pageTime(t, u)
			}
			s, err := New(t.Context(), Config{URL: u, Metrics: []string{"a_total"}, Timeout: timeout})
			if err != nil {
				t.Fatal(err)
			}
			p.set(c.h)
			err = s.Source().Read(t.Context(), make([]float64, 1))
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("the error is %v, want %q in it", err, c.want)
			}
			if err != nil && (strings.Contains(err.Error(), "hunter") || !strings.Contains(err.Error(), "/metrics")) {
				t.Errorf("the error shows a secret, or does not say where: %q", err)
			}
			p.text("a_total 3\n")
			if v, ok := read(t, s.Source())["a_total"]; !ok || v <= 0 {
				t.Errorf("with a good page again a_total = %g (present: %v), want what came since the last good page",
					v, ok)
			}
		})
	}
}

// pageTime is longer than any good page needs: twenty times what the slowest of several took on this machine now.
func pageTime(t *testing.T, url string) time.Duration {
	t.Helper()
	slowest := 15 * time.Millisecond
	for range 5 {
		began := time.Now()
		if _, err := New(t.Context(), Config{URL: url, Metrics: []string{"a_total"},
			Timeout: 5 * time.Minute}); err != nil {
			t.Fatal(err)
		}
		slowest = max(slowest, time.Since(began))
	}
	return 20 * slowest
}

// endless writes until the reader closes.
func endless(w interface{ Write([]byte) (int, error) }, r *http.Request) {
	line := []byte(strings.Repeat("some_other_metric 1\n", 1000))
	for r.Context().Err() == nil {
		if _, err := w.Write(line); err != nil {
			return
		}
	}
}

func zipEndless(w http.ResponseWriter, r *http.Request) {
	zw := gzip.NewWriter(w)
	endless(zw, r)
}

func TestNewFails(t *testing.T) {
	p, u := servePages(t)
	for name, c := range map[string]struct {
		body    string
		metrics []string
		want    []string
	}{
		"misspelt": {small, []string{"a_totl", "b"},
			[]string{"a_totl is not on the page", "b is not on the page"}},
		"nothing usual": {small, nil, []string{"none of the usual metrics"}},
		"one bucket": {"# TYPE h histogram\nh_bucket{le=\"1\"} 1\nh_bucket{le=\"+Inf\"} 1\nh_sum 1\nh_count 1\n",
			[]string{`h{le="1"}`}, []string{"select the histogram"}},
		"no such quantile": {"# TYPE s summary\ns{quantile=\"0.5\"} 1\ns_sum 1\ns_count 1\n",
			[]string{`s{quantile="0.9"}`, `s{quantile="x"}`}, []string{"no such quantile", `"x" is no quantile`}},
	} {
		t.Run(name, func(t *testing.T) {
			p.text(c.body)
			_, err := New(t.Context(), Config{URL: u, Metrics: c.metrics})
			for _, want := range c.want {
				if err == nil || !strings.Contains(err.Error(), want) {
					t.Errorf("the error is %v, want %q in it", err, want)
				}
			}
		})
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := New(ctx, Config{URL: u}); err == nil || strings.Contains(err.Error(), "hunter") {
		t.Errorf("with a canceled context the error is %v", err)
	}
}

func TestPage(t *testing.T) {
	p, u := servePages(t)
	p.text(small)
	s, err := New(t.Context(), Config{URL: u, Metrics: []string{"a_total"}, Timeout: time.Minute})
	if err != nil {
		t.Fatal(err)
	}
	if got, err := s.Page(t.Context()); err != nil || string(got) != small {
		t.Errorf("the page is %q, %v", got, err)
	}
	p.set(func(w http.ResponseWriter, r *http.Request) { endless(w, r) })
	got, err := s.Page(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	const last = "some_other_metric 1\n# cut here by casebook: the page is larger than 32 MiB\n"
	if len(got) > maxPage+100 || !bytes.HasSuffix(got, []byte(last)) {
		t.Errorf("a large page became %d bytes that end in %q", len(got), got[len(got)-100:])
	}
	p.set(http.NotFound)
	if _, err := s.Page(t.Context()); err == nil {
		t.Error("a page that is not found is no error")
	}
}
