package diagnose

import (
	"cmp"
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
)

// surgeScale is in goroutines at one place. A thousand is more than pools usually have; ten thousand hold 80 MB of
// stacks and more (2 KiB at least, 8 KiB in a request handler), and what they wait for does not keep up.
func surgeScale() Scale { return Scale{Worth: 1000, Hurts: 10_000, Top: 100_000} }

// Growth between two captures that is no longer random.
const (
	grownBy    = 500             // by the vitals alone
	steadyBand = 0.1             // within ±10 %: a constant number
	steadySpan = 5 * time.Minute // for this long; over seconds a slow leak looks constant, too
	chanceBand = 4               // times √n: what the number of requests in flight may differ at random
	grownLeast = 50
)

func goroutineSurge() Detector {
	return Detector{
		ID: "GO001", Kind: "goroutine-surge",
		Title: "Goroutines pile up at one place",
		Text: `Goroutines at one line of the user's code that wait for the same. Worth knowing from 1,000, hurting
from 10,000, which hold 80 MB of stacks or more. Capped at 74 unless a second capture or the vitals show growth (then up
to 90, by the number expected in five minutes), or a dump shows goroutines that have been blocked sending for minutes.
Nearly the same number five minutes apart, below 10,000, is a pool. Exactly the same over a shorter time is undecided if
they wait for work as a pool does, and a notice else. Waits for a lock are lock-contention's.`,
		Needs: []Need{{Kinds: []string{casefile.Goroutine}, Reason: "no goroutine profile or dump",
			Capture: captureGoroutine}},
		Before: `go func() { results <- slowCall() }() // blocks forever if the reader has given up
select { case r := <-results: … case <-ctx.Done(): return }`,
		After:    `results := make(chan result, 1) // the sender never blocks`,
		Explains: related(nil, "mem-stacks"), Waits: knowsWhere, IsQueue: true, Effect: "Goroutines pile up",
		Follows: "each request that waits keeps its goroutine", Run: runGoroutineSurge,
	}
}

// runGoroutineSurge judges the highest pile of goroutines that is not told of elsewhere.
func runGoroutineSurge(_ context.Context, r *Reading) Answer {
	set := r.Goroutines()
	var still *view.Pile // none came and none went
	for _, p := range usersFirst(r.Piles(set)) {
		if float64(p.N) < surgeScale().Worth {
			break
		}
		if p.Wait.ForLock() && p.User || leftToConnectionLeak(r, p) {
			continue // kinds of locks speak of those that have a line of the user's
		}
		g := surgeGrowth(r, p)
		if g.is == staysBriefly && mayBePool(p) && float64(p.N) < surgeScale().Hurts && wakesOf(r, p) == 0 {
			still = cmp.Or(still, p)
			continue
		}
		score, soon := surgeScale().Score(float64(p.N)), 0
		if g.is == goesUp {
			soon = surgeScale().Score(float64(p.N) + lookAhead*g.perDay()/(24*60))
		}
		if score = min(max(score, min(soon, lookAheadCap)), surgeLimit(r.Table, p, g)); score >= worthKnowing {
			return found(surgeFinding(r, set, p, g, score))
		}
	}
	if still != nil {
		return undecided(fmt.Sprintf("%s goroutines wait at %s, %s, as many as in the capture before: a pool of "+
			"workers, or a leak that does not grow now", count(still.N), r.Place(still.At), still.Wait),
			"capture again five minutes later, under load, and give both: casebook diagnose A B")
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
	i := slices.IndexFunc(piles, func(p *view.Pile) bool { return p.User })
	if i < 0 || float64(piles[i].N) < nearlyAsMany*float64(piles[0].N) {
		return piles
	}
	return slices.Concat(piles[i:i+1], piles[:i], piles[i+1:])
}

// nearlyAsMany is the share from which two piles are of the same requests: some are being answered.
const nearlyAsMany = 0.9

// leftToConnectionLeak reports whether a pile waits for a pool of which connection-leak says why it is empty. Below
// libraries alone the two name different places, so that what each knows of the wait does not decide.
func leftToConnectionLeak(r *Reading, p *view.Pile) bool {
	_, waits := starvedPoolOf(r, p)
	_, told := starvedPool(r)
	return waits && told
}

// A growth is how a pile's number changes, as far as it is known.
type growth struct {
	rise
	is   going
	text string
}

// A going is what a number does.
type going uint8

const (
	goesAnywhere going = iota
	goesUp
	goesDown
	staysLong    // for minutes
	staysBriefly // as what may be a pool
)

// A growing pile is scored by the number expected in lookAhead at the same rate, but at most lookAheadCap: it is not
// known whether it continues.
const (
	lookAhead    = 5 // minutes
	lookAheadCap = 90
)

// surgeGrowth compares a pile with the first capture, and looks at the vitals where there is no other.
func surgeGrowth(r *Reading, p *view.Pile) growth {
	g := growth{rise: riseAt(r, p)}
	if g.apart <= 0 {
		return growthFromVitals(r, p)
	}
	g.text = g.String()
	d := float64(g.after - g.before)
	moved, known := driftOver(r)
	switch {
	case d >= max(grownLeast, g.chance):
		g.is, g.text = goesUp, g.text+", "+g.rate()
	case -d >= max(grownLeast, g.chance):
		g.is = goesDown
	case p.Wait != stacks.WaitSend && g.apart < steadySpan && !waitsForPool(r, p) &&
		(d == 0 || mayBePool(p) && known && math.Abs(d) < max(riseLeast, moved.chance)):
		g.is = staysBriefly
	case math.Abs(d) <= steadyBand*float64(g.before) && g.apart >= steadySpan:
		g.is = staysLong
	}
	return g
}

// growthFromVitals looks at how the number of all goroutines has moved.
func growthFromVitals(r *Reading, p *view.Pile) growth {
	if len(r.Vitals) > 0 {
		d, ok := driftBetween(r, r.Vitals[0].Time, r.Vitals[len(r.Vitals)-1].Time)
		if ok && d.change >= max(grownBy, d.chance, float64(p.N)/4) {
			return growth{is: goesUp, text: fmt.Sprintf("the number of all goroutines rose by %s", count(d.change))}
		}
	}
	return growth{}
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
	switch {
	case (idle || g.is == staysLong) && float64(p.N) < surgeScale().Hurts:
		return 0
	case idle, g.is == staysLong, g.is == staysBriefly, g.is == goesDown:
		return capNotice
	case g.is == goesUp, isStuck(p):
		return noCap
	}
	return capUnsure
}

func surgeFinding(r *Reading, set *stacks.Set, p *view.Pile, g growth, score int) casefile.Finding {
	does := waitingFor(r, p.Stack, p.Wait)
	if what, idle := idleConnection(r.Table, p); idle {
		does = "these are " + what
	}
	f := pileFinding(r, set, p, fmt.Sprintf("%s goroutines stand at %s", count(p.N), r.Place(p.At)), "waits here",
		joined(fmt.Sprintf("%s of %s goroutines are at %s, %s", count(p.N), count(set.Total(set.Count())),
			r.Place(p.At), does), g.text, pileAge(p)))
	f.Score, f.Confidence = score, 0.7
	if g.apart > 0 || g.is == goesUp || isStuck(p) {
		f.Confidence = 0.95 // the number is exact; what it means depends on how much time the captures cover
	}
	f.Explanation = "A goroutine keeps its stack and everything it can reach alive until it ends. If more arrive than " +
		"leave, memory grows, the collector scans every stack, and the work they were started for is not done."
	if h, ok := r.waits().HolderFor(p.Stack); ok && p.Wait.ForLock() {
		return runsAtOnce(r, f, p, h)
	}
	if by, ok := begunRun(r, p); ok {
		return runsOverlap(r, f, p, by)
	}
	if rate := wakesOf(r, p); rate > 0 && g.is != goesUp {
		return wakesForLittle(r, f, p, rate)
	}
	f.Remedies = endsOf(r, p)
	if p.User {
		f.Remedies = append(f.Remedies, doChange("Limit how many are started", "A fixed number of workers, or a semaphore "+
			"(a buffered channel, golang.org/x/sync/semaphore) acquired before the go statement, so that overload is "+
			"rejected early instead of piling up.", "requests are rejected or wait when the limit is reached"))
	}
	if b, ok := begunBy(r, p); ok {
		f.Where = b.where(r, p, f.Where)
		f.Title = fmt.Sprintf("%s goroutines of %s, called at %s, stand at %s", count(p.N), b.calls(r),
			r.Place(b.Line), r.Place(p.At))
	}
	return f
}

// runsAtOnce makes a finding one of runs that a library begins, and that wait at its lock for the run before.
func runsAtOnce(r *Reading, f casefile.Finding, p *view.Pile, h wait.Holder) casefile.Finding {
	line := r.Place(h.Line)
	f.Title = fmt.Sprintf("%s goroutines wait for a lock at %s, until runs of %s end", count(p.N), r.Place(p.At), line)
	f.Summary += fmt.Sprintf(" %s further along, at %s, with the lock held: runs begin faster than they end.",
		things(h.Last(), "goroutine")+" are", line)
	f.Where, f.Remedies = slices.Insert(f.Where, 0, r.Frame(h.Line, 1, "runs with the lock held")), runRemedies(line)
	return f
}

func runRemedies(line string) []casefile.Remedy {
	return []casefile.Remedy{
		doChange("Begin no run while the one before is at work", fmt.Sprintf("Skip it (the scheduler's option for one run "+
			"at a time, or a limit, to skip and not to wait; or TryLock), or begin runs less often than %s takes.", line),
			"runs are left out"),
		doChange("Make each run shorter", fmt.Sprintf("At %s: a deadline for what it waits for, below the interval at "+
			"which runs begin.", line), "slow runs are given up")}
}

// begunRun is who begins runs that call out: the function of a library, or of package time's, whose goroutines they are,
// or a go statement in a loop of the user's that goes on by the clock. No request waits for them.
func begunRun(r *Reading, p *view.Pile) (by stacks.FrameID, ok bool) {
	if by, ok = mostOf(p.Root); !ok || !p.User || serves(r.Table, p.Stack) || callsWhat(r, p.Stack) == "" {
		return by, false
	}
	of := r.Table.Func(by)
	if of.Owner == stacks.Dependency || of.Package == "time" {
		return by, !of.Does(known.StartsInGroup)
	}
	by, ok = mostOf(p.Started)
	return by, ok && r.Table.Func(by).Owner == stacks.User && byTheClock(r, r.Table.Func(by).Name)
}

// byTheClock reports whether a function goes on, and a sleep or a timer lets it do so.
func byTheClock(r *Reading, name string) bool {
	return staysIn(r, name) && slices.ContainsFunc(r.Piles(lastMoment(r)), func(q *view.Pile) bool {
		return r.Table.Has(q.Stack, func(f *stacks.Func) bool { return f.Name == name }) &&
			(q.Wait == stacks.WaitSleep || clocked(r, q))
	})
}

// runsOverlap makes a finding one of runs that are begun faster than they end.
func runsOverlap(r *Reading, f casefile.Finding, p *view.Pile, by stacks.FrameID) casefile.Finding {
	begins := short(r.Table.Func(by).Name)
	f.Title = fmt.Sprintf("Runs that %s begins overlap: %s wait at %s", begins, count(p.N), r.Place(p.At))
	f.Where[0].Role = "waits here, in each run"
	f.Explanation = fmt.Sprintf("%s begins a goroutine whether or not those before it have ended. If they begin faster "+
		"than they end, there are ever more, with their connections and memory, and whom they ask is ever slower.", begins)
	f.Remedies = runRemedies(r.Place(p.At))
	_, u := r.Table.UserFrame(p.Stack)
	if e := r.experts(); u >= 0 {
		if of := e.on(e.frames(p.Stack[u:]), shows(known.Staying|known.Waiting)); len(of) > 0 {
			f.Remedies = append(of[0].cures(r.Place(p.At)), f.Remedies[1])
			f.Where = append(f.Where, of[0].frame(f.Where[0].Share))
		}
	}
	return f
}
