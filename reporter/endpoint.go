package reporter

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/gocasebook/casebook/internal/redirect"
)

// An endpoint is a server that receives reports.
type endpoint struct {
	client  *http.Client
	url     *url.URL
	header  http.Header // of every request
	secrets secrets
}

// newEndpoint checks a URL and headers. Its errors show neither.
func newEndpoint(raw string, plainHTTP bool, header map[string]string, client *http.Client) (*endpoint, error) {
	u, err := url.Parse(raw)
	if err != nil || u.Host == "" || u.Hostname() == "" || u.Scheme != "http" && u.Scheme != "https" {
		return nil,
			errors.New("field URL is not a URL like https://host/path (it is not shown: parts of it may be passwords)")
	}
	if u.Scheme == "http" && !plainHTTP && !redirect.Loopback(u.Hostname()) {
		return nil, fmt.Errorf("field URL: %s is not encrypted; use https, or set PlainHTTP if everybody on the "+
			"network path may read cases", address(u))
	}
	u.Fragment, u.RawFragment = "", ""
	h := http.Header{}
	for name, value := range header {
		if !isToken(name) {
			return nil, fmt.Errorf("field Header: %.40q is not a header name", name)
		}
		if strings.ContainsFunc(value, func(r rune) bool { return r < ' ' && r != '\t' || r == 0x7f }) {
			return nil, fmt.Errorf("field Header: the value of %.40s has control characters in it, such as a line end",
				name)
		}
		h.Set(name, value)
	}
	return &endpoint{client: newClient(client), url: u, header: h, secrets: secretsOf(u, h)}, nil
}

// isToken reports whether s is a token (RFC 9110, section 5.6.2).
func isToken(s string) bool {
	return s != "" && !strings.ContainsFunc(s, func(r rune) bool {
		letter := 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9'
		return !letter && !strings.ContainsRune("!#$%&'*+-.^_`|~", r)
	})
}

// newClient is a client of our own, or the owner's with our rule for redirects. It keeps no connection: reports are
// rare, and a guest leaves no goroutine behind.
func newClient(owners *http.Client) *http.Client {
	if owners != nil {
		c := *owners
		c.CheckRedirect = redirect.SameHost
		return &c
	}
	return &http.Client{
		CheckRedirect: redirect.SameHost,
		Transport: &http.Transport{
			Proxy:                  http.ProxyFromEnvironment,
			DialContext:            dial,
			TLSHandshakeTimeout:    10 * time.Second,
			ExpectContinueTimeout:  time.Second,
			MaxResponseHeaderBytes: 64 << 10,
			DisableKeepAlives:      true,
			DisableCompression:     true, // an answer of a few words must not unfold into gigabytes
			ForceAttemptHTTP2:      true,
		},
	}
}
