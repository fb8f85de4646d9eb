package diagnose

import (
	"fmt"
	"time"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose/known"
	"github.com/gocasebook/casebook/internal/number"
)

// tripTimeScale is in seconds that a request waits for the answers to one function's questions, on average. Within a
// data centre a round trip is 0.5 ms (Dean, Numbers everyone should know): 5 ms are ten of them, and 50 ms are seen by
// people.
func tripTimeScale() Scale { return Scale{Worth: 0.005, Hurts: 0.05, Top: 1} }

// tracedTrips is how many round trips a request makes from one function before they are many: counted, and not
// estimated from CPU as minTrips is, where 24 of lab/ads show as 7.
const tracedTrips = 8

// A tracedTrip is the round trips of requests from one function.
type tracedTrip struct {
	tracedAsk // at the line with most of the waiting
	lines     []tracedAsk
	trips     float64 // by request that makes any
	took      time.Duration
	share     float64 // of the time of all requests
	score     int
}

// worstTrips finds the function whose round trips, one after the other, take most of the requests' time.
func worstTrips(r *Reading) (worst tracedTrip, ok bool) {
	s := r.Summary()
	all := tracedRequests(s)
	if all.number < syscallRequests {
		return worst, false
	}
	by := make(map[string]*tracedTrip)
	for _, a := range tracedAsks(r, s) {
		if a.by < syscallRequests {
			a.by = all.number
		}
		if !a.own || !isCounted(a.stack) || a.calls < minTrips*a.by {
			continue
		}
		t := by[a.at.Function]
		if t == nil {
			t = &tracedTrip{tracedAsk: a}
			t.calls = 0
			by[a.at.Function] = t
		}
		t.lines = append(t.lines, a)
		t.by, t.calls = max(t.by, a.by), t.calls+a.calls
		t.trips = float64(t.calls) / float64(t.by)
		t.took += a.times.Total
		t.share = min(float64(t.took)/max(float64(all.took), 1), 1)
		t.judge(t.took.Seconds() / float64(t.by))
	}
	for _, t := range by {
		if t.trips >= tracedTrips && t.score >= worthKnowing && (!ok || t.took > worst.took) {
			worst, ok = *t, true
		}
	}
	return worst, ok
}

// farTrip is a round trip within a data centre, in seconds (see tripTimeScale).
const farTrip = 0.0005

// judge scores what a request waits, in seconds. Where the other side is nearer than that, on the same machine as in
// most tests, the number of trips is judged as a notice: they cost more wherever it is not.
func (t *tracedTrip) judge(each float64) {
	far := max(t.trips*farTrip, each)
	t.score = max(tripTimeScale().Score(each), min(tripTimeScale().Score(far), capNotice))
	t.score = min(t.score, syscallShareScale().Score(t.share), capUnsure)
}

func (t *tracedTrip) finding(r *Reading) casefile.Finding {
	s, from := r.Trace()
	place := tracedPlace(t.at)
	each := t.took.Seconds() / float64(t.by)
	saved := t.share * (1 - 1/t.trips)
	size := batchSize{each: t.trips, requests: float64(t.by) / s.Span.Seconds(), took: each / t.trips}
	f := casefile.Finding{
		Title: fmt.Sprintf("A request makes %s round trips one after another at %s, which take %s of its time",
			count(t.trips), place, percent(t.share)),
		Score: t.score, Confidence: Confidence(t.share, float64(t.by)),
		Summary: fmt.Sprintf("%s wait %s times each for %s below %s, %s a time: %s, and %s of the time of all requests.",
			things(float64(t.by), "request"), count(t.trips), t.what, short(t.at.Function), seconds(size.took), seconds(each),
			percent(t.share)),
		Explanation: "Each question waits for the answer to the one before it, though most of them do not need it. " +
			"The waits add up, and the process has nothing to do meanwhile." + t.nearText(each),
		Impact: casefile.Impact{Resource: "latency", Share: roundShare(t.share),
			Text: fmt.Sprintf("%s of each request, on average", seconds(each)),
			Gain: casefile.Gain{Low: roundShare(saved / 2), High: roundShare(saved), Arithmetic: fmt.Sprintf(
				"one exchange instead of %s: %s; half of that if every second question needs an answer first",
				count(t.trips), number.Share(saved))}},
		Evidence: from,
		Remedies: remediesAt(place, roundTripRemedies(size)...),
	}
	if hasRole(t.stack, known.TriesToChange) {
		t.tries(&f, place)
	}
	for _, a := range t.lines[:min(len(t.lines), 3)] {
		f.Where = append(f.Where, tracedFrame(a.at, t.shareOf(a),
			"asks over the network (share of the requests' time)"))
	}
	f.Where = append(f.Where, tracedCalls(r, t.stack, t.at, t.share)...)
	return f
}

// tries says of round trips that they are of a transaction which fails if others have changed what it read: each needs
// the answer to the one before, and a request that makes many mostly begins again and again.
func (t *tracedTrip) tries(f *casefile.Finding, at string) {
	f.Title = fmt.Sprintf("A request makes %s round trips at %s in optimistic transactions: %s of its time",
		count(t.trips), at, percent(t.share))
	f.Summary += " They are of transactions that fail if somebody else has changed what they read: most likely of one that " +
		"is tried again until none has; or else of one for each of many keys."
	f.Explanation = "Of all who try at the same time one succeeds, and the others have asked for nothing and begin again. " +
		"The more want the same key, the more tries each needs. The steps of one try depend on each other, and cannot be " +
		"asked for at once."
	f.Remedies = []casefile.Remedy{
		doChange("One atomic command or script in place of the transaction", fmt.Sprintf("At %s: let the server check and "+
			"change in one step (HINCRBY, SET NX, a Lua script with redis.NewScript; in SQL or etcd the condition in the "+
			"statement itself): one round trip, and no try is in vain.", at), "the rule moves into the script"),
		doChange("One at a time for each key", "A lock for the key around the tries, in the process (a mutex by key) or at "+
			"the server if there are several: whoever has it succeeds at the first try.", "they wait for each other"),
		doChange("Wait before the next try", "A pause that grows and differs, and an end after some tries.", "some are late"),
	}
}

// nearText says what the trips cost elsewhere, if the other side is near.
func (t *tracedTrip) nearText(each float64) string {
	far := t.trips * farTrip
	if far <= each {
		return ""
	}
	return fmt.Sprintf(" Here the other side is near. Within a data centre a round trip takes %s, and a request would "+
		"wait %s.", seconds(farTrip), seconds(far))
}

func (t *tracedTrip) shareOf(a tracedAsk) float64 {
	return t.share * float64(a.times.Total) / max(float64(t.took), 1)
}
