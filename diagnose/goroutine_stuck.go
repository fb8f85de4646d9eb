package diagnose

import (
	"context"
	"fmt"
	"slices"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose/known"
	"github.com/gocasebook/casebook/diagnose/stacks"
	"github.com/gocasebook/casebook/diagnose/view"
)

// stuckScale is in goroutines that have waited a minute or more for what should take seconds. Proxies and browsers give
// up after 30 s or 60 s. One may have a slow client; fifty hold as many connections, and what they wait for is broken.
func stuckScale() Scale { return Scale{Worth: 2, Hurts: 50, Top: 1000} }

// stuckUnknown is how many requests must wait at one line before it is worth asking for a dump with times.
const stuckUnknown = 20

func goroutineStuck() Detector {
	return Detector{
		ID: "GO003", Kind: "goroutine-stuck",
		Title: "Requests or calls have hung for minutes",
		Text: `Looks in a dump with debug=2, the only kind with times, for goroutines that answer a request, or that
call another service, and have waited a minute or more at one line, but for a lock. Worth knowing from 2, hurting from
50. A request in its own select may be a long poll or an event stream: a notice at most.

Without times, up to 74, if most requests in progress wait for another service at one line: ten or more there of which
hardly any ends in a trace of 5 s; or more than twice as many as in the capture before; or the median request takes
three times as long as at first, and a second or more; or 5 % of the requests fail (hurting from 30 %), after 50 ms or
longer there, while there is CPU to spare.`,
		Needs:  needGoroutines(),
		Before: `resp, err := http.Get(url) // http.DefaultClient has no timeout`,
		After: `ctx, cancel := context.WithTimeout(r.Context(), 2*time.Second); defer cancel()
resp, err := client.Do(req.WithContext(ctx))`,
		Waits: knowsSince, IsQueue: true, NeedsPlace: true,
		Follows: "goroutines stand where what they wait for is late or never comes", Run: runGoroutineStuck,
	}
}

func runGoroutineStuck(_ context.Context, r *Reading) Answer {
	set := r.Goroutines()
	if !timed(set) {
		if a := withoutTimes(r); len(a.Findings) > 0 {
			return a
		}
		return stuckUndecided(r, set)
	}
	// A pile that has grown for less than a minute has no times yet.
	var out []casefile.Finding
	for _, p := range r.Piles(set) {
		calls, request := callsWhat(r, p.Stack), serves(r.Table, p.Stack)
		subscribes := awaitsNews(r.Table, p.Stack) && !request
		if !p.User || p.Waiting == 0 || p.Wait.ForLock() || calls == "" && !request || subscribes {
			continue
		}
		limit, own := noCap, calls == "" && (p.Wait == stacks.WaitSelect || p.Wait == stacks.WaitNetwork)
		if own && isSession(r, p.Stack, p.N) || streamsBlind(r, p) { // goroutine-leak, if ever more stay
			continue
		}
		if own || calls == anAnswer && !request { // a long poll, a stream of events, a slow client, a subscription
			limit = capNotice
		}
		if score := min(stuckScale().Score(float64(p.Waiting)), limit); score >= worthKnowing {
			out = append(out, stuckFinding(r, set, p, calls, score))
		}
	}
	if len(out) == 0 {
		return withoutTimes(r)
	}
	return Answer{Findings: worst(out, 3)}
}

// timed reports whether a dump has any waiting times. The runtime records them when a collection scans a goroutine, so
// a dump of a process that has not collected for a while has none.
func timed(set *stacks.Set) bool {
	return slices.ContainsFunc(set.Goroutines, func(g stacks.Goroutine) bool { return g.Longest > 0 })
}

func stuckUndecided(r *Reading, set *stacks.Set) Answer {
	what, next := "a profile", captureDump
	if set.Goroutines != nil {
		what, next = "this dump", captureTimes
	}
	for _, p := range r.Piles(set) {
		waits := !slices.Contains([]stacks.Wait{stacks.WaitNothing, stacks.WaitUnknown, stacks.WaitNilChan}, p.Wait)
		if !waits || p.N < stuckUnknown || p.Wait.ForLock() || !isRequest(r, p) {
			continue
		}
		if _, leak := abandons(r, p); !leak { // goroutine-leak
			return undecided(fmt.Sprintf("%s requests wait at %s, and %s does not show for how long",
				count(p.N), r.Place(p.At), what), next)
		}
	}
	return Answer{}
}

func stuckFinding(r *Reading, set *stacks.Set, p *view.Pile, calls string, score int) casefile.Finding {
	what := "calls"
	if serves(r.Table, p.Stack) {
		what = "requests"
	}
	at, n := r.Place(p.At), count(p.Waiting)
	f := pileFinding(r, set, p, fmt.Sprintf("%s %s have hung for minutes at %s", n, what, at), "waits here",
		fmt.Sprintf("%s of %s goroutines at %s, %s, have been there for a minute or more, the longest for %s", n,
			count(p.N), at, waitingFor(r, p.Stack, p.Wait), minutes(p.Longest)))
	f.Score, f.Confidence = score, 0.95
	f.Explanation = "The client has given up by now. The goroutine, its connection and everything it refers to are held " +
		"until the wait ends, and when as many hang there as a pool or a limit allows, nobody else is served."
	// No gain as a number: a deadline ends a wait with an error, after a time that whoever sets it chooses.
	f.Impact = onLatency(latencyShare(r, set, p.Waiting, 0), fmt.Sprintf("%s %s whose answer nobody will read", n, what),
		casefile.Gain{Arithmetic: fmt.Sprintf("with a deadline of seconds none of the %s would be there", n)})
	f.Remedies = []casefile.Remedy{
		withNeeds(casefile.NeedsNoDeadline, doChange("Give the wait a deadline", fmt.Sprintf("At %s, with context.WithTimeout of the request's context: "+
			"%s. Answer 503 or 504 when it passes.", at, endsBy(r, p.Stack, p.Wait)), "slow answers are lost")),
		doChange("Make sure that an answer is sent", "Every path of the goroutine they wait for must send, close or "+
			"call Done, even if it fails or panics (defer it).", "none"),
	}
	if calls != "" {
		f.Remedies = deadlineRemedies(at)
	}
	if r.Table.Has(innerOf(r.Table, p.Stack), withRole(known.OpensForCaller)) {
		f.Remedies = append([]casefile.Remedy{boundPool(at)}, f.Remedies...)
	}
	return f
}
