package diagnose

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose/known"
	"github.com/gocasebook/casebook/diagnose/traces"
	"github.com/gocasebook/casebook/internal/number"
)

// A pool that opens a connection for whoever finds none idle, and closes what comes back beyond the few that it keeps:
// with more requests in progress than that it opens one for each of the others. A pool that keeps what it opens never
// opens more than were in use at once, so that many more tell the two apart.

// poolTurns is how many times as many connections as requests are in progress a pool opens before it is said to keep
// too few: bursts have some times the mean.
const poolTurns = 10

// A poolDialing is what requests wait for below a pool's function while it opens a connection for them.
type poolDialing struct {
	setting, pool string
	took          time.Duration
	lines         map[traces.Frame]time.Duration // the user's, that ask the pool
	opened        map[traces.Frame]int64
}

// openedBelow is where a pool opens a connection: the index of its function that does so for its caller, and of the
// user's line that asks; false of other stacks.
func openedBelow(r *Reading, s traces.Stack) (pool, line int, ok bool) {
	pool = slices.IndexFunc(s, func(f traces.Frame) bool { return known.Of(f.Function).Is(known.OpensForCaller) })
	if pool < 1 || !servesTraced(s) {
		return 0, 0, false
	}
	line = slices.IndexFunc(s[pool:], r.IsUsers)
	return pool, pool + line, line > 0
}

// poolDialings adds up the waits for connections that are opened: below the functions of a driver that dial.
func poolDialings(r *Reading, s *traces.Summary) poolDialing {
	d := poolDialing{lines: map[traces.Frame]time.Duration{}, opened: map[traces.Frame]int64{}}
	openers := make(map[string]bool)
	for _, c := range s.Syscalls {
		if pool, line, ok := openedBelow(r, c.Stack); ok && does(c.Stack[:pool], known.Dials) {
			openers[c.Stack[pool-1].Function] = true
			at := c.Stack[line]
			d.opened[at] = max(d.opened[at], c.Times.Count)
			d.setting, d.pool = known.IdleSetting(c.Stack[pool].Function)
		}
	}
	for _, w := range s.Blocking {
		if pool, line, ok := openedBelow(r, w.Stack); ok && openers[w.Stack[pool-1].Function] {
			d.took += w.Times.Total
			d.lines[w.Stack[line]] += w.Times.Total
		}
	}
	return d
}

// poolDials finds a pool that opens connections again and again, if requests wait for these.
func poolDials(r *Reading) (f casefile.Finding, ok bool) {
	s := r.Summary()
	all, d := tracedRequests(s), poolDialings(r, s)
	opened := int64(0)
	for _, n := range d.opened {
		opened += n
	}
	if opened < syscallRequests || float64(opened)*s.Span.Seconds() < poolTurns*all.took.Seconds() {
		return f, false
	}
	share := min(float64(d.took)/max(float64(all.took), 1), 1)
	each := d.took.Seconds() / float64(max(all.number, 1))
	return d.finding(r, opened, share, each),
		min(tripTimeScale().Score(each), syscallShareScale().Score(share)) >= worthKnowing
}

func (d *poolDialing) finding(r *Reading, opened int64, share, each float64) casefile.Finding {
	s, from := r.Trace()
	lines := slices.SortedFunc(maps.Keys(d.lines), func(a, b traces.Frame) int {
		return cmp.Or(cmp.Compare(d.lines[b], d.lines[a]), cmp.Compare(tracedPlace(a), tracedPlace(b)))
	})
	at, n, rate := tracedPlace(lines[0]), count(float64(opened)), count(float64(opened)/s.Span.Seconds())
	f := casefile.Finding{
		Score:      min(tripTimeScale().Score(each), syscallShareScale().Score(share), capUnsure),
		Confidence: Confidence(share, float64(opened)), Evidence: from,
		Title: fmt.Sprintf("Connections of %s are opened again and again for the calls at %s: %s a second", d.pool, at, rate),
		Summary: fmt.Sprintf("%s connections were opened within %s for requests that found none idle in %s: many more than "+
			"are ever in use at once, so it closes them in between. Requests wait %s each for them, and %s of their time.",
			n, seconds(s.Span.Seconds()), d.pool, seconds(each), percent(share)),
		Explanation: "A pool keeps only some connections while nobody uses them (two in database/sql, if nothing is set). " +
			"What comes back beyond these is closed, and the next request that finds none opens another: a handshake, a " +
			"login and a new process or thread at the database, for one query.",
		Impact: casefile.Impact{Resource: "latency", Share: roundShare(share),
			Text: fmt.Sprintf("%s of each request, on average", seconds(each)),
			Gain: casefile.Gain{Low: roundShare(share / 2), High: roundShare(share), Arithmetic: fmt.Sprintf("%s of the "+
				"requests' time is spent opening connections, which goes away with those that are kept; half of it if some "+
				"are still opened at peaks", number.Share(share))}},
		Remedies: []casefile.Remedy{
			setValue("Raise "+d.setting, fmt.Sprintf("Of the pool that is asked at %s, where it is made: %s as high as the "+
				"limit of open connections, and a lifetime (idle and in all) of minutes.", at, d.setting),
				"idle connections on both sides"),
			doChange("One pool for the process", "If the pool is made for each call: make it once at start-up, and keep it.",
				"none"),
		},
	}
	for _, l := range lines[:min(len(lines), 3)] {
		f.Where = append(f.Where, tracedFrame(l, share*float64(d.lines[l])/max(float64(d.took), 1),
			"waits for a connection that is opened (share of the requests' time)"))
	}
	return f
}
