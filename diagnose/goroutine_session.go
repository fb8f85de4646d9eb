package diagnose

import (
	"strings"

	"github.com/gocasebook/casebook/diagnose/known"
	"github.com/gocasebook/casebook/diagnose/stacks"
	"github.com/gocasebook/casebook/diagnose/view"
	"github.com/gocasebook/casebook/diagnose/wait"
)

// Some goroutines should wait as long as their connection lasts: subscriptions, streams, WebSocket sessions. They wait
// for news and not for an answer, and their number is the number of clients.

// awaitsNews reports whether a call below the user's line waits for the next event: a message of a subscription or a
// queue, the next item of a stream, a notification. Nobody expects such a wait to end soon.
func awaitsNews(t *stacks.Table, stack []stacks.FrameID) bool {
	stream, unary := false, false
	for _, id := range stack {
		f := t.Func(id)
		if f.Owner == stacks.User {
			break
		}
		unary = unary || f.Does(known.CallsGRPC)
		stream = stream || f.Does(known.ReceivesGRPC) || known.AwaitsNews(f.Name)
	}
	return stream && !unary
}

// isSession reports whether requests at a place are gRPC streams, are in a WebSocket, or each have a second goroutine
// that keeps reading from the network: they have taken over their connections, and write what comes.
func isSession(r *Reading, stack []stacks.FrameID, number int64) bool {
	if r.Table.Has(stack, func(f *stacks.Func) bool {
		return strings.Contains(f.Package, "websocket") ||
			f.Does(known.StreamsGRPC)
	}) {
		return true
	}
	at, _ := r.WaitPlace(stack)
	fn, beside := r.Table.Func(at).Name, int64(0)
	for _, q := range r.Piles(r.Goroutines()) {
		if q.Wait != stacks.WaitNetwork && q.Wait != stacks.WaitSelect || serves(r.Table, q.Stack) {
			continue
		}
		for id, n := range q.Root {
			if name := r.Table.Func(id).Name; strings.HasPrefix(name, fn+".") { // a function literal of the handler's
				beside += n
			}
		}
	}
	return 10*beside >= 9*number
}

// isRequest reports whether goroutines at a place of the user's answer requests that are expected to end.
func isRequest(r *Reading, p *view.Pile) bool {
	return p.User && serves(r.Table, p.Stack) && !isSession(r, p.Stack, p.N)
}

// latencyShare is the part of the time of requests that is spent where n of a set's goroutines wait for what others
// hold. By Little's law (a mean number is a rate times a mean time) it is their part of the requests in progress. If
// fewer requests than these goroutines are seen, they answer none, and it is the part of their own time.
func latencyShare(r *Reading, set *stacks.Set, n, others int64) float64 {
	requests := numberOf(r, set, func(p *view.Pile) bool { return isRequest(r, p) })
	return float64(n) / float64(max(requests, n+others, 1))
}

// tookOver reports whether requests at a place have taken over their connections, as streams of events do: net/http's
// server reads in the background from those of all others that have no body to read.
func tookOver(r *Reading, p *wait.Pile, moment int) bool {
	if !isHTTP1(r.Table, p.Stack) {
		return r.Table.Has(p.Stack, withWork(known.StreamsGRPC))
	}
	return 10*clientReaders(r, r.waits().Moments[moment]) < 9*p.N[moment]
}

// clientReaders is how many goroutines of net/http's server read from the connection of a request in progress.
func clientReaders(r *Reading, set *stacks.Set) int64 {
	return numberOf(r, set, func(p *view.Pile) bool { return r.Table.Has(p.Stack, withWork(known.WatchesClient)) })
}

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
