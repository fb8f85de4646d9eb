// Package access says who asks a server of ours: whether a Host header names it, what proves who sent a request, and
// which browsers are signed in.
//
// The problem: a server on the loopback interface is asked by every web page that its user has open (DNS rebinding), by
// other users of the machine, and by whoever a proxy forwards. A proxy need not say that it is one: nginx with
// proxy_pass alone and haproxy without forwardfor send nothing that a browser here would not send, and so do ssh -L,
// socat and kubectl port-forward. The approach: where a connection comes from proves nothing. A request brings a token,
// or the cookie that a browser got for a link that was printed here; programs of the same user share a Secret, in a
// file that nobody else can read. Each answer is a pure function of one request. Package server (cases for people) and
// package mcp (tools for agents) share them, and how a server ends (Serve).
//
// Limits: browsers send a cookie to every port of a host. A cookie is therefore good only for Local requests, but
// another user of this machine can take it from a browser that opens a page of theirs on 127.0.0.1.
package access

import (
	"crypto/subtle"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"
)

// OurHost reports whether a Host header names this server: localhost, a loopback address, or one of its names.
func OurHost(host string, names []string) bool {
	name := host
	if h, _, err := net.SplitHostPort(host); err == nil {
		name = h
	}
	name = strings.ToLower(strings.Trim(name, "[]"))
	if ip := net.ParseIP(name); ip != nil && ip.IsLoopback() {
		return true
	}
	return name == "localhost" || slices.ContainsFunc(names, func(n string) bool { return strings.EqualFold(n, name) })
}

// Local reports whether nothing speaks against a request being of this machine: it came from 127.0.0.1 or ::1 (sidecars
// of a mesh connect from 127.0.0.6), for a loopback name, and no proxy says that it forwarded it. It proves nothing by
// itself, because not every proxy says so.
func Local(r *http.Request) bool {
	from, err := netip.ParseAddrPort(r.RemoteAddr)
	if err != nil {
		return false
	}
	ip := from.Addr().Unmap()
	return (ip == netip.AddrFrom4([4]byte{127, 0, 0, 1}) || ip == netip.IPv6Loopback()) && OurHost(r.Host, nil) &&
		Proxied(r) == ""
}

// Headers by which proxies say for whom they ask: nginx, haproxy, Apache, Envoy, Traefik, and those of clouds and CDNs.
var (
	proxyHeaders = []string{"Cdn-Loop", "Fastly-Client-Ip", "Forwarded", "True-Client-Ip", "Via", "X-Client-Ip",
		"X-Cluster-Client-Ip", "X-Real-Ip"}
	proxyPrefixes = []string{"Cf-", "Fly-", "X-Amz", "X-Appengine-", "X-Azure-", "X-Envoy-", "X-Forwarded", "X-Original-"}
)

// Proxied returns the name of a header that only proxies set, also if it is empty, or "".
func Proxied(r *http.Request) string {
	for name := range r.Header {
		if slices.Contains(proxyHeaders, name) ||
			slices.ContainsFunc(proxyPrefixes, func(p string) bool { return strings.HasPrefix(name, p) }) {
			return name
		}
	}
	return ""
}

// Bearer returns the token of a request: of the Authorization header, where a browser's password is one, too.
func Bearer(r *http.Request) (string, bool) {
	if scheme, token, ok := strings.Cut(r.Header.Get("Authorization"), " "); ok && strings.EqualFold(scheme, "Bearer") {
		return strings.TrimSpace(token), true
	}
	_, password, ok := r.BasicAuth()
	return password, ok
}

// Has reports whether a request has this token.
func Has(r *http.Request, token string) bool {
	got, ok := Bearer(r)
	return ok && equal(got, token)
}

// equal compares with a secret. How long it takes does not tell how much is right. Nothing equals an empty one.
func equal(got, secret string) bool {
	return secret != "" && subtle.ConstantTimeCompare([]byte(got), []byte(secret)) == 1
}
