package diagnose

import (
	"fmt"
	"time"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/vitals"
)

// A lateness describes, from the vitals, a service whose answers have become late.
type lateness struct {
	was, is float64 // median latency in seconds, or goroutines
	unit    vitals.Unit
	name    string
}

const (
	// times as much as in the first third of the vitals: more than load and noise explain
	slowTimes   = 3
	slowLatency = 1.0              // seconds: half of the requests take longer, and people give up after a few
	slowSpan    = 30 * time.Second // of vitals, at least: less has no "before"
	sameLoad    = 1.5              // times the rate of requests, or of allocation: above it load may be the cause
)

// lateness reports whether the vitals show that requests have become slow: half of them take three times as long as
// before, and a second or more; or, if requests are not counted, that goroutines have tripled without more allocation.
func (r *Reading) lateness() (lateness, bool) {
	n := len(r.Vitals) / 3
	if n < 3 || r.Vitals[len(r.Vitals)-1].Time.Sub(r.Vitals[0].Time) < slowSpan {
		return lateness{}, false
	}
	first, last := r.Vitals[:n], r.Vitals[len(r.Vitals)-max(n/2, 3):]
	change := func(id vitals.ID) (was, is float64, ok bool) {
		was, before := meanOf(first, id)
		is, now := meanOf(last, id)
		return was, is, before && now && was > 0
	}
	if was, is, ok := change(vitals.HTTPLatencyP50); ok {
		return lateness{was, is, vitals.Seconds, "the median request took"}, is >= slowLatency && is >= slowTimes*was
	}
	for _, load := range []vitals.ID{vitals.HTTPRate, vitals.AllocRate} {
		if was, is, ok := change(load); ok && is > sameLoad*was {
			return lateness{}, false
		}
	}
	was, is, ok := change(vitals.Goroutines)
	return lateness{was, is, vitals.Count, "goroutines were"}, ok && is >= slowTimes*was
}

// slowAnswers finds the line at which most requests wait for another service, in a process whose answers have become
// slow. One capture is enough: the vitals show the time before.
func slowAnswers(r *Reading) (casefile.Finding, bool) {
	s, ok := r.lateness()
	if !ok {
		return casefile.Finding{}, false
	}
	set := r.lastMoment()
	most, requests, queued := awaitedMost(r)
	if most == nil || most.n+queued < riseLeast || 2*most.n < requests {
		return casefile.Finding{}, false
	}
	calls, at, number := r.callsWhat(most.stack), r.Place(most.at), count(float64(most.n))
	f := stuckFinding(r, set, most.allWait(), calls, min(lockWaiterScale().Score(float64(most.n+queued)), capUnsure))
	f.Confidence = 0.8
	f.Title = fmt.Sprintf("Requests wait for a slow answer at %s: %s of them", at, number)
	f.Summary = fmt.Sprintf("%s of %s requests in progress wait for %s at %s; %s %s at first and %s now.",
		number, count(float64(requests)), calls, at, s.name, s.unit.Format(s.was), s.unit.Format(s.is))
	share := roundShare(float64(most.n) / float64(max(requests, 1)))
	if queued > 0 {
		f.Summary += fmt.Sprintf(" %s more wait for a connection of a pool, which these may hold meanwhile: make the "+
			"call before the transaction begins, or after it.", count(float64(queued)))
		f.Remedies[1] = f.Remedies[0]
		f.Remedies[0] = doChange("Do not hold a connection meanwhile", fmt.Sprintf("At %s: make the call before the "+
			"transaction begins or after it has ended, so that no connection of the pool is held while another "+
			"service answers.", at),
			"the data read may be out of date when it is written")
	}
	f.Impact = casefile.Impact{Resource: "latency", Share: share, Text: number + " requests wait at this line",
		Gain: casefile.Gain{Arithmetic: "with a deadline none of the " + number + " waits longer than that"}}
	return f, true
}

// awaitedMost is the line at which most requests wait for another service, how many requests are in progress, and how
// many more wait for a connection of a pool: behind those that have the connections, and wait for something else.
func awaitedMost(r *Reading) (most *pile, requests, queued int64) {
	for _, p := range r.piles(r.lastMoment()) {
		if !r.isRequest(p) {
			continue
		}
		if _, waits := awaitedPool(r, p); waits {
			queued += p.n
			continue
		}
		requests += p.n
		if calls := r.callsWhat(p.stack); calls != "" && !p.wait.ForLock() && awaitsAnswer(r, p) &&
			(most == nil || p.n > most.n) {
			most = p
		}
	}
	return most, requests, queued
}
