package cli_test

import (
	"bytes"
	"context"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/gocasebook/casebook/app/access"
)

const nginxConfig = `daemon off; master_process off; pid DIR/pid; error_log stderr error;
events {}
http {
  access_log off;
  client_body_temp_path DIR/1; proxy_temp_path DIR/2;
  fastcgi_temp_path DIR/3; uwsgi_temp_path DIR/4; scgi_temp_path DIR/5;
  server { listen unix:DIR/socket; location / { proxy_pass http://SERVER; OPTION } }
}
`

const haproxyConfig = `defaults
  mode http
  timeout connect 10m
  timeout client 10m
  timeout server 10m
frontend cases
  bind unix@DIR/socket
  OPTION
  default_backend casebook
backend casebook
  server casebook SERVER
`

// proxies are what stands before a server on the same machine. Two of them add nothing to a request by which they could
// be known.
var proxies = []struct{ name, command, config, option string }{
	{"nginx", "/usr/sbin/nginx", nginxConfig, ""},
	{"nginx with X-Real-IP", "/usr/sbin/nginx", nginxConfig, "proxy_set_header X-Real-IP $remote_addr;"},
	{"haproxy", "/usr/sbin/haproxy", haproxyConfig, ""},
	{"haproxy with forwardfor", "/usr/sbin/haproxy", haproxyConfig, "option forwardfor"},
}

// behind starts a proxy before a server, and returns a client whose requests all go through it, wherever they are for.
func behind(t *testing.T, command, config, option, server string) *http.Client {
	t.Helper()
	if _, err := os.Stat(command); err != nil {
		if os.Getenv("CI") != "" {
			t.Fatalf("%v: make deps installs it", err)
		}
		t.Skipf("%v: make deps installs it", err)
	}
	dir, err := os.MkdirTemp("", "proxy") // t.TempDir is too long for the name of a socket
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	text := strings.NewReplacer("DIR", dir, "SERVER", server, "OPTION", option).Replace(config)
	file := filepath.Join(dir, "config")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	args := []string{"-e", "stderr", "-p", dir, "-c", file}
	if strings.HasSuffix(command, "haproxy") {
		args = []string{"-db", "-q", "-f", file}
	}
	cmd := exec.Command(command, args...)
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	var said bytes.Buffer
	cmd.Stderr = &said
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		if t.Failed() {
			t.Logf("%s said: %s", command, &said)
		}
	})
	dial := func(ctx context.Context, _, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, "unix", filepath.Join(dir, "socket"))
	}
	awaitThat(t, command+" listens", func() bool {
		c, err := dial(t.Context(), "", "")
		if err == nil {
			_ = c.Close()
		}
		return err == nil
	})
	transport := &http.Transport{DialContext: dial}
	t.Cleanup(transport.CloseIdleConnections)
	return &http.Client{Transport: transport}
}

// A proxied sends requests through a proxy and counts the answers.
type proxied struct {
	client  *http.Client
	empty   bool // the client sends an empty X-Forwarded-For
	refused *int
}

// ask sends a request, for a loopback name: a stranger chooses the Host that haproxy hands on.
func (p proxied) ask(t *testing.T, method, path, token string, body []byte, want int) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, "http://127.0.0.1"+path, bytes.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json") // mcp wants both
	req.Header.Set("Accept", "application/json, text/event-stream")
	if p.empty {
		req.Header["X-Forwarded-For"] = []string{""}
	}
	if token != "" {
		req.Header.Set("Authorization", "Bearer "+token)
	}
	resp, err := p.client.Do(req)
	if err != nil {
		t.Fatalf("%s %s: %v", method, path, err)
	}
	_ = resp.Body.Close()
	if resp.StatusCode != want {
		t.Errorf("%s %s: %s, want %d", method, path, resp.Status, want)
	} else if want == http.StatusUnauthorized {
		*p.refused++
	}
}

func mustSecret(t *testing.T, name string) string {
	t.Helper()
	file, err := access.SecretFile(name)
	if err != nil {
		t.Fatal(err)
	}
	s, err := access.ReadSecret(file)
	if err != nil {
		t.Fatal(err)
	}
	return s.Token()
}

// A proxy on the same machine is not this machine: what it forwards needs a token, for reading and for writing, and is
// answered with one. casebook serve says once that there is a proxy, if one can be seen.
func TestProxiesNeedTokens(t *testing.T) {
	t.Parallel()
	var refused int
	for _, x := range proxies {
		t.Run(x.name, func(t *testing.T) {
			s := serve(t, "--store", t.TempDir())
			kept := newParcel(t, 1000)
			if resp, err := kept.put(s.url); err != nil || resp.StatusCode != http.StatusCreated {
				t.Fatalf("a case without a proxy: %v, %v", resp, err)
			}
			client := behind(t, x.command, x.config, x.option, strings.TrimPrefix(s.url, "http://"))
			for _, empty := range []bool{false, true} {
				p := proxied{client, empty, &refused}
				at := "/api/v1/cases/" + kept.id
				for _, path := range []string{"/", "/cases/" + kept.id, "/metrics", at, at + "/zip", "/api/v1/targets"} {
					p.ask(t, "GET", path, "", nil, http.StatusUnauthorized)
				}
				sent := newParcel(t, 1000)
				p.ask(t, "PUT", "/api/v1/cases/"+sent.id, "", sent.zip, http.StatusUnauthorized)
				p.ask(t, "DELETE", at, "", nil, http.StatusUnauthorized)
				p.ask(t, "POST", "/api/v1/alerts/grafana", "", []byte("{}"), http.StatusUnauthorized)
				token := mustSecret(t, "serve-token")
				p.ask(t, "GET", at, token, nil, http.StatusOK)
				p.ask(t, "PUT", "/api/v1/cases/"+sent.id, token, sent.zip, http.StatusCreated)
				p.ask(t, "DELETE", "/api/v1/cases/"+sent.id, token, nil, http.StatusNoContent)
			}
			s.wantWhole(t, map[string]string{kept.id: kept.sum})
			s.kill()
			if n := strings.Count(s.log.String(), "requests come through a proxy"); n != 1 {
				t.Errorf("the log says %d times that there is a proxy, want 1:\n%s", n, s.log)
			}
		})
	}
	wantAsked(t, refused)
	t.Logf("attack: casebook serve behind %d proxies on its machine, with and without an empty X-Forwarded-For: %d "+
		"requests without a token, all answered 401", len(proxies), refused)
}

// wantAsked ends a test that found no proxy: it says nothing of them.
func wantAsked(t *testing.T, requests int) {
	t.Helper()
	if requests == 0 && !t.Failed() {
		t.Skip("no proxy is installed: make deps does")
	}
}

func TestProxiesOfMCPNeedTokens(t *testing.T) {
	t.Parallel()
	const hello = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18",` +
		`"capabilities":{},"clientInfo":{"name":"x","version":"1"}}}`
	url := mcpServer(t, t.TempDir(), "--dir", ".")
	server := strings.TrimSuffix(strings.TrimPrefix(url, "http://"), "/mcp")
	var refused int
	for _, x := range proxies {
		t.Run(x.name, func(t *testing.T) {
			client := behind(t, x.command, x.config, x.option, server)
			for _, empty := range []bool{false, true} {
				p := proxied{client, empty, &refused}
				for _, method := range []string{"GET", "POST", "DELETE"} {
					p.ask(t, method, "/mcp", "", []byte(hello), http.StatusUnauthorized)
				}
				p.ask(t, "POST", "/mcp", mustSecret(t, "mcp-token"), []byte(hello), http.StatusOK)
			}
		})
	}
	wantAsked(t, refused)
	t.Logf("attack: casebook mcp --http behind %d proxies on its machine, with and without an empty X-Forwarded-For: %d "+
		"requests without a token, all answered 401", len(proxies), refused)
}

// On a desk: one command, one link, no token typed. The link is good once, the next one is printed; a server that
// starts anew knows the browser; a watch of the same user needs no token, and what it sends is good for that request alone.
func TestServeOnADesk(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := serve(t, "--store", dir)
	kept := newParcel(t, 1000)
	if resp, err := kept.put(s.url); err != nil || resp.StatusCode != http.StatusCreated {
		t.Fatalf("%v, %v", resp, err)
	}
	link := <-s.links
	open := func(at string, cookies []*http.Cookie, method string) *http.Response {
		t.Helper()
		req, err := http.NewRequest(method, at, nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range cookies {
			req.AddCookie(c)
		}
		resp, err := http.DefaultTransport.RoundTrip(req) // without the file's token
		if err != nil {
			t.Fatal(err)
		}
		_ = resp.Body.Close()
		return resp
	}
	resp := open(link, nil, "GET")
	cookies := resp.Cookies()
	if resp.StatusCode != http.StatusSeeOther || len(cookies) != 1 {
		t.Fatalf("the link: %s, cookies %v", resp.Status, cookies)
	}
	if resp := open(link, nil, "GET"); resp.StatusCode != http.StatusForbidden || len(resp.Cookies()) > 0 {
		t.Errorf("the link again: %s", resp.Status)
	}
	if next := <-s.links; next == link || !strings.HasPrefix(next, s.url+"/login/") {
		t.Errorf("after %s the next link is %s", link, next)
	}
	s.kill()
	s = serve(t, "--store", dir)
	for _, c := range []struct {
		method, path string
		cookies      []*http.Cookie
		want         int
	}{
		{"GET", "/", nil, 401}, {"GET", "/", cookies, 200},
		{"DELETE", "/api/v1/cases/" + kept.id, nil, 401}, {"DELETE", "/api/v1/cases/" + kept.id, cookies, 204},
	} {
		if resp := open(s.url+c.path, c.cookies, c.method); resp.StatusCode != c.want {
			t.Errorf("%s %s with %d cookies: %s, want %d", c.method, c.path, len(c.cookies), resp.Status, c.want)
		}
	}
	casebook(t, t.TempDir(), "watch", "--once", "--profile", "1s", "--rules", write(t, "r.json", tripRules), "--collector",
		s.url, start(t)).want(t, 0, "reporter collector: 1 sent")
	s.kill()
	named := serve(t, "--store", dir, "--host", "cases.example.org")
	if resp := open(named.url+"/", cookies, "GET"); resp.StatusCode != http.StatusUnauthorized {
		t.Errorf("a server with --host takes a cookie: %s", resp.Status)
	}
	named.kill()
	if link, ok := <-named.links; ok {
		t.Errorf("a server with --host prints %s", link)
	}
}

// A watch that sends to 127.0.0.1 does not give the secret to whoever listens there.
func TestWatchKeepsTheSecret(t *testing.T) {
	t.Parallel()
	_, end := served(t, "--store", t.TempDir()) // there is a file now
	end()
	hook, got := receiver(t, accepting())
	casebook(t, t.TempDir(), "watch", "--once", "--profile", "1s", "--rules", write(t, "r.json", tripRules), "--collector",
		hook, start(t)).want(t, 0, "reporter collector: 1 sent")
	d := <-got
	if secret := mustSecret(t, "serve-token"); !strings.HasPrefix(d.token, "Bearer casebook_request_") ||
		strings.Contains(d.token, secret) {
		t.Errorf("the watch sends %v", d.token)
	}
}
