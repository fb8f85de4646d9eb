package diagnose

import (
	"strings"

	"github.com/gocasebook/casebook/diagnose/known"
	"github.com/gocasebook/casebook/diagnose/stacks"
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
func isSession(r *Reading, p *pile) bool {
	if r.Table.Has(p.stack, func(f *stacks.Func) bool {
		return strings.Contains(f.Package, "websocket") ||
			f.Does(known.StreamsGRPC)
	}) {
		return true
	}
	fn := r.Table.Func(p.at).Name
	beside := int64(0)
	for _, q := range r.piles(r.Goroutines()) {
		if q.wait != stacks.WaitNetwork && q.wait != stacks.WaitSelect || serves(r.Table, q.stack) {
			continue
		}
		for id, n := range q.root {
			if name := r.Table.Func(id).Name; strings.HasPrefix(name, fn+".") { // a function literal of the handler's
				beside += n
			}
		}
	}
	return 10*beside >= 9*p.n
}

// isRequest reports whether goroutines at a place of the user's answer requests that are expected to end.
func isRequest(r *Reading, p *pile) bool {
	return p.user && serves(r.Table, p.stack) && !isSession(r, p)
}

// latencyShare is the part of the time of requests that is spent where n of a set's goroutines wait for what others
// hold. By Little's law (a mean number is a rate times a mean time) it is their part of the requests in progress. If
// fewer requests than these goroutines are seen, they answer none, and it is the part of their own time.
func latencyShare(r *Reading, set *stacks.Set, n, others int64) float64 {
	requests := int64(0)
	for _, p := range r.piles(set) {
		if isRequest(r, p) {
			requests += p.n
		}
	}
	return float64(n) / float64(max(requests, n+others, 1))
}

// hijacked reports whether requests have taken over their connections: net/http's server reads in the background from
// those of all others that have no body to read.
func hijacked(r *Reading, set *stacks.Set, p *pile) bool {
	if !r.Table.Has(p.stack, withWork(known.ServesConn)) {
		return isSession(r, p) && r.Table.Has(p.stack, withWork(known.StreamsGRPC))
	}
	readers := int64(0)
	for _, q := range r.piles(set) {
		if r.Table.Has(q.stack, withWork(known.WatchesClient)) {
			readers += q.n
		}
	}
	return 10*readers < 9*p.n
}
