// Package redirect is the one policy on where a client of Casebook lets itself be sent.
//
// The problem: a program that watches a service runs inside a network. A target, a metrics page or a collector that
// answers with a redirect could make the watch ask any other host there, the metadata service of a cloud among them,
// and read the answer in its error. The approach: a redirect is followed to the same scheme, host and port only, and
// the address that was asked is not sent in a Referer, because its query may hold a token. The answer that is not
// followed is given to the caller, who says where it points to: a person may give that URL.
package redirect

import (
	"net"
	"net/http"
	"net/url"
	"strings"
)

// most is how many redirects are followed.
const most = 5

// SameHost is a CheckRedirect that follows where scheme, host, port and method stay. After 301, 302 and 303 a POST
// would become a GET without the body, whose 200 would pass for success.
func SameHost(req *http.Request, via []*http.Request) error {
	first := via[0]
	if !Same(req.URL, first.URL) || req.Method != first.Method || len(via) > most {
		return http.ErrUseLastResponse
	}
	req.Header.Del("Referer")
	return nil
}

// Never is a CheckRedirect that follows nothing.
func Never(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }

// Same reports whether two addresses are of one scheme, host and port.
func Same(a, b *url.URL) bool {
	return strings.EqualFold(a.Scheme, b.Scheme) && strings.EqualFold(a.Hostname(), b.Hostname()) && port(a) == port(b)
}

// Loopback reports whether a host's name is one of this machine: what goes there needs no encryption.
func Loopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

func port(u *url.URL) string {
	switch {
	case u.Port() != "":
		return u.Port()
	case strings.EqualFold(u.Scheme, "https"):
		return "443"
	}
	return "80"
}

// Elsewhere is where an answer points to that was not followed: scheme, host and port, for the rest may hold a secret.
// It is "" of any other answer.
func Elsewhere(resp *http.Response) string {
	if resp.StatusCode < 300 || resp.StatusCode > 399 {
		return ""
	}
	to, err := resp.Location()
	if err != nil || to.Host == "" {
		return ""
	}
	return to.Scheme + "://" + to.Host
}
