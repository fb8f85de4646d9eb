package diagnose

import (
	"fmt"
	"time"

	"github.com/gocasebook/casebook/diagnose/known"
	"github.com/gocasebook/casebook/diagnose/traces"
)

// What is said of little: a round trip within a datacenter is shorter, and a third of a request is felt.
const (
	awaitedShare = 1.0 / 3 // of the time of all requests
	awaitedEach  = 0.005   // seconds for each of the requests that wait
)

// An awaited is the time that requests of a trace wait below a function of which a row knows why.
type awaited struct {
	standing
	line     traces.Frame // the user's
	total    time.Duration
	requests int64 // of the wait that most of them had
}

// knownTraced is the function below which most of the time of all requests in a trace is waited, of which a row about a
// dependency says that it makes what is meant to be made once. So few requests may be in progress that no capture shows
// where. Of a call that waits for the disk, for others or for an answer rows say how that comes, and not that it should
// not be.
func knownTraced(r *Reading) (waitAnswer, bool) {
	all := tracedRequests(r.Summary())
	w, ok := longestAwaited(r)
	if !ok || all.number < batchCalls || w.total < time.Duration(awaitedShare*float64(all.took)) {
		return waitAnswer{}, false
	}
	at := tracedPlace(w.line)
	share := min(float64(w.total)/float64(all.took), 1)
	if w.requests == 0 {
		w.requests = all.number // a summary of before these were counted
	}
	each := (w.total / time.Duration(w.requests)).Seconds()
	who := percent(share) + " of the time of all requests"
	score := batchScale().Score(each)
	if score < worthKnowing && each >= awaitedEach && w.requests >= batchCalls {
		score = worthKnowing // it is little, and all of it could be saved
	}
	return waitAnswer{share: share, score: score, limit: capNotice, basis: traceBasis(r),
		title: fmt.Sprintf("%s, at %s: %s of each request, %s", asTitle(w.advice.Says), at, seconds(each), who),
		summary: fmt.Sprintf("%s is waited below %s, which %s calls: %s for each of %s. %s", upperFirst(who),
			short(w.at.fn.Name), at, seconds(each), things(w.requests, "request"), w.advice.Why),
		why: w.reason(), impact: who, remedies: w.cures(at),
		places: []waitPlace{{frame: tracedFrame(w.line, share, "waits below it")}, {frame: w.frame(share)}}}, true
}

// longestAwaited is the row at whose functions requests wait longest, with what they wait at all such rows of its module;
// false without one.
func longestAwaited(r *Reading) (longest awaited, ok bool) {
	var rows groups[*known.Advice, awaited]
	modules := map[string]time.Duration{}
	for _, b := range r.Summary().Blocking {
		line, user := r.TracedLine(b.Stack)
		if !servesTraced(b.Stack) || !user || !r.IsUsers(line) {
			continue
		}
		for _, s := range r.experts().on(r.experts().traced(b.Stack), isMadeOnce) {
			w, first := rows.of(s.advice)
			if first {
				w.standing, w.line = s, line
			}
			w.total, w.requests = w.total+b.Times.Total, max(w.requests, b.Requests)
			modules[s.advice.Modules[0].Path] += b.Times.Total
		}
	}
	most := mostOfAll(rows.all, func(w *awaited) float64 { return float64(w.total) })
	if most == nil {
		return longest, false
	}
	most.total = modules[most.advice.Modules[0].Path]
	return *most, true
}

func isMadeOnce(a *known.Advice) bool {
	return a.Modules[0].Path != known.Std && a.About == known.AboutOnce
}
