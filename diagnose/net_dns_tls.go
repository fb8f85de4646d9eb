package diagnose

import (
	"context"
	"fmt"
	"slices"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose/known"
	"github.com/gocasebook/casebook/diagnose/stacks"
	"github.com/gocasebook/casebook/diagnose/wait"
)

// handshakeScale is in shares of the CPU in TLS handshakes and in looking up names. Encrypting what is sent is the
// service's job; agreeing on keys happens once per connection, and above a tenth of the CPU connections are too short.
func handshakeScale() Scale { return Scale{Worth: 0.10, Hurts: 0.30, Top: 0.7} }

// lookupScale is in goroutines that wait for a name's address at one moment. A lookup normally takes about a
// millisecond: ten at once are 10,000 a second, or a resolver that hangs.
func lookupScale() Scale { return Scale{Worth: 10, Hurts: 100, Top: 10_000} }

func netDNSTLS() Detector {
	return Detector{
		ID:    "NET002",
		Kind:  "net-dns-tls",
		Title: "Too many handshakes and name lookups",
		Text: `Adds up the CPU in TLS handshakes (key exchange, signatures, verifying certificates), on either side,
and in looking up names. Worth knowing from 10 % of the CPU, hurting from 30 %: both happen once per connection, so
connections are too short. Also counts goroutines that wait for a name lookup: worth knowing from 10, hurting from 100,
capped at 74, because one capture does not show whether the resolver hangs or gets many queries.

Encrypting data on open connections does not count. Where the HTTP client opens connections all the time,
net-no-keepalive is named as the cause.`,
		Needs: []Need{{Kinds: []string{casefile.CPU, casefile.Goroutine}, Reason: "no CPU or goroutine profile",
			Capture: captureCPU}},
		Before:     `conn, err := tls.Dial("tcp", addr, cfg) // for every message`,
		After:      `pool of connections; cfg.ClientSessionCache = tls.NewLRUClientSessionCache(64)`,
		Remedies:   handshakeRemedies(),
		Absorbs:    related(SameFunction, "cpu-hot-function"),
		NeedsPlace: true,
		Follows:    "each new connection looks up the name and shakes hands again",
		Run:        runNetDNSTLS,
		promise:    connectionPromise,
	}
}

// connectionPromise adds what else a connection costs that is opened: dialling it, its goroutines' start, closing it, and
// the collector's work for what a handshake leaves behind.
func connectionPromise(r *Reading, i casefile.Impact) casefile.Impact {
	c := r.costs()
	if c.cpu == nil || i.Resource != effectCPU {
		return i
	}
	opened := withWork(known.ShakesHands, known.ShakesAsClient, known.ShakesAsServer, known.LooksUpName, known.Dials,
		known.DialsForHTTP, known.ClosesConn)
	all := c.cpu.cured(c.cpu.under(r, opened), c.garbage.under(r, opened))
	if all <= i.Gain.High {
		return i
	}
	low, high := promised(max(i.Gain.Low, all/2), all*0.95)
	i.Share = max(i.Share, roundShare(all))
	i.Gain = casefile.Gain{Low: low, High: high, Arithmetic: fmt.Sprintf("%s of CPU with dialling, closing and the "+
		"collector's work, paid once per connection: half if each connection serves two requests, nearly all if it "+
		"serves twenty", percent(all))}
	return i
}

func runNetDNSTLS(_ context.Context, r *Reading) Answer {
	tls, lookups := cpuBelow{}, cpuBelow{}
	v := r.cpu()
	score := 0
	if v != nil && v.samples >= minCPUSamples && !v.level.idle() {
		tls = v.below(r, withWork(known.ShakesHands, known.ShakesAsClient, known.ShakesAsServer))
		lookups = v.below(r, withWork(known.LooksUpName))
		score = min(handshakeScale().Score(tls.share+lookups.share), v.level.cap())
	}
	waiting, at, set := lookupsWaiting(r)
	waitScore := min(lookupScale().Score(float64(waiting)), capUnsure)
	if max(score, waitScore) < worthKnowing {
		return Answer{}
	}
	share := tls.share + lookups.share
	f := casefile.Finding{
		Score: max(score, waitScore),
		Title: fmt.Sprintf("TLS handshakes and name lookups take %s of the CPU", percent(share)),
		Explanation: "A handshake costs signatures and a key exchange, about a millisecond of CPU on both sides and " +
			"one or two round trips; a lookup asks another machine. Both happen when a connection is opened, and " +
			"connections are meant to be kept.",
		Remedies: remediesAt("", handshakeRemedies()...),
	}
	if score >= waitScore {
		f.Confidence = Confidence(share, v.samples)
		f.Summary = fmt.Sprintf("TLS handshakes take %s of the CPU, name lookups %s.", percent(tls.share),
			percent(lookups.share))
		most := tls
		if lookups.ns > tls.ns {
			most = lookups
		}
		f.Where = most.openers(r, v)
		f.Evidence = Basis(v.set)
		f.Impact = onCPU(share, saves(share/2, share*0.95, fmt.Sprintf("%s of CPU, paid once per connection: half if "+
			"each connection serves two requests, nearly all if it serves twenty", percent(share))))
		return found(f)
	}
	f.Title = fmt.Sprintf("%s goroutines wait for a name lookup", count(float64(waiting)))
	f.Summary = f.Title + " at one moment."
	f.Confidence = 0.7
	f.Where = []casefile.Frame{r.Frame(at, 1, "asks for the address")}
	f.Evidence = Basis(set)
	f.Impact = onLatency(0, f.Title)
	f.Remedies = []casefile.Remedy{f.Remedies[2], f.Remedies[0]}
	sayForWhom(r, &f)
	return found(f)
}

// sayForWhom names the user's lines that wait for a lookup before anything else. Where net/http's client looks names up
// in goroutines of its own and not one of its connections is open, each call needs a lookup only as none is kept.
func sayForWhom(r *Reading, f *casefile.Finding) {
	g := r.waits()
	askers, kept := lookupAskers(r)
	if len(askers) == 0 {
		return
	}
	n, first := int64(0), askers[0]
	var lines []casefile.Frame
	for _, p := range askers {
		n += p.Last()
		at := r.Frame(p.Line, float64(p.Last())/float64(max(g.InProgress(), 1)), "waits for the name's address")
		lines = addPlaces(lines, at)
	}
	who := things(float64(n), "goroutine")
	if first.Request {
		who = waiting(g, n)
	}
	f.Title = fmt.Sprintf("%s wait for a name lookup at %s", who, r.Place(first.Line))
	f.Summary = f.Title + ": before there is a connection, and so before the peer is asked."
	f.Where = append(slices.Clip(lines[:min(len(lines), maxOpeners)]), f.Where...)
	f.Impact.Text = f.Title
	if !kept {
		f.Summary += " No connection of the HTTP client is open, so that each call opens one, and looks the name up again."
		f.Remedies[0], f.Remedies[1] = f.Remedies[1], f.Remedies[0]
	}
}

// lookupAskers are the goroutines with a line of the user's that wait for a lookup, and whether the HTTP client that
// they wait in has a connection open: without one of them in the client, it is as if.
func lookupAskers(r *Reading) (askers []*wait.Pile, kept bool) {
	g, inClient := r.waits(), false
	does := func(p *wait.Pile, w ...known.Work) bool { return r.Table.Has(p.Stack, withWork(w...)) }
	for _, p := range g.Piles {
		inClient = inClient || p.Last() > 0 && does(p, known.LooksUpName) && does(p, known.DialsForHTTP)
		kept = kept || does(p, known.ReadsForHTTP)
	}
	kept = kept || !inClient
	for _, p := range g.Piles {
		if p.Last() > 0 && p.Line != stacks.NoFrame && (does(p, known.LooksUpName) ||
			inClient && p.For == wait.Place && does(p, known.RoundTripsHTTP)) {
			askers = append(askers, p)
		}
	}
	return askers, kept
}

// openers are the lines that can make connections last, the most certain first: the user's lines that open them, or, if
// the standard library's own goroutines do the handshake, the lines that call its HTTP client; the server side comes
// last.
func (c cpuBelow) openers(r *Reading, v *cpuView) []casefile.Frame {
	accepting := v.below(r, withWork(known.ShakesAsServer))
	accepts := accepting.where(r, "accepts the connection", maxOpeners)
	var opens, called []casefile.Frame
	lined := int64(0)
	for _, e := range top(c.lines, maxOpeners) {
		lined += e.Value
		at := r.Frame(e.Key, c.share*float64(e.Value)/max(c.ns, 1), "opens the connection")
		if hasPlace(accepts, at) {
			at.Role = "accepts the connection"
			called = append(called, at)
			continue
		}
		opens = append(opens, at)
	}
	if 2*float64(lined) < c.ns {
		opens = append(clientCallers(r, v), opens...)
		called = append(called, accepting.server(r, v)...)
	}
	return slices.Concat(opens, called)
}

const maxOpeners = 3

// clientCallers are the user's lines that call the HTTP client, where that shakes hands in goroutines of its own.
func clientCallers(r *Reading, v *cpuView) (out []casefile.Frame) {
	client := v.below(r, withWork(known.ShakesAsClient, known.LooksUpName))
	if client.ns == 0 {
		return nil
	}
	callers, total := httpCallers(r)
	for _, e := range top(callers, 2) {
		out = append(out, r.Frame(e.Key, client.share*float64(e.Value)/total, "calls the HTTP client"))
	}
	return out
}

// server names the HTTP server where that shakes hands: nobody's line is above it.
func (c cpuBelow) server(r *Reading, v *cpuView) []casefile.Frame {
	if len(c.lines) > 0 || c.ns == 0 {
		return nil
	}
	stack := v.set.Heaviest(v.weight, func(s *stacks.Sample) bool {
		return r.Table.Has(s.Stack, withWork(known.ShakesAsServer))
	})
	if len(stack) == 0 {
		return nil
	}
	return []casefile.Frame{r.Frame(r.Table.Root(stack), c.share, "accepts the connection")}
}

// lookupsWaiting counts goroutines below a lookup of a name, and the place that most of them are at.
func lookupsWaiting(r *Reading) (n int64, at stacks.FrameID, set *stacks.Set) {
	if set = r.Goroutines(); set == nil {
		return 0, stacks.NoFrame, nil
	}
	at = stacks.NoFrame
	for _, p := range r.Piles(set) {
		if p.Wait != stacks.WaitNothing && r.Table.Has(p.Stack, withWork(known.LooksUpName)) {
			n += p.N
			if at == stacks.NoFrame {
				at = p.At
			}
		}
	}
	return n, at, set
}

func handshakeRemedies() []Remedy {
	return []Remedy{
		byChange("", "Keep connections", "One http.Client for the process, bodies read and closed, "+
			"MaxIdleConnsPerHost as high as the number of concurrent requests to a host; on a server IdleTimeout "+
			"well above the time between two requests of a client.", "idle connections"),
		byChange("", "Resume sessions", "tls.Config.ClientSessionCache = tls.NewLRUClientSessionCache(n) on a "+
			"client; a server resumes sessions automatically unless SessionTicketsDisabled is set. ECDSA P-256 "+
			"certificates sign about 10 times faster than RSA 2048.", "none"),
		byChange("", "Ask for names less often", "A caching resolver on the machine (systemd-resolved, dnsmasq, "+
			"CoreDNS); a final dot on full names avoids the search list (ndots:5 in Kubernetes asks five times).",
			"changes are noticed one TTL later"),
	}
}
