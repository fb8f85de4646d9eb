package middleware

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
)

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
	for i, want := range []sampled{{Method: "POST", URL: "/short?token=redacted&page=2", Body: []byte("0123456789"), Whole: true},
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

// BenchmarkSample is what a request pays for a sample of one of a hundred, and one that is kept.
func BenchmarkSample(b *testing.B) {
	nothing := http.HandlerFunc(func(http.ResponseWriter, *http.Request) {})
	r := httptest.NewRequest(http.MethodGet, "/items/7?page=2", nil)
	for name, h := range map[string]http.Handler{"bare": nothing,
		"every=100": NewSample(SampleConfig{}).Handler(nothing), "every=1": NewSample(SampleConfig{Every: 1}).Handler(nothing)} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				h.ServeHTTP(nil, r)
			}
		})
	}
}
