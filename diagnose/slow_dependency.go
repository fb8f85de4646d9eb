package diagnose

import (
	"context"
	"fmt"
	"time"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose/stacks"
	"github.com/gocasebook/casebook/diagnose/traces"
	"github.com/gocasebook/casebook/internal/number"
	"github.com/gocasebook/casebook/vitals"
)

// slowTailScale is in times the median that the slowest hundredth takes. Requests of one kind that wait for nothing but
// each other are within ten times. At fifty, what the median says is of no use to who plans a timeout.
func slowTailScale() Scale { return Scale{Worth: 10, Hurts: 50, Top: 200} }

const (
	tailRate    = 100.0 // requests per second; below it the 99th percentile of a second is one request
	tailSamples = 10    // of vitals, at least
	tailSpan    = time.Minute
	tailErrors  = 0.001 // of the requests: what most objectives allow for a month
	tailFew     = 0.05  // of the requests: a second call is sent when 95 % have answered, which is too late for more
	tailHere    = 1.5   // times the median that a request is at the line, in the mean: the rest are the slow ones
	tailMost    = 0.5   // of the requests in progress are at the line
	tailWrites  = 1.5   // writes by request: an answer and a call; with fewer only some requests call
)

func slowDependency() Detector {
	return Detector{
		ID:    "NET004",
		Kind:  "slow-dependency",
		Title: "Requests wait for a service that answers slowly",
		Text: fmt.Sprintf(`Three kinds of evidence show it. First the signals of requests, a tail: in the last minute of
vitals the slowest hundredth takes ten times the median or more, and 20 ms, at 100 requests per second or more. The
process does not lack CPU, and the tail does not
come at the same moment of each period. Most of the requests in progress, over all goroutine profiles of the case, wait
for another service at one line; and by Little's law (those at the line, divided by the requests per second) a request
is there for 1.5 times the median or more in the mean, which the slow calls alone can make. Worth knowing from ten times
the median, hurting from fifty, up to 74, because requests may differ in what they ask for. 1 ‰ of the requests or more
must fail: a tail alone is normal where a cache answers most of them. Where 5 %% or more fail, it is not a few calls
that are slow: the other service is down, or too slow for the timeout, and a second call would wait as long. Where the
process writes fewer than 1.5 times by request, only some requests call, and the tail is theirs.

Second an execution trace: calls of requests, in their own goroutines or in those that they start, that wait for an
answer below one line. Both measures count, the lower one: 0.1 s a call on average is worth knowing and 1 s hurts, and
so do 25 %% and 75 %% of the time of all requests. At least 20 calls must be in the trace. Waiting for a message of a
queue, for a stream or for a connection of a pool is none for an answer. From %d calls by request on it is
net-round-trips.

Third, without a trace, goroutine profiles: in each of two or more, ten requests or more wait for an answer at one line,
which are half of those in progress or more. How long is bounded by the kernel's count of writes (write_calls): a call
and the answer to its request are two writes, so each waits at least twice their number by that rate. The same limits
of time; up to 74.

It cannot tell why some calls are slow: replicas that collect garbage, a lost packet, a lock in the other service. A
second call helps where the slowness is of the replica and not of what is asked for.`, tracedTrips),
		Needs: []Need{{Kinds: []string{traces.KindSummary, casefile.Goroutine},
			Reason: "no execution trace, goroutine profile or dump", Capture: captureTrace}},
		Before:   `resp, err := client.Do(req) // 3 of 100 take 50 times as long as the rest`,
		After:    `resp, err := hedge.Do(ctx, policy, call) // a second one when the first is late`,
		Explains: related(nil, "goroutine-surge"),
		IsQueue:  true,
		Run:      runSlowDependency,
	}
}

// A tail is what the vitals say of requests, the mean of each.
type tail struct {
	p50, p99, rate, errors float64
	writes                 float64 // system calls that write, by request; 0 where that is not known
}

// tail is that of the last minute; ok is false if the slowest are not that slow.
func (r *Reading) tail() (t tail, ok bool) {
	if len(r.Vitals) == 0 {
		return t, false
	}
	last := r.Vitals
	for last[0].Time.Before(r.Vitals[len(r.Vitals)-1].Time.Add(-tailSpan)) {
		last = last[1:]
	}
	if len(last) < tailSamples {
		return t, false
	}
	ok = true
	for to, id := range map[*float64]vitals.ID{&t.p50: vitals.HTTPLatencyP50, &t.p99: vitals.HTTPLatencyP99,
		&t.rate: vitals.HTTPRate} {
		mean, known := meanOf(last, id)
		*to, ok = mean, ok && known
	}
	t.errors, _ = meanOf(last, vitals.HTTPErrors)
	if writes, known := meanOf(last, vitals.WriteCalls); known && t.rate > 0 {
		t.writes = writes / t.rate
	}
	return t, ok && t.rate >= tailRate && t.p50 > 0 && t.p99 >= spikeFelt && t.times() >= slowTailScale().Worth
}

// times is how many times the median the slowest hundredth takes.
func (t tail) times() float64 { return t.p99 / t.p50 }

// fails reports whether more requests fail than an objective allows, and yet few.
func (t tail) fails() bool { return t.errors >= tailErrors && t.errors < tailFew }

func runSlowDependency(_ context.Context, r *Reading) Answer {
	if f, ok := slowFew(r); ok {
		return found(f)
	}
	if len(r.Moments()) > 0 && len(withoutTimes(r).Findings) > 0 {
		return Answer{} // goroutine-stuck says since when
	}
	if s, _ := r.trace(); s == nil {
		return slowCrowd(r)
	}
	if c, ok := r.slowAsk(); ok {
		return found(c.finding(r))
	}
	return Answer{}
}

// slowFew answers from the signals of requests: a few of the calls are slow.
func slowFew(r *Reading) (casefile.Finding, bool) {
	t, ok := r.tail()
	if !ok || !t.fails() || strain(r) != "" || r.spikes() != nil {
		return casefile.Finding{}, false
	}
	if t.writes > 0 && t.writes < tailWrites {
		return casefile.Finding{}, false // the quick requests are those that a cache answers
	}
	a := r.awaited()
	if a.most == nil || float64(a.n) < tailMost*float64(a.requests) ||
		a.mean() < tailHere*t.p50*t.rate {
		return casefile.Finding{}, false
	}
	return slowDependencyFinding(r, t, a), true
}

// An awaitedLine is the line at which most requests wait for another service, over all goroutine profiles.
type awaitedLine struct {
	most        *pile
	n, requests int64 // at the line, and in progress, in all profiles
	sets        []*stacks.Set
}

// mean is how many requests are at the line in a profile.
func (a awaitedLine) mean() float64 { return float64(a.n) / float64(max(len(a.sets), 1)) }

func (r *Reading) awaited() (a awaitedLine) {
	at := map[stacks.FrameID]int64{}
	for _, set := range r.Moments() {
		a.sets = append(a.sets, set)
		for _, p := range r.piles(set) {
			if !r.isRequest(p) {
				continue
			}
			a.requests += p.n
			if r.callsWhat(p.stack) == "" || p.wait.ForLock() || !awaitsAnswer(r, p) {
				continue
			}
			if at[p.at] += p.n; at[p.at] > a.n {
				a.most, a.n = p, at[p.at]
			}
		}
	}
	return a
}

func slowDependencyFinding(r *Reading, t tail, a awaitedLine) casefile.Finding {
	at, calls := r.Place(a.most.at), r.callsWhat(a.most.stack)
	f := casefile.Finding{
		Title: fmt.Sprintf("A few calls at %s take %s, half of all %s", at, seconds(t.p99), seconds(t.p50)),
		Score: min(slowTailScale().Score(t.times()), capUnsure), Confidence: 0.8,
		Summary: fmt.Sprintf("At %s requests per second half take %s and the slowest hundredth %s, %s times as long; "+
			"%s of the requests fail. %s of the %s requests found in progress wait for %s at %s, and the process has "+
			"CPU to spare.", count(t.rate), seconds(t.p50), seconds(t.p99), number.Digits(t.times()),
			number.Share(t.errors),
			count(float64(a.n)), count(float64(a.requests)), calls, at),
		Explanation: "If the slow calls ask for the same as the others, the other side is slow now and then for a " +
			"reason of its own: a collection, a moment without CPU, a lost packet. Another replica answers the same " +
			"call at once.",
		Where: a.most.places(r, float64(max(a.requests, 1)), "waits here"),
	}
	for _, set := range a.sets {
		f.Evidence = append(f.Evidence, Basis(set)...)
	}
	f.Impact = casefile.Impact{Resource: "latency", Share: roundShare(1 - 1/t.times()), Text: fmt.Sprintf(
		"one request in a hundred takes %s or longer", seconds(t.p99)), Gain: t.hedged()}
	wait, why := t.delay(r, a.most.at)
	f.Remedies = slowDependencyRemedies(at, wait, why)
	return f
}

// hedgeAfter is after how many medians a second call is sent, to begin with.
const hedgeAfter = 5

// hedged is the gain of a second call: late requests take the wait and a median. The wait is between two medians and
// eleven: where nine tenths of the calls are quick, 95 % have come by then.
func (t tail) hedged() casefile.Gain {
	high, low := 1-3/t.times(), max(1-12/t.times(), 0)
	low = max(low, high/3)
	return casefile.Gain{Low: roundShare(low), High: roundShare(high), Arithmetic: fmt.Sprintf(
		"a second call after 2 to 11 times the median of %s, answered in a median, instead of %s", seconds(t.p50),
		seconds(t.p99))}
}

// delay is after which time a second call is sent, by a trace of the calls at this line, or, as the signals have no
// 95th percentile, by the median of the requests.
func (t tail) delay(r *Reading, at stacks.FrameID) (wait time.Duration, why string) {
	times := traces.Times{P50: time.Duration(t.p50 * float64(time.Second))}
	if s, _ := r.trace(); s != nil {
		f := r.Frame(at, 0, "")
		for _, w := range s.Blocking {
			l, ok := r.tracedLine(w.Stack)
			if ok && l.Function == f.Function && l.Line == f.Line && w.Times.Count >= max(hedgeCalls, times.Count) {
				times = w.Times
			}
		}
	}
	return hedgeDelay(times)
}

// hedgeCalls is how many calls a 95th percentile is read from: five of them are later.
const hedgeCalls = 100

func slowDependencyRemedies(at string, wait time.Duration, why string) []casefile.Remedy {
	return []casefile.Remedy{
		takePackage("Send a second call when the first is late", fmt.Sprintf("At %s: "+
			"github.com/gocasebook/casebook/remedy/hedge measures after which time 95 %% have answered and sends one "+
			"call in twenty again, to another replica. By hand: begin with %s (%s). The call must be safe to "+
			"repeat.", at, number.Setting(wait), why), "up to a twentieth more calls"),
		doChange("Look at the service that is called", "Its own percentiles, by replica: if they show the tail too, "+
			"it is made there; if not, on the way.", "none"),
		doChange("Keep answers", fmt.Sprintf("What is kept is not called for "+
			"(github.com/gocasebook/casebook/remedy/cache), at %s.", at), "answers are as old as the lifetime allows"),
	}
}
