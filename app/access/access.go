// Package access says who asks a server of ours: whether a Host header names it, whether a connection is from this
// machine, which token a request has.
//
// The problem: a server on the loopback interface is asked by every web page that its user has open (DNS rebinding),
// and by whoever a proxy forwards. The approach: each answer is a pure function of one request, and a server decides by
// them. Package server (cases for people) and package mcp (tools for agents) share them, and how a server ends (Serve).
//
// Limits: other users of this machine are on the loopback interface, too; where that matters a server asks for a token.
package access

import (
	"crypto/subtle"
	"net"
	"net/http"
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

// FromLoopback reports whether an address, as in http.Request.RemoteAddr, is of this machine.
func FromLoopback(addr string) bool {
	host, _, err := net.SplitHostPort(addr)
	if err != nil {
		return false
	}
	ip := net.ParseIP(host)
	return ip != nil && ip.IsLoopback()
}

// Forwarded reports whether a proxy says that it asks for somebody else.
func Forwarded(r *http.Request) bool {
	return r.Header.Get("Forwarded") != "" || r.Header.Get("X-Forwarded-For") != "" || r.Header.Get("Via") != ""
}

// Bearer returns the token of a request: of the Authorization header, where a browser's password is one, too.
func Bearer(r *http.Request) (string, bool) {
	if scheme, token, ok := strings.Cut(r.Header.Get("Authorization"), " "); ok && strings.EqualFold(scheme, "Bearer") {
		return strings.TrimSpace(token), true
	}
	_, password, ok := r.BasicAuth()
	return password, ok
}

// Has reports whether a request has this token. How long it takes does not tell how much of it is right.
func Has(r *http.Request, token string) bool {
	got, ok := Bearer(r)
	return ok && token != "" && subtle.ConstantTimeCompare([]byte(got), []byte(token)) == 1
}
