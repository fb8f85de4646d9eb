package cli

import (
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"time"

	"github.com/gocasebook/casebook/app/access"
)

// Names of the files with tokens for programs of the same user: of casebook serve, and of casebook mcp --http, which
// gives its own to agents.
const (
	serveSecret = "serve-token"
	mcpSecret   = "mcp-token"
)

// keepSecret returns what a server and the programs of its user know. Where there is no place for a file it is the
// server's alone: browsers get in by the link, and programs by tokens of the store.
func keepSecret(log *slog.Logger) access.Secret {
	file, err := access.SecretFile(serveSecret)
	if err == nil {
		var s access.Secret
		if s, err = access.KeepSecret(file); err == nil {
			return s
		}
	}
	log.Info("there is no file with a token for programs of this user; `casebook store token create` makes others",
		"error", err)
	return access.NewSecret()
}

// requestTime is how long a token for one request is good: its sender and the server are on one machine.
const requestTime = time.Minute

// A localTransport sends requests to a server on this machine, with tokens that this user's file is good for. It is
// read each time: the server that makes it may start later.
type localTransport struct{ http.RoundTripper }

func (t localTransport) RoundTrip(r *http.Request) (*http.Response, error) {
	if file, err := access.SecretFile(serveSecret); err == nil {
		if s, err := access.ReadSecret(file); err == nil { // without one the server asks for a token, and says so
			r = r.Clone(r.Context())
			r.Header.Set("Authorization", "Bearer "+s.TokenFor(r, time.Now().Add(requestTime)))
		}
	}
	return t.RoundTripper.RoundTrip(r)
}

// localClient is a client for the server at a URL on this machine, or nil for one elsewhere. Each request has a
// connection of its own, and none goes through a proxy.
func localClient(to string) *http.Client {
	u, err := url.Parse(to)
	if err != nil {
		return nil
	}
	if ip := net.ParseIP(u.Hostname()); u.Hostname() != "localhost" && (ip == nil || !ip.IsLoopback()) {
		return nil
	}
	return &http.Client{Transport: localTransport{&http.Transport{DisableKeepAlives: true, DisableCompression: true,
		MaxResponseHeaderBytes: 64 << 10, TLSHandshakeTimeout: 10 * time.Second, ExpectContinueTimeout: time.Second}}}
}
