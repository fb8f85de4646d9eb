package cli_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/gocasebook/casebook/middleware"
)

// A log becomes targets and arrivals, and a load of these asks a server for what the log has, when the log has it.
func TestReplay(t *testing.T) {
	t.Parallel()
	var log strings.Builder
	for i := range 40 {
		fmt.Fprintf(&log, "h - - [28/Nov/2026:13:05:%02d +0000] \"GET /items/%d?token=s3cret HTTP/1.1\" 200 1\n", i/20, i%3)
	}
	log.WriteString("h - - [28/Nov/2026:13:05:02 +0000] \"PUT /items/7 HTTP/1.1\" 200 1\n")
	access := write(t, "access.log", log.String())
	dir := t.TempDir()
	out, times := filepath.Join(dir, "shop.jsonl"), filepath.Join(dir, "shop.times")
	r := casebook(t, dir, "replay", "--out", out, "--arrivals", times, access)
	r.want(t, 0, "kept      40 requests; 2026-11-28 13:05:00 to 2026-11-28 13:05:01", "left out  1 × PUT without its body",
		"taken out 40 × parameter", "casebook load --no-templates --targets "+out+" --pace 'replay "+times+"'")

	if strings.Contains(r.out, "busiest minute") {
		t.Errorf("two seconds have a busiest minute: %s", r.out)
	}
	for i := range 120 { // as many in the fifth minute as in the four after it
		fmt.Fprintf(&log, "h - - [28/Nov/2026:13:%02d:30 +0000] \"GET / HTTP/1.1\" 200 1\n", 9+max(0, i-60)/15)
	}
	casebook(t, dir, "replay", "--out", filepath.Join(dir, "long.jsonl"), write(t, "long.log", log.String())).want(t, 0,
		"a second in the busiest minute", "(13:09)")

	var mu sync.Mutex
	asked := make(map[string]int)
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		asked[r.RequestURI]++
	}))
	defer server.Close()
	casebook(t, dir, "load", "--no-templates", "--targets", out, "--pace", "replay "+times, server.URL).want(t, 0)
	mu.Lock()
	defer mu.Unlock()
	for i, want := range []int{14, 13, 13} {
		if n := asked[fmt.Sprintf("/items/%d?token=redacted", i)]; n != want {
			t.Errorf("item %d was asked for %d times, want %d: %v", i, n, want, asked)
		}
	}
}

// The sample of a service is read by its URL, with credentials.
func TestReplayOfASample(t *testing.T) {
	t.Parallel()
	sample := middleware.NewSample(middleware.SampleConfig{Every: 1})
	mux := http.NewServeMux()
	mux.HandleFunc("/debug/casebook/requests", func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "Bearer s3cret" {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		sample.ServeHTTP(w, r)
	})
	mux.Handle("/", sample.Handler(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, "ok")
	})))
	server := httptest.NewServer(mux)
	defer server.Close()
	for range 3 {
		resp, err := http.Get(server.URL + "/items/7")
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
	}
	url := server.URL + "/debug/casebook/requests"
	r := casebook(t, t.TempDir(), "replay", "--bearer-file", write(t, "token", "s3cret\n"), url)
	r.want(t, 0, "kept      3 requests")
	if strings.Count(r.out, `"url":"/items/7"`) != 3 {
		t.Error(r.out)
	}
	casebook(t, t.TempDir(), "replay", url).want(t, 2, "answered 401")
	casebook(t, t.TempDir(), "replay", server.URL+"/nothing").want(t, 2, "no request")
	casebook(t, t.TempDir(), "replay", "--most", "0", url).want(t, 2, "--most is 0")
	casebook(t, t.TempDir(), "replay", "no-such-file").want(t, 2, "no-such-file")
}
