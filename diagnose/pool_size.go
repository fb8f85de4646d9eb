package diagnose

import (
	"math"

	"github.com/gocasebook/casebook/diagnose/known"
	"github.com/gocasebook/casebook/diagnose/stacks"
)

// How many places a pool needs (connections, slots of a semaphore, readers of a channel), from how many goroutines wait
// for one and how many have one. Little's law, L = λW, holds for any part of the way of a request, and twice here.
//
// A caller that waits for its answer before it asks again is on a round: some time elsewhere, the wait, the use of a
// place. With N callers, W waiting and U using, a round without the wait would be (N−W)/N as long, so that N/(N−W)
// times as many would come, and use U·N/(N−W) places. Where callers are many and few of them wait, as with requests
// that come from everywhere, that is U: what comes does not depend on the wait. Where nothing is known of those who are
// elsewhere, N is W+U, and no more can be needed.
//
// Where the callers become more and more, they do not wait for their answers before they ask again, and the queue has
// no end: what comes is what gets through and by how much the callers grow, and the places for it
// U·(1+growth/throughput).
//
// That is the mean. Random arrivals need its square root more, so that about one in five waits at all (Halfin and
// Whitt, "Heavy-traffic limits for queues with many exponential servers", Operations Research 29, 1981; β = 1).

// poolWindow is how many of the last samples say how fast requests come and are answered.
const poolWindow = 10

// queueLeast is how many requests must wait for each place in use: as many as one are the next in turn.
const queueLeast = 2

// enoughPlaces is how many places of a pool are enough, with a mean of waiting and using goroutines. callers is 0 where
// it is not known how many there are.
func enoughPlaces(waiting, using, callers float64) float64 {
	all := waiting + using
	callers = max(callers, all)
	demand := using * callers / max(callers-waiting, using)
	return min(math.Ceil(demand+math.Sqrt(demand)), math.Ceil(all))
}

// enoughFor is how many places of a pool are enough, with a mean of waiting and using goroutines; perSecond get
// through, 0 where that is not known.
func enoughFor(r *Reading, waiting, using, perSecond float64) float64 {
	if more := moreCallers(r); perSecond > 0 && more > callersGrow*perSecond {
		demand := using * (1 + more/perSecond)
		return math.Ceil(demand + math.Sqrt(demand))
	}
	return enoughPlaces(waiting, using, callers(r, r.Goroutines()))
}

// callersGrow is by how much of what gets through the callers must grow to be without an end.
const callersGrow = 0.1

// moreCallers is by how many the callers grow a second, over the captures; 0 if they do not.
func moreCallers(r *Reading) float64 {
	g := riseOver(r, func(s *stacks.Set) int64 { return int64(callers(r, s)) })
	if !g.significant || !g.steadily || g.before == 0 || g.apart <= 0 {
		return 0
	}
	return float64(g.after-g.before) / g.apart.Seconds()
}

// callers are the connections to the HTTP server of the process, idle or not: each asks again when it has an answer. 0
// if there are none; HTTP/2 and gRPC have many requests on a connection, and are not counted.
func callers(r *Reading, set *stacks.Set) float64 {
	if set == nil {
		return 0
	}
	count := set.Count()
	n := int64(0)
	for i := range set.Samples {
		s := &set.Samples[i]
		if r.Table.Has(s.Stack, withWork(known.OfHTTP2Server)) {
			return 0
		}
		if root := r.Table.Root(s.Stack); root != stacks.NoFrame &&
			!r.Table.Has(s.Stack, withWork(known.ServesProfiles)) &&
			r.Table.Func(root).Does(known.ServesConn) {
			n += count(s)
		}
	}
	return float64(n)
}
