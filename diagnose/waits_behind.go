package diagnose

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose/known"
	"github.com/gocasebook/casebook/diagnose/stacks"
	"github.com/gocasebook/casebook/diagnose/traces"
	"github.com/gocasebook/casebook/diagnose/wait"
)

// Callers that join a call in progress (singleflight and its like) wait for the one goroutine that makes it. Who waits
// is told when it has ended: what is missing is an end of that one call.

// queuesForTurn reports whether most requests wait inside of a library for their turn, which one has and keeps: in a
// trace hardly any gets it.
func queuesForTurn(r *Reading, p *wait.Pile) bool {
	ended := int64(0)
	for w := range r.WaitsAt(r.Summary(), p.Line) {
		ended += w.Times.Count
	}
	_, owned := r.waits().Owner(p)
	return owned && p.Request && p.For == wait.Inside && p.Last() >= waitersLeast && p.InAll() &&
		mostWait(r.waits(), p) && ended < waitersLeast
}

// joinedTurn is requests that wait inside of a library for their turn, which one of them has and keeps.
func joinedTurn(r *Reading, g *wait.Graph) (a waitAnswer, ok bool) {
	i := slices.IndexFunc(g.Piles, func(p *wait.Pile) bool { return queuesForTurn(r, p) })
	if i < 0 {
		return a, false
	}
	p := g.Piles[i]
	h, _ := g.Owner(p)
	who, at, in, calls := waiting(g, p.Last()), lineText(r, p), callee(r, p), r.Place(h.Does.At)
	a = waitAnswer{waiters: []*wait.Pile{p}, n: p.Last(), limit: capUnsure,
		places: append(placesOf(p, "waits for its turn"), waitPlace{at: h.Does.At, n: 1, role: "the call of the one let in"}),
		title:  fmt.Sprintf("%s wait at %s for one call of a library, at %s", who, at, calls),
		summary: fmt.Sprintf("%s wait at %s in %s, which lets one in at a time. In both captures one has been let in, and "+
			"its call waits for %s at %s.", who, at, in, h.Does.For, calls),
		why: "A library that lets one in at a time makes all wait for the call in progress. Without a time-out of its own " +
			"that ends when the other side pleases, and who waits for a turn may not look at its context.",
		remedies: []casefile.Remedy{inGeneral("Give the library's call a time-out", fmt.Sprintf("Where what %s is called on "+
			"is made: hand it an http.Client with a Timeout, or its own option for one; the default client waits for ever, and "+
			"a deadline of the request's context may not reach that call.", in), "slow answers are lost"),
			doChange("Make that call beside the requests", fmt.Sprintf("Let a goroutine call it at start and refresh it "+
				"before it expires, and answer 503 at %s until it is there.", at), "the first requests are refused")}}
	if g.Share(p) >= nearlyAllWait {
		a.score = scoreOfAll
	}
	return a, true
}

// joinedCall is goroutines that wait for one call of another one, and are more than the requests in progress: those
// whose requests have ended are left behind, so that the call takes longer than they do.
func joinedCall(r *Reading, g *wait.Graph) (a waitAnswer, ok bool) {
	for _, p := range g.Piles {
		if p.Request || p.Line == stacks.NoFrame || p.Last() < waitersLeast || p.Last() <= g.InProgress() ||
			g.InProgress() < waitersLeast || !p.InAll() {
			continue
		}
		h, owned := g.Owner(p)
		if !owned || h.Does != h.Pile {
			continue
		}
		n, at := count(p.Last()), lineText(r, h.Pile)
		return waitAnswer{waiters: []*wait.Pile{p}, n: p.Last(), limit: capUnsure, places: []waitPlace{{at: h.Line,
			n: 1, role: "the one call"}, {at: p.Line, n: p.Last(), role: "waits for it"}},
			title: fmt.Sprintf("%s goroutines wait for one call at %s, which does not end", n, at),
			summary: fmt.Sprintf("%s goroutines wait at %s in %s for one goroutine that is inside of it, waiting for "+
				"%s at %s; %s requests are in progress, so that the others have been left behind.", n, lineText(r, p),
				callee(r, p), h.For, at, count(g.InProgress())), impact: n + " goroutines wait", why: "Who asks for what " +
				"is being fetched joins the call in progress. As long as that call does not end, nobody starts another " +
				"one, and all who join wait for it.", remedies: oneCallRemedies(at, lineText(r, p))}, true
	}
	return a, false
}

// joinedCalls is requests that have joined the calls of a few others, which wait for the world outside.
func joinedCalls(r *Reading, g *wait.Graph) (a waitAnswer, ok bool) {
	for _, p := range g.Piles {
		first, n := g.Leaders(p)
		if n == 0 || 2*n > p.Last() || !p.Request || p.Last() < waitersLeast || !p.InAll() || !mostWait(g, p) {
			continue
		}
		calls, at, joins := things(n, "other"), lineText(r, first), lineText(r, p)
		a = waitAnswer{waiters: []*wait.Pile{p}, n: p.Last(), limit: capUnsure,
			places: []waitPlace{{at: first.Line, n: n, role: "the calls"}, {at: p.Line, n: p.Last(), role: "waits for them"}},
			title:  fmt.Sprintf("%s wait for the calls of %s at %s", waiting(g, p.Last()), calls, at),
			summary: fmt.Sprintf("%s wait at %s in %s, which lets one call for each key through; %s make the calls, and "+
				"wait for %s at %s, in both captures.", waiting(g, p.Last()), joins, callee(r, p), calls, first.For, at),
			why: "Who asks for what is being fetched joins the call in progress, and is as late as that is. It keeps the " +
				"load away from the other side, and makes nothing faster.",
			remedies: slices.Insert(oneCallRemedies(at, joins), 0, doChange("Answer with the old value while a new one is "+
				"fetched", fmt.Sprintf("At %s: keep what was fetched, give it out for a while after it has expired, and let one "+
				"goroutine fetch the new one. Or fetch it before it expires.", joins), "answers can be stale"))}
		if float64(p.Last()+n) >= nearlyAllWait*float64(g.InProgress()) {
			a.score = scoreOfAll
		}
		return a, true
	}
	return a, false
}

// inRounds is requests that wait for goroutines which a loop starts in rounds: it waits for all of them before it starts
// the next, so that most are gone while it does, and what has come since waits.
func inRounds(r *Reading, g *wait.Graph) (a waitAnswer, ok bool) {
	s := r.Summary()
	took := tracedRequests(s).took
	for _, p := range g.Piles {
		e := endsAt(r, p.Line)
		if !p.Request || p.Line == stacks.NoFrame || e.Count < batchCalls || 2*e.ByOne < e.Count {
			continue
		}
		i := slices.IndexFunc(s.Created, func(c traces.GoroutinesFrom) bool { return c.Starts == e.By && !servesTraced(c.Stack) })
		w := longestAt(r, s, p.Line)
		if i < 0 || 2*s.Created[i].Life.Mean() > w.Times.Mean() || 2*w.Times.Total < took {
			continue
		}
		j := slices.IndexFunc(s.Blocking, func(o traces.Wait) bool {
			return does(o.Stack, known.AwaitsGroup) && typeOf(o.Stack) == typeOf(s.Created[i].Stack) &&
				o.Times.Count >= waitersLeast && 2*(o.Times.Total+o.Open) >= s.Span && o.Wakers[0].Goroutine == e.By
		})
		if j < 0 {
			continue
		}
		join, _ := r.TracedLine(s.Blocking[j].Stack)
		starts, _ := r.TracedLine(s.Created[i].Stack)
		life, each, rounds := s.Created[i].Life.Mean(), w.Times.Mean(), s.Blocking[j].Times
		share := min(w.Times.Total.Seconds()/took.Seconds(), 1)
		a = waitAnswer{waiters: []*wait.Pile{p}, n: p.Last(), limit: capUnsure, basis: traceBasis(r), share: share,
			score: batchScale().Score(each.Seconds()), impact: percent(share) + " of the time of all requests",
			places: append([]waitPlace{{frame: tracedFrame(join, 0, "waits for the whole round")},
				{frame: tracedFrame(starts, 0, "starts a round")}}, placesOf(p, "waits for a round")...),
			title: fmt.Sprintf("Requests wait %s at %s for work of %s: %s waits for whole rounds", seconds(each),
				lineText(r, p), seconds(life), tracedPlace(join)), summary: fmt.Sprintf("What ends the wait of a request "+
				"at %s takes %s (%s of them), and the request waits for %s. The loop that starts them waits at %s until "+
				"the last of a round is done, %s times, for %s of the trace: meanwhile the others of the round are gone, "+
				"and nothing new is begun.", lineText(r, p), seconds(life), count(s.Created[i].Life.Count), seconds(each),
				tracedPlace(join), count(rounds.Count),
				percent((rounds.Total+s.Blocking[j].Open).Seconds()/s.Span.Seconds())), why: "A round is as slow as the " +
				"slowest of it. The more that are in one, the more often one of them is slow, and all places but one are " +
				"idle then."}
		a.remedies = []casefile.Remedy{doChange("Begin the next as soon as a place is free", fmt.Sprintf("At %s, in place of "+
			"Wait for each round: workers that loop over a channel, or a semaphore (golang.org/x/sync/semaphore, errgroup's "+
			"SetLimit over all of them) that each gives back when it is done.", tracedPlace(join)), "no round has an end any more"),
			inGeneral("End what is slow", fmt.Sprintf("A deadline for what is started at %s bounds each round.", tracedPlace(starts)),
				"slow answers are lost")}
		return a, true
	}
	return a, false
}

// longestAt is the longest wait of requests of a trace at a line.
func longestAt(r *Reading, s *traces.Summary, at stacks.FrameID) (longest traces.Wait) {
	for w := range r.WaitsAt(s, at) {
		if servesTraced(w.Stack) && w.Times.Total > longest.Times.Total {
			longest = w
		}
	}
	return longest
}

// ownerOf is who goroutines at a line wait for: the one call.
func ownerOf(r *Reading, at stacks.FrameID) (h wait.Holder, ok bool) {
	for _, p := range r.waits().Piles {
		if !ok && p.Line == at {
			h, ok = r.waits().Owner(p)
			ok = ok && h.Does == h.Pile
		}
	}
	return h, ok
}

func oneCallRemedies(call, joined string) []casefile.Remedy {
	return []casefile.Remedy{callDeadline(call),
		doChange("Let those that wait give up", fmt.Sprintf("At %s: wait for the result in a select beside ctx.Done() "+
			"(DoChan of singleflight), and Forget the key: the next one asks anew.", joined), "several calls for one key")}
}

// lostWakeup is requests that wait for workers which all sleep in a sync.Cond: the wakeup went to one that could not do
// the work, or came before the sleep.
func lostWakeup(r *Reading, g *wait.Graph) (waitAnswer, bool) {
	s, ok := g.BothAsleep()
	if !ok || g.Share(s.Waiters...) < waitersMost {
		return waitAnswer{}, false
	}
	late, signal, traced := wakesLate(r, s)
	if !traced && (!inTrouble(r) || wait.Last(s.Waiters) < waitersLeast) {
		return waitAnswer{}, false
	}
	p, w, n := s.Waiters[0], s.Workers[0], wait.Last(s.Waiters)
	at, sleeps := lineText(r, p), lineText(r, w)
	wakes, places := "what wakes those at "+sleeps, []waitPlace(nil)
	if signal.Function != "" {
		wakes, places = tracedPlace(signal), []waitPlace{{frame: tracedFrame(signal, 0, "wakes one that waits")}}
	}
	a := waitAnswer{waiters: s.Waiters, n: n, limit: capUnsure, score: scoreOfAll, places: places,
		title: fmt.Sprintf("Requests wait at %s for workers that all sleep at %s", at, sleeps),
		summary: fmt.Sprintf("%s wait at %s, and %s sleep in a sync.Cond at %s, in both captures, with nobody at work.%s "+
			"A wakeup was lost, or went to one that could not do the work.", waiting(g, n), at,
			things(wait.Last(s.Workers), "goroutine")+" that would do the work", sleeps, late),
		why: "Signal wakes one goroutine, any that waits. If goroutines wait for different things in one Cond, it may " +
			"wake one that finds nothing to do and sleeps again, and the wakeup is gone: the work waits until the next one.",
		remedies: []casefile.Remedy{
			doChange("Broadcast in place of Signal", fmt.Sprintf("At %s: Broadcast wakes all that wait at %s, and who finds "+
				"its condition true goes on. Change the condition under the lock before it.", wakes, sleeps),
				"all wake for each piece of work"),
			doChange("A Cond for each condition", fmt.Sprintf("Around %s: goroutines that wait for different things wait in "+
				"a sync.Cond, or receive from a channel, of their own; then Signal wakes the right one.", sleeps), "more code"),
		}}
	a.places = append(a.places, waitPlace{at: w.Line, n: w.Last(), role: "sleeps"},
		waitPlace{at: p.Line, n: n, role: "waits for it"})
	return a, true
}

// wakesLate says, by a trace, how long requests wait for those that sleep, and where one of these is woken; false if
// others end the wait, or work for as long.
func wakesLate(r *Reading, s wait.Asleep) (late string, signal traces.Frame, ok bool) {
	sum, root := r.Summary(), r.Table.Func(s.Root).Name
	var waited traces.Times
	for w := range r.WaitsAt(sum, s.Waiters[0].Line) {
		if len(w.Wakers) > 0 && w.Wakers[0].Goroutine == root {
			waited = w.Times
		}
	}
	for w := range r.WaitsAt(sum, s.Workers[0].Line) {
		if len(w.Wakers) > 0 {
			signal, _ = r.TracedLine(w.Wakers[0].Stack)
		}
	}
	i := slices.IndexFunc(sum.Goroutines, func(t traces.GoroutineType) bool { return t.Name == root })
	if i < 0 || waited.Count == 0 {
		return "", signal, false
	}
	spent := sum.Goroutines[i].Spent
	each := (spent.Sum() - spent.Lock - spent.Channel - spent.Select) / time.Duration(waited.Count)
	return fmt.Sprintf(" In the trace half of the requests wait %s or longer, for %s of work.",
		seconds(waited.P50), seconds(each)), signal, waited.P50 > 2*each
}

// heldElsewhere is requests that ask a library again and again to be let in, or wait for a place of a pool, while no
// request is beyond that point: who has what they wait for is not in this process, or has gone without giving it back.
// That it has to be given back the trace shows: the same function of the user's calls the library for something else.
func heldElsewhere(r *Reading, g *wait.Graph) (a waitAnswer, ok bool) {
	c, s := waitTogether(r), (*traces.Summary)(nil)
	if s, a.basis = r.Trace(); s == nil || c.pile == nil || c.pile.Enter == stacks.NoFrame || waitsByDesign(r, c) {
		return a, false
	}
	p, t := c.pile, c.sleep.Times
	again := s.InSlowest(c.sleep.Stack) > t.Max || t.Count > tracedRequests(s).number
	back, given := givesBack(r, s, p)
	lost := takenForGood(r, s, p) && g.Share(p) >= nearlyAllWait
	if !lost && (!given || !again || !endedByTimers(c.sleep)) || g.Beyond(p) {
		return a, false
	}
	n, at, end := p.N[c.moment], lineText(r, p), tracedPlace(back)
	who := waiting(g, n)
	a.waiters, a.n, a.limit = []*wait.Pile{p}, n, capUnsure
	if g.Share(p) >= nearlyAllWait {
		a.score = scoreOfAll
	}
	if lost {
		return notReleased(r, a, p, who), true
	}
	a.places = append(placesOf(p, "asks for it again and again"), waitPlace{frame: tracedFrame(back, 0, "gives it back")})
	a.title = fmt.Sprintf("%s ask again and again at %s for what none of them has", who, at)
	a.summary = fmt.Sprintf("%s wait at %s in %s, %s at a time, and try again. In all captures no request is beyond that "+
		"line: whoever has it is in another process, or has gone without giving it back at %s.", who, at, callee(r, p),
		seconds(t.Mean()), end)
	a.why = "What is kept outside of the process stays taken until it is given back or expires. A request whose client " +
		"has left has a cancelled context: a release with that context fails at once, and all others wait for the expiry."
	a.remedies = []casefile.Remedy{
		doChange("Give it back whatever has become of the request", fmt.Sprintf("At %s: with a context that is not "+
			"cancelled with the request (context.WithoutCancel(ctx), and a timeout of its own), on each path, and log the "+
			"error that it returns.", end), "none"),
		setValue("Let it expire sooner", fmt.Sprintf("At %s: a time to live of a few times the work, prolonged while "+
			"that goes on; then what was not given back is free sooner.", at), "a slow holder may lose it"),
	}
	return a, true
}

// endedByTimers reports whether timers ended nearly all waits at a place.
func endedByTimers(w traces.Wait) bool {
	n := int64(0)
	for _, by := range w.Wakers {
		if len(by.Stack) == 0 {
			n += by.Count
		}
	}
	return w.Reason != "network" && w.Times.Count > 0 && 20*n >= 19*w.Times.Count
}

// givesBack is the line at which the function that waits inside a library, or a literal of it, calls that library for
// something else.
func givesBack(r *Reading, s *traces.Summary, p *wait.Pile) (at traces.Frame, ok bool) {
	own, enter := r.Table.Func(p.Line).Name, r.Table.Func(p.Enter)
	for _, site := range s.Syscalls {
		for i, f := range site.Stack[min(len(site.Stack), 1):] {
			if !r.IsUsers(f) {
				continue
			}
			name, calls := r.Traced(f).Name, r.Traced(site.Stack[i])
			if (name == own || strings.HasPrefix(name, own+".func")) && calls.Package == enter.Package &&
				calls.Owner == stacks.Dependency && calls.Name != enter.Name {
				return f, true
			}
			break
		}
	}
	return at, false
}

// notReleased is requests that wait for places which nobody of this process has or gives back any more.
func notReleased(r *Reading, a waitAnswer, p *wait.Pile, who string) waitAnswer {
	at, what := lineText(r, p), whatPlace(p)
	a.places = placesOf(p, "waits for one, and takes one")
	a.title = fmt.Sprintf("%s wait for a %s at %s, and none of them has one", who, what, at)
	a.summary = fmt.Sprintf("%s wait for a %s at %s. In all captures nobody is beyond that line, and in the trace no "+
		"wait there was ended by one that is given back: all that there are have been taken and not released.", who, what, at)
	a.why = "What is taken out of a pool and not given back on one path, such as the return of an error, is lost to it. " +
		"With the last one the pool is empty for ever; more places only make that later."
	a.remedies = []casefile.Remedy{
		doChange("Release it on every path", fmt.Sprintf("After %s: defer the release right behind the check of its error, "+
			"so that a return with an error gives it back, too.", at), "none"),
		doChange("Give up waiting", fmt.Sprintf("At %s: with a deadline requests fail and leave; it brings no place back.",
			at), "requests fail"),
	}
	return a
}

// turnsLeast is how many requests wait for their turn at least, in both captures: a pool's places are few.
const turnsLeast = 5

// oneAtATime is requests that wait for an answer which one of them at a time gets: in each capture one is beyond that
// line, and in a trace the time beyond it adds up to the trace's own. So what they ask for is a lock of the peer's, and
// the one beyond it keeps that. It is not the peer that is slow, and no limit of connections.
func oneAtATime(r *Reading, g *wait.Graph) (a waitAnswer, ok bool) {
	s, from := r.Trace()
	if s == nil {
		return a, false
	}
	for _, p := range g.Piles {
		h, function, turns := g.Turn(p, turnsLeast)
		if !turns {
			continue
		}
		if beyond := timeBeyond(r, s, g.Table.Func(function).Name, g.Table.Line(function)); 5*beyond >= 4*s.Span &&
			10*beyond <= 11*s.Span {
			a = turnAnswer(r, g, p, h, fmt.Sprintf("%s of the %s that the trace lasts", seconds(beyond), seconds(s.Span)))
			a.basis = from
			return a, true
		}
	}
	return a, false
}

// timeBeyond is how long requests of a trace wait behind a line of a function, all together.
func timeBeyond(r *Reading, s *traces.Summary, function string, line int) (sum time.Duration) {
	for _, w := range s.Blocking {
		for _, f := range w.Stack {
			if f.Line > line && r.Traced(f).Name == function {
				sum += w.Times.Total + w.Open
				break
			}
		}
	}
	return sum
}

func turnAnswer(r *Reading, g *wait.Graph, p *wait.Pile, h wait.Holder, beyond string) waitAnswer {
	n, at, has := p.Last(), lineText(r, p), lineText(r, h.Pile)
	a := waitAnswer{waiters: []*wait.Pile{p}, n: n, limit: capUnsure,
		places: append(placesOf(p, "waits for its turn"), waitPlace{at: h.Line, n: h.Last(), role: "the one that has it"}),
		title:  fmt.Sprintf("Requests wait at %s for a lock outside of the process, which the one at %s has", at, has)}
	more := ""
	if q, queued := placeQueue(g); queued && q.First() != p {
		a.waiters, a.n = append(a.waiters, q.Waiters...), n+q.Last()
		a.places = append(a.places, placesOfAll(q.Waiters, 2, "waits behind them")...)
		more = fmt.Sprintf(" %s more wait for a %s, which these hold.", count(q.Last()), whatPlace(q.First()))
	}
	a.summary = fmt.Sprintf("%s wait at %s in %s. In each capture one request is beyond that line, now at %s, and the "+
		"waits beyond it are %s: there is never more than one, and hardly ever none. So it is given to one at a time.%s",
		count(n), at, callee(r, p), has, beyond, more)
	a.why = "A row that is updated, a lock by name, or a database with one writer stays with a transaction or session " +
		"until that ends. All others wait for it with their connections in their hands, however many there are."
	a.remedies = append(a.remedies, doChange("Lock last", fmt.Sprintf("Do what is done at %s before %s, so that what "+
		"is locked there is locked just before the end; or give it back before, in a transaction of its own.", has, at),
		"two steps are no longer one"), doChange("Lock less", fmt.Sprintf("At %s: a row or a key for each of what "+
		"may go on side by side, or a sequence where only a number is wanted.", at), "numbers may have gaps"))
	return a
}

// takenForGood reports whether requests wait for places of a pool of which none is given back: nobody of it ends a wait
// in the trace.
func takenForGood(r *Reading, s *traces.Summary, p *wait.Pile) bool {
	if p.For != wait.Place || !p.InAll() || p.Role.Roles&known.AwaitsPlace == 0 {
		return false
	}
	pkg := r.Table.Func(p.At).Package
	for w := range r.WaitsAt(s, p.Line) {
		for _, by := range w.Wakers {
			for _, f := range by.Stack {
				if stacks.FuncOf(f.Function, f.File, "").Package == pkg {
					return false
				}
			}
		}
	}
	return true
}
