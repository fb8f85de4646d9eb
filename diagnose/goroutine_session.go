package diagnose

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose/known"
	"github.com/gocasebook/casebook/diagnose/stacks"
	"github.com/gocasebook/casebook/diagnose/view"
	"github.com/gocasebook/casebook/diagnose/wait"
	"github.com/gocasebook/casebook/vitals"
)

// Some goroutines should wait as long as their connection lasts: subscriptions, streams, WebSocket sessions. They wait
// for news and not for an answer, and their number is the number of clients.

// awaitsNews reports whether a call below the user's line waits for the next event: a message of a subscription or a
// queue, the next item of a stream, a notification. Nobody expects such a wait to end soon.
func awaitsNews(t *stacks.Table, stack []stacks.FrameID) bool {
	inner := innerOf(t, stack)
	return !t.Has(inner, withWork(known.CallsGRPC)) && t.Has(inner, func(f *stacks.Func) bool {
		return f.Does(known.ReceivesGRPC) || known.AwaitsNews(f.Name)
	})
}

// isSession reports whether requests at a place are gRPC streams, are in a WebSocket, or each have a second goroutine
// that keeps reading from the network: they have taken over their connections, and write what comes.
func isSession(r *Reading, stack []stacks.FrameID, number int64) bool {
	if r.Table.Has(stack, func(f *stacks.Func) bool {
		return strings.Contains(f.Package, "websocket") || f.Does(known.StreamsGRPC)
	}) {
		return true
	}
	at, _ := r.Table.WaitPlace(stack)
	literal, beside := r.Table.Func(at).Name+".", int64(0) // of the handler's
	for _, q := range r.Piles(r.Goroutines()) {
		for id, n := range q.Root {
			if (q.Wait == stacks.WaitNetwork || q.Wait == stacks.WaitSelect) && !serves(r.Table, q.Stack) &&
				strings.HasPrefix(r.Table.Func(id).Name, literal) {
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

// latencyShare is the part of the time of requests that is spent where n of a set's goroutines wait: by Little's law
// their part of the requests in progress. If fewer requests are seen, they answer none, and it is that of their own time.
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

// While a request over HTTP/1 is answered, net/http reads from its connection in another goroutine, to notice that the
// client leaves (connReader.backgroundRead in net/http/server.go, Go 1.26). No more requests have a client than there
// are such readers: the others go on for nobody. If ever more do, they do not look at their context.

// abandonedAt is how many requests at a line have lost their client, at least: all other readers may be those of
// requests elsewhere. Without any reader it is 0: a request whose body was not read to the end has none.
func abandonedAt(r *Reading, set *stacks.Set, at stacks.FrameID) int64 {
	clients := clientReaders(r, set)
	requests := numberOf(r, set, func(p *view.Pile) bool { return p.At == at && isHTTP1(r.Table, p.Stack) })
	if clients == 0 || set.Cut != "" {
		return 0
	}
	return max(requests-clients, 0)
}

// isHTTP1 reports whether a goroutine answers a request on the connection's own goroutine: those of HTTP/2 have
// another.
func isHTTP1(t *stacks.Table, stack []stacks.FrameID) bool {
	return t.Has(stack, withWork(known.ServesConn))
}

// abandons reports whether ever more requests of a pile have lost their client, and wait on for other goroutines. A
// stream over a connection of many shows its clients nowhere, but one that selects on nothing cannot see them leave.
func abandons(r *Reading, p *view.Pile) (g rise, ok bool) {
	stream := streamsBlind(r, p)
	if !p.User || p.N < riseLeast || !parked(p.Wait) || p.Wait.ForLock() || p.Wait == stacks.WaitUnknown ||
		!isHTTP1(r.Table, p.Stack) && !stream || callsWhat(r, p.Stack) != "" || waitsForPool(r, p) || nobodyGoesOn(r, p) {
		return g, false
	}
	if stream {
		g = riseAt(r, p)
	} else {
		g = riseOver(r, func(s *stacks.Set) int64 { return abandonedAt(r, s, p.At) })
	}
	return g, g.before >= riseLeast && g.significant && g.steadily && (stream || !isSession(r, p.Stack, p.N)) &&
		!takesTurns(r, p)
}

// streamsBlind reports whether a pile are handlers of gRPC streams in the program's own code that wait for one thing
// alone, which is not their client.
func streamsBlind(r *Reading, p *view.Pile) bool {
	return p.Wait != stacks.WaitSelect && p.Wait != stacks.WaitSleep && r.Table.Has(p.Stack, withWork(known.StreamsGRPC))
}

// nobodyGoesOn reports whether a library stands still for which a pile waits: its clients have gone because of that.
func nobodyGoesOn(r *Reading, p *view.Pile) bool {
	s, stopped := r.waits().Stopped()
	return stopped && slices.ContainsFunc(s.Waiters, func(q *wait.Pile) bool { return q.Line == p.At })
}

// takesTurns reports whether the requests of a pile are in a queue that moves: who wakes them gives back a place in a
// pool, or works or waits for somebody else in between. Their clients have gone because it moves too slowly.
func takesTurns(r *Reading, p *view.Pile) bool {
	t, reads := readerInTrace(r, p)
	return busyBehind(r, p) || reads && t.busy.Function != "" ||
		slices.ContainsFunc(ownPools(r), func(pool *ownPool) bool { return r.IsAt(p.At, pool.at) })
}

// abandonedLeaks are the places where requests stay when their client has gone.
func abandonedLeaks(r *Reading, proved []casefile.Finding) (out []casefile.Finding) {
	set := lastMoment(r)
	for _, p := range r.Piles(set) {
		if p.N < riseLeast || len(out) >= maxLeaks {
			break // they come in falling order
		}
		if g, ok := abandons(r, p); ok && !alreadyProved(r, proved, p) && passing(r, p, g) == "" {
			out = append(out, abandonedFinding(r, set, p, g))
		}
	}
	return out
}

func abandonedFinding(r *Reading, set *stacks.Set, p *view.Pile, g rise) casefile.Finding {
	left, gone, limit, sure := count(g.after), *p, capUnsure, sureOfGrowth(r, set, p, g)
	gone.N = g.after
	why := fmt.Sprintf("at most %s of them still have their client: %s or more wait for nobody", count(max(p.N-g.after, 0)), left)
	context := "the context of the request"
	if sure {
		limit = noCap
	}
	if streamsBlind(r, p) {
		if limit, context = capUnsure, "stream.Context()"; !trippedBy(r, vitals.Goroutines) {
			limit = capNotice // their clients may be there
		}
		why = "they select on nothing, so that they cannot see their client leave"
	}
	f := leakText(r, set, &gone, joined(fmt.Sprintf("%s requests are at %s, %s, and %s", count(p.N), r.Place(p.At), p.Wait,
		why), g.String()+", "+g.rate(), pileAge(p)))
	f.Title = fmt.Sprintf("Requests stay at %s when their client has gone: %s are left", r.Place(p.At), left)
	f.Score, f.Confidence = min(leakRateScale().Score(g.perDay()), limit), 0.9
	if limit == noCap {
		f.Confidence = 0.95
	}
	f.Where[0].Role = "waits here, with or without its client"
	f.Remedies = []casefile.Remedy{doChange("End the wait with its client", fmt.Sprintf("At %s, with %s: %s. Return then. "+
		"A write to a client that has gone returns an error: end with that, too.", r.Place(p.At), context,
		endsBy(r, p.Stack, p.Wait)), "none")}
	if _, inside := waitsInside(r, p.Stack); !inside {
		f.Remedies = append(f.Remedies, letEnd(p.Wait, r.Place(p.At), ""))
	}
	return f
}
