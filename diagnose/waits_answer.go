package diagnose

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose/known"
	"github.com/gocasebook/casebook/diagnose/stacks"
	"github.com/gocasebook/casebook/diagnose/traces"
	"github.com/gocasebook/casebook/diagnose/wait"
	"github.com/gocasebook/casebook/internal/number"
	"github.com/gocasebook/casebook/vitals"
)

// Requests that wait for another service's answer: most of those in progress do, at one line. Whether that is a fault
// the number of goroutines does not say; what clients meet does: they fail, they wait for longer than before, their
// number mounts, or a few of them are late.

// An awaiting is the requests in progress by what they wait for, in the last capture.
type awaiting struct {
	most     *wait.Pile // at the line where most wait for an answer; nil without one
	n        int64      // at that line
	requests int64      // that have what they need of this process, the others included
	queued   int64      // beside these, for a place of a pool: those at the line may hold it meanwhile
	places   map[stacks.FrameID]int64
}

func mostAwaited(r *Reading) awaiting {
	a := awaiting{places: make(map[stacks.FrameID]int64)}
	for _, p := range r.waits().Piles {
		n := p.Last()
		if n == 0 || !p.Request || p.Line == stacks.NoFrame || isSession(r, p.Stack, n) {
			continue
		}
		if _, pool := poolOf(r.Table, p.Stack); pool && p.For == wait.Place {
			a.queued += n
			continue
		}
		a.requests += n
		if asks(r, p) {
			if a.places[p.Line] += n; a.places[p.Line] > a.n {
				a.most, a.n = p, a.places[p.Line]
			}
		}
	}
	return a
}

// asks reports whether goroutines wait for the answer to a call, of whatever client or of the user's own code, and not
// for their own client: for the network below the user's line without the server's own connection.
func asks(r *Reading, p *wait.Pile) bool {
	switch p.Park {
	case stacks.WaitSelect:
		return callsWhat(r, p.Stack) != ""
	case stacks.WaitNetwork:
		return !r.Table.Has(p.Inner(), func(f *stacks.Func) bool {
			return f.Does(known.OfRequestConn) || strings.Contains(f.Package, "websocket")
		})
	}
	return false
}

// finding is what all of these say; the caller adds what is known of clients.
func (a *awaiting) finding(r *Reading, score int, title, summary string, remedies []casefile.Remedy) casefile.Finding {
	n := count(a.n)
	f := waitAnswer{waiters: []*wait.Pile{a.most}, n: a.n, limit: capUnsure, score: score, title: title,
		places: placesOf(a.most, "waits here"), summary: fmt.Sprintf("%s of the %s requests in progress wait for %s at %s; "+
			"%s", n, count(a.requests), cmp.Or(callsWhat(r, a.most.Stack), "another service"), r.Place(a.most.Line), summary),
		impact: n + " requests wait at this line", remedies: remedies,
		why: "The process only waits. Each request holds its goroutine, its connection and all that it refers to until the " +
			"other side answers or a deadline passes."}.finding(r)
	if r.Table.Has(a.most.Inner(), withRole(known.OpensForCaller)) { // there are more of them than a pool keeps
		f.Summary += " They wait until a connection has been opened for them, and have not asked yet."
		f.Remedies = append([]casefile.Remedy{boundPool(r.Place(a.most.Line))}, remedies...)
	}
	f.Confidence, f.Impact.Share = 0.8, roundShare(float64(a.n)/float64(max(a.requests, 1)))
	return f
}

// withoutTimes is what can be said of requests whose waiting times are not known, or short: the first that holds.
func withoutTimes(r *Reading) Answer {
	a := mostAwaited(r)
	for _, judge := range []func(*Reading, *awaiting) (casefile.Finding, bool){noAnswers, failingAnswers, pilingUp, slowAnswers} {
		if f, ok := judge(r, &a); ok {
			return found(f)
		}
	}
	return Answer{}
}

// unheardSpan and unheardPart are how long a trace must last, and which part of the time of those that wait for answers
// in it may be of answers that came.
const (
	unheardSpan = 5 * time.Second
	unheardPart = 0.1
)

// unheard is how many of a pile's goroutines wait for answers that do not come, by Little's law: in a trace the waits
// that end are too few and short for as many as the captures show at the line; 0 where the trace does not tell.
func unheard(r *Reading, p *wait.Pile) int64 {
	s, ended := r.Summary(), time.Duration(0)
	for w := range r.WaitsAt(s, p.Line) {
		ended += w.Times.Total
	}
	before := p.N[max(len(p.N)-2, 0)]
	if s.Span < unheardSpan || float64(ended) > unheardPart*float64(min(before, p.Last()))*float64(s.Span) {
		return 0
	}
	return min(before, p.Last())
}

// noAnswers: calls at a line that nobody answers, and nothing ends, beside others of it that are quick, or without.
func noAnswers(r *Reading, all *awaiting) (casefile.Finding, bool) {
	for _, p := range r.waits().Piles {
		if !p.Request || p.Line == stacks.NoFrame || !asks(r, p) || p.Last() < waitersLeast || unheard(r, p) < waitersLeast ||
			isSession(r, p.Stack, p.Last()) || awaitsNews(r.Table, p.Stack) || r.silent()[r.module(p.Stack)] ||
			r.Table.Has(p.Stack, withWork(known.PassesStream)) {
			continue
		}
		at, own := r.Place(p.Line), awaiting{most: p, n: p.Last(), requests: all.requests}
		return own.finding(r, min(lockWaiterScale().Score(float64(p.Last())), capUnsure), fmt.Sprintf(
			"%s requests wait at %s for answers that do not come", count(p.Last()), at), fmt.Sprintf("none of these ended in "+
			"the trace of %s, and nothing ends such a wait: %s did in the first capture.", seconds(r.Summary().Span),
			count(p.N[0])), deadlineRemedies(at)), true
	}
	return casefile.Finding{}, false
}

// failingScale is in shares of the requests that fail. One in twenty is what a rule trips on; of three in ten everybody
// who uses the service has seen one.
func failingScale() Scale { return Scale{Worth: 0.05, Hurts: 0.3, Top: 1} }

const (
	failingSamples = 5    // of requests that failed, at least
	failingRate    = 10.0 // requests per second; below it a share of a few seconds is chance
	failingLeaves  = 10.0 // seconds: who waits longer leaves by hanging, not by failing
	deadlineAll    = 0.9  // of the requests fail: then nobody gets an answer in time
)

// failingNow is which share of the last requests failed, and how many came a second; false where few come or few fail.
func failingNow(r *Reading) (share, rate float64, ok bool) {
	failed, answered, n := 0.0, 0.0, 0
	for _, s := range r.Vitals[max(len(r.Vitals)-poolWindow, 0):] {
		bad, known := s.Get(vitals.HTTPErrors)
		each, rated := s.Get(vitals.HTTPRate)
		if known && rated {
			failed, answered, n = failed+bad*each, answered+each, n+1
		}
	}
	if n < failingSamples || answered < failingRate*float64(n) {
		return 0, 0, false
	}
	return failed / answered, answered / float64(n), failed >= failingScale().Worth*answered
}

// failingAnswers: a part of the requests fails, and most of them wait for an answer for as long as clients wait for it.
// By Little's law those at the line, divided by the requests a second, are the time of a call, and it must be long: a
// service that fails at once leaves nobody waiting. A process that is short of CPU is late by itself.
func failingAnswers(r *Reading, a *awaiting) (casefile.Finding, bool) {
	share, rate, ok := failingNow(r)
	took := float64(a.n) / max(rate, 1e-9)
	if !ok || a.n < riseLeast || 2*a.n < a.requests+a.queued || took < slowCall || took > failingLeaves || strain(r) != "" {
		return casefile.Finding{}, false
	}
	at := r.Place(a.most.Line)
	title := fmt.Sprintf("%s of requests fail while they wait for a slow answer at %s", percent(share), at)
	if share >= deadlineAll {
		title = fmt.Sprintf("Nearly all requests end at their deadline, after about %s at %s", seconds(took), at)
	}
	return a.finding(r, min(failingScale().Score(share), capUnsure), title, fmt.Sprintf("at %s requests per second that "+
		"is %s each. %s of the requests fail meanwhile, and the process has CPU to spare: the other side takes as long as "+
		"the caller waits, and each request pays the whole timeout for nothing.", count(rate),
		number.Seconds(float64(int(100*took))/100), percent(share)), []casefile.Remedy{
		doChange("Ask less often: keep the answers", fmt.Sprintf("At %s: what was answered lately answers the next who "+
			"asks (github.com/gocasebook/casebook/remedy/cache), and an old answer is better than none while the service "+
			"is late.", at), "answers are as old as the lifetime allows; of no use for calls that change something"),
		deadlineRemedies(at)[1]}), true
}

// pilingUp: requests come to a line and do not leave it.
func pilingUp(r *Reading, a *awaiting) (casefile.Finding, bool) {
	for _, p := range r.waits().Piles {
		n := a.places[p.Line]
		g := riseOver(r, func(s *stacks.Set) int64 { return r.NumberAt(s, p.Line) })
		if n == 0 || !asks(r, p) || g.before < riseLeast || g.after <= 2*g.before || !g.significant || !g.steadily {
			continue
		}
		at, own := r.Place(p.Line), awaiting{most: p, n: n, requests: a.requests}
		f := own.finding(r, min(lockWaiterScale().Score(float64(n)), capUnsure), fmt.Sprintf(
			"Requests pile up at %s: %s wait", at, count(n)), g.String()+". They come faster than they leave: "+
			"what they wait for has become slow or does not answer, and nothing ends the wait.", deadlineRemedies(at))
		f.Confidence = 0.7
		return f, true
	}
	return casefile.Finding{}, false
}

// boundPool is for a pool that opens a connection for whoever finds none idle.
func boundPool(at string) casefile.Remedy {
	return setValue("Bound the pool, and keep what it opens", fmt.Sprintf("Where the pool that %s asks is made: "+
		"SetMaxOpenConns, below what the server takes for all instances, and SetMaxIdleConns as high (of other pools the "+
		"settings with such names). Without a limit each call that finds no idle connection opens one, and with two idle "+
		"ones nearly each does.", at), "calls wait for a connection at peaks")
}

// deadlineRemedies are for calls that hang.
func deadlineRemedies(at string) []casefile.Remedy {
	return []casefile.Remedy{callDeadline(at), doChange("Stop calling a service that does not answer", "A circuit "+
		"breaker (github.com/sony/gobreaker) fails at once while the other side is down, and lets a trial request "+
		"through now and then.", "some requests fail that might have succeeded")}
}

// slowAnswers: answers have become late. One capture is enough, since the vitals show the time before.
func slowAnswers(r *Reading, a *awaiting) (casefile.Finding, bool) {
	s, ok := becameLate(r)
	if !ok || a.most == nil || a.n+a.queued < riseLeast || 2*a.n < a.requests {
		return casefile.Finding{}, false
	}
	at, n := r.Place(a.most.Line), count(a.n)
	remedies, summary := deadlineRemedies(at), fmt.Sprintf("%s %s at first and %s now.", s.name, s.unit.Format(s.was),
		s.unit.Format(s.is))
	if a.queued > 0 {
		summary += fmt.Sprintf(" %s more wait for a connection of a pool, which these may hold meanwhile.", count(a.queued))
		remedies = []casefile.Remedy{doChange("Do not hold a connection meanwhile", fmt.Sprintf("At %s: make the call "+
			"before the transaction begins or after it has ended, so that no connection of the pool is held while another "+
			"service answers.", at), "the data read may be out of date when it is written"), remedies[0]}
	}
	f := a.finding(r, min(lockWaiterScale().Score(float64(a.n+a.queued)), capUnsure), fmt.Sprintf(
		"Requests wait for a slow answer at %s: %s of them", at, n), summary, remedies)
	f.Impact.Gain = casefile.Gain{Arithmetic: "with a deadline none of the " + n + " waits longer than that"}
	return f, true
}

// slowTailScale is in times the median that the slowest hundredth takes. Requests of one kind that wait for nothing but
// each other are within ten times. At fifty, what the median says is of no use to who plans a timeout.
func slowTailScale() Scale { return Scale{Worth: 10, Hurts: 50, Top: 200} }

const (
	tailRate   = 100.0       // requests per second; below it the 99th percentile of a second is one request
	tailSpan   = time.Minute // of vitals
	tailErrors = 0.001       // of the requests: what most objectives allow for a month
	tailFew    = 0.05        // of the requests: a second call is sent when 95 % have answered, which is too late for more
	tailHere   = 1.5         // times the median that a request is at the line, in the mean: the rest are the slow ones
	tailWrites = 1.5         // writes by request: an answer and a call; with fewer only some requests call
)

// A tail is what the last minute of vitals says of requests, the mean of each.
type tail struct{ p50, p99, rate, errors, writes float64 }

// lastMinute is false if the slowest requests are not that slow.
func lastMinute(r *Reading) (t tail, ok bool) {
	last := r.Vitals
	for len(last) > 0 && last[0].Time.Before(r.Vitals[len(r.Vitals)-1].Time.Add(-tailSpan)) {
		last = last[1:]
	}
	for to, id := range map[*float64]vitals.ID{&t.p50: vitals.HTTPLatencyP50, &t.p99: vitals.HTTPLatencyP99,
		&t.rate: vitals.HTTPRate, &t.errors: vitals.HTTPErrors, &t.writes: vitals.WriteCalls} {
		*to, _ = meanOf(last, id)
	}
	return t, len(last) >= poolWindow && t.rate >= tailRate && t.p50 > 0 && t.p99 >= spikeFelt &&
		t.times() >= slowTailScale().Worth
}

// times is how many times the median the slowest hundredth takes.
func (t tail) times() float64 { return t.p99 / t.p50 }

// hedged is the gain of a second call: late requests take the wait and a median. The wait is between two medians and
// eleven: where nine tenths of the calls are quick, 95 % have come by then.
func (t tail) hedged() casefile.Gain {
	high := 1 - 3/t.times()
	return saves(max(1-12/t.times(), high/3), high, fmt.Sprintf(
		"a second call after 2 to 11 medians of %s, answered in one, instead of %s", seconds(t.p50), seconds(t.p99)))
}

// slowFew: a few of the requests take far longer than the others, and what they wait for is one call. A tail alone is
// normal where a cache answers most of them: some must fail, and each must call.
func slowFew(r *Reading) (casefile.Finding, bool) {
	t, ok := lastMinute(r)
	a := mostAwaited(r)
	if !ok || t.errors < tailErrors || t.errors >= tailFew || t.writes > 0 && t.writes < tailWrites*t.rate || a.n == 0 ||
		2*a.n < a.requests || float64(a.n) < tailHere*t.p50*t.rate || strain(r) != "" || r.spikes() != nil {
		return casefile.Finding{}, false
	}
	at, times := r.Place(a.most.Line), t.times()
	remedies := slowCallRemedies(at, traces.Times{P50: time.Duration(t.p50 * 1e9), P99: time.Duration(t.p99 * 1e9)})
	f := a.finding(r, min(slowTailScale().Score(times), capUnsure), fmt.Sprintf("A few calls at %s take %s, half of all %s",
		at, seconds(t.p99), seconds(t.p50)), fmt.Sprintf("the slowest hundredth takes %s times the median, %s of the "+
		"requests fail, and the process has CPU to spare.", number.Digits(times), number.Share(t.errors)), remedies)
	t.hedge(&f)
	return f, true
}

// hedge puts a second call first, with its gain.
func (t tail) hedge(f *casefile.Finding) {
	f.Remedies[0], f.Remedies[2] = f.Remedies[2], f.Remedies[0]
	f.Impact.Share, f.Impact.Gain = roundShare(1-1/t.times()), t.hedged()
}
