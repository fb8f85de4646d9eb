package diagnose

import (
	"strings"

	"github.com/gocasebook/casebook/diagnose/known"
	"github.com/gocasebook/casebook/diagnose/stacks"
	"github.com/gocasebook/casebook/diagnose/view"
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
func isSession(r *Reading, p *view.Pile) bool {
	if r.Table.Has(p.Stack, func(f *stacks.Func) bool {
		return strings.Contains(f.Package, "websocket") ||
			f.Does(known.StreamsGRPC)
	}) {
		return true
	}
	fn := r.Table.Func(p.At).Name
	beside := int64(0)
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
	return 10*beside >= 9*p.N
}

// isRequest reports whether goroutines at a place of the user's answer requests that are expected to end.
func isRequest(r *Reading, p *view.Pile) bool {
	return p.User && serves(r.Table, p.Stack) && !isSession(r, p)
}

// latencyShare is the part of the time of requests that is spent where n of a set's goroutines wait for what others
// hold. By Little's law (a mean number is a rate times a mean time) it is their part of the requests in progress. If
// fewer requests than these goroutines are seen, they answer none, and it is the part of their own time.
func latencyShare(r *Reading, set *stacks.Set, n, others int64) float64 {
	requests := int64(0)
	for _, p := range r.Piles(set) {
		if isRequest(r, p) {
			requests += p.N
		}
	}
	return float64(n) / float64(max(requests, n+others, 1))
}

// hijacked reports whether requests have taken over their connections: net/http's server reads in the background from
// those of all others that have no body to read.
func hijacked(r *Reading, set *stacks.Set, p *view.Pile) bool {
	if !r.Table.Has(p.Stack, withWork(known.ServesConn)) {
		return isSession(r, p) && r.Table.Has(p.Stack, withWork(known.StreamsGRPC))
	}
	return 10*clientReaders(r, set) < 9*p.N
}

// clientReaders is how many goroutines of net/http's server read from the connection of a request in progress.
func clientReaders(r *Reading, set *stacks.Set) (n int64) {
	for _, p := range r.Piles(set) {
		if r.Table.Has(p.Stack, withWork(known.WatchesClient)) {
			n += p.N
		}
	}
	return n
}
