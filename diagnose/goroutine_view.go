package diagnose

import (
	"github.com/gocasebook/casebook/diagnose/known"
	"github.com/gocasebook/casebook/diagnose/stacks"
	"github.com/gocasebook/casebook/diagnose/view"
)

func ofDependency(f *stacks.Func) bool { return f.Owner == stacks.Dependency }

// idleConnection reports whether a pile is connections that wait for their next request, and on which side.
func idleConnection(t *stacks.Table, p *view.Pile) (string, bool) {
	if p.User || t.Has(p.Stack, withRole(known.BeginsRequest)) && t.Has(p.Stack, ofDependency) {
		return "", false // a request: a library's handler is below the server
	}
	switch f := t.Func(p.At); {
	case f.Does(known.ServesConn):
		return "connections to the HTTP server that are idle between requests", true
	case f.Does(known.WatchesClient):
		// Its handler is elsewhere.
		return "readers that notice when a client leaves, one for each request in progress", true
	case f.Does(known.OfHTTPClient):
		return "connections of an HTTP client that are kept for reuse, or whose response body was never closed", true
	case f.Does(known.OfHTTP2Server, known.OfGRPCTransport):
		return "HTTP/2 or gRPC connections", true
	}
	return "", false
}
