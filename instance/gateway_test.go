package instance

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"
)

// A target behind a gateway is asked there, below the gateway's path, and nowhere else.
func TestGateway(t *testing.T) {
	var mu sync.Mutex
	var asked []string
	g := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		asked = append(asked, r.Host+r.URL.Path+" "+r.Header.Get("Authorization"))
		mu.Unlock()
		if strings.HasSuffix(r.URL.Path, "/out") {
			http.Redirect(w, r, r.URL.Query().Get("to"), http.StatusFound)
		}
	}))
	defer g.Close()
	u, err := url.Parse(g.URL + "/pods/a/proxy")
	if err != nil {
		t.Fatal(err)
	}
	p, err := NewHTTPWith("http://a.shop:6060", HTTPOptions{Gateway: &Gateway{URL: u},
		Header: http.Header{"Authorization": {"Bearer s3cret"}}})
	if err != nil {
		t.Fatal(err)
	}
	defer p.CloseIdle()
	for _, page := range []string{"/metrics", "/out?to=/secrets", "/out?to=" + url.QueryEscape(g.URL+"/secrets"),
		"/out?to=" + url.QueryEscape("http://a.shop:6060/%2e%2e/%2e%2e/secrets"), "/x/%2e%2e/%2e%2e/secrets"} {
		client, address, err := p.PageClient(page)
		if err != nil {
			t.Fatal(err)
		}
		if resp, err := client.Get(address); err == nil {
			_ = resp.Body.Close()
		}
	}
	mu.Lock()
	defer mu.Unlock()
	if len(asked) < 4 {
		t.Errorf("the gateway was asked for %q", asked)
	}
	for _, a := range asked {
		if !strings.HasPrefix(a, u.Host+"/pods/a/proxy/") || strings.Contains(a, "..") || !strings.HasSuffix(a, "Bearer s3cret") {
			t.Errorf("the gateway was asked for %s", a)
		}
	}
}

// Another port of the target's host is no page of the gateway's, and gets no credentials of it.
func TestGatewayOtherPort(t *testing.T) {
	heard := make(chan http.Header, 1)
	other := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { heard <- r.Header.Clone() }))
	defer other.Close()
	u, _ := url.Parse("http://127.0.0.1:1/proxy")
	p, err := NewHTTPWith("http://127.0.0.1:6060", HTTPOptions{Gateway: &Gateway{URL: u},
		Header: http.Header{"Authorization": {"Bearer s3cret"}}})
	if err != nil {
		t.Fatal(err)
	}
	defer p.CloseIdle()
	client, address, err := p.PageClient(other.URL + "/metrics")
	if err != nil {
		t.Fatal(err)
	}
	resp, err := client.Get(address)
	if err != nil {
		t.Fatal(err)
	}
	_ = resp.Body.Close()
	client.CloseIdleConnections()
	if h := <-heard; h.Get("Authorization") != "" {
		t.Error("the other port heard the token")
	}
}
