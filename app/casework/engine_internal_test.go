package casework

import (
	"errors"
	"net/netip"
	"testing"

	"github.com/gocasebook/casebook/instance"
)

// What a target's quotes are asked with: the credentials of the target are for its own engine and tenant alone, and
// where it may not be, its quotes may not be.
func TestQuoteAccess(t *testing.T) {
	refused := errors.New("not there")
	own := instance.HTTPOptions{BearerFile: "token", CAFile: "ca", Allow: func(netip.Addr) error { return refused }}
	for _, c := range []struct {
		target, quote, headers string

		bearer, ca string
	}{
		{"http://10.0.0.7:6060", "pyroscope://10.0.0.7:6060?service=a", "", "", ""},
		{"pyroscope://h?service=a", "pyroscope://h?service=a", "", "token", "ca"},
		{"pyroscope://h?service=a&tenant=x", "pyroscope://h?service=a&tenant=x", "", "token", "ca"},
		{"pyroscope://h?service=a&tenant=x", "pyroscope://h?service=a&tenant=y", "", "", "ca"},
		{"pyroscope://h?service=a&tenant=x", "pyroscope://h?service=a&tenant=x", "headers", "", "ca"},
		{"pyroscope://h?service=a", "pyroscope://g?service=a", "headers", "", ""},
	} {
		target := Target{URL: c.target, Access: own, Signals: Signals{Quote: c.quote, QuoteHeaders: c.headers}}
		got := target.quoteAccess()
		if got.BearerFile != c.bearer || got.CAFile != c.ca || got.HeaderFile != c.headers {
			t.Errorf("%s quotes %s with %q, %q and the headers %q; want %q, %q and %q", c.target, c.quote, got.BearerFile,
				got.CAFile, got.HeaderFile, c.bearer, c.ca, c.headers)
		}
		if got.Allow == nil || !errors.Is(got.Allow(netip.IPv4Unspecified()), refused) {
			t.Errorf("%s quotes %s from anywhere", c.target, c.quote)
		}
	}
}
