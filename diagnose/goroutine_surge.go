package diagnose

import (
	"context"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose/known"
	"github.com/gocasebook/casebook/diagnose/stacks"
	"github.com/gocasebook/casebook/diagnose/view"
	"github.com/gocasebook/casebook/diagnose/wait"
	"github.com/gocasebook/casebook/vitals"
)

// surgeScale is in goroutines at one place. A thousand is more than pools usually have; ten thousand hold 80 MB of
// stacks and more (2 KiB at least, 8 KiB in a request handler), and what they wait for does not keep up.
func surgeScale() Scale { return Scale{Worth: 1000, Hurts: 10_000, Top: 100_000} }

// Growth between two captures that is no longer random.
const (
	grownFactor = 1.3
	grownBy     = 500
	steadyBand  = 0.1             // within ±10 %: a constant number
	steadySpan  = 5 * time.Minute // for this long; over seconds a slow leak looks constant, too
	chanceBand  = 4               // times √n: what the number of requests in flight may differ at random
	grownLeast  = 50
)

func goroutineSurge() Detector {
	return Detector{
		ID:    "GO001",
		Kind:  "goroutine-surge",
		Title: "Goroutines pile up at one place",
		Text: `Groups goroutines by the line of the user's code where they wait and by what they wait for.
Worth knowing from 1,000 at one place, hurting from 10,000: that many hold 80 MB of stacks or more. Capped at 74 unless
a second capture or the vitals show growth (then it is scored by the number expected in five minutes, up to 90), or a
dump (debug=2) shows goroutines that have been blocked sending for minutes, which no pool does. Nearly the same number
five minutes apart, below 10,000, is a pool. Exactly the same over a shorter time is undecided if they wait for work as
a pool does, and a notice otherwise and from 10,000; senders are the exception. Waits for a lock are lock-contention's,
those that hold threads thread-surge's. Idle HTTP connections are a notice from 10,000.`,
		Needs: []Need{{Kinds: []string{casefile.Goroutine}, Reason: "no goroutine profile or dump",
			Capture: captureGoroutine}},
		Before: `go func() { results <- slowCall() }() // blocks forever if the reader has given up
select { case r := <-results: … case <-ctx.Done(): return }`,
		After:    `results := make(chan result, 1) // the sender never blocks`,
		Explains: related(nil, "mem-stacks"),
		Waits:    knowsWhere,
		IsQueue:  true,
		Effect:   "Goroutines pile up",
		Follows:  "each request that waits keeps its goroutine",
		Run:      runGoroutineSurge,
	}
}

// runGoroutineSurge judges the highest pile of goroutines that is not told of elsewhere.
func runGoroutineSurge(_ context.Context, r *Reading) Answer {
	set := r.Goroutines()
	var still []*view.Pile // none came and none went
	for _, p := range usersFirst(r.Piles(set)) {
		if float64(p.N) < surgeScale().Worth {
			break
		}
		if p.Wait.ForLock() && p.User || leftToConnectionLeak(r, p) {
			continue // kinds of locks speak of those that have a line of the user's
		}
		g := surgeGrowth(r, p)
		g.pausing = g.pausing && !waitsForPool(r, p)
		if g.pausing && mayBePool(p) && float64(p.N) < surgeScale().Hurts {
			still = append(still, p)
			continue
		}
		limit := surgeLimit(r.Table, p, g)
		score := min(max(surgeScale().Score(float64(p.N)), g.score(p.N)), limit)
		if score >= worthKnowing {
			return found(surgeFinding(r, set, p, g, score))
		}
	}
	if len(still) > 0 {
		p := still[0]
		return undecided(fmt.Sprintf("%s goroutines wait at %s, %s, as many as in the capture before: a pool of "+
			"workers, or a leak that does not grow now",
			count(float64(p.N)), r.Place(p.At), p.Wait), "capture again five minutes later, under load, and give "+
			"both: casebook diagnose A B")
	}
	return Answer{}
}

// waitsForPool reports whether a pile waits for a connection of a client, which workers without work do not.
func waitsForPool(r *Reading, p *view.Pile) bool {
	_, waits := poolOf(r.Table, p.Stack)
	return waits
}

// usersFirst are piles, the highest first, except for those at a line of the user's that is nearly as high: a request
// under way has a goroutine at each end of a connection and in the libraries between, and only one that can be changed.
func usersFirst(piles []*view.Pile) []*view.Pile {
	for i, p := range piles {
		if float64(p.N) < nearlyAsMany*float64(piles[0].N) {
			break
		}
		if p.User {
			return slices.Concat(piles[i:i+1], piles[:i], piles[i+1:])
		}
	}
	return piles
}

// nearlyAsMany is the share from which two piles are of the same requests: some are being answered.
const nearlyAsMany = 0.9

// leftToConnectionLeak reports whether a pile waits for a pool of which connection-leak says why it is empty. Below
// libraries alone the two name different places, so that what each knows of the wait does not decide.
func leftToConnectionLeak(r *Reading, p *view.Pile) bool {
	if _, ok := starvedPoolOf(r, p); !ok {
		return false
	}
	_, told := starvedPool(r)
	return told
}

// A growth is how a pile's number changes, as far as it is known.
type growth struct {
	rise
	grows, shrinks  bool
	steady, pausing bool   // the same number: for minutes; over a short time, of what a pool may be
	text            string // of all of these
}

// A growing pile is scored by the number expected in lookAhead at the same rate, but at most lookAheadCap: it is not
// known whether it continues.
const (
	lookAhead    = 5 // minutes
	lookAheadCap = 90
)

// perMinute is by how much it grows between two captures.
func (g growth) perMinute() float64 { return g.perDay() / (24 * 60) }

func (g growth) score(n int64) int {
	expected := float64(n)
	if g.grows {
		expected += lookAhead * g.perMinute()
	}
	return min(surgeScale().Score(expected), lookAheadCap)
}

// surgeGrowth compares a pile with the first capture, and looks at the vitals where there is no other.
func surgeGrowth(r *Reading, p *view.Pile) growth {
	g := growth{rise: riseAt(r, p)}
	if g.apart <= 0 {
		return growthFromVitals(r, p)
	}
	d, span, before := float64(g.after-g.before), seconds(g.apart.Seconds()), count(float64(g.before))
	moved, known := driftOver(r)
	switch {
	case d >= max(grownLeast, g.chance):
		g.grows = true
		g.text = fmt.Sprintf("%s earlier there were %s: %s more a minute", span, before, count(math.Round(g.perMinute())))
	case -d >= max(grownLeast, g.chance):
		g.shrinks = true
		g.text = fmt.Sprintf("within %s their number fell: %s, then %s", span, before, count(float64(g.after)))
	case p.Wait != stacks.WaitSend && g.apart < steadySpan &&
		(d == 0 || mayBePool(p) && known && math.Abs(d) < max(riseLeast, moved.chance)):
		g.pausing = true
		g.text = fmt.Sprintf("%s earlier there were as many (%s): a pool, or a pile that does not grow now", span, before)
	case math.Abs(d) <= steadyBand*float64(g.before) && g.apart >= steadySpan:
		g.steady = true
		g.text = fmt.Sprintf("%s earlier there were as many (%s)", span, before)
	default:
		g.text = fmt.Sprintf("%s earlier there were %s", span, before)
	}
	return g
}

// growthFromVitals compares the first and the last quarter of the history.
func growthFromVitals(r *Reading, p *view.Pile) growth {
	early, late, ok := firstAndLast(r, vitals.Goroutines)
	if !ok || late < grownFactor*early || late-early < grownBy || late-early < float64(p.N)/4 {
		return growth{}
	}
	return growth{grows: true, text: fmt.Sprintf("all goroutines of the process rose from %s to %s", count(early),
		count(late))}
}

// firstAndLast are the means of a signal in the first and the last quarter of the history.
func firstAndLast(r *Reading, id vitals.ID) (early, late float64, ok bool) {
	n := len(r.Vitals) / 4
	if n < 3 {
		return 0, 0, false
	}
	early, ok1 := meanOf(r.Vitals[:n], id)
	late, ok2 := meanOf(r.Vitals[len(r.Vitals)-n:], id)
	return early, late, ok1 && ok2
}

func meanOf(samples []vitals.Sample, id vitals.ID) (float64, bool) {
	return (&view.View{Vitals: samples}).Mean(id)
}

// isStuck reports whether the goroutines have been blocked for minutes in a send, which no pool of workers does.
func isStuck(p *view.Pile) bool { return p.Wait == stacks.WaitSend && 2*p.Waiting >= p.N }

// mayBePool reports whether goroutines in the user's code wait as workers wait for work.
func mayBePool(p *view.Pile) bool {
	return p.User && (p.Wait == stacks.WaitReceive || p.Wait == stacks.WaitSelect || p.Wait == stacks.WaitCond)
}

// surgeLimit is the highest score that the knowledge of a pile allows.
func surgeLimit(t *stacks.Table, p *view.Pile, g growth) int {
	_, idle := idleConnection(t, p)
	hurts := float64(p.N) >= surgeScale().Hurts
	switch {
	case (idle || g.steady) && !hurts:
		return 0
	case idle, g.steady, g.pausing, g.shrinks:
		return capNotice
	case g.grows, isStuck(p):
		return noCap
	}
	return capUnsure
}

func surgeFinding(r *Reading, set *stacks.Set, p *view.Pile, g growth, score int) casefile.Finding {
	total := float64(set.Total(stacks.ByValue(set.Value(casefile.Goroutine, "count"))))
	does := waitingFor(r, p.Stack, p.Wait)
	if what, idle := idleConnection(r.Table, p); idle {
		does = "these are " + what
	}
	f := casefile.Finding{
		Title:      fmt.Sprintf("%s goroutines stand at %s", count(float64(p.N)), r.Place(p.At)),
		Score:      score,
		Confidence: surgeConfidence(set, p, g),
		Summary: fmt.Sprintf("%s of %s goroutines are at %s, %s%s.", count(float64(p.N)), count(total),
			r.Place(p.At), does, pileMore(r, p, g)),
		Explanation: "A goroutine keeps its stack and everything it can reach alive until it ends. If more arrive " +
			"than leave, memory grows, " +
			"the collector scans every stack, and the work they were started for is not done.",
		Where:    pileWhere(r, p, total),
		Remedies: surgeRemedies(r, p, g),
		Evidence: Basis(set),
	}
	f.Impact = pileImpact(p, total)
	if h, ok := r.waits().HolderFor(p.Stack); ok && p.Wait.ForLock() {
		return runsAtOnce(r, f, p, h)
	}
	return asStanding(r, f, p)
}

// runsAtOnce makes a finding one of runs that a library begins, and that wait at its lock for the run before.
func runsAtOnce(r *Reading, f casefile.Finding, p *view.Pile, h wait.Holder) casefile.Finding {
	line := r.Place(h.Line)
	f.Title = fmt.Sprintf("%s goroutines wait for a lock at %s, until runs of %s end", count(float64(p.N)),
		r.Place(p.At), line)
	f.Summary += fmt.Sprintf(" %s further along in the same function, at %s, with the lock held: runs begin faster than "+
		"they end.", things(float64(h.Last()), "goroutine")+" are", line)
	f.Where = slices.Insert(f.Where, 0, r.Frame(h.Line, 1, "runs with the lock held"))
	f.Remedies = []casefile.Remedy{
		doChange("Begin no run while the one before is at work", fmt.Sprintf("Skip it (the scheduler's option to skip in "+
			"place of the one to wait, or TryLock), or begin runs less often than %s takes.", line), "runs are left out"),
		doChange("Make each run shorter", fmt.Sprintf("At %s: a deadline for what it waits for, below the interval at "+
			"which runs begin.", line), "slow runs are given up")}
	return f
}

// pileImpact is the part of all goroutines that a pile is.
func pileImpact(p *view.Pile, total float64) casefile.Impact {
	share := float64(p.N) / max(total, 1)
	return casefile.Impact{Resource: "goroutines", Share: roundShare(share),
		Text: fmt.Sprintf("%s of all goroutines, at least %s of stacks", percent(share), size(float64(p.N)*minStack))}
}

// minStack is the smallest stack of a goroutine in bytes (runtime/stack.go stackMin).
const minStack = 2048

// surgeConfidence: the number is exact; its meaning depends on how much time the captures cover.
func surgeConfidence(set *stacks.Set, p *view.Pile, g growth) float64 {
	switch {
	case set.Cut != "":
		return 0.5
	case g.apart > 0 || g.grows || isStuck(p):
		return 0.95
	}
	return 0.7
}

// pileMore is what is known beyond the number: growth, time waited, who started them.
func pileMore(r *Reading, p *view.Pile, g growth) string {
	s := ""
	if g.text != "" {
		s += "; " + g.text
	}
	if p.Dump && p.Longest > 0 {
		s += "; " + pileAge(p)
	}
	if es := entries(p.Started); len(es) > 0 {
		s += fmt.Sprintf("; started at %s", r.Place(es[0].Key))
	}
	return s
}

func pileWhere(r *Reading, p *view.Pile, total float64) []casefile.Frame {
	out := []casefile.Frame{r.Frame(p.At, float64(p.N)/total, "waits here")}
	for _, e := range top(entries(p.Started), 2) {
		out = append(out, as(startedPart, r.Frame(e.Key, float64(e.Value)/total, "started here")))
	}
	if len(out) == 1 {
		for _, e := range top(entries(p.Root), 2) {
			if e.Key != p.At {
				out = append(out, as(rootPart, r.Frame(e.Key, float64(e.Value)/total,
					"the goroutine's function")))
			}
		}
	}
	return out
}

func surgeRemedies(r *Reading, p *view.Pile, g growth) []casefile.Remedy {
	bound := casefile.Remedy{Kind: casefile.Change, Title: "Limit how many are started",
		Text: "A fixed number of workers, or a semaphore (a buffered channel, golang.org/x/sync/semaphore) acquired " +
			"before the go statement, so that overload is rejected early instead of piling up.",
		Price: "requests are rejected or wait when the limit is reached"}
	if pool, ok := starvedPoolOf(r, p); ok {
		return []casefile.Remedy{returnSooner(r.Place(p.At), pool), bound}
	}
	if callsWhat(r, p.Stack) != "" { // in whatever way the library waits: net/http's client is in a select
		return []casefile.Remedy{callDeadline(r.Place(p.At)), bound}
	}
	if in, ok := waitsInside(r, p.Stack); ok && p.User && p.Wait != stacks.WaitNetwork {
		return append(insideRemedies(r, p, in), bound)
	}
	first := letEnd(p.Wait, r.Place(p.At))
	switch {
	case p.Wait == stacks.WaitNetwork && r.Table.Func(p.At).Does(known.ServesConn) && !p.User:
		return idleServerRemedies()
	case p.Wait == stacks.WaitNetwork:
		first = doChange("Set a deadline on the network call", "A context with a timeout on the request, "+
			"http.Client.Timeout, ReadTimeout and IdleTimeout on a server: then a peer that does not answer cannot hold "+
			"a goroutine.", "slow answers are lost")
	case !parked(p.Wait):
		first = doChange("Find out what they wait for", "A dump with debug=2 shows how long each has waited and which "+
			"code started it: curl -fo goroutines.txt 'http://HOST/debug/pprof/goroutine?debug=2' (it stops the program "+
			"for 50–200 ms at 10,000 goroutines).", "a pause")
	}
	return []casefile.Remedy{first, bound}
}

// idleServerRemedies are for connections that clients keep open and do not use.
func idleServerRemedies() []casefile.Remedy {
	return []casefile.Remedy{
		setValue("http.Server.IdleTimeout = 1 or 2 minutes", "Without it, and without ReadTimeout, a connection "+
			"stays open as long as the client likes.", "a client that comes back later connects again"),
		doChange("Have clients reuse their connections", "One http.Client for the process, bodies read to the end "+
			"and closed, MaxIdleConnsPerHost as high as the number of concurrent requests; behind a proxy, its pool "+
			"of upstream connections.", "none"),
	}
}
