package diagnose

import (
	"fmt"
	"time"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose/known"
	"github.com/gocasebook/casebook/diagnose/traces"
)

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
