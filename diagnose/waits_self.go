package diagnose

import (
	"cmp"
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

// Waits that the program makes itself: limiters, batches, pipes. No other service is slow.

// together are the piles of requests that wait for one thing, if they are most of the requests in progress.
func together(g *wait.Graph, f wait.For) (ps []*wait.Pile, n int64, ok bool) {
	for _, p := range g.Piles {
		if p.For == f && p.Request {
			ps = append(ps, p)
		}
	}
	return ps, wait.Last(ps), len(ps) > 0 && mostWait(g, ps...)
}

func ownLimiter() waitRow {
	return waitRow{id: "WT004", kind: "own-limiter", effect: "Requests are late",
		title: "Requests wait for a limiter of rates in this program",
		text: `Goroutines that answer requests wait inside a limiter of rates (golang.org/x/time/rate, client-go's
flowcontrol, ratelimit) for their turn, before anything is sent: no other service is slow. A limiter that nobody knows
shows in an execution trace: timers end the waits one by one, at an even beat. So does a queue that delays: those who
end the waits are idle, and woken by one that timers wake. Worth knowing from 10 that wait, hurting from 100; half of
the requests in progress or more, in two captures.`,
		before: `for _, ns := range namespaces { client.List(ns) } // 31 calls at 5 a second`,
		after:  `config.QPS, config.Burst = 50, 100; client.List("") // one call for all`,
		find: func(r *Reading, g *wait.Graph) (waitAnswer, bool) {
			ps, n, ok := together(g, wait.Limiter)
			if !ok {
				return firstAnswer(r, pacedTurns, keptBack)
			}
			p := ps[0]
			if !p.InAll() {
				return waitAnswer{}, false
			}
			title, raise := "Raise its rate", "the limiter's rate and burst"
			if p.Role.Setting != "" {
				title, raise = "Raise "+p.Role.Setting, p.Role.Setting
			}
			a := limited(r, g, ps, n, title, upperFirst(raise))
			a.remedies[0] = withSets(cmp.Or(p.Role.Setting, casefile.SetsPlaces), a.remedies[0])
			a.title = fmt.Sprintf("%s wait for their turn at %s of this program, at %s", waiting(g, n), p.Role.What,
				lineText(r, p))
			a.summary = fmt.Sprintf("%s wait in %s for their turn, called at %s: before anything is sent. The limit of the "+
				"rate is this program's own.", waiting(g, n), p.Role.What, lineText(r, p))
			return a, true
		}}
}

// limited is what is said of every limiter: raise is what to raise to what the other side allows.
func limited(r *Reading, g *wait.Graph, ps []*wait.Pile, n int64, title, raise string) waitAnswer {
	return waitAnswer{waiters: ps, n: n, limit: agreed(ps[0]),
		places: append(placesOf(ps[0], "waits for its turn"), placesOfAll(ps[1:], 2, "waits for its turn")...),
		why: "A limiter lets calls through at a fixed rate. While more come than it lets through, each waits longer " +
			"than the one before; the service behind it is not asked meanwhile and is not slow.",
		remedies: []casefile.Remedy{
			setValue(title, raise+", to what the other side allows: at least the calls of one request times the requests "+
				"a second.",
				"more load on the other side"),
			doChange("Make fewer calls for each request", fmt.Sprintf("At %s: one call that lists all in place of one for "+
				"each item, and answers that are kept for some seconds.", lineText(r, ps[0])),
				"answers are as old as they are kept"),
		}}
}

// pacedTurns is requests at one line of which timers let one after the other go on, at an even beat: a limiter of
// rates, whoever wrote it. Sleeps that are not dealt out by one hand end as requests come, at random.
func pacedTurns(r *Reading, g *wait.Graph) (a waitAnswer, ok bool) {
	for _, p := range g.Piles {
		b := endsAt(r, p.Line)
		if !p.Request || p.Line == stacks.NoFrame || !p.InAll() || !mostWait(g, p) ||
			b.Timed < b.Count || b.Gaps.Count < waitersLeast || 2*b.Gaps.P95 > 3*b.Gaps.P50 {
			continue
		}
		n, at, each := p.Last(), lineText(r, p), seconds(b.Gaps.P50)
		a = limited(r, g, []*wait.Pile{p}, n, "Shorten the interval between turns", fmt.Sprintf(
			"What paces %s: less than %s, or more turns at a time", at, each))
		a.title = fmt.Sprintf("%s wait for their turn at %s: a timer lets one through each %s", waiting(g, n), at, each)
		a.summary = fmt.Sprintf("%s wait at %s. In the trace %s waits ended there, all by timers and one each %s, however "+
			"many waited: a limiter of this program, or a ticker, deals out the turns.", waiting(g, n), at, count(b.Count), each)
		a.basis = traceBasis(r)
		return a, true
	}
	return a, false
}

// keptBack is requests that wait for work which a timer keeps back, while all who would do it are idle: what goes in is
// delayed, not slow.
func keptBack(r *Reading, g *wait.Graph) (a waitAnswer, ok bool) {
	s := r.Summary()
	for _, p := range g.Piles {
		b := endsAt(r, p.Line)
		if !p.Request || p.Line == stacks.NoFrame || !p.InAll() || !mostWait(g, p) || b.Count < waitersLeast ||
			2*b.ByOne < b.Count {
			continue
		}
		rest, of, idle := s.IdleIn(b.By)
		i := slices.IndexFunc(s.Ends, func(e traces.End) bool { return slices.Equal(e.Stack, rest.Stack) && e.By != b.By })
		if i < 0 || idle < idleShare {
			continue
		}
		j := slices.IndexFunc(s.Ends, func(e traces.End) bool { return e.Stack.BeganIn(s.Ends[i].By) })
		if j < 0 || 2*s.Ends[j].Timed < b.Count {
			continue
		}
		return keptAnswer(r, g, p, s.Ends[j], fmt.Sprintf("The %s of %s that end these waits have nothing to do for %s of "+
			"the trace", things(of, "goroutine"), short(b.By), percent(idle))), true
	}
	return a, false
}

// keptAnswer names the line that puts in what the loop with a timer keeps.
func keptAnswer(r *Reading, g *wait.Graph, p *wait.Pile, loop traces.End, idle string) waitAnswer {
	var puts traces.Frame
	for _, w := range r.Summary().Blocking {
		for _, by := range w.Wakers {
			if at, ok := r.TracedLine(by.Stack); ok && slices.Equal(w.Stack, loop.Stack) && puts.Function == "" {
				puts = at
			}
		}
	}
	at, keeps := lineText(r, p), short(loop.Stack[len(loop.Stack)-1].Function)
	a := waitAnswer{waiters: []*wait.Pile{p}, n: p.Last(), limit: agreed(p), places: placesOf(p, "waits for what is kept back"),
		title: fmt.Sprintf("%s wait for work that a timer keeps back", waiting(g, p.Last())),
		summary: fmt.Sprintf("%s wait at %s. %s. They are woken by %s, and that by timers, %s times.",
			upperFirst(waiting(g, p.Last())), at, idle, keeps, count(loop.Timed)),
		why: "A queue that delays (a rate limit for each key, a back-off after failures, a debounce) is for what failed or " +
			"comes too often. What is new waits there as if it had, and longer each time if nothing tells the queue that it went well.",
		basis: traceBasis(r)}
	if puts.Function != "" {
		a.places, at = append([]waitPlace{{frame: tracedFrame(puts, 0, "puts it in")}}, a.places...), tracedPlace(puts)
	}
	a.remedies = []casefile.Remedy{
		doChange("Put what is new in without the delay, and tell the queue what went well", fmt.Sprintf("At %s: the call that "+
			"adds at once (workqueue: Add in place of AddRateLimited or AddAfter); the delayed one only after a failure, and "+
			"after success what ends its back-off (Forget).", at), "what fails is tried again as before"),
		setValue("A shorter delay", "The greatest delay or interval of "+keeps+", where it is made.", "more of what comes often")}
	return a
}

// idleShare is the part of a trace in which who has nothing to do is in one wait.
const idleShare = 0.8

// idleEnders reports whether those who end the waits at a line wait at a channel of the user's own for most of a trace:
// they have nothing to do.
func idleEnders(r *Reading, at stacks.FrameID) bool {
	e := endsAt(r, at)
	rest, of, idle := r.Summary().IdleIn(e.By)
	in, _ := standsAt(rest.Stack)
	return e.Count >= batchCalls && 2*e.ByOne >= e.Count && of > 0 && idle >= idleShare && r.IsUsers(in) &&
		rest.Reason != "sleep"
}

// endsAt is who ended the waits at a line in a trace, and when; zero where it does not say.
func endsAt(r *Reading, at stacks.FrameID) (e traces.End) {
	for _, o := range r.Summary().Ends {
		if line, ok := r.TracedLine(o.Stack); ok && r.IsAt(at, line) && o.Count > e.Count {
			e = o
		}
	}
	return e
}

func childOutput() waitRow {
	return waitRow{id: "WT007", kind: "child-output", effect: "Requests are late", explains: []string{"child-unwaited"},
		title: "Requests wait for a pipe that a child of their command keeps open",
		text: `Goroutines wait in (*exec.Cmd).Wait for the goroutines that copy a command's output, and not for the
command: it has ended, or was killed at its deadline, and one of its own children still has the other end of the pipe
(golang/go#23019). Worth knowing from 10 requests, hurting from 100; half of those in progress or more must wait there,
in two captures.`,
		before: `exec.CommandContext(ctx, "git", "fetch").CombinedOutput() // a hook goes on in the background`,
		after:  `cmd := exec.CommandContext(ctx, …); cmd.WaitDelay = time.Second; cmd.CombinedOutput()`,
		find: func(r *Reading, g *wait.Graph) (waitAnswer, bool) {
			ps, n, ok := together(g, wait.Pipe)
			if !ok || !ps[0].InAll() {
				return waitAnswer{}, false
			}
			p := ps[0]
			return waitAnswer{waiters: ps, n: n, limit: agreed(p), places: placesOf(p, "waits for the pipe"),
				title: fmt.Sprintf("%s wait for the end of a command's output at %s", waiting(g, n), lineText(r, p)),
				summary: fmt.Sprintf("%s wait at %s for the end of a command's output. As long as a process has the pipe open, "+
					"one that the command has started and left behind, too, it does not come.", waiting(g, n), lineText(r, p)),
				why: "A pipe ends when all copies of its writing end are closed, and a grandchild inherits one. Killing the " +
					"command at a deadline does not close it.",
				remedies: []casefile.Remedy{closesPipe(p, lineText(r, p)),
					doChange("End the whole process group", "SysProcAttr{Setpgid: true}, and cmd.Cancel that kills -pid: then "+
						"no grandchild is left.", "children that were meant to go on end, too"),
					doChange("Write the output to a file", "An *os.File as Stdout is given to the command as it is: nothing is "+
						"copied, and Wait waits for the command alone.", "the file has to be read and removed"),
				}}, true
		}}
}

// closesPipe is for goroutines that wait for a pipe's end: in Wait, or in a read of the program's own, before it.
func closesPipe(p *wait.Pile, at string) casefile.Remedy {
	if p.Role == nil {
		return doChange("Let what is left behind write elsewhere", fmt.Sprintf("What the command of %s starts and leaves "+
			"behind gets >/dev/null 2>&1, or a log. WaitDelay alone does not end a read of StdoutPipe.", at), "none")
	}
	return setValue("cmd.WaitDelay = a second or two", fmt.Sprintf("At %s: Wait then closes the pipes that long after "+
		"the command has ended or its context is done (Go 1.20).", at), "late output is lost")
}

// Limits of batchWait.
const (
	batchTimer = 50 * time.Millisecond // that a timer waits on average: below, gathering is cheap
	batchShare = 0.5                   // of the time of all requests
	batchCalls = 20                    // in the trace
)

// batchScale is in seconds that a request waits on average.
func batchScale() Scale { return Scale{Worth: 0.05, Hurts: 0.5, Top: 10} }

func batchWait() waitRow {
	return waitRow{id: "WT005", kind: "batch-wait", effect: "Requests are late",
		title: "Requests wait for a timer that gathers more before it sends",
		text: `Follows in an execution trace who ends the waits of requests, to a wait in the same package that only a
timer ends, after about the same time each time: a library that gathers until its time is up or until it has more, or
that keeps each call back. Half of the time of all requests or more must be that wait, in 20 calls of 50 ms or more.
Worth knowing from 50 ms a request, hurting from 0.5 s, up to 74: it may be what is wanted.`,
		before: `w := &kafka.Writer{…}; w.WriteMessages(ctx, m) // waits up to BatchTimeout, 1 s, for 99 more`,
		after:  `w := &kafka.Writer{BatchTimeout: 5 * time.Millisecond, …}`,
		find: func(r *Reading, g *wait.Graph) (a waitAnswer, ok bool) {
			s, all := r.Summary(), tracedRequests(r.Summary())
			t, ok := gathering(s, r)
			if !ok {
				return a, false
			}
			mean, timer, calls := t.wait.Times.Mean(), t.timer.Times.Mean(), t.wait.Times.Count
			end, ok := r.TracedLine(t.timer.Stack)
			if !ok { // it is the standard library's
				end, _ = standsAt(t.timer.Stack)
			}
			setting, share := "its batch time", min(float64(t.wait.Times.Total)/float64(max(all.took, 1)), 1)
			a = waitAnswer{limit: capUnsure, basis: traceBasis(r), impact: percent(share) + " of the time of all requests",
				score: batchScale().Score(max(mean.Seconds(), t.wait.Times.Total.Seconds()/float64(max(all.number, 1)))),
				gain:  halfAtLeast(share, "the wait for the timer, or half of it if what is sent then takes as long"),
				why: "Gathering saves calls where many come at once, and asking first saves sending what is not wanted. A caller " +
					"that waits meanwhile waits for the timer whenever nothing else comes; the service behind it is quick.",
				places: []waitPlace{{frame: tracedFrame(t.line, share, "waits for the timer")},
					{frame: tracedFrame(end, 0, "the timer")}}}
			if i := slices.Index(t.wait.Stack, t.line); i > 0 {
				a.places = append(a.places, waitPlace{frame: tracedFrame(t.wait.Stack[i-1], share, "where it waits")})
			}
			for _, p := range g.Piles {
				if p.Line != stacks.NoFrame && r.IsAt(p.Line, t.line) {
					a.waiters = append(a.waiters, p)
					if p.Role != nil && p.For == wait.Gather {
						setting = governedBy(p)
					}
				}
			}
			line, does := tracedPlace(t.line), "gathers more before it sends"
			until, ends := "a timer in "+short(end.Function)+" sends what was gathered", "a timer of "+seconds(timer)
			sooner := setValue("Shorten "+strings.SplitN(setting, ",", 2)[0], fmt.Sprintf("%s: some milliseconds gather "+
				"nearly as much under load, and cost a lone call nothing that is felt.", upperFirst(setting)), "smaller batches")
			if !regular(t.timer) {
				ends = "more, and have nothing to do meanwhile,"
				sooner = setValue("Send sooner", fmt.Sprintf("At %s: some milliseconds after the first of a batch, whatever "+
					"comes after it (a timer that each one sets anew does not end under load), or when fewer are there.",
					tracedPlace(end)), "smaller batches")
				enough := short(end.Function) + " has gathered enough"
				switch each, gaps := t.timer.TimedMean(), s.EndAt(t.timer.Stack).Gaps; {
				case gaps.Count >= 2 && 2*gaps.P95 <= 3*gaps.P50: // each item wakes it, and the timer is the batch's
					until += ", each " + seconds(gaps.P50)
					sooner = doChange("Send what waits, and do not wait for more", fmt.Sprintf("At %s: take what is "+
						"there (a select with default) and send it; while that is sent, the next batch gathers by itself. "+
						"Or a timer of some milliseconds in place of this one.", tracedPlace(end)), "smaller batches")
				case each > 0 && mean >= 2*each && 4*t.timer.Times.P99 <= 5*each: // no wait is longer than the timer
					until = enough + ", though its timer ends after " + seconds(each)
					sooner = doChange("Start the timer with the batch, not with each item", fmt.Sprintf("At %s the timer begins "+
						"anew with whatever comes (time.After within the loop, or Reset): under load it hardly ever ends. Set it "+
						"when the first of a batch comes, or take a Ticker from outside of the loop.", tracedPlace(end)), "smaller batches")
				default:
					until = enough
				}
				a.places[0], a.places[1] = a.places[1], a.places[0]
			}
			if by := t.wait.Wakers[0]; keepsBack(r, t.timer, by) {
				mean, calls, does = timer, by.Count, "keeps each back until then, and nobody ends it sooner"
				until = "a timer in " + short(end.Function) + " is over"
				if row := keptBackBy(t.timer); row != nil {
					until = "the wait for " + row.What + " times out"
					sooner = doChange(upperFirst(row.Remedy), fmt.Sprintf("At %s; or a shorter %s.", line, row.Setting), "none")
				}
			}
			a.remedies = []casefile.Remedy{sooner, doChange("Do not wait for it", fmt.Sprintf("At %s: hand the message on and "+
				"answer, if it may be lost.", line), "a message may be lost when the process ends")}
			if turns := calls / max(cmp.Or(t.wait.Requests, all.number), 1); turns >= manyTrips {
				until += ", " + count(turns) + " times in turn"
				a.remedies = slices.Insert(a.remedies, 0, doChange("Hand all over before waiting for the first", fmt.Sprintf(
					"At %s: load all keys in a first loop, and ask for what that returned in a second (or one call for many, as "+
						"LoadMany): then they are one batch, and one wait.", line), "none"))
			}
			a.title = fmt.Sprintf("Requests wait %s at %s until %s", seconds(mean), line, until)
			a.summary = fmt.Sprintf("%s of the time of all requests is one wait at %s, %s each of %s calls. Those who end it "+
				"wait for %s at %s: it %s.", percent(share), line, seconds(mean), count(calls), ends, tracedPlace(end), does)
			return a, true
		}}
}

// A gathered is a wait of requests that a timer ends, through others.
type gathered struct {
	line  traces.Frame // the user's
	wait  traces.Wait  // of the requests
	timer traces.Wait  // that nobody but the runtime ended
}

// gathering finds the wait that takes most of the time of requests, and follows its wakers to a timer. Requests that
// wait at several lines, one after the other, in what these call wait there for the sum.
func gathering(s *traces.Summary, r *Reading) (best gathered, ok bool) {
	requests, all := tracedRequests(s), []gathered(nil)
	for _, w := range s.Blocking {
		line, known := r.TracedLine(w.Stack)
		if !known || !servesTraced(w.Stack) || w.Times.Count == 0 {
			continue
		}
		end, found := endOf(r, s, w, nil)
		if !found || !regular(end) && !awaitsMore(r, s, w, end) || !sameHouse(w.Stack, end.Stack) {
			continue
		}
		i := slices.IndexFunc(all, func(o gathered) bool { return o.wait.Stack.Same(w.Stack) })
		if i < 0 {
			i, all = len(all), append(all, gathered{line, w, end})
		} else {
			all[i].wait.Times.Count += w.Times.Count
			all[i].wait.Times.Total += w.Times.Total
		}
		t, each := all[i].wait.Times, batchTimer*time.Duration(requests.number)
		if t.Count >= batchCalls && t.Total > best.wait.Times.Total && (end.Times.P50 >= batchTimer || t.Total >= each) &&
			float64(t.Total) >= batchShare*float64(requests.took) {
			best, ok = all[i], true
		}
	}
	return best, ok
}

// regular reports whether a wait is a timer's: all of them take about as long. One that ends when work comes does not,
// though a worker of an even load is idle for about as long each time.
func regular(w traces.Wait) bool {
	timed := (w.Reason == "select" || w.Reason == "sleep" || w.Reason == "channel") &&
		len(w.Wakers) > 0 && !servesTraced(w.Wakers[0].Stack)
	late := endedByTimers(w) && 4*w.Times.P50 <= 5*w.Times.Min // on a busy machine many are, and none is early
	return timed && w.Times.Count >= 3 && (2*w.Times.P99 <= 3*w.Times.P50 || late)
}

// awaitsMore reports whether who ends a wait, or wakes those who do, is idle itself, until such requests hand it more
// below the function where they wait, and before: what it does with them takes a fifth of their wait at most, the rest
// is for others that are to come. One that is woken by requests behind that line, as net/http's reader when a body has
// been read, is a place that they give back.
func awaitsMore(r *Reading, s *traces.Summary, w, end traces.Wait) bool {
	n, _ := readersOfType(r, s, typeOf(end.Stack))
	busy := time.Duration(n)*s.Span - end.Times.Total - end.Open
	line, ok := r.TracedLine(end.Wakers[0].Stack)
	// others bring it answers; if taken, what it waits for ends the request's wait: it hands over, no more
	others := func(by traces.Waker) bool { return len(by.Stack) > 0 && !servesTraced(by.Stack) }
	taken := w.Wakers[0].Stack.Same(end.Stack)
	before := slices.ContainsFunc(w.Stack, func(f traces.Frame) bool {
		return f.Function == line.Function && line.Line <= f.Line
	})
	return ok && before && !taken && !slices.ContainsFunc(end.Wakers, others) && n > 0 && 5*busy <= w.Times.Total
}

// sameHouse reports whether the goroutine that waits for a timer runs code of the package in which a request waits.
func sameHouse(request, timer traces.Stack) bool {
	_, pkg := standsAt(request)
	return pkg != "" && slices.ContainsFunc(timer, func(f traces.Frame) bool {
		return stacks.FuncOf(f.Function, f.File, "").Package == pkg
	})
}

// standsAt is the innermost frame of a stack that is neither the runtime's nor package sync's, and its package.
func standsAt(s traces.Stack) (at traces.Frame, pkg string) {
	for _, f := range s {
		if fn := stacks.FuncOf(f.Function, f.File, ""); fn.Owner != stacks.Runtime && !known.IsSync(fn.Package) {
			return f, fn.Package
		}
	}
	return at, ""
}

// feeds reports whether requests end another wait about as often as they wait themselves: each hands something over.
// Who only joins, and waits for news again and again, does not.
func feeds(w, o traces.Wait) bool {
	n := int64(0)
	for _, by := range o.Wakers {
		if servesTraced(by.Stack) {
			n += by.Count
		}
	}
	return 2*n >= w.Times.Count
}

// keptBackBy is what is known of a library that keeps back what it was given; nil without a row.
func keptBackBy(timer traces.Wait) *known.Row {
	for _, f := range timer.Stack {
		if row, ok := known.Awaits(f.Function); ok && row.Roles&known.AwaitsBatch != 0 && row.Remedy != "" {
			return row
		}
	}
	return nil
}

// keepsBack reports whether who ends a wait has waited about as often and as long for a timer itself, which nobody
// ends before its time: each caller's own, that keeps back what was to be sent.
func keepsBack(r *Reading, o traces.Wait, by traces.Waker) bool {
	return regular(o) && o.Times.P50 >= batchTimer && goesWith(r, o, by) && 4*by.Waited <= 5*o.Times.Total &&
		!slices.ContainsFunc(o.Wakers, func(k traces.Waker) bool { return len(k.Stack) > 0 })
}

// goesWith reports whether who ends a wait, in a library, has waited once for each time, for most of that wait and no
// longer. A goroutine of the user's own that does so is a slow reader, which rests.
func goesWith(r *Reading, o traces.Wait, by traces.Waker) bool {
	n, most := min(o.Times.Count, by.Count), max(o.Times.Count, by.Count)
	return !servesTraced(o.Stack) && !slices.ContainsFunc(o.Stack, r.IsUsers) && o.Stack.Shares(by.Stack) > 0 &&
		5*n >= 4*most && 2*o.Times.Total >= by.Waited && 4*o.Times.Total <= 5*by.Waited
}

// maxHands is how many goroutines a wake-up is followed through.
const maxHands = 5

// endOf follows who ended most of a wait to the wait that the runtime itself ended: a timer, or the network. It is
// false if the wait itself is one, or if those who end it do not wait.
func endOf(r *Reading, s *traces.Summary, w traces.Wait, seen []traces.Wait) (end traces.Wait, ok bool) {
	if len(seen) == maxHands || len(w.Wakers) == 0 {
		return end, false
	}
	waker := w.Wakers[0]
	if len(waker.Stack) == 0 || servesTraced(waker.Stack) {
		return w, len(seen) > 0
	}
	if i := slices.IndexFunc(s.Blocking, func(o traces.Wait) bool { return keepsBack(r, o, waker) }); i >= 0 {
		return s.Blocking[i], true
	}
	var next traces.Wait
	rest, _, idle := s.IdleIn(typeOf(waker.Stack))
	for _, o := range s.Blocking {
		shares := o.Stack.Shares(waker.Stack)
		rests := idle >= idleShare && o.Stack.Same(rest.Stack) && slices.ContainsFunc(s.Blocking, func(from traces.Wait) bool {
			return len(o.Wakers) > 0 && typeOf(from.Stack) == o.Wakers[0].Goroutine && feeds(w, from)
		})
		// requests hand over to it, in whatever function, or it waits in the goroutine's outermost one
		direct := feeds(w, o) || len(o.Stack) == 2 && (len(seen) > 0 || rests || goesWith(r, o, waker))
		if (shares >= 2 || shares == 1 && direct) && o.Times.Count > 0 && o.Times.Total > next.Times.Total &&
			!servesTraced(o.Stack) && !o.Stack.Same(w.Stack) {
			next = o
		}
	}
	if next.Times.Total == 0 {
		return end, false
	}
	return endOf(r, s, next, append(seen, w))
}
