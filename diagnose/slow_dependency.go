package diagnose

import (
	"context"
	"fmt"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose/traces"
)

func slowDependency() Detector {
	return Detector{
		ID:    "NET004",
		Kind:  "slow-dependency",
		Title: "Requests wait for a service that answers slowly",
		Text: fmt.Sprintf(`Two kinds of evidence show it. First the signals of requests, a tail: in the last minute of
vitals the slowest hundredth takes ten times the median or more, and 20 ms, at 100 requests per second or more, 1 ‰ to
5 %% of them fail, and most of those in progress wait for another service at one line, for 1.5 times the median in the
mean. Worth knowing from ten times the median, hurting from fifty, up to 74.

Second an execution trace: calls of requests, in their own goroutines or in those that they start, that wait for an
answer below one line. Both measures count, the lower one: 0.1 s a call on average is worth knowing and 1 s hurts, and
so do 25 %% and 75 %% of the time of all requests. At least 20 calls must be in the trace. Waiting for a message of a
queue, for a stream or for a connection of a pool is none for an answer. From %d calls by request on it is
net-round-trips.

Where half of that time is of calls that their deadline ends, they are named as unanswered. What a function of a
request reads after it has dialled, and before it writes, is a greeting. Calls that a logger makes for a line of
a request are named with that line: nobody reads their answer.

It cannot tell why some calls are slow: replicas that collect garbage, a lost packet, a lock in the other service. A
second call helps where the slowness is of the replica and not of what is asked for.`, tracedTrips),
		Needs: []Need{{Kinds: []string{traces.KindSummary, casefile.Goroutine},
			Reason: "no execution trace, goroutine profile or dump", Capture: captureTrace}},
		Before:  `resp, err := client.Do(req) // 3 of 100 take 50 times as long as the rest`,
		After:   `resp, err := hedge.Do(ctx, policy, call) // a second one when the first is late`,
		Waits:   knowsWhat,
		IsQueue: true,
		Run:     runSlowDependency,
	}
}

func runSlowDependency(_ context.Context, r *Reading) Answer {
	if f, ok := slowFew(r); ok {
		return found(f)
	}
	if len(r.Moments()) > 0 && len(withoutTimes(r).Findings) > 0 {
		return Answer{} // goroutine-stuck says since when
	}
	if c, ok := worstAsk(r); ok {
		return found(c.finding(r))
	}
	return Answer{}
}

// hedgeAfter is after how many medians a second call is sent, to begin with.
const hedgeAfter = 5

// hedgeCalls is how many calls a 95th percentile is read from: five of them are later.
const hedgeCalls = 100
