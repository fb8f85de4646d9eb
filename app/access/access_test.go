package access_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/gocasebook/casebook/app/access"
)

func TestOurHost(t *testing.T) {
	names := []string{"cases.example.org"}
	for host, want := range map[string]bool{
		"localhost": true, "LOCALHOST:7070": true, "127.0.0.1:1": true, "[::1]:7070": true, "127.9.9.9": true,
		"cases.example.org:443": true, "CASES.example.org": true,
		"": false, "evil.example": false, "localhost.evil.example": false, "10.0.0.1:7070": false,
		"cases.example.org.evil": false, "127.0.0.1.evil.example": false,
	} {
		if got := access.OurHost(host, names); got != want {
			t.Errorf("OurHost(%q) = %t, want %t", host, got, want)
		}
	}
}

func TestLocal(t *testing.T) {
	for name, c := range map[string]struct {
		from, host, header string
		want               bool
	}{
		"a browser":                 {"127.0.0.1:5", "localhost:7070", "", true},
		"by IPv6":                   {"[::1]:5", "[::1]:7070", "", true},
		"by IPv4 on an IPv6 socket": {"[::ffff:127.0.0.1]:5", "127.0.0.1:7070", "", true},
		"a mesh's sidecar":          {"127.0.0.6:5", "127.0.0.1:7070", "", false},
		"elsewhere":                 {"10.0.0.1:5", "127.0.0.1:7070", "", false},
		"a name":                    {"127.0.0.1:5", "cases.example.org", "", false},
		"no address":                {"@", "localhost", "", false},
		"nginx":                     {"127.0.0.1:5", "localhost", "X-Real-IP: 10.0.0.1", false},
		"haproxy":                   {"127.0.0.1:5", "localhost", "X-Forwarded-For: 10.0.0.1", false},
		"an empty header":           {"127.0.0.1:5", "localhost", "X-Forwarded-For:", false},
		"RFC 7239":                  {"127.0.0.1:5", "localhost", "Forwarded: for=10.0.0.1", false},
		"Traefik":                   {"127.0.0.1:5", "localhost", "X-Forwarded-Server: t", false},
		"Envoy":                     {"127.0.0.1:5", "localhost", "X-Envoy-External-Address: 10.0.0.1", false},
		"Cloudflare":                {"127.0.0.1:5", "localhost", "CF-Connecting-IP: 10.0.0.1", false},
		"Akamai":                    {"127.0.0.1:5", "localhost", "True-Client-IP: 10.0.0.1", false},
		"Squid":                     {"127.0.0.1:5", "localhost", "Via: 1.1 squid", false},
		"a header of a browser":     {"127.0.0.1:5", "localhost", "Accept: */*", true},
	} {
		r := httptest.NewRequest(http.MethodGet, "/", nil)
		r.RemoteAddr, r.Host = c.from, c.host
		if name, value, ok := strings.Cut(c.header, ":"); ok {
			r.Header.Set(name, strings.TrimSpace(value))
		}
		if got := access.Local(r); got != c.want {
			t.Errorf("%s: %t, want %t", name, got, c.want)
		}
	}
}

func TestHas(t *testing.T) {
	request := func(header, value string) *http.Request {
		r := httptest.NewRequest(http.MethodPost, "/", nil)
		if header != "" {
			r.Header.Set(header, value)
		}
		return r
	}
	basic := request("", "")
	basic.SetBasicAuth("any", "s3cret")
	for _, c := range []struct {
		name  string
		r     *http.Request
		token string
		want  bool
	}{
		{"bearer", request("Authorization", "bearer  s3cret "), "s3cret", true},
		{"password", basic, "s3cret", true},
		{"wrong", request("Authorization", "Bearer s3cre"), "s3cret", false},
		{"none", request("", ""), "s3cret", false},
		{"another scheme", request("Authorization", "Digest s3cret"), "s3cret", false},
		{"no token asked for", request("Authorization", "Bearer "), "", false},
	} {
		if got := access.Has(c.r, c.token); got != c.want {
			t.Errorf("%s: %t, want %t", c.name, got, c.want)
		}
	}
}
