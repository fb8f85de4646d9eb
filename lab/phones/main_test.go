package phones

import (
	"bytes"
	"io"
	"net/http"
	"os"
	"strings"
	"testing"

	"github.com/gocasebook/casebook/internal/leaktest"
	"github.com/gocasebook/casebook/lab/serve"
	"github.com/gocasebook/casebook/lab/serve/servetest"
)

func TestMain(m *testing.M) { os.Exit(leaktest.Check(m.Run(), "lab/phones", "net/http.", "ccache")) }

// startAll runs the upstreams, without delay, and a gateway on them. extra are flags of the gateway.
func startAll(t *testing.T, extra ...string) (*servetest.Process, serve.Addresses) {
	t.Helper()
	var up upstreamAddresses
	servetest.Start(t, UpstreamsMain, &up, "-median", "0", "-p99", "0")
	return startGateway(t, up, extra...)
}

func startGateway(t *testing.T, up upstreamAddresses, extra ...string) (*servetest.Process, serve.Addresses) {
	t.Helper()
	args := append([]string{"-listen", "127.0.0.1:0", "-pprof", "127.0.0.1:0", "-cache-size", "10000", "-timeout", "1m",
		"-drain", "1m",
		"-items-url", "http://" + up.Items, "-users-url", "http://" + up.Users, "-tracking-url",
		"http://" + up.Tracking}, extra...)
	var where serve.Addresses
	p := servetest.Start(t, Main, &where, args...)
	return p, where
}

// fetch does a request on its own connection and returns status and body.
func fetch(t *testing.T, method, url, body string) (int, string) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	req.Close = true
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatalf("%s %s: %v", method, url, err)
	}
	defer resp.Body.Close()
	got, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatalf("%s %s: reading the answer: %v", method, url, err)
	}
	return resp.StatusCode, string(got)
}

func TestBadFlags(t *testing.T) {
	urls := []string{"-items-url=http://h", "-users-url=http://h", "-tracking-url=http://h"}
	for _, tt := range []struct{ name, arg, want string }{
		{"unknown flag", "-nope", "not defined"},
		{"left over", "serve", "serve"},
		{"cache", "-cache=lru", "-cache must be one of none, gcache, ccache, freelru, remedy"},
		{"cached", "-cached=real", "-cached must be one of both, tracking"},
		{"set", "-set=tree", "-set must be one of array, map"},
		{"apply", "-apply=sort", "-apply must be one of scan, merge"},
		{"apply of a map", "-apply=scan", "-apply is for -set=array"},
		{"size", "-cache-size=1", "-cache-size"},
		{"huge size", "-cache-size=2000000000", "-cache-size"},
		{"ttl", "-cache-ttl=-1s", "-cache-ttl"},
		{"url", "-items-url=127.0.0.1:80", "-items-url must be a URL"},
		{"url with a slash", "-users-url=http://h/", "-users-url must be a URL"},
		{"address", "-listen=8080", "-listen must be host:port"},
		{"warm", "-warm=6000000", "-warm must be from 0 to -items"},
		{"warm rate", "-warm-rate=NaN", "-warm-rate"},
		{"users", "-users=1", "-users"},
		{"tracking users", "-tracking-users=-1", "-tracking-users"},
		{"timeout", "-timeout=0s", "-timeout"},
		{"drain", "-drain=0s", "-drain"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var stdout, stderr bytes.Buffer
			code := Main(t.Context(), append(urls[:3:3], tt.arg), &stdout, &stderr)
			if code != 2 || !strings.Contains(stderr.String(), tt.want) || stdout.Len() > 0 {
				t.Errorf("Main(%s) = %d, stderr %q, stdout %q; want 2 and %q", tt.arg, code, &stderr, &stdout, tt.want)
			}
		})
	}
}

func TestBadUpstreamFlags(t *testing.T) {
	for _, arg := range []string{"-items=1", "-median=-1s", "-p99=1ms", "-error-rate=2", "-error-rate=NaN", "-drain=0s",
		"-slow=orders", "-slow-p99=1ms", "more"} {
		var stderr bytes.Buffer
		name, _, _ := strings.Cut(arg, "=")
		if code := UpstreamsMain(t.Context(), []string{arg}, io.Discard, &stderr); code != 2 ||
			!strings.Contains(stderr.String(), name) {
			t.Errorf("UpstreamsMain(%s) = %d, stderr %q; want 2 and the flag's name", arg, code, &stderr)
		}
	}
}

func TestHelpIsNotAnError(t *testing.T) {
	var stderr bytes.Buffer
	if code := Main(t.Context(), []string{"-help"}, io.Discard, &stderr); code != 0 ||
		!strings.Contains(stderr.String(), "-cache-ttl") {
		t.Errorf("Main(-help) = %d, stderr %q; want 0 and the flags", code, &stderr)
	}
}

func TestAddressInUse(t *testing.T) {
	_, where := startAll(t)
	var stderr bytes.Buffer
	code := Main(t.Context(), []string{"-listen", where.Listen, "-items-url=http://h", "-users-url=http://h",
		"-tracking-url=http://h"}, io.Discard, &stderr)
	if code != 1 || !strings.Contains(stderr.String(), "give another address with -listen") {
		t.Errorf("Main on an address in use = %d, stderr %q; want 1 and what to do", code, &stderr)
	}
}

func TestPprofHasItsOwnPort(t *testing.T) {
	_, where := startAll(t)
	for path, want := range map[string]string{
		"/debug/pprof/":                  "heap",
		"/debug/pprof/heap?debug=1":      "# HeapAlloc",
		"/debug/pprof/goroutine?debug=1": "goroutine profile",
		"/debug/pprof/cmdline":           "phones.test",
		"/debug/pprof/symbol":            "num_symbols",
	} {
		if status, body := fetch(t, http.MethodGet, "http://"+where.Pprof+path, ""); status != http.StatusOK ||
			!strings.Contains(body, want) {
			t.Errorf("GET %s on the pprof listener = %d, %.80q; want 200 and %q", path, status, body, want)
		}
	}
	if status, _ := fetch(t, http.MethodGet, "http://"+where.Listen+"/debug/pprof/",
		""); status != http.StatusNotFound {
		t.Errorf("GET /debug/pprof/ on the API listener = %d, want 404", status)
	}
	if status, _ := fetch(t, http.MethodGet, "http://"+where.Pprof+"/metrics", ""); status != http.StatusNotFound {
		t.Errorf("GET /metrics on the pprof listener = %d, want 404", status)
	}
}
