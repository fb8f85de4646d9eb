package mcp_test

import (
	"context"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"

	"github.com/gocasebook/casebook/app/mcp"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// serveHTTP serves at a free port until the test ends, and returns the address of the endpoint.
func serveHTTP(t *testing.T, cfg mcp.Config, c mcp.HTTPConfig) string {
	t.Helper()
	s, err := mcp.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- s.ServeHTTP(ctx, l, c) }()
	t.Cleanup(func() {
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return "http://" + l.Addr().String() + mcp.Path
}

// headers adds some to each request.
type headers map[string]string

func (h headers) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	for name, value := range h {
		r.Header.Set(name, value)
	}
	return http.DefaultTransport.RoundTrip(r)
}

// dial connects the SDK's client over HTTP.
func dial(t *testing.T, url string, h headers) (client, error) {
	t.Helper()
	session, err := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, nil).Connect(t.Context(),
		&sdk.StreamableClientTransport{Endpoint: url, HTTPClient: &http.Client{Transport: h}, MaxRetries: -1}, nil)
	if err == nil {
		t.Cleanup(func() { _ = session.Close() }) // the server may have gone before
	}
	return client{session}, err
}

const token = "s3cret-s3cret-s3cret"

var bearer = headers{"Authorization": "Bearer " + token}

func TestHTTP(t *testing.T) {
	dir := t.TempDir()
	f := writeCase(t, dir, "foreign/nats-memory", nil)
	c, err := dial(t, serveHTTP(t, mcp.Config{Dir: dir}, mcp.HTTPConfig{Token: token}), bearer)
	if err != nil {
		t.Fatal(err)
	}
	if text := c.good(t, "get_case", object{"case": "latest"}, nil).text; !strings.Contains(text, f.Case.ID) {
		t.Errorf("over HTTP: %s", text)
	}
}

func TestHTTPToken(t *testing.T) {
	cfg, _ := everything(t)
	url := serveHTTP(t, cfg, mcp.HTTPConfig{Token: token})
	for _, h := range []headers{nil, {"Authorization": "Bearer x"}, {"Authorization": "Bearer "}} {
		if _, err := dial(t, url, h); err == nil {
			t.Errorf("headers %v opened a session", h)
		}
	}
	c, err := dial(t, url, bearer)
	if err != nil {
		t.Fatal(err)
	}
	var p plan
	c.good(t, "plan_prove", object{"proof": "shop"}, &p)
	var r runShown
	if c.good(t, "execute", object{"plan": p.Plan, "wait_seconds": 600}, &r); r.Reward == nil {
		t.Errorf("%+v", r)
	}
}

const hello = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18",` +
	`"capabilities":{},"clientInfo":{"name":"x","version":"1"}}}`

// What is not for us is refused before a session begins.
func TestHTTPGate(t *testing.T) {
	url := serveHTTP(t, mcp.Config{Dir: t.TempDir()}, mcp.HTTPConfig{Token: token, Hosts: []string{"cases.example.org"}})
	for _, k := range []struct {
		name, host string
		headers    headers
		body       string
		want       int
	}{
		{"ours", "", nil, hello, http.StatusOK},
		{"without a token", "", headers{"Authorization": ""}, hello, http.StatusUnauthorized},
		{"by its name", "cases.example.org", nil, hello, http.StatusOK},
		{"rebound", "evil.example", nil, hello, http.StatusMisdirectedRequest},
		{"another site's page", "", headers{"Origin": "http://evil.example"}, hello, http.StatusForbidden},
		{"another site's page, says the browser", "", headers{"Sec-Fetch-Site": "cross-site"}, hello, http.StatusForbidden},
		{"through a proxy, without a token", "", headers{"X-Forwarded-For": "", "Authorization": ""}, hello,
			http.StatusUnauthorized},
		{"through a proxy, with one", "", headers{"X-Forwarded-For": "10.0.0.1"}, hello, http.StatusOK},
		{"too large", "", nil, hello[:len(hello)-1] + strings.Repeat(" ", 2<<20) + "}", http.StatusRequestEntityTooLarge},
	} {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url, strings.NewReader(k.body))
		if err != nil {
			t.Fatal(err)
		}
		r.Host = k.host
		r.Header.Set("Authorization", "Bearer "+token)
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Accept", "application/json, text/event-stream")
		answer, err := (&http.Client{Transport: k.headers}).Do(r)
		if err != nil {
			t.Fatal(err)
		}
		_ = answer.Body.Close() // the code is enough
		if answer.StatusCode != k.want {
			t.Errorf("%s: %s, want %d", k.name, answer.Status, k.want)
		}
	}
}

// There is no server without a token, whatever it may do and wherever it listens.
func TestHTTPNeedsToken(t *testing.T) {
	s, err := mcp.New(mcp.Config{Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	if err := s.ServeHTTP(t.Context(), l, mcp.HTTPConfig{}); err == nil || !strings.Contains(err.Error(), "--token-file") {
		t.Errorf("it served: %v", err)
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
}

// Clients that begin sessions and leave take no room from the one that asks something, and their sessions end.
func TestSessionsEnd(t *testing.T) {
	dir := t.TempDir()
	writeCase(t, dir, "foreign/nats-memory", nil)
	const token = "s3cret"
	url := serveHTTP(t, mcp.Config{Dir: dir}, mcp.HTTPConfig{Token: token})
	c, err := dial(t, url, headers{"Authorization": "Bearer " + token})
	if err != nil {
		t.Fatal(err)
	}
	c.good(t, "get_case", object{"case": "latest"}, nil)
	post := func(id, body string) *http.Response {
		t.Helper()
		r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url, strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Authorization", "Bearer "+token)
		r.Header.Set("Accept", "application/json, text/event-stream")
		if id != "" {
			r.Header.Set("Mcp-Session-Id", id)
		}
		answer, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		_ = answer.Body.Close() // code and header are enough
		return answer
	}
	const began = 200
	var first string
	for i := range began {
		answer := post("", hello)
		if answer.StatusCode != http.StatusOK {
			t.Fatalf("session %d: %s", i, answer.Status)
		}
		if i == 0 {
			first = answer.Header.Get("Mcp-Session-Id")
		}
	}
	if answer := post(first, `{"jsonrpc":"2.0","id":2,"method":"ping"}`); answer.StatusCode != http.StatusNotFound {
		t.Errorf("of %d sessions the first is there still: %s", began, answer.Status)
	}
	c.good(t, "get_case", object{"case": "latest"}, nil) // its session has not ended
	t.Logf("attack: %d mcp sessions begun and left: those ended, and a client that asks keeps its own", began)
}

// An end of a connection in memory.
type end struct {
	in  io.ReadCloser
	out io.WriteCloser
}

// pipes are two ends that are connected.
func pipes() (a, b end) {
	ar, bw := io.Pipe()
	br, aw := io.Pipe()
	return end{ar, aw}, end{br, bw}
}
