package redirect_test

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/gocasebook/casebook/internal/redirect"
)

// TestSameHost: no status sends a client to another host or port, and nobody is sent a Referer.
func TestSameHost(t *testing.T) {
	var strangers atomic.Int64
	other := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { strangers.Add(1) }))
	defer other.Close()
	client := &http.Client{CheckRedirect: redirect.SameHost}
	for _, code := range []int{301, 302, 303, 307, 308} {
		srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			switch {
			case r.Header.Get("Referer") != "":
				t.Errorf("%d: a Referer was sent: %s", code, r.Header.Get("Referer"))
			case r.URL.Path == "/away":
				http.Redirect(w, r, other.URL+"/secret", code)
			case r.URL.Path == "/slash":
				http.Redirect(w, r, "/slash/", code)
			case r.URL.Path == "/round":
				http.Redirect(w, r, "/round", code)
			}
		}))
		for path, want := range map[string]int{"/away?token=x": code, "/slash?token=x": 200, "/round": code} {
			resp, err := client.Get(srv.URL + path)
			if err != nil {
				t.Fatal(err)
			}
			resp.Body.Close()
			if resp.StatusCode != want {
				t.Errorf("%d: %s ended with %d, want %d", code, path, resp.StatusCode, want)
			}
			if to := redirect.Elsewhere(resp); strings.HasPrefix(path, "/away") && to != other.URL {
				t.Errorf("%d: it points to %q, want %q", code, to, other.URL)
			}
		}
		srv.Close()
	}
	if n := strangers.Load(); n != 0 {
		t.Errorf("another host was asked %d times", n)
	}
}

func TestSame(t *testing.T) {
	for pair, want := range map[string]bool{
		"http://a http://a:80": true, "https://A https://a:443": true, "http://a https://a": false,
		"http://a:1 http://a:2": false,
		"http://a http://b":     false, "http://a http://a.b": false, "http://[::1]:1 http://[::1]:1": true,
		"http://127.0.0.1 http://localhost": false,
	} {
		x, y, _ := strings.Cut(pair, " ")
		a, _ := url.Parse(x)
		b, _ := url.Parse(y)
		if got := redirect.Same(a, b); got != want {
			t.Errorf("%s: %v", pair, got)
		}
	}
}
