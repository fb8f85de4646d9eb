package access_test

import (
	"net/http"
	"net/http/httptest"
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

func TestFromLoopback(t *testing.T) {
	for addr, want := range map[string]bool{"127.0.0.1:5": true, "[::1]:5": true, "10.0.0.1:5": false, "": false,
		"127.0.0.1": false, "@": false} {
		if got := access.FromLoopback(addr); got != want {
			t.Errorf("FromLoopback(%q) = %t, want %t", addr, got, want)
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
	if access.Forwarded(request("", "")) || !access.Forwarded(request("Via", "1.1 proxy")) {
		t.Error("only what a proxy forwards is forwarded")
	}
}
