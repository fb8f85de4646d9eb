package cli_test

import (
	"crypto/tls"
	"encoding/pem"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/pprof"
	"net/url"
	"path/filepath"
	"testing"
	"time"
)

// TestBehavioursOfAddresses: what a URL may lead to, with the commands that take one. "": works.
func TestBehavioursOfAddresses(t *testing.T) {
	secure := httptest.NewTLSServer(pprofMux())
	t.Cleanup(secure.Close)
	authority := write(t, "ca.pem", string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE",
		Bytes: secure.Certificate().Raw})))
	strict := httptest.NewUnstartedServer(pprofMux())
	strict.TLS = &tls.Config{ClientAuth: tls.RequireAnyClientCert}
	strict.StartTLS()
	t.Cleanup(strict.Close)
	plain := httptest.NewServer(pprofMux())
	t.Cleanup(plain.Close)
	port := func(s *httptest.Server) string { return mustURL(t, s.URL).Port() }
	for _, c := range []struct {
		name, url string
		flags     []string
		want      string
	}{
		{"IPv4", plain.URL, nil, ""},
		{"IPv6", serveOn(t, "tcp", "[::1]:0"), nil, ""},
		{"a Unix domain socket", serveOn(t, "unix", filepath.Join(t.TempDir(), "app.sock")), nil, ""},
		{"TLS of a known authority", secure.URL, []string{"--ca", authority}, ""},
		{"TLS, accepted blindly", secure.URL, []string{"--insecure"}, ""},
		{"nothing listens", "http://127.0.0.1:1", nil, "is the service up"},
		{"nothing listens on IPv6", "http://[::1]:1", nil, "is the service up"},
		{"no such socket", "unix://" + filepath.Join(t.TempDir(), "none.sock"), nil, "no such file"},
		{"a name that does not resolve", "http://nowhere.invalid:6060", nil, "is it spelled right?"},
		{"another scheme", "ftp://127.0.0.1", nil, "use http, https or unix"},
		{"TLS of an unknown authority", secure.URL, nil, "--ca FILE"},
		{"TLS for another name", "https://localhost:" + port(secure), []string{"--ca", authority},
			"a name that its certificate has"},
		{"TLS that wants a certificate", strict.URL, []string{"--insecure"}, "--cert FILE"},
		{"https where http is spoken", "https://127.0.0.1:" + port(plain), nil, "use http://"},
		{"http where https is spoken", "http://127.0.0.1:" + port(secure), nil, "use https://"},
	} {
		for _, command := range [][]string{
			{"watch", "--for", "1s", "--dir", t.TempDir()},
			{"capture", "--before", "0s", "--profile", "1s", "--kinds", "goroutine", "--dir", t.TempDir()},
			{"diagnose", "--profile", "1s"},
		} {
			if command[0] == "diagnose" && c.want == "" && c.name != "IPv6" {
				continue // it captures as capture does, and needs the seconds of a CPU profile
			}
			t.Run(c.name+" "+command[0], func(t *testing.T) {
				t.Parallel()
				r := inProcess(t, append(append(command, c.flags...), c.url)...)
				code := 0
				if c.want != "" {
					code = 2
				}
				wantSaid(t, r, code, c.want)
			})
		}
	}
}

func pprofMux() *http.ServeMux {
	mux := http.NewServeMux()
	mux.HandleFunc("/debug/pprof/", pprof.Index)
	mux.HandleFunc("/debug/pprof/profile", pprof.Profile)
	return mux
}

func mustURL(t *testing.T, text string) *url.URL {
	t.Helper()
	u, err := url.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return u
}

// serveOn serves pprof and returns the URL.
func serveOn(t *testing.T, network, addr string) string {
	t.Helper()
	l, err := net.Listen(network, addr)
	if err != nil {
		t.Skipf("%s cannot be listened on here: %v", network, err)
	}
	s := &http.Server{Handler: pprofMux(), ReadHeaderTimeout: time.Minute}
	go func() { _ = s.Serve(l) }() // ends with Close
	t.Cleanup(func() { _ = s.Close() })
	if network == "unix" {
		return "unix://" + addr
	}
	return fmt.Sprintf("http://%s", l.Addr())
}
