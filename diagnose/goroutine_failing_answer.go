package diagnose

import (
	"fmt"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/internal/number"
	"github.com/gocasebook/casebook/vitals"
)

// failingScale is in shares of the requests that fail. One in twenty is what a rule trips on; of three in ten everybody
// who uses the service has seen one.
func failingScale() Scale { return Scale{Worth: 0.05, Hurts: 0.3, Top: 1} }

const (
	failingSamples = 5    // of requests that failed, at least
	failingRate    = 10.0 // requests per second; below it a share of a few seconds is chance
	failingLast    = 10   // samples that are judged, the last
	failingLeaves  = 10.0 // seconds: who waits longer leaves by hanging, not by failing
)

// A failure is what the vitals say of requests that fail.
type failure struct{ share, rate float64 }

// failure is the state of requests at the end of the vitals, if enough of them fail.
func (r *Reading) failure() (f failure, ok bool) {
	last := r.Vitals[max(len(r.Vitals)-failingLast, 0):]
	failed, answered, n := 0.0, 0.0, 0
	for i := range last {
		share, known := last[i].Get(vitals.HTTPErrors)
		rate, rated := last[i].Get(vitals.HTTPRate)
		if known && rated {
			failed, answered, n = failed+share*rate, answered+rate, n+1
		}
	}
	if n < failingSamples || answered < failingRate*float64(n) {
		return f, false
	}
	f = failure{failed / answered, answered / float64(n)}
	return f, f.share >= failingScale().Worth
}

// failingAnswers finds the line at which requests wait for another service while a part of them fails: a service that
// takes as long as its callers wait for it. Nothing grows and nothing hangs, since each call ends at its timeout. By
// Little's law those at the line, divided by the requests per second, are the time of a call, and it must be long: a
// service that fails at once leaves nobody waiting. A process that is short of CPU is late by itself.
func failingAnswers(r *Reading) (casefile.Finding, bool) {
	bad, ok := r.failure()
	if !ok || strain(r) != "" {
		return casefile.Finding{}, false
	}
	set := r.lastMoment()
	most, requests, queued := awaitedMost(r)
	if most == nil || most.n < riseLeast || 2*most.n < requests+queued {
		return casefile.Finding{}, false
	}
	wait := float64(most.n) / bad.rate
	if wait < slowCall || wait > failingLeaves {
		return casefile.Finding{}, false
	}
	calls, at, waiting := r.callsWhat(most.stack), r.Place(most.at), count(float64(most.n))
	f := stuckFinding(r, set, most.allWait(), calls, min(failingScale().Score(bad.share), capUnsure))
	f.Confidence = 0.8
	f.Title = fmt.Sprintf("%s of requests fail while they wait for a slow answer at %s", percent(bad.share), at)
	f.Summary = fmt.Sprintf("%s of the %s requests in progress wait for %s at %s; at %s requests per second that is "+
		"%s each. %s of the requests fail meanwhile, and the process has CPU to spare.", waiting,
		count(float64(requests)), calls, at, count(bad.rate), number.Seconds(float64(int(100*wait))/100),
		percent(bad.share))
	f.Explanation = "If these are the requests that fail, their calls end at a timeout: the other side takes as long " +
		"as the caller waits. Each request pays the whole timeout for nothing, and everything it holds is held " +
		"meanwhile."
	share := roundShare(float64(most.n) / float64(max(requests, 1)))
	f.Impact = casefile.Impact{Resource: "latency", Share: share, Text: waiting + " requests wait at this line"}
	f.Remedies = failingRemedies(at)
	return f, true
}

// failingRemedies are for calls that end at their timeout. Longer ones would not help those who wait.
func failingRemedies(at string) []casefile.Remedy {
	return []casefile.Remedy{
		doChange("Ask less often: keep the answers", fmt.Sprintf("At %s: what was answered "+
			"lately answers the next who "+
			"asks (github.com/gocasebook/casebook/remedy/cache), and an old answer is better than none while the "+
			"service is late.", at), "answers are as old as the lifetime allows; of no use for "+
			"calls that change something"),
		doChange("Stop calling what does not answer in time", "A circuit breaker (github.com/sony/gobreaker) fails at "+
			"once, or answers without the service, while most calls fail, and lets a trial call through now and then.",
			"some requests fail that might have succeeded"),
		doChange("Let few slow calls be late alone", "If only some calls are slow, send a second one when the first "+
			"is late (github.com/gocasebook/casebook/remedy/hedge). If most are, that doubles the load of a service "+
			"that cannot bear it.", "up to a twentieth more calls"),
	}
}
