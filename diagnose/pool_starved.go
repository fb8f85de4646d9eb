package diagnose

import (
	"cmp"
	"fmt"
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
		if captures == 0 {
			continue
		}
		limit := capUnsure
		if captures > 1 && !p.unknown {
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
	unknown bool // no row knows it
}

// awaitedPools are the pools for whose connections goroutines wait, those that a row knows first.
func awaitedPools(r *Reading) (out []awaitedPool) {
	for _, q := range r.waits().Queues() {
		if row, ok := poolOf(r.Table, q.First().Stack); ok && q.First().For == wait.Place {
			out = append(out, awaitedPool{Row: row, Queue: q})
		}
	}
	return append(out, unknownPools(r)...)
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
		case p.unknown && w.For == wait.Answer && !w.Request && w.N[moment] == 1: // may listen for news
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

// returnSooner is what to do at a line that keeps connections of a pool for long.
func returnSooner(at string, p known.Row) casefile.Remedy {
	return doChange("Return connections sooner", fmt.Sprintf("At %s: make the queries that hold connections of %s "+
		"short (an index, fewer rows), and call no other service inside a transaction; %s.", at, p.What, p.Remedy), "none")
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
		Title: fmt.Sprintf("%s goroutines wait for a connection of %s, and nobody uses one: connections were "+
			"not returned", count(float64(n)), p.What),
		Score:      score,
		Confidence: 0.85,
		Summary: fmt.Sprintf("%s goroutines wait for a connection of the pool of %s in each of %s, and no "+
			"goroutine seems to have one: "+
			"all connections that the pool may open are held by results, transactions or connections that were not "+
			"closed.%s", count(float64(n)), p.What, things(float64(captures), "capture"), rarestFirst(r, lines)),
		Explanation: "A result that is not closed keeps its connection. When all connections that the pool may open " +
			"are held, every goroutine that needs one waits, far from the line that forgot to close. " +
			"No profile shows which line that was, because it returned long ago. It is one of the lines that take a " +
			"connection.",
		Evidence: Basis(set),
		Impact: casefile.Impact{Resource: "latency", Share: roundShare(share),
			Text: fmt.Sprintf("%s of all goroutines wait for a connection", percent(float64(n)/max(total, 1))),
			Gain: casefile.Gain{Low: roundShare(share), High: roundShare(share),
				Arithmetic: "if the connections were returned, none of them would wait"}},
		Remedies: []casefile.Remedy{
			doChange("Close it", p.Remedy+".", "none"),
			doChange("Find the line with a linter", "sqlclosecheck and rowserrcheck (in golangci-lint) report rows and "+
				"statements that are not closed on every path.", "a few false alarms"),
		},
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
func rarestFirst(r *Reading, lines map[stacks.FrameID]int64) string {
	es := entries(lines)
	if len(es) < 2 {
		return ""
	}
	return fmt.Sprintf(" Look first at the line that is called least: had each call at %s kept its connection, the "+
		"pool would have been empty at once.",
		r.Place(es[0].Key))
}

// takesConnection reports whether a call returns something that keeps a connection until it is closed.
func takesConnection(name, library string) bool {
	if !strings.HasPrefix(name, library) {
		return false
	}
	switch name[strings.LastIndexByte(name, '.')+1:] {
	case "Query", "QueryContext", "Begin", "BeginTx", "Conn", "Acquire", "Find", "Aggregate", "Watch", "StartSession",
		"Subscribe", "PSubscribe":
		return true
	}
	return false
}
