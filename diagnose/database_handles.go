package diagnose

import (
	"fmt"
	"slices"
	"time"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose/known"
	"github.com/gocasebook/casebook/diagnose/traces"
	"github.com/gocasebook/casebook/internal/number"
)

// A database in the process costs no round trips, and is as quickly filled as opened: so it is made for a request, to
// ask it one thing, and thrown away. An execution trace shows the goroutine of each handle, begun below a request, and
// the calls that fill it, below the function that opened it.

// filledForEach finds the line at which requests fill what they have opened for themselves.
func filledForEach(r *Reading) (f casefile.Finding, ok bool) {
	s := r.Summary()
	all := tracedRequests(s)
	for _, a := range tracedAsks(r, s) {
		if !a.local || !a.own || a.by < fewCalls || a.calls < minTrips*a.by {
			continue
		}
		for _, c := range s.Created {
			opens, seen := r.TracedLine(c.Stack)
			if c.Starts == known.SQLOpener && seen && servesTraced(c.Stack) && a.stack.Has(opens.Function) &&
				2*(c.Number-c.Alive) >= a.by {
				return a.filled(r, opens, c, all.took), true
			}
		}
	}
	return f, false
}

// filled is the finding of calls that fill a database which the request's own function opens.
func (a *tracedAsk) filled(r *Reading, opens traces.Frame, c traces.GoroutinesFrom, all time.Duration) casefile.Finding {
	t := tracedTrip{tracedAsk: *a, trips: float64(a.calls) / float64(a.by), took: a.times.Total}
	t.share = min(float64(t.took)/max(float64(all), 1), 1)
	life := max(t.share, min(float64(c.Life.Total)/max(float64(all), 1), 1))
	each := t.took.Seconds() / float64(t.by)
	at, open := tracedPlace(a.at), tracedPlace(opens)
	return casefile.Finding{
		Title:      fmt.Sprintf("Each request opens a database in the process at %s and fills it at %s", open, at),
		Score:      min(tripTimeScale().Score(each), syscallShareScale().Score(t.share), capUnsure),
		Confidence: Confidence(t.share, float64(a.by)),
		Summary: fmt.Sprintf("%s opened and closed %s handles; their calls at %s, %s for each request, take %s of it: %s of "+
			"the time of all requests.", things(a.by, "request"), count(c.Number), at, count(t.trips), seconds(each),
			percent(t.share)),
		Explanation: "What is filled in is gone with the request, and the next one fills in the same. The driver works in " +
			"this process: fewer round trips would save nothing.",
		Where: slices.Concat([]casefile.Frame{tracedFrame(a.at, t.share, "fills it (share of the requests' time)"),
			tracedFrame(opens, life, "opens it")}, tracedCalls(r, a.stack, a.at, t.share)),
		Impact: onLatency(t.share, fmt.Sprintf("%s of each request, on average", seconds(each)), casefile.Gain{Low: t.share,
			High: life, Arithmetic: fmt.Sprintf("the calls that fill it wait for %s of the requests' time; it is open for %s",
				number.Share(t.share), number.Share(life))}),
		Evidence: traceBasis(r),
		Remedies: []casefile.Remedy{
			doChange("Fill it once, and keep it", fmt.Sprintf("Open and fill one database for each input (a table, a file, a "+
				"document), not in each request at %s: keep the *sql.DB in a map by the input, filled under a sync.Once, "+
				"bounded, and filled again when the input changes. Requests then only ask.", open),
				"memory for those that are kept"),
			doChange("Fill in only what is asked for", fmt.Sprintf("If each request brings its own input: at %s only the columns "+
				"and rows that the query reads, many rows in one statement; or answer from the values in Go.", at), "other code"),
		},
	}
}
