package diagnose

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose/known"
	"github.com/gocasebook/casebook/diagnose/traces"
	"github.com/gocasebook/casebook/internal/number"
)

func slowDependency() Detector {
	return Detector{
		ID: "NET004", Kind: "slow-dependency",
		Title: "Requests wait for a service that answers slowly",
		Text: fmt.Sprintf(`The signals of requests show a tail: in the last minute of vitals the slowest hundredth takes
ten times the median or more, and 20 ms, 1 ‰ to 5 %% of them fail, and most of those in progress wait for another
service at one line. Worth knowing from ten times the median, hurting from fifty, up to 74. Without signals a trace
shows it, for a notice: at one stack the slowest hundredth of %d calls takes five times what 95 %% take, at %d moments.

A trace also shows calls that are all slow: 20 of requests or more, or 5 that are alike, which wait for an answer at one
line. The lower of two measures counts: 0.1 s a call on average is worth knowing and 1 s hurts, and so do 25 %% and 75
%% of the time of all requests. From %d calls by request on it is net-round-trips. Calls that their deadline ends,
greetings on new connections and calls for a log line are named as that.`, hedgeCalls, tailMoments, manyTrips),
		Needs: []Need{{Kinds: []string{traces.KindSummary, casefile.Goroutine},
			Reason: "no execution trace, goroutine profile or dump", Capture: captureTrace}},
		Before: `resp, err := client.Do(req) // 3 of 100 take 50 times as long as the rest`,
		After:  `resp, err := hedge.Do(ctx, policy, call) // a second one when the first is late`,
		Waits:  knowsWhat, IsQueue: true, Run: runSlowDependency,
	}
}

func runSlowDependency(_ context.Context, r *Reading) Answer {
	if f, ok := slowFew(r); ok {
		return found(f)
	}
	if len(r.Moments()) > 0 && len(withoutTimes(r).Findings) > 0 {
		return Answer{} // goroutine-stuck says since when
	}
	if f, ok := joinedFinding(r); ok {
		return found(f)
	}
	c, ok := worstAsk(r)
	if !ok {
		c, ok = lateAsk(r)
	}
	if ok {
		return found(c.finding(r))
	}
	return Answer{}
}

const (
	hedgeAfter  = 5   // medians, after which a second call is sent, to begin with
	hedgeCalls  = 100 // that a 95th percentile is read from: five of them are later
	slowTail    = 10  // times the median that the slowest hundredth must take for a second call to help
	tailMoments = 4   // at which the slowest requests must have come; a peer that stops for all who ask makes one
	fewCalls    = 5   // tell as much as many if no outlier makes their mean: then most take about as long
	outlier     = 3   // times the mean
)

// slowCallScale is in seconds that a call waits for its answer, on average: after 0.1 s people notice, after 1 s they
// lose their thread (Nielsen, Usability Engineering, 1993, chapter 5).
func slowCallScale() Scale { return Scale{Worth: 0.1, Hurts: 1, Top: 10} }

// enough reports whether the mean of the calls means anything.
func (a *tracedAsk) enough() bool {
	return a.calls >= syscallRequests || a.calls >= fewCalls && a.times.Max < outlier*a.mean()
}

// A slowAsk is the calls that requests wait for.
type slowAsk struct {
	tracedAsk
	share float64 // of the requests' time
	score int
	all   requestTimes
	join  joinedWait // where requests wait for goroutines that make them
	late  bool       // a few of them, now and then
}

// worstAsk finds the line whose calls the requests of a trace wait for; ok is false if they are not slow.
func worstAsk(r *Reading) (worst slowAsk, ok bool) {
	s := r.Summary()
	all := tracedRequests(s)
	if all.number < fewCalls {
		return worst, false
	}
	late, kept := gathering(s, r)
	turn, turns := oneAtATime(r, r.waits())
	for _, a := range tracedAsks(r, s) {
		each := float64(a.calls) / float64(all.number)
		if a.local || !a.enough() || each >= manyTrips {
			continue
		}
		j, took, mean := joinOf(r, s, a.begun, maxHands), a.self, a.mean()
		if took += j.took; j.took > 0 {
			mean = j.each()
		}
		if kept && late.line == a.at || turns && r.IsAt(turn.waiters[0].Line, a.at) {
			continue // a timer keeps the question back, or it answers one at a time
		}
		c := slowAsk{tracedAsk: *a, share: min(float64(took)/max(float64(all.took), 1), 1), all: all, join: j}
		c.score = min(slowCallScale().Score(mean.Seconds()), syscallShareScale().Score(c.share), capUnsure)
		if c.score >= worthKnowing && c.score > worst.score {
			worst, ok = c, true
		}
	}
	return worst, ok
}

// saysSlowest says of calls that are made at once, one by each goroutine, that a request waits for the slowest of them.
func (c *slowAsk) saysSlowest(r *Reading, f *casefile.Finding, place string) {
	join, _ := r.TracedLine(c.join.Stack)
	waits := c.join.waits()
	n := (c.join.n + waits/2) / waits
	if n < 2 || 2*c.calls < 3*waits {
		return
	}
	at, each := tracedPlace(join), seconds(c.join.each())
	f.Title = fmt.Sprintf("Requests wait %s at %s for the slowest of %s at once, at %s", each, at, things(n, "call"), place)
	f.Summary += fmt.Sprintf(" A request waits at %s until the last of %s has ended, %s: half of these take less than %s.", at,
		count(n), each, seconds(c.join.usual))
	f.Where = slices.Insert(f.Where, 0, tracedFrame(join, c.share, "waits for the slowest"))
	if 2*c.join.usual > c.join.each() {
		return // all of them take as long
	}
	f.Explanation = "Who waits for all is as late as the slowest, and the more are asked, the more often one is slow."
	f.Remedies = append([]casefile.Remedy{doChange("Go on without the slowest", fmt.Sprintf("At %s: if fewer than all are "+
		"enough (most of them, the first good answer, a page without one part), take answers from a channel with room for "+
		"all, and return when enough are there. What is left needs a context of its own (context.WithoutCancel) with a "+
		"deadline.", at), "the last answers are not seen"), inGeneral("See which of them is slow", fmt.Sprintf("Log the "+
		"address and the time of each call at %s: it may always be the same one.", place), "none")}, f.Remedies[1:]...)
}

// joinedAskOf finds the call of requests that others wait for, of those which take most of their time, if most requests
// do without: what is asked for is kept, and asked for again.
func joinedAskOf(r *Reading, s *traces.Summary, all requestTimes) (worst traces.Joined, call *tracedAsk) {
	for _, a := range tracedAsks(r, s) {
		j := s.Joined(a.stack, a.times.Max, func(w traces.Wait) (traces.Frame, bool) {
			at, ok := r.TracedLine(w.Stack)
			return at, ok && at != a.at && (w.Reason != "lock" || does(w.Stack, known.AwaitsGroup)) // a mutex is none
		}, servesTraced)
		if a.own && !a.local && a.calls >= fewCalls && j.Waits > a.calls && 2*(j.Waits+a.calls) <= all.number &&
			j.Waited > worst.Waited {
			worst, call = j, a
		}
	}
	return worst, call
}

// joinedFinding is a finding of requests that wait for another one's call; false if these waits are short or few.
func joinedFinding(r *Reading) (f casefile.Finding, ok bool) {
	all := tracedRequests(r.Summary())
	j, a := joinedAskOf(r, r.Summary(), all)
	if a == nil {
		return f, false
	}
	decides := j.At // who calls the function in which they wait, but no handler
	if by, known := tracedCaller(r, j.Stack, j.At); known && by.Function != outermost(j.Stack) {
		decides = by
	}
	n, took := j.Waits+a.calls, j.Waited+a.times.Total
	share, each := min(took.Seconds()/max(all.took.Seconds(), 1e-9), 1), took/time.Duration(n)
	score := min(slowCallScale().Score(each.Seconds()), syscallShareScale().Score(share), capUnsure)
	at, call, mean := tracedPlace(decides), tracedPlace(a.at), seconds(each)
	f = casefile.Finding{Score: score, Confidence: Confidence(share, float64(n)), Evidence: traceBasis(r),
		Title: fmt.Sprintf("Requests wait %s at %s for a call that one of them makes for all", mean, at),
		Summary: fmt.Sprintf("%s of %s make the call at %s or wait for another one's, %s each (%s of the time of all "+
			"requests): %s calls of %s, and %s waits for them.", things(n, "request"), count(all.number), call, mean,
			percent(share), count(a.calls), seconds(a.mean()), count(j.Waits)),
		Explanation: "That the call is made once for all spares the other side. But whoever comes while it is made waits " +
			"for it, each time that what is kept is too old.",
		Where: []casefile.Frame{tracedFrame(decides, share, "waits for what is asked anew"),
			tracedFrame(j.At, share, "waits for another's call"), tracedFrame(a.at, 0, "the call")},
		Impact: onLatency(share, mean+" of each of these requests", halfAtLeast(share, percent(share)+" of the requests' "+
			"time is this wait; none where an older answer is there"))}
	f.Remedies = []casefile.Remedy{
		doChange("Answer with the old one, and renew it in the background", fmt.Sprintf("At %s: where an answer is there "+
			"that is too old, give that, and let one goroutine ask anew (go, once for each key, with a context that does not "+
			"end with the request). Only who finds nothing waits.", at), "an answer may be older, by as long as the call takes"),
		doChange("Renew it before it is too old", fmt.Sprintf("For what is asked for all the time, a goroutine with a Ticker "+
			"that makes the call at %s for each key.", call), "calls for what nobody wants any more"),
	}
	return f, score >= worthKnowing
}

// lateAsk finds the stack at which a few calls come late and make the slowest requests: not the line, since a helper
// asks light and heavy questions; by the 95th percentile, since net/http's median is of waits until a question is sent.
func lateAsk(r *Reading) (c slowAsk, ok bool) {
	s := r.Summary()
	all := tracedRequests(s)
	c.score = min(slowTailScale().Score(all.tail().times()), capNotice)
	if c.score < worthKnowing || strain(r) != "" || r.spikes() != nil {
		return c, false
	}
	writes := tracedWrites(s)
	for _, w := range s.Blocking {
		a, asks := askAt(r, s, w, writes)
		// else the late ones may be those for whom a connection is opened first
		if t := w.Times; asks && !a.local && 100*dialled(s) < t.Count && a.calls >= hedgeCalls && t.P95 > 0 && t.P99 >= hedgeAfter*t.P95 &&
			t.P99.Seconds() >= spikeFelt && t.Total > c.times.Total && slowMoments(s, a.at, all.p99/2) >= tailMoments {
			c.tracedAsk, c.share, c.all, c.late = a, min(float64(t.Total)/float64(all.took), 1), all, true
		}
	}
	return c, c.late
}

// few says of calls of which a few come late what makes the slowest requests.
func (c *slowAsk) few(f *casefile.Finding, at string) {
	took, most := seconds(c.times.P99), seconds(c.times.P95)
	f.Title = fmt.Sprintf("A few calls at %s take %s or more, most less than %s", at, took, most)
	f.Summary = fmt.Sprintf("Of %s at %s a few wait %s or more for %s, now and then, and most less than %s. They make the "+
		"slowest of %s: one in a hundred takes %s, half take less than %s.", things(c.calls, "call"), at, took, c.what, most,
		things(c.all.number, "request"), seconds(c.all.p99), seconds(c.all.p50))
	f.Explanation = "What makes them slow is on the other side. If they ask for more, a second call is as slow."
	c.all.tail().hedge(f)
}

func (c *slowAsk) finding(r *Reading) casefile.Finding {
	place, mean := tracedPlace(c.at), seconds(c.mean())
	f := casefile.Finding{
		Title: fmt.Sprintf("Requests wait %s for %s at %s", mean, c.what, place),
		Score: c.score, Confidence: Confidence(c.share, float64(c.calls)),
		Summary: fmt.Sprintf("%s at %s wait %s each (p99 %s) for %s: %s of the time of %s.", things(c.calls, "call"), place,
			mean, seconds(c.times.P99), c.what, percent(c.share), things(c.all.number, "request")),
		Explanation: "The process only waits. If the other side answers when there is news, the wait is no fault.",
		Where:       []casefile.Frame{tracedFrame(c.at, c.share, "waits for the answer (share of the requests' time)")},
		Impact: onLatency(c.share, mean+" of each of these calls", halfAtLeast(c.share, fmt.Sprintf(
			"%s of the requests' time is this wait; half of it if every second call can be spared",
			number.Share(c.share)))),
		Evidence: traceBasis(r),
		Remedies: slowCallRemedies(place, c.times),
	}
	if c.what == greeting {
		f.Remedies[1] = doChange("Keep the connection", fmt.Sprintf("Around %s: keep connections that have been greeted in "+
			"a pool (a channel with some), and dial only if there is none.", place), "idle connections on both sides")
		f.Remedies[0], f.Remedies[1] = f.Remedies[1], f.Remedies[0]
	}
	if what := c.asked.Remedy(); what != "" {
		f.Remedies[0] = inGeneral("Look at what "+c.what+" does", fmt.Sprintf("For %s: %s.", place, what), "none")
	}
	moments := slowMoments(r.Summary(), c.at, c.all.p99/2)
	switch by, ok := loggedBy(r, c.stack); {
	case ok:
		c.logged(&f, place, by)
	case 2*c.cut.Waited >= c.times.Total:
		c.unanswered(&f, place)
	case c.late:
		c.few(&f, place)
	case 2*c.calls < c.all.number && moments > 0 && moments <= fewCalls: // and many of the slowest at each of few moments
		f.Remedies = slices.Insert(f.Remedies, 0, askOnce(place))
	default:
		c.saysSlowest(r, &f, place)
	}
	if c.stack[0] != c.at {
		if inner, ok := r.TracedLine(c.stack); ok && inner != c.at {
			f.Where = append(f.Where, tracedFrame(inner, c.share, "reads the answer"))
		}
	}
	f.Where = append(f.Where, tracedCalls(r, c.stack, c.at, c.share)...)
	return f
}

// askOnce is for calls that come together, of requests that mostly make none: as when what is kept has expired.
func askOnce(place string) casefile.Remedy {
	return doChange("One call for all who want the same", fmt.Sprintf("Most requests do without a call at %s, and those that "+
		"make one come together, as when what is kept expires: let the first ask and the others wait for its answer "+
		"(golang.org/x/sync/singleflight, or GetOrLoad of github.com/gocasebook/casebook/remedy/cache), or ask anew before it "+
		"expires. If each asks for something else, look at the service.", place), "all waiters share one failure")
}

// unanswered says of calls whose waiting is mostly for answers that do not come that their deadlines end them.
func (c *slowAsk) unanswered(f *casefile.Finding, at string) {
	each, n := seconds((c.cut.Waited / time.Duration(c.cut.Count))), count(c.cut.Count)
	f.Title = fmt.Sprintf("%s of %s at %s end unanswered at their deadline after %s", n, things(c.calls, "call"), at, each)
	f.Summary += fmt.Sprintf(" %s of that time is of %s that their deadline ended, after %s each; the others are quick.",
		percent(float64(c.cut.Waited)/float64(c.times.Total)), n, each)
	f.Remedies = []casefile.Remedy{deadlineRemedies(at)[1], slowCallRemedies(at, traces.Times{})[2],
		setValue("A shorter deadline", fmt.Sprintf("At %s: some times what the calls that are answered take, not %s.",
			at, each), "answers that come late are lost"), doChange("See who does not answer",
			fmt.Sprintf("Log the address with the error at %s: it may always be the same.", at), "none")}
}

// loggedBy is the user's line whose log line is sent by a call: a logger's function stands directly below that line, or
// above the user's own code that sends. A logger's middleware is none: it calls the handler through net/http.
func loggedBy(r *Reading, s traces.Stack) (by traces.Frame, ok bool) {
	i := slices.IndexFunc(s, r.IsUsers)
	logs := i > 0 && known.Of(s[i-1].Function).Is(known.Logs)
	for _, f := range s[i:] {
		of := known.Of(f.Function)
		switch {
		case of.Does(known.SpeaksHTTP):
			return by, false
		case logs && r.IsUsers(f):
			return f, true
		}
		logs = logs || of.Is(known.Logs)
	}
	return by, false
}

// logged says of calls that they are made for a line of the log, whose answer nobody reads.
func (c *slowAsk) logged(f *casefile.Finding, at string, by traces.Frame) {
	line := tracedPlace(by)
	f.Title = fmt.Sprintf("Requests wait %s for their log line at %s, which %s sends", seconds(c.mean()), line, at)
	f.Summary += fmt.Sprintf(" The logger calls it for a line that is logged at %s: no client needs it.", line)
	f.Explanation = "A logger calls its hooks, handlers and writers before it returns: whoever logs waits for the other " +
		"side, once for each line."
	f.Remedies = []casefile.Remedy{
		doChange("Send log lines from the background", fmt.Sprintf("At %s: put the line into a channel with room (select "+
			"with a default that drops and counts), and let one goroutine send what has gathered, many lines a call, and the "+
			"rest at shutdown.", at), "lines are lost if the process dies, or more come than can be sent"),
		doChange("Write to standard output", "Write lines to stdout, and let an agent send them.", "an agent to run"),
		doChange("Log less", fmt.Sprintf("At %s: one line a request, with all its fields.", line), "fewer lines"),
	}
}

// slowCallRemedies are for calls that are slow as a rule; a second call helps only where most are quick. Zero times are
// not known.
func slowCallRemedies(at string, times traces.Times) []casefile.Remedy {
	out := []casefile.Remedy{
		inGeneral("Look at the service that is called", fmt.Sprintf("What %s asks for takes that long there, or on the "+
			"way: its own percentiles, and a profile of it, say which.", at), "none"),
		doChange("Keep answers", fmt.Sprintf("At %s: what is kept is not asked for "+
			"(github.com/gocasebook/casebook/remedy/cache; GetOrLoad asks once for all who wait).", at),
			"answers are as old as the lifetime allows"),
		doChange("Answer without it", fmt.Sprintf("At %s: a context with a timeout that the answer is worth, and a page "+
			"without this part when it passes.", at), "some answers lack a part"),
	}
	if times.P50 > 0 && times.P99 >= slowTail*times.P50 {
		wait, why := hedgeDelay(times)
		out[2] = takePackage("Send a second call when the first is late", fmt.Sprintf("At %s: "+
			"github.com/gocasebook/casebook/remedy/hedge, after %s to begin with (%s). The call must be safe to repeat.",
			at, number.Setting(wait), why), "up to a twentieth more calls")
	}
	return out
}

// hedgeDelay is after which time a second call is sent, and what that is: the time in which 95 % of the calls have
// answered, as remedy/hedge measures it. Where more than one call in twenty is late, that is the time of a late one,
// and waiting for it saves nothing: then some medians.
func hedgeDelay(times traces.Times) (wait time.Duration, why string) {
	if p95 := times.P95; times.Count >= hedgeCalls && p95 > 0 && hedgeAfter*p95 <= times.P99 {
		return p95.Round(100 * time.Microsecond), "95 % of these calls have answered by then"
	}
	return (hedgeAfter * times.P50).Round(100 * time.Microsecond), "five times the median"
}
