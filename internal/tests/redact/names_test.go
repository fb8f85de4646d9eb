package redact_test

import (
	"testing"

	"github.com/gocasebook/casebook/internal/redact"
)

func TestTarget(t *testing.T) {
	for _, c := range []struct {
		in, want string
		gone     int
	}{
		{"/items/7?page=2&sort=price", "/items/7?page=2&sort=price", 0},
		{"/?access_token=s3cret&q=a%20b", "/?access_token=redacted&q=a%20b", 1},
		{"/cb?code=abc&state=xyz&monkey=1", "/cb?code=redacted&state=redacted&monkey=1", 2},
		{"/?%74oken=s3cret", "/?%74oken=redacted", 1},
		{"/?token=", "/?token=", 0},
		{"/?keyword=go&primary_key=7", "/?keyword=go&primary_key=7", 0},
		{"/verify/eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl", "/verify/redacted", 1},
		{"/blobs/sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef", "/blobs/sha256:redacted", 1},
		{"/orders/6f1c2a9e-1b1e-4a59-9f0b-1a2b3c4d5e6f#top", "/orders/6f1c2a9e-1b1e-4a59-9f0b-1a2b3c4d5e6f", 0},
	} {
		if got, gone := redact.Target(c.in); got != c.want || gone != c.gone {
			t.Errorf("%s became %s without %d, want %s without %d", c.in, got, gone, c.want, c.gone)
		}
	}
}

func TestName(t *testing.T) {
	for name, want := range map[string]bool{"Authorization": true, "X-Api-Key": true, "Cookie": true, "password": true,
		"Accept": false, "Content-Type": false, "page": false, "author": false, "auth": true, "X-Auth": true, "keys": false, "sid": true} {
		if redact.Name(name) != want {
			t.Errorf("%s is %v", name, !want)
		}
	}
}
