package diagnose

import (
	"math"
	"strings"

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
// That is the mean. Random arrivals need its square root more, so that about one in five waits at all (Halfin and
// Whitt, "Heavy-traffic limits for queues with many exponential servers", Operations Research 29, 1981; β = 1).

// enoughPlaces is how many places of a pool are enough, with a mean of waiting and using goroutines. callers is 0 where
// it is not known how many there are.
func enoughPlaces(waiting, using, callers float64) float64 {
	all := waiting + using
	callers = max(callers, all)
	demand := using * callers / max(callers-waiting, using)
	return min(math.Ceil(demand+math.Sqrt(demand)), math.Ceil(all))
}

// callers are the connections to the HTTP server of the process, idle or not: each asks again when it has an answer. 0
// if there are none; HTTP/2 and gRPC have many requests on a connection, and are not counted.
func (r *Reading) callers(set *stacks.Set) float64 {
	if set == nil {
		return 0
	}
	count := stacks.ByValue(set.Value(set.Kind, "count"))
	n := int64(0)
	for i := range set.Samples {
		s := &set.Samples[i]
		if hasFrame(r.Table, s.Stack, "net/http.(*http2serverConn)", "net/http.initALPNProtocol") {
			return 0
		}
		if root := rootFrame(r.Table, s.Stack); root != stacks.NoFrame &&
			!hasFrame(r.Table, s.Stack, "net/http/pprof.") &&
			strings.HasPrefix(r.Table.Func(root).Name, "net/http.(*conn).serve") {
			n += count(s)
		}
	}
	return float64(n)
}
