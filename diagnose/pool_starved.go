package diagnose

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose/known"
	"github.com/gocasebook/casebook/diagnose/stacks"
	"github.com/gocasebook/casebook/diagnose/view"
	"github.com/gocasebook/casebook/diagnose/wait"
)

// A pool whose connections were taken and not returned shows in goroutines that wait for one while nobody uses one. The
// results that keep them have no goroutine if their context cannot be cancelled, and they are few: no profile shows who
// forgot them. What can be shown is that they are kept, and the lines that ask for one.

// connPools are the pools that rows know: their functions are those that wait for a connection, their library those
// that have one and the code that opens connections.
var connPools = sync.OnceValue(func() []known.Row { return known.Rows(known.TakesPlace) })

// starvedPool finds a pool for whose connections goroutines wait in the last captures, while nobody uses one in any of
// them. Captures from before the trouble show a pool that has connections left.
func starvedPool(r *Reading) (casefile.Finding, bool) {
	g := r.waits()
	last := len(g.Moments) - 1
	for _, p := range awaitedPools(r) {
		captures := 0
		for m := last; m >= 0 && p.Waiting(m) >= waitersLeast && !usesPool(r, p, m); m-- {
			captures++
		}
		if _, latch := g.Latch(p.Queue); captures == 0 || latch != stacks.NoFrame {
			continue // or goroutine-deadlock
		}
		limit := capUnsure
		if captures > 1 {
			limit = noCap
		}
		lines := make(map[stacks.FrameID]int64)
		for _, w := range p.Waiters {
			lines[askerOf(r.Table, w)] += w.Last()
		}
		delete(lines, stacks.NoFrame)
		score := min(lockWaiterScale().Score(float64(p.Waiting(last))), limit)
		return starvedFinding(r, p.Row, g.Moments[last], captures, lines, score), true
	}
	return casefile.Finding{}, false
}

// askerOf is the user's line that asks a pool, or where no stack shows one the innermost line of a library that does.
func askerOf(t *stacks.Table, w *wait.Pile) stacks.FrameID {
	if w.Line != stacks.NoFrame {
		return w.Line
	}
	if i := slices.IndexFunc(w.Stack, func(id stacks.FrameID) bool { return ofDependency(t.Func(id)) }); i >= 0 {
		return w.Stack[i]
	}
	return stacks.NoFrame
}

// An awaitedPool is a pool with the queue before it.
type awaitedPool struct {
	known.Row
	*wait.Queue
}

// awaitedPools are the pools, of those that rows know, for whose connections goroutines wait.
func awaitedPools(r *Reading) (out []awaitedPool) {
	for _, q := range r.waits().Queues() {
		if row, ok := poolOf(r.Table, q.First().Stack); ok && q.First().For == wait.Place {
			out = append(out, awaitedPool{Row: row, Queue: q})
		}
	}
	return out
}

// usesPool reports whether anybody but the waiters has or opens a connection of a pool in a capture, or calls out and
// may keep a transaction open meanwhile: then the pool is busy, or the other side is slow.
func usesPool(r *Reading, p awaitedPool, moment int) bool {
	return slices.ContainsFunc(r.waits().Piles, func(w *wait.Pile) bool {
		switch {
		case w.N[moment] == 0 ||
			(w.For == wait.Place || slices.Contains(p.Waiters, w)) && !hasFrame(r.Table, w.Stack, known.Net) ||
			awaitsNews(r.Table, w.Stack):
			return false
		case !hasFrame(r.Table, w.Stack, p.Library...):
			return w.Request && w.Line != stacks.NoFrame && callsWhat(r, w.Stack) != ""
		}
		return w.Line != stacks.NoFrame || w.For == wait.Answer || w.For == wait.Nothing
	})
}

// poolOf is the pool for a connection of which goroutines with a stack wait.
func poolOf(t *stacks.Table, stack []stacks.FrameID) (known.Row, bool) {
	for _, p := range connPools() {
		if hasFrame(t, stack, p.Functions...) {
			return p, true
		}
	}
	return known.Row{}, false
}

// starvedPoolOf is the pool for whose connection a pile waits. A text leaves out the frames that say how.
func starvedPoolOf(r *Reading, pl *view.Pile) (known.Row, bool) {
	if pl.Wait != stacks.WaitSelect && pl.Wait != stacks.WaitReceive && pl.Wait != stacks.WaitUnknown {
		return known.Row{}, false
	}
	return poolOf(r.Table, pl.Stack)
}

func starvedFinding(r *Reading, p known.Row, set *stacks.Set, captures int, lines map[stacks.FrameID]int64,
	score int) casefile.Finding {
	n := int64(stacks.SumOf(entries(lines)))
	total, share := float64(set.Total(set.Count())), latencyShare(r, set, n, 0)
	f := casefile.Finding{
		Title: fmt.Sprintf("%s goroutines wait for a connection of %s, and none is used or returned", count(n), p.What),
		Score: score, Confidence: 0.85,
		Summary: fmt.Sprintf("%s goroutines wait for a connection of the pool of %s in each of %s, and no goroutine seems "+
			"to have one: all are held by results, transactions or connections that were not closed.%s", count(n), p.What,
			things(captures, "capture"), rarestFirst(r, lines)),
		Explanation: "A result that is not closed keeps its connection. When all that the pool may open are held, every " +
			"goroutine that needs one waits. No profile shows which line forgot to close, because it returned long ago: it is " +
			"one of those that take a connection.",
		Evidence: Basis(set),
		Impact: onLatency(share, fmt.Sprintf("%s of all goroutines wait for a connection", percent(float64(n)/max(total, 1))),
			saves(share, share, "if the connections were returned, none of them would wait")),
		Remedies: []casefile.Remedy{doChange("Close it", p.Remedy+".", "none"), lintForRest()},
	}
	es := entries(lines)
	slices.SortStableFunc(es, func(a, b stacks.Entry[stacks.FrameID]) int { return cmp.Compare(a.Value, b.Value) })
	for _, e := range es[:min(len(es), maxSuspects)] {
		f.Where = append(f.Where, r.Frame(e.Key, float64(e.Value)/max(total, 1), "takes a connection, and waits for one"))
	}
	return f
}

// maxSuspects is how many lines a finding names.
const maxSuspects = 6

// rarestFirst says why the lines are in their order: one that is called all the time and forgets to return a connection
// would have failed in a test.
func rarestFirst(r *Reading, lines map[stacks.FrameID]int64) (text string) {
	if es := entries(lines); len(es) > 1 {
		text = fmt.Sprintf(" Look first at the line that is called least: had each call at %s kept its connection, the pool "+
			"would have been empty at once.", r.Place(es[0].Key))
	}
	return text
}

// takesConnection reports whether a call returns something that keeps a connection until it is closed.
func takesConnection(name, library string) bool {
	return strings.HasPrefix(name, library) && slices.Contains([]string{"Query", "QueryContext", "Begin", "BeginTx",
		"Conn", "Acquire", "Find", "Aggregate", "Watch", "StartSession", "Subscribe", "PSubscribe"},
		name[strings.LastIndexByte(name, '.')+1:])
}

// How many places a pool needs (connections, slots of a semaphore, readers of a channel), from how many goroutines wait
// for one and how many have one. Little's law, L = λW, holds for any part of the way of a request, and twice here.
//
// A caller that waits for its answer before it asks again is on a round: some time elsewhere, the wait, the use of a
// place. With N callers, W waiting and U using, a round without the wait would be (N−W)/N as long, so that N/(N−W)
// times as many would come, and use U·N/(N−W) places. Where few of many callers wait, that is U. Where nothing is known
// of those who are elsewhere, N is W+U, and no more can be needed. Where the callers become ever more, what comes is
// what gets through and by how much they grow, and the places for it U·(1+growth/throughput).
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
	n := int64(0)
	for s, k := range set.Counted(set.Count()) {
		switch root := r.Table.Root(s.Stack); {
		case r.Table.Has(s.Stack, withWork(known.OfHTTP2Server)):
			return 0
		case r.Table.Func(root).Does(known.ServesConn) && !r.Table.Has(s.Stack, withWork(known.ServesProfiles)):
			n += k
		}
	}
	return float64(n)
}
