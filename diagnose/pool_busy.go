package diagnose

import (
	"fmt"
	"math"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose/stacks"
	"github.com/gocasebook/casebook/vitals"
)

// Requests that wait for a connection of a client's pool, while others use all that it may open, are a queue: nobody
// serves them, and how long they wait does not depend on their own work. A few dozen are enough. Workers of an import
// may wait there by design, so only requests count; they wait in each of the last captures, since a burst is over soon.

// queueLeast is how many requests must wait for each connection in use: as many as one are the next in turn.
const queueLeast = 2

// A poolQueue is a pool's state in one capture.
type poolQueue struct {
	waits map[stacks.FrameID]int64 // requests without a connection, by the user's line
	uses  map[stacks.FrameID]int64 // goroutines with one, by the user's line
	kept  int64                    // connections that open transactions and results keep, with a goroutine or without
}

func (q poolQueue) waiting() int64 { return linesTotal(q.waits) }
func (q poolQueue) using() int64   { return max(linesTotal(q.uses), q.kept) }

func (q poolQueue) isLong() bool {
	return float64(q.waiting()) >= lockWaiterScale().Worth && q.using() > 0 && q.waiting() >= queueLeast*q.using()
}

func linesTotal(lines map[stacks.FrameID]int64) (n int64) {
	for _, v := range lines {
		n += v
	}
	return n
}

func poolQueueOf(r *Reading, set *stacks.Set, p connPool) poolQueue {
	q := poolQueue{waits: make(map[stacks.FrameID]int64), uses: make(map[stacks.FrameID]int64)}
	count := stacks.ByValue(set.Value(set.Kind, "count"))
	for i := range set.Samples {
		s := &set.Samples[i]
		if len(s.Stack) == 0 {
			continue
		}
		line, user := r.WaitPlace(s.Stack)
		switch acquires := hasFrame(r.Table, s.Stack, p.acquire...); {
		case acquires && hasFrame(r.Table, s.Stack, "net."): // opens one
		case acquires && user && serves(r.Table, s.Stack):
			q.waits[line] += count(s)
		case acquires:
		case hasFrame(r.Table, s.Stack, "database/sql.(*Tx).awaitDone", "database/sql.(*Rows).awaitDone"):
			q.kept += count(s)
		case user && hasFrame(r.Table, s.Stack, p.library) && !awaitsNews(r.Table, s.Stack):
			q.uses[line] += count(s)
		}
	}
	return q
}

// busyPool finds a pool all of whose connections are in use while requests wait for one.
func (r *Reading) busyPool() (casefile.Finding, bool) {
	for _, p := range poolsAwaited(r) {
		last, captures := r.lastInARow(func(set *stacks.Set) bool { return poolQueueOf(r, set, p).isLong() })
		if captures < 2 {
			continue
		}
		if _, told := r.starvedPool(); told {
			break // connection-leak's
		}
		return busyPoolFinding(r, p, last, captures), true
	}
	return casefile.Finding{}, false
}

func busyPoolFinding(r *Reading, p connPool, set *stacks.Set, captures int) casefile.Finding {
	q := poolQueueOf(r, set, p)
	n, using := float64(q.waiting()), float64(q.using())
	waits := entries(q.waits)
	all := max(float64(set.Total(stacks.ByValue(set.Value(set.Kind, "count")))), 1)
	f := casefile.Finding{
		Form: formPool,
		Title: fmt.Sprintf("%s requests wait for a connection of %s at %s, and %s use one", count(n), p.what,
			r.Place(waits[0].Key), count(using)),
		Score:      min(lockWaiterScale().Score(n), capUnsure),
		Confidence: 0.85,
		Summary: fmt.Sprintf("%s requests wait for a connection of the pool of %s, and %s goroutines use or keep one; "+
			"seen in %s captures.", count(n), p.what, count(using), count(float64(captures))),
		Explanation: "The pool may not open more, or the server accepts no more. A request at the end of the queue " +
			"waits for all before it, and most of what it takes is that wait.",
		Evidence: Basis(set),
		Impact: casefile.Impact{Resource: "latency", Share: roundShare(n / (n + using)),
			Text: fmt.Sprintf("%s of the requests at the pool wait for a connection", percent(n/(n+using)))},
		Remedies: busyPoolRemedies(r, p, q),
	}
	for _, e := range top(waits, 2) {
		f.Where = append(f.Where, r.Frame(e.Key, float64(e.Value)/all, "waits for a connection"))
	}
	for _, e := range top(entries(q.uses), 2) {
		f.Where = append(f.Where, r.Frame(e.Key, float64(e.Value)/all, "uses one"))
	}
	return f
}

// smallPool is the number of connections in use below which the pool's limit is looked at first: it is less than most
// servers have cores and disks for.
const smallPool = 10

func busyPoolRemedies(r *Reading, p connPool, q poolQueue) []casefile.Remedy {
	at := "the lines that use one"
	if uses := entries(q.uses); len(uses) > 0 {
		at = r.Place(uses[0].Key)
	}
	shorten := returnSooner(at, p)
	more := setValue("Open more connections", fmt.Sprintf("%s are in use: raise the pool's limit (%s)%s, as far "+
		"as the "+
		"server has room for, for all instances of the service together.", count(float64(q.using())), p.limit,
		enoughConnections(r, float64(q.using()))), "more load on the server")
	reject := doChange("Give up in time", "Pass the request's context with a deadline, and limit the requests at "+
		"work: a queue that is longer than callers wait does work for nobody.", "requests are rejected")
	idles := 2*linesTotal(q.uses) < q.kept // most are kept while something else is done
	if q.using() < smallPool && !idles {
		return []casefile.Remedy{more, shorten, reject}
	}
	return []casefile.Remedy{shorten, more, reject}
}

// poolWindow is how many of the last samples say how fast requests come and are answered.
const poolWindow = 10

// enoughConnections says how many connections keep up with the requests, by Little's law: those that are in use answer
// as many a second as the vitals count, and the requests in progress grow by those that are too many. It says nothing
// where requests are not counted, or do not grow in number.
func enoughConnections(r *Reading, using float64) string {
	last := r.Vitals[max(len(r.Vitals)-poolWindow, 0):]
	answered, counted := meanOf(last, vitals.HTTPRate)
	if !counted || answered <= 0 {
		return ""
	}
	first, ok1 := last[0].Get(vitals.HTTPInFlight)
	now, ok2 := last[len(last)-1].Get(vitals.HTTPInFlight)
	span := last[len(last)-1].Time.Sub(last[0].Time).Seconds()
	if !ok1 || !ok2 || span <= 0 || now <= first {
		return ""
	}
	more := (now - first) / span
	enough := math.Ceil(using * (1 + more/answered))
	return fmt.Sprintf(" to %s or more: %s requests a second are answered and %s more come, if each takes one "+
		"connection, once", count(enough), count(answered), count(more))
}
