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
	"github.com/gocasebook/casebook/vitals"
)

// waitUnknown is the kind of a wait of which no row knows why.
const waitUnknown = "requests-wait"

func requestsWait() waitRow {
	return waitRow{id: "WT008", kind: waitUnknown, effect: "Requests are late",
		title: "Most requests in progress wait at one place",
		text: `Half of the requests in progress or more wait at one line, in two captures, or in one while the vitals
show that they are late or fail. It is the answer where no other kind has one that is more than a notice, if something
shows that they are no long polls: a rule tripped; they sleep there again and again, by a trace; a row about a module,
or a WaitGroup of which too few goroutines are left, says so; or they wait for an answer for 0.1 s or more, or in a
system call for 2 ms, by the kernel's count of writes. Worth knowing from 10, hurting from 100, 55 where nine of ten
wait there, up to 74. Else the verdict says what was seen.

Named with their cause are those who wait for one call or a few of others, for workers that all sleep in a sync.Cond,
and for what nobody of this process has. What should be made once, and takes a third of the time of all requests in a
trace, is a notice.`,
		before: `h.queue <- job; <-job.done // and nobody takes from queue`,
		after:  `select { case h.queue <- job: case <-ctx.Done(): return errBusy }`,
		find: func(r *Reading, g *wait.Graph) (waitAnswer, bool) {
			if a, ok := firstAnswer(r, joinedCall, joinedCalls, joinedTurn, lostWakeup, heldElsewhere, inRounds); ok {
				return a, true
			}
			c := waitTogether(r)
			if c.pile == nil || waitsByDesign(r, c) || !inTrouble(r) && c.of == 0 && longOutside(r, c) == 0 &&
				(!c.again || c.pile.For == wait.Sleep && c.tries.calls == 0) && !knownToWait(r, c) && !leftAlone(r, c.pile) {
				return knownTraced(r)
			}
			return unknownAnswer(r, g, c), true
		}}
}

// knownToWait reports whether a row says why requests wait where a crowd does: it is no long poll then.
func knownToWait(r *Reading, c waitingCrowd) bool {
	e := r.experts()
	return c.pile.InAll() && !c.pile.For.Outside() && len(e.on(e.frames(c.pile.Stack), shows(known.Waiting))) > 0
}

// leftAlone reports whether requests wait for a WaitGroup of which half of them have no goroutine left: a dump shows too
// few that their function has started, and hardly any such wait ends in a trace. One that ended has not called Done.
func leftAlone(r *Reading, p *wait.Pile) bool {
	set, left := r.Goroutines(), int64(0)
	if p.For != wait.Group || unheard(r, p) < waitersLeast || set == nil || set.Goroutines == nil {
		return false
	}
	own, begun := r.Table.Func(p.Line).Name, begunIn(r, p)
	for _, q := range r.Piles(set) {
		ours := r.Table.Has(q.Stack, func(f *stacks.Func) bool {
			return strings.HasPrefix(f.Name, own+".func") || f.Does(known.StartsForCaller) ||
				slices.ContainsFunc(begun, func(c traces.GoroutinesFrom) bool { return c.Starts == f.Name })
		})
		for by := range q.Started {
			ours = ours || r.Table.FuncID(by) == r.Table.FuncID(p.Line)
		}
		if ours {
			left += q.N
		}
	}
	return 2*left < p.Last()
}

// begunIn are the goroutines that the function in which a pile waits has begun in a trace, itself or by what it calls.
func begunIn(r *Reading, p *wait.Pile) (out []traces.GoroutinesFrom) {
	for _, c := range r.Summary().Created {
		if slices.ContainsFunc(c.Stack, func(f traces.Frame) bool { return r.Traced(f).Name == r.Table.Func(p.Line).Name }) {
			out = append(out, c)
		}
	}
	return out
}

// neverDone puts into an answer that those who would call Done have ended without it, and where they begin.
func neverDone(r *Reading, a *waitAnswer, p *wait.Pile, at string) {
	a.title = fmt.Sprintf("%s requests wait at %s for goroutines of which none is left", count(a.n), at)
	a.why = "Who waits for a WaitGroup goes on when each one that was added has called Done. One that has returned " +
		"without that, or was never begun, is waited for until the process ends."
	for _, c := range begunIn(r, p) {
		if line, ok := r.TracedLine(c.Stack); ok && c.Alive == 0 {
			a.places = append(a.places, waitPlace{frame: tracedFrame(line, 0, "begins them")})
			a.remedies = []casefile.Remedy{doChange("Call Done on each way out of what go begins: defer it there",
				fmt.Sprintf("At %s, as its first line, or by wg.Go: a return, or a panic that is recovered, before Done is "+
					"called leaves the wait at %s for ever, and so does one that is added and then not begun.",
					tracedPlace(line), at), "none")}
			return
		}
	}
}

// A waitingCrowd is the requests in progress that wait at one line.
type waitingCrowd struct {
	pile   *wait.Pile // nil without one
	moment int        // of the capture that shows them
	sleep  traces.Wait
	again  bool      // sleep is their wait in a trace, nothing but timers ended it, and the same requests slept several times
	tries  tracedAsk // what they call again after each sleep; zero where no call is seen
	of     int64     // requests of the trace, where these sleeps alone show it; 0 where captures do
}

// waitTogether is the line at which most requests in progress wait for something that ends from outside of them: in two
// captures, or in the fullest one while clients are known to wait longer than before, or to fail.
func waitTogether(r *Reading) (c waitingCrowd) {
	g := r.waits()
	c.moment = len(g.Moments) - 1
	together := func(agree func(*wait.Pile) bool) bool {
		i := slices.IndexFunc(g.Piles, func(p *wait.Pile) bool {
			return p.Request && p.For != wait.Nothing && p.For != wait.Lock && p.For != wait.Collector &&
				p.For != wait.Unknown && agree(p) && !awaitsNews(r.Table, p.Stack)
		})
		if i >= 0 {
			c.pile = g.Piles[i]
		}
		return i >= 0
	}
	if !together(func(p *wait.Pile) bool { return mostWait(g, p) && p.InAll() }) && requestsLate(r) {
		c.moment = g.Fullest()
		together(func(p *wait.Pile) bool { return mostAt(g, c.moment, p.N[c.moment]) })
	}
	if c.pile == nil {
		c.sleepsMost(r, r.waits().Piles...)
		return c
	}
	c.sleepsAt(r, c.pile)
	if c.pile.For == wait.Sleep && !c.again && !waitsByDesign(r, c) {
		c.sleepsMost(r, c.pile)
	}
	return c
}

// sleepsMost finds, by a trace alone, requests that sleep between attempts: timers end the waits at a line, two or more
// for each request, which are half of the time of all. Or they call time.Sleep themselves, for long.
func (c *waitingCrowd) sleepsMost(r *Reading, piles ...*wait.Pile) {
	all, s := tracedRequests(r.Summary()), r.Summary()
	for _, p := range piles {
		if !p.Request || p.Line == stacks.NoFrame {
			continue
		}
		c.sleepsAt(r, p)
		w := c.sleep
		t, slept := w.Times, s.InSlowest(w.Stack)
		c.again = c.again && t.Count >= 2*w.Requests && slept > t.Max
		itself := w.Reason == "sleep" && len(w.Stack) > 1 && r.IsUsers(w.Stack[1]) && t.Mean() >= batchTimer && slept > 0
		if (c.again || itself) && t.Count >= batchCalls && w.Requests > 0 && 2*t.Total >= all.took {
			c.pile, c.of = p, all.number
			return
		}
	}
}

// requestsLate reports whether the vitals show that requests take longer than before, and longer than people wait for
// gladly, or that they fail.
func requestsLate(r *Reading) bool {
	_, late := becameLate(r)
	_, _, fail := failingNow(r)
	return late || fail || latenciesAt(r, troubledVitals(r), r.TroubleAt()).rose != ""
}

// sleepsAt finds the wait of a pile in a trace, if timers alone ended it: who polls or retries sleeps. It is again if
// they call out between two; or if there are more such waits than requests, or they differ as those of a back-off do and
// calls are more than requests, and half of the requests end sooner than half of these waits: where all are paced, none.
func (c *waitingCrowd) sleepsAt(r *Reading, p *wait.Pile) {
	s := r.Summary()
	c.sleep, c.again, c.tries = longestAt(r, s, p.Line), false, tracedAsk{}
	requests, calls, passed := int64(0), int64(0), false
	for _, k := range s.Kinds {
		if isServer(k) {
			requests += k.Times.Count + k.Open
			passed = passed || k.Times.Count > 0 && k.Times.P50 < c.sleep.Times.P50
		} else {
			calls = max(calls, k.Times.Count)
		}
	}
	t, timed := c.sleep.Times, slices.Contains([]string{"select", "sleep", "channel"}, c.sleep.Reason)
	backsOff := 2*t.P50 >= 3*t.Min && t.Max >= 3*t.P50 && calls > requests || s.InSlowest(c.sleep.Stack) > t.Max
	few := c.sleep.Requests > 0 && 2*c.sleep.Requests < requests // others are not told to come again
	if timed && endedByTimers(c.sleep) {
		c.tries = callBetween(r, s, c.sleep)
		c.again = c.tries.calls > 0 || !few && passed && (t.Count > requests || t.Count >= waitersLeast && backsOff)
	}
}

// tells puts into an answer that requests wait between calls, and what is called. If the pauses grow it is tried again
// because it has failed.
func (c *waitingCrowd) tells(a *waitAnswer, who, at string) {
	t, call, between := c.sleep.Times, tracedPlace(c.tries.at), "tries"
	a.remedies = []casefile.Remedy{doChange("Do not try again what has been answered", fmt.Sprintf("See what is taken for a "+
		"failure of %s: an answer that stays the same (404, 409, 422, an error of its own such as not found, a cancelled "+
		"context) ends the tries; only what may differ a moment later (no answer, 429, 503) is worth a pause.", call), "none"),
		setValue("Fewer and shorter pauses", fmt.Sprintf("At %s: no longer in all than the answer is worth waiting for.", at),
			"what fails for longer is given up sooner")}
	if 2*t.P95 < 3*t.Min { // they are all as long, and may be wanted
		between, a.limit = "calls", capNotice
		a.remedies[0] = doChange("Take the pauses out of the request", fmt.Sprintf("At %s: what is polled for can be awaited "+
			"where it comes from (a long poll, a subscription, a channel of this process); calls that are paced for a limit of "+
			"the other side go through one limiter for all requests, which lets the first ones through at once.", at), "none")
	}
	a.places = append(a.places, waitPlace{frame: tracedFrame(c.tries.at, 0, "is called again")})
	a.title = fmt.Sprintf("%s wait at %s for pauses between %s, %s each", who, at, between, seconds(t.Mean()))
	a.summary = fmt.Sprintf("%s wait at %s, %s at a time: in the trace timers alone ended these %s waits, of %s, and %s is "+
		"called before each, which takes %s.", who, at, seconds(t.Mean()), count(t.Count), things(c.sleep.Requests, "request"),
		call, seconds(c.tries.mean()))
	a.why = "A pause between two calls helps only if the next one can have another answer."
}

// longOutside is for how long each of a crowd waits at least for what it has asked, or in a system call, by the kernel's
// count of writes; 0 where that is not long, or does not tell. In a process that is short of CPU answers are late by
// itself; a trace in which most requests end shows how long each wait is.
func longOutside(r *Reading, c waitingCrowd) (least float64) {
	p := c.pile
	writes, counted := r.MeanNear(vitals.WriteCalls, r.waits().Moments[c.moment])
	each, worth := float64(p.N[c.moment])/max(writes, 1e-9), syscallTimeScale().Worth
	if p.For != wait.Disk {
		each, worth = 2*each, slowCallScale().Worth
		if !asks(r, p) || r.Table.Has(p.Stack, withWork(known.PassesStream)) || strain(r) != "" {
			return 0
		}
	}
	if endsMost(r) || counted == 0 || writes <= 0 || !p.InAll() || each < worth {
		return 0
	}
	return each
}

// endsMost reports whether a trace has seen more requests end than are in progress at its end: of what these wait for it
// has no times.
func endsMost(r *Reading) bool {
	s, _ := r.Trace()
	open, ended := int64(0), int64(0)
	for _, k := range r.Summary().Kinds {
		if isServer(k) {
			open, ended = open+k.Open, ended+k.Times.Count
		}
	}
	return s != nil && open <= ended
}

// lastResort leaves out findings of waits that nobody knows why, if another finding may be the reason.
func lastResort(fs []casefile.Finding) []casefile.Finding {
	known := slices.ContainsFunc(fs, func(f casefile.Finding) bool { return f.Kind != waitUnknown && f.Score > capNotice })
	return slices.DeleteFunc(fs, func(f casefile.Finding) bool { return f.Kind == waitUnknown && known })
}

// forHowLong is how long each of a crowd waits: by a dump, or by Little's law; "" where neither tells.
func forHowLong(r *Reading, c waitingCrowd) string {
	if c.pile.Longest > 0 {
		return ", up to " + minutes(c.pile.Longest)
	}
	if least := longOutside(r, c); least > 0 {
		return ", " + seconds(least) + " or longer each"
	}
	if rate, rated := meanIn(troubledVitals(r), vitals.HTTPRate); rated && rate > 0 {
		return ", about " + seconds(float64(c.pile.N[c.moment])/rate) + " each"
	}
	return ""
}

// seenWaiting is the verdict where nothing is found that could be why most requests wait at one line: that is no sign
// of health.
func seenWaiting(r *Reading) *casefile.CaseVerdict {
	c := waitTogether(r)
	if c.pile == nil || waitsByDesign(r, c) {
		return nil
	}
	f := unknownAnswer(r, r.waits(), c)
	return &casefile.CaseVerdict{Answer: casefile.AnswerUndecided, Take: casefile.Trace,
		Settle: captureTrace + ": who wakes those that wait at " + lineText(r, c.pile),
		Text:   firstThatFits(f.title+"; whether they should is not known.", f.title+".")}
}

// waitsByDesign reports whether requests at a place have taken over their connections, as streams of events do. A trace
// has seen those end that sleep between attempts.
func waitsByDesign(r *Reading, c waitingCrowd) bool {
	p := c.pile
	return c.of == 0 && !leftAlone(r, p) && (isSession(r, p.Stack, p.N[c.moment]) ||
		isHTTP1(r.Table, p.Stack) && tookOver(r, p, c.moment) || streams(r, p))
}

// streams reports whether the function in which requests wait sends to its client meanwhile, as a trace shows.
func streams(r *Reading, p *wait.Pile) bool {
	return slices.ContainsFunc(r.Summary().Syscalls, func(c traces.Site) bool {
		i := slices.IndexFunc(c.Stack, func(f traces.Frame) bool { return r.Traced(f).Name == r.Table.Func(p.Line).Name })
		return i >= 0 && does(c.Stack[:i], known.FlushesAnswer)
	})
}

func unknownAnswer(r *Reading, g *wait.Graph, c waitingCrowd) waitAnswer {
	p := c.pile
	n, at, what, inside := p.N[c.moment], lineText(r, p), "for "+p.For.String(), ""
	if p.Enter != stacks.NoFrame {
		inside = " in " + callee(r, p)
		if p.For == wait.Inside {
			what = strings.TrimSpace(inside)
		}
	}
	var calls []string
	for _, id := range p.Inner() {
		calls = append(calls, r.Table.Func(id).Name)
	}
	if p.For == wait.Disk {
		what = "for " + systemCall(calls)
	}
	who := fmt.Sprintf("%s of %s in progress", count(n), things(g.Requests[c.moment], "request"))
	long := forHowLong(r, c)
	a := waitAnswer{waiters: []*wait.Pile{p}, n: n, limit: capUnsure, places: placesOf(p, "waits here"),
		title: fmt.Sprintf("%s wait at %s %s%s", who, at, what, long), summary: fmt.Sprintf("%s wait at %s%s for "+
			"%s%s; %s did in the first capture.", who, at, inside, p.For, long, count(p.N[0])), impact: who + " wait",
		why: "Requests that wait for each other, or for something inside the process, hold their goroutines, memory " +
			"and connections. Who could end the wait is not among the goroutines that this evidence shows at work."}
	alone, all := leftAlone(r, p), float64(n) >= nearlyAllWait*float64(g.Requests[c.moment])
	if all && (inTrouble(r) || c.again || knownToWait(r, c) || alone) {
		a.score = scoreOfAll
	}
	giveUp := inGeneral("Let a request give up", fmt.Sprintf("At %s, so that requests whose clients have gone do not pile "+
		"up: %s.", at, endsBy(r, p.Stack, p.Park)), "answers that come late are lost")
	t, each := c.sleep.Times, seconds(c.sleep.Times.Mean())
	if c.of > 0 {
		who = fmt.Sprintf("%s of %s", count(c.sleep.Requests), things(c.of, "request"))
		a.impact = who + " sleep"
	}
	if c.of > 0 || c.tries.calls > 0 {
		a.basis, a.score = traceBasis(r), batchScale().Score((t.Total / time.Duration(c.sleep.Requests)).Seconds())
	}
	switch {
	case c.tries.calls > 0:
		c.tells(&a, who, at)
	case c.of > 0 && !c.again:
		a.limit = capNotice // it may be wanted
		a.title = fmt.Sprintf("%s sleep at %s, %s each", who, at, each)
		a.summary = fmt.Sprintf("%s sleep at %s, %s each: most of the time of all requests in the trace.", who, at, each)
		a.why = "A request that sleeps is as late as its sleep is long, and nothing else is: neither the processor nor any " +
			"other service. Its goroutine, memory and connection wait with it."
		a.remedies = []casefile.Remedy{doChange("Take the sleep out of the request", fmt.Sprintf("At %s: what has to come "+
			"later belongs into a goroutine or a queue; what waits for something is told by a channel; what makes attempts "+
			"slow belongs only to those that failed.", at), "none")}
	case c.again:
		a.title = fmt.Sprintf("%s sleep at %s, %s at a time, and try again", who, at, each)
		a.summary = fmt.Sprintf("%s sleep at %s%s, %s at a time: in the trace only timers ended these %s waits, and half "+
			"of all requests ended sooner than half of them.", who, at, inside, each, count(t.Count))
		a.why = "Who polls does not see at once that what it waits for is there: it sleeps on, on average for half of the " +
			"delay, and may then come too late again. The time of a request is mostly that sleep."
		a.remedies = []casefile.Remedy{
			doChange("Shorten the delay between attempts", fmt.Sprintf("At %s: a retry delay that is not longer than what "+
				"is waited for takes, with some jitter; and fewer attempts that cannot succeed.", at), "more attempts a second"),
			doChange("Wait to be told", fmt.Sprintf("Before %s: take a sync.Mutex, or a channel of length one, so that "+
				"requests of this process queue up inside of it and only one at a time polls what others hold, too.", at), "none"),
		}
	case p.For == wait.Disk && forcesDisk(systemCall(calls)):
		a.remedies = remediesAt(at, syncing{below: calls, together: float64(n)}.remedies()...)
	case p.For == wait.Disk:
		a.remedies = remediesAt(at, syscallRemedies(systemCall(calls))...)
	case p.For == wait.Answer:
		a.remedies = append(crowdRemedies(r, p, at, float64(n)), giveUp)
	case p.For == wait.Group || p.For == wait.Cond:
		if a.remedies = []casefile.Remedy{letEnd(p.Park, at, ""), giveUp}; alone {
			neverDone(r, &a, p, at)
		}
	case p.For == wait.Place:
		a.remedies = []casefile.Remedy{inGeneral("Hold a place for less, or have more of them", joined(fmt.Sprintf("At %s: "+
			"less between taking a place and giving it back, or a higher limit", at), governedBy(p))+".",
			"more work at the same time"), giveUp}
	case p.For == wait.Inside && p.Park == stacks.WaitSend:
		a.remedies = []casefile.Remedy{
			inGeneral("See whether another release of "+shortModule(r.module(p.Stack))+" waits there", fmt.Sprintf(
				"They wait to send to a channel of the library's own, in %s, from which none of its goroutines receives: its "+
					"change log and issues say whether that is known; %s, or the release before this one.",
				short(r.Table.Func(p.At).Name), upgradeCommand(r.module(p.Stack))), "another release"), giveUp}
	default:
		a.remedies = []casefile.Remedy{
			inGeneral("Find out what ends the wait", fmt.Sprintf("Read what %s does where it stands, and who sends, signals, "+
				"answers or gives back there; an execution trace shows who wakes whom.", callee(r, p)), "none"), giveUp}
	}
	return a
}

// crowdRemedies are for so many that wait for an answer at once: many are the load of the other side themselves, if it
// answers at all.
func crowdRemedies(r *Reading, p *wait.Pile, at string, n float64) []casefile.Remedy {
	out := slowCallRemedies(at, traces.Times{})
	switch {
	case r.silent()[r.module(p.Stack)]:
		out[0], out[1] = inGeneral("Let the connection notice that its other end is gone", fmt.Sprintf("At %s: all calls "+
			"share few connections, on which nothing has come for as long as the trace shows, to whatever was asked. A ping or "+
			"keepalive of the client closes such a connection, and the next call makes a new one; a deadline of each call does "+
			"not.", at), "a ping for each quiet connection"), out[0]
	case n >= lockWaiterScale().Hurts:
		out[0], out[1] = inGeneral("Ask once for what several want", fmt.Sprintf("At %s %s calls are open at once, and "+
			"whoever does a few at a time is later for each of them. Let one call answer all that ask for the same "+
			"(golang.org/x/sync/singleflight, or GetOrLoad of github.com/gocasebook/casebook/remedy/cache), give out the "+
			"old answer meanwhile, and bound how many ask at a time: who finds no place is refused at once.", at, count(n)),
			"some answers are old, or refused"), out[0]
	}
	return out
}
