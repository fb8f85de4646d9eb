package diagnose

import (
	"context"
	"fmt"
	"slices"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose/known"
	"github.com/gocasebook/casebook/diagnose/stacks"
	"github.com/gocasebook/casebook/diagnose/traces"
	"github.com/gocasebook/casebook/diagnose/wait"
	"github.com/gocasebook/casebook/internal/number"
)

// dialScale is in connections opened a second by the HTTP client. One costs about 0.1 ms of CPU and a round trip, with
// TLS about 1 ms and two or three; 20 a second are more than start-up and rare back ends explain, 500 a second use up
// the ports of one address pair (28,000 of the default range, 60 s each in TIME_WAIT).
func dialScale() Scale { return Scale{Worth: 20, Hurts: 500, Top: 5000} }

// dialCPUScale is in shares of the CPU used for opening connections.
func dialCPUScale() Scale { return Scale{Worth: 0.05, Hurts: 0.25, Top: 0.6} }

// dialBuffers are the bytes that dialConn allocates for a connection's reader and writer.
const dialBuffers = 2 * 4096

// minDials is how many sampled allocations of dialing the heap profiles must hold for a rate.
const minDials = 8

func netNoKeepAlive() Detector {
	return Detector{
		ID: "NET001", Kind: "net-no-keepalive",
		Title: "The HTTP client opens a connection for nearly every request",
		Text: `net/http cannot keep a connection for the next request to the same host if the response's body is
not read to its end and closed, if DisableKeepAlives is set, if a Transport is made for each request, or if more than
MaxIdleConnsPerHost (2 by default) come back at once. Two heap profiles: each connection allocates two buffers of 4 KiB,
which gives the connections opened a second: worth knowing from 20, hurting from 500, if half of the requests open one,
judged by what requests allocate, or responses stay open. The CPU profile: opening connections takes 5 % of the CPU, or
25 %. Capped at 74 unless both agree. Connections of any other dependency that requests call are found by the CPU that
opening them takes, up to 74; those of a SQL pool by a trace: requests wait while it opens them for 25 % of their time,
and 5 ms each, and it opens ten times as many as requests are in progress.

Where most requests in progress wait for a connection of net/http's client in both captures, and half as many goroutines
open one, that is found, too (55 at least, up to 74).

HTTP/1.1 also closes the connection of a call that is cancelled or ends at its timeout: if calls take 50 ms or more in
the mean, that is what to look at first, unless a trace shows that deadlines end few.`,
		Needs: []Need{{Kinds: []string{casefile.CPU, casefile.Heap, casefile.Allocs, traces.KindSummary},
			Reason:  "no CPU or heap profile",
			Capture: captureCPU}},
		Before: `resp, err := client.Get(url)
if err != nil || resp.StatusCode != 200 { return err } // the body is neither read nor closed
client := &http.Client{Transport: &http.Transport{}} // for every request`,
		After: `defer resp.Body.Close(); io.Copy(io.Discard, io.LimitReader(resp.Body, 64<<10))
// one for the process
var client = &http.Client{Timeout: 2 * time.Second, Transport: &http.Transport{MaxIdleConnsPerHost: 100}}`,
		Remedies: append(keepAliveRemedies(), timeoutRemedy()),
		Explains: related(nil, "net-dns-tls"), Absorbs: related(SameFunction, "cpu-hot-function"), NeedsPlace: true,
		Follows: "a connection whose answer is not read to its end is not used again", Run: runNetNoKeepAlive,
	}
}

const (
	requestBytes = 4 << 10 // about what net/http's client allocates for a request with a short answer: 3.8 KiB
	mostOpen     = 0.5     // share of requests from which on connections are not kept, rather than too few for a burst
)

// forgetsBodies reports whether connections wait for a response that nobody reads and closes: then the client is at
// fault, even if few of its requests are affected, such as rejected ones.
func forgetsBodies(r *Reading) bool {
	set := r.Goroutines()
	return set != nil && connLeakScale().Score(float64(unusedConns(r, set, connKinds()[0]))) >= worthKnowing
}

// openedFor is how many of the requests opened a connection, in words: what a request allocates is known too roughly
// for a number.
func openedFor(share float64) string {
	if share >= mostOpen {
		return "nearly every request"
	}
	return "some of its requests"
}

func runNetNoKeepAlive(_ context.Context, r *Reading) Answer {
	perSecond, dials, share, set := dialRate(r)
	rateScore, opened := 0, 1.0
	if dials >= minDials {
		if opened = share; opened >= mostOpen || forgetsBodies(r) {
			rateScore = dialScale().Score(perSecond)
		}
	}
	cpuShare, cpuScore := dialCPU(r)
	score := min(max(rateScore, cpuScore), capUnsure)
	if rateScore >= worthKnowing && cpuScore >= worthKnowing {
		score = max(rateScore, cpuScore)
	}
	if v := r.cpu(); v != nil {
		score = min(score, max(v.level.cap(), min(rateScore, capNotice)))
	}
	if score < worthKnowing {
		return firstFound(r, poolDials, clientDials, opensForEach)
	}
	callers, from := httpCallers(r)
	var texts []string
	if rateScore > 0 {
		texts = append(texts, fmt.Sprintf("about %s connections a second were opened", count(perSecond)))
	}
	if cpuShare > 0 {
		texts = append(texts, fmt.Sprintf("opening connections took %s of the CPU", percent(cpuShare)))
	}
	f := casefile.Finding{Score: score, Confidence: 0.8, Remedies: remediesAt("", keepAliveRemedies()...),
		Title:   "The HTTP client opens a connection for " + openedFor(opened),
		Summary: fmt.Sprintf("In net/http's client %s; the lines named call it.", joined(texts...)),
		Explanation: "A connection costs a round trip before the first byte, with TLS two or three and about a millisecond " +
			"of CPU on each side; then the kernel keeps its port for a minute. One that is kept costs none of that.",
	}
	if f.Where = r.Frames(callers, 3, from, "calls the HTTP client"); len(f.Where) == 0 {
		f.Where = dialer(r, set)
	} else {
		f.Title = fmt.Sprintf("The HTTP client at %s opens a connection for %s", r.Place(callers[0].Key), openedFor(opened))
	}
	if set != nil {
		f.Evidence = Basis(set)
	}
	f.Impact = onLatency(cpuShare, joined(texts...))
	if cpuShare > 0 {
		f.Evidence = addBasis(f.Evidence, Basis(r.cpu().set))
		f.Impact.Resource, f.Impact.Gain = effectCPU, keptGain(cpuShare)
	}
	switch {
	case madeTransports(r):
		f.Summary += " Transports are made, or closed by CloseIdleConnections, while it runs: a separate client for " +
			"each call keeps no connection for the next."
		f.Remedies[0], f.Remedies[1] = f.Remedies[1], f.Remedies[0]
	case !forgetsBodies(r):
		mayTimeOut(r, &f, perSecond, opened)
	}
	return found(f)
}

// opensForEach is requests most of which wait until their client has opened a connection, in both of the last two
// captures: half as many goroutines at least open one there, and nobody keeps them from it.
func opensForEach(r *Reading) (f casefile.Finding, ok bool) {
	g := r.waits()
	last := len(g.Moments) - 1
	i := slices.IndexFunc(g.Piles, func(p *wait.Pile) bool {
		return p.Request && p.For == wait.Place && p.Line != stacks.NoFrame &&
			r.Table.Has(p.Inner(), withWork(known.SpeaksHTTP))
	})
	if i < 0 || last < 1 {
		return f, false
	}
	p, opens := g.Piles[i], make([]int64, len(g.Moments))
	for _, d := range g.Piles {
		if !d.Request && r.Table.Has(d.Stack, withWork(known.DialsForHTTP)) {
			for m, n := range d.N {
				opens[m] += n
			}
		}
	}
	for m := last - 1; m <= last; m++ {
		if p.N[m] < fewCalls || 2*p.N[m] < g.Requests[m] || 2*opens[m] < p.N[m] {
			return f, false
		}
	}
	at := lineText(r, p)
	a := waitAnswer{waiters: []*wait.Pile{p}, n: p.Last(), limit: capUnsure, places: placesOf(p, "waits for a "+
		"connection"), score: max(lockWaiterScale().Score(float64(p.Last())), scoreOfAll),
		title: fmt.Sprintf("%s wait at %s until a connection is opened", waiting(g, p.Last()), at),
		summary: fmt.Sprintf("%s wait at %s until their client has opened a connection, and %s goroutines open one; "+
			"%s did in the first capture. So calls find none that was kept.", waiting(g, p.Last()), at, count(opens[last]),
			count(p.N[0])), why: "A connection costs a round trip before the first byte, with TLS two or three and CPU " +
			"on both sides. One that is kept costs none of that.", remedies: remediesAt(at, keepAliveRemedies()...)}
	if madeTransports(r) {
		a.remedies[0], a.remedies[1] = a.remedies[1], a.remedies[0]
	}
	return a.finding(r), true
}

// madeTransports reports whether the CPU profile, or what was allocated between two heap profiles, shows what an
// http.Transport does once in its life: setting itself up, and closing its idle connections at the end.
func madeTransports(r *Reading) bool {
	once := r.Funcs(withWork(known.SetsUpTransport))
	sets := []*stacks.Set{r.Gained(casefile.Heap, casefile.Allocs)}
	if v := r.cpu(); v != nil {
		sets = append(sets, v.set)
	}
	return slices.ContainsFunc(sets, func(set *stacks.Set) bool {
		return set != nil && slices.ContainsFunc(set.Samples, func(s stacks.Sample) bool { return once.In(r.Table, s.Stack) })
	})
}

// dialer is net/http's own function: the only name if no call of the client shows.
func dialer(r *Reading, set *stacks.Set) []casefile.Frame {
	if v := r.cpu(); v != nil {
		set = v.set
	}
	if set == nil {
		return nil
	}
	return placeIn(r, set, withWork(known.DialsForHTTP), "opens connections; a heap profile shows which code asks")
}

// dialRate is the connections opened a second, from what dialConn allocated between two heap profiles (a reader and a
// writer of 4 KiB each), and about the share of the client's requests that opened one, by what else was allocated for
// them.
func dialRate(r *Reading) (perSecond, sampledDials, share float64, set *stacks.Set) {
	set = r.Gained(casefile.Heap, casefile.Allocs)
	if set == nil || set.Seconds <= 0 {
		return 0, 0, 0, nil
	}
	dial, buffer := r.Funcs(withWork(known.DialsForHTTP)), r.Funcs(withWork(known.SizesBuffer))
	request := r.Funcs(withWork(known.RoundTripsHTTP, known.ReadsForHTTP, known.WritesForHTTP))
	buffers, requests := 0.0, 0.0
	for s, n := range set.Counted(stacks.ByValue(set.Value("alloc_space", "bytes"))) {
		if dials := dial.In(r.Table, s.Stack); dials && buffer.In(r.Table, s.Stack) {
			buffers += float64(n)
		} else if !dials && request.In(r.Table, s.Stack) {
			requests += float64(n)
		}
	}
	return buffers / dialBuffers / set.Seconds, buffers / set.Rate(),
		min(buffers/dialBuffers/max(requests/requestBytes, 1), 1), set
}

// dialCPU is the CPU of opening connections.
func dialCPU(r *Reading) (float64, int) {
	v := r.cpu()
	if v == nil || v.samples < minCPUSamples || v.level.idle() {
		return 0, 0
	}
	share := r.Funcs(withWork(known.DialsForHTTP)).Sum(v.set, v.weight) / max(v.total, 1)
	return share, min(dialCPUScale().Score(share), v.level.cap())
}

// httpCallers are the user's lines that call the HTTP client, by the bytes that their calls allocated, otherwise by
// their CPU.
func httpCallers(r *Reading) (es []stacks.Entry[stacks.FrameID], total float64) {
	line := r.Funcs(withWork(known.AsksHTTP, known.RoundTripsHTTP)).Line(r.Table)
	sets := []*stacks.Set{r.Gained(casefile.Heap, casefile.Allocs)}
	if h := r.heap(); h != nil {
		sets = append(sets, h.set)
	}
	for _, set := range slices.DeleteFunc(sets, func(s *stacks.Set) bool { return s == nil }) {
		if es = stacks.SumBy(set, stacks.ByValue(set.Value("alloc_space", "bytes")), line); len(es) > 0 {
			break
		}
	}
	if v := r.cpu(); len(es) == 0 && v != nil {
		es = stacks.SumBy(v.set, v.weight, line)
	}
	return es, max(stacks.SumOf(es), 1)
}

func keepAliveRemedies() []Remedy {
	return []Remedy{
		byChange("", "Read the body to its end, and close it", "defer resp.Body.Close() after the error check, and "+
			"io.Copy(io.Discard, …) the rest, even if the status is not 200: a json.Decoder stops before the end.",
			"none; limit how much you read of long responses").needs(casefile.NeedsBodyLeft),
		byChange("", "One client for the process", "Make an http.Client and its Transport once; they are safe for "+
			"concurrent use; do not set DisableKeepAlives or Request.Close, nor call CloseIdleConnections.",
			"none").needs(casefile.NeedsManyClients),
		byValue("", "MaxIdleConnsPerHost=100", "A Transport keeps 2 idle connections per host by default; set about as many "+
			"as there are concurrent requests to it, and MaxIdleConns higher.", "idle connections on both sides").sets(
			"net/http.Transport.MaxIdleConnsPerHost=100"),
	}
}

// slowCall is the mean of calls, in seconds, from which on half may end at a timeout. Few are below 100 ms.
const slowCall = 0.05

// mayTimeOut puts what keeps connections of slow calls first, if calls take long: HTTP/1.1 cannot use one again
// whose call was given up; and of many slow calls more come back at once than are kept. A trace shows which calls end by
// a deadline; without one the remedy says how to tell. By Little's law those in progress, divided by the calls a second,
// take as long.
func mayTimeOut(r *Reading, f *casefile.Finding, dials, opened float64) {
	set, calls, keep := r.Goroutines(), dials/opened, keepAliveRemedies()
	if set == nil || calls <= 0 {
		return
	}
	in := r.Funcs(withWork(known.AwaitsHTTP)).Sum(set, set.Count())
	mean := in / calls
	slow := in >= minDials && mean >= slowCall
	if slow {
		f.Summary += fmt.Sprintf(" Calls are slow: with %s in progress one takes about %s.", count(in),
			number.Seconds(float64(int(100*mean))/100))
		f.Remedies = remediesAt("", timeoutRemedy(), keep[2], keep[0], keep[1])
	}
	s := r.Summary()
	switch each := dialsPerCall(s); {
	case each == 0 || slow && 4*endedByDeadline(r, s) >= dials*s.Span.Seconds():
	case each < everyCall: // some are kept, and not enough
		f.Summary += fmt.Sprintf(" In the trace %s of the calls opened one: the others found one that was kept.", percent(each))
		f.Remedies = remediesAt("", keep[2], keep[0], keep[1], timeoutRemedy())
	default:
		f.Remedies = remediesAt("", keep[0], keep[1], keep[2], timeoutRemedy())
	}
}

// everyCall is from how many connections a call on none is ever kept: whatever the pool's size, it keeps two.
const everyCall = 0.95

// dialsPerCall is how many connections net/http's client opened in a trace for each of its calls; 0 where that is not
// known.
func dialsPerCall(s *traces.Summary) float64 {
	calls := ofKind(s, "net/http client")
	if calls < syscallRequests {
		return 0
	}
	return float64(max(ofKind(s, "dial"), ofKind(s, "TLS handshake"))) / float64(calls)
}

// endedByDeadline is how many calls of requests a deadline ended in a trace.
func endedByDeadline(r *Reading, s *traces.Summary) (n float64) {
	for _, a := range tracedAsks(r, s) {
		n += float64(a.cut.Count)
	}
	return n
}

// timeoutRemedy is for calls that are given up.
func timeoutRemedy() Remedy {
	return byChange("", "See whether calls end at their timeout", "HTTP/1.1 closes the connection of a call that is "+
		"cancelled or runs into its deadline. Count such errors at the lines named. If they are about as many as the "+
		"connections, make the other side faster, wait longer, send a second call when the first is late "+
		"(github.com/gocasebook/casebook/remedy/hedge), or stop calling what is down (github.com/sony/gobreaker). If "+
		"there are few, more come back at once than MaxIdleConnsPerHost keeps.", "none; it is a look at errors")
}
