package diagnose

import (
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose/known"
	"github.com/gocasebook/casebook/diagnose/stacks"
	"github.com/gocasebook/casebook/diagnose/traces"
	"github.com/gocasebook/casebook/diagnose/view"
	"github.com/gocasebook/casebook/internal/number"
)

// What a goroutine is for decides what its waiting means: a worker that waits for work is healthy, a request that waits
// for minutes is not.

// awaitsToBeAsked reports whether a goroutine waits for a connection or a signal: it does no work, and holds nothing.
func awaitsToBeAsked(t *stacks.Table, stack []stacks.FrameID) bool {
	return t.Has(stack, withWork(known.AwaitsToBeAsked))
}

// numberOf is how many goroutines of a set are in piles of which something holds.
func numberOf(r *Reading, set *stacks.Set, holds func(*view.Pile) bool) (n int64) {
	for _, p := range r.Piles(set) {
		if holds(p) {
			n += p.N
		}
	}
	return n
}

// parked reports whether a wait is one that only other goroutines of the process can end.
func parked(w stacks.Wait) bool {
	return w.ForLock() || slices.Contains([]stacks.Wait{stacks.WaitReceive, stacks.WaitSend, stacks.WaitSelect,
		stacks.WaitCond, stacks.WaitGroup, stacks.WaitSemaphore, stacks.WaitUnknown}, w)
}

// A rise is how a number of goroutines changed between the first and the last capture.
type rise struct {
	before, after int64
	apart         time.Duration
	captures      int  // moments that were compared
	steadily      bool // no capture shows fewer than the one before
	significant   bool // more than random
	chance        float64
}

// rate says how fast it rises, per a unit of time no longer than the time observed.
func (g rise) rate() string {
	d, apart := float64(g.after-g.before), g.apart.Seconds()
	switch {
	case apart <= 0:
		return ""
	case g.apart >= 24*time.Hour:
		return count(math.Round(g.perDay())) + " a day"
	case g.apart >= time.Hour:
		return count(math.Round(d/apart*3600)) + " an hour"
	case d < apart && g.apart >= time.Minute:
		return count(math.Round(d/apart*60)) + " a minute"
	case d < apart:
		return "one in " + seconds(apart/max(d, 1))
	}
	return count(math.Round(d/apart)) + " a second"
}

// perDay is the rise per day.
func (g rise) perDay() float64 {
	if g.apart <= 0 {
		return 0
	}
	return float64(g.after-g.before) / g.apart.Hours() * 24
}

// riseLeast is the smallest rise that a few requests cannot explain at random.
const riseLeast = 10

// lapse is the time from one capture to another; 0 if one has no time. Text, a dump or a profile with debug=1, says
// none, and beside the year 1 everything is 106,752 days later.
func lapse(from, to *stacks.Set) time.Duration {
	if from.Taken.IsZero() || to.Taken.IsZero() {
		return 0
	}
	return to.Taken.Sub(from.Taken)
}

// riseOver follows a count over the moments.
func riseOver(r *Reading, count func(*stacks.Set) int64) rise {
	sets := allMoments(r)
	if len(sets) < 2 {
		return rise{}
	}
	from, to := sets[0].Taken, sets[len(sets)-1].Taken
	g := rise{captures: len(sets), steadily: true, apart: to.Sub(from), before: count(sets[0])}
	for _, s := range sets {
		n := count(s)
		g.steadily, g.after = g.steadily && n >= g.after, n
	}
	g.chance = chanceRise(r, from, to, g)
	g.significant = float64(g.after-g.before) >= max(riseLeast, g.chance)
	return g
}

func (g rise) String() string {
	if g.after == g.before {
		return fmt.Sprintf("as many as %s earlier", seconds(g.apart))
	}
	return fmt.Sprintf("%s within %s: %s, then %s", number.Signed(count[float64], float64(g.after-g.before)),
		seconds(g.apart), count(g.before), count(g.after))
}

// pileFinding is what every kind says of a pile: where it waits, who started it and what it is, its part of all
// goroutines. The caller adds a score, why it matters and what to do.
func pileFinding(r *Reading, set *stacks.Set, p *view.Pile, title, role, summary string) casefile.Finding {
	total := max(float64(set.Total(set.Count())), 1)
	share := float64(p.N) / total
	f := casefile.Finding{Title: title, Summary: summary + ".", Evidence: Basis(set),
		Where: []casefile.Frame{r.Frame(p.At, share, role)},
		Impact: casefile.Impact{Resource: "goroutines", Share: roundShare(share),
			Text: fmt.Sprintf("%s of all goroutines, at least %s of stacks", percent(share), size(float64(p.N)*minStack))}}
	for _, e := range top(entries(p.Started), 2) {
		f.Where = append(f.Where, as(startedPart, r.Frame(e.Key, float64(e.Value)/total, "started here")))
	}
	for _, e := range top(entries(p.Root), 2) {
		if len(p.Started) == 0 && e.Key != p.At {
			f.Where = append(f.Where, as(rootPart, r.Frame(e.Key, float64(e.Value)/total, "the goroutine's function")))
		}
	}
	return f
}

// minStack is the smallest stack of a goroutine in bytes (runtime/stack.go stackMin).
const minStack = 2048

// pileAge says how long a pile has waited: "12 have waited a minute or more, the longest 31 minutes".
func pileAge(p *view.Pile) string {
	if p.Longest == 0 {
		return ""
	}
	return fmt.Sprintf("%s of them have waited a minute or more, the longest %s", count(p.Waiting), minutes(p.Longest))
}

// What ends the wait of goroutines, and who can bring it about: whoever calls the library that began them, the other
// end of a pipe or of a connection, a pool, or the user's own line.

// endsOf is what ends the wait of a pile, by what is known of it: what began it, what it writes to, whom it calls, in
// whose function it is.
func endsOf(r *Reading, p *view.Pile) []casefile.Remedy {
	at := r.Place(p.At)
	if b, ok := namesBegun(r, p); ok {
		return b.remedies(r)
	}
	if _, ok := blockedCallback(r, p); ok {
		return []casefile.Remedy{letEnd(p.Wait, at, "The library's goroutines wait for it, also where they were told to end.")}
	}
	if row, ok := endKnown(r, p); ok {
		return []casefile.Remedy{endAsKnown(at, row)}
	}
	if pool, ok := starvedPoolOf(r, p); ok {
		return []casefile.Remedy{doChange("Return connections sooner", fmt.Sprintf("At %s: make the queries that hold "+
			"connections of %s short (an index, fewer rows), and call no other service inside a transaction; %s.", at,
			pool.What, pool.Remedy), "none")}
	}
	if callsWhat(r, p.Stack) != "" { // in whatever way the library waits: net/http's client is in a select
		return []casefile.Remedy{callDeadline(at)}
	}
	if in, ok := waitsInside(r, p.Stack); ok && (p.Wait != stacks.WaitNetwork || !p.User) {
		return insideRemedies(r, p, in)
	}
	if ticks(r, p) {
		return []casefile.Remedy{endTicks(r, p)}
	}
	end := letEnd(p.Wait, at, startedBy(r, p))
	if more := filesWith(r, riseOf(r, p)); more > 0 {
		end.Title += ", and close what it opened"
		end.Text += fmt.Sprintf(" Open files and connections rose by %s meanwhile, about one for each: close that with it.",
			count(more))
	}
	return []casefile.Remedy{end}
}

// otherSide is where a trace shows that the waits of those are ended which go on at a pile's line: who sends there, or
// receives.
func otherSide(r *Reading, p *view.Pile) (at traces.Frame, ok bool) {
	for w := range r.WaitsAt(r.Summary(), p.At) {
		for _, by := range w.Wakers {
			if at, ok = r.TracedLine(by.Stack); ok && r.IsUsers(at) && 2*by.Queued <= by.Count {
				return at, true
			}
		}
	}
	return at, false
}

// startedBy says who has started goroutines and returned since: the function of the go statement, or around their literal.
// A tenth of them at most still have it at work, and it does not go on by itself. "" where nothing shows that.
func startedBy(r *Reading, p *view.Pile) string {
	name, ok := aroundClosure(r.Table.Func(p.At).Name)
	if id, started := mostOf(p.Started); started {
		name, ok = r.Table.Func(id).Name, r.Table.Func(id).Owner == stacks.User
	}
	if !ok || !hasReturned(r, p, name) {
		return ""
	}
	return upperFirst(short(name)) + " has returned and left it waiting. "
}

// hasReturned reports whether the function that has started a pile's goroutines is gone for nine tenths of them at least.
func hasReturned(r *Reading, p *view.Pile, name string) bool {
	set, in := r.Goroutines(), r.Funcs(func(f *stacks.Func) bool { return f.Name == name })
	return 10*in.Sum(set, set.Count()) <= float64(p.N) && !staysIn(r, name)
}

// endKnown is what is known of how a pile's goroutines end, by the function that they run or the pipe they write to.
func endKnown(r *Reading, p *view.Pile) (row *known.Row, ok bool) {
	root, ok := mostOf(p.Root)
	if row, pipe := otherEnd(r, p); pipe || !ok {
		return row, pipe
	}
	return known.End(r.Table.Func(root).Name)
}

// otherEnd is what is known of how the other end of a pipe ends a pile's wait.
func otherEnd(r *Reading, p *view.Pile) (row *known.Row, ok bool) {
	for _, id := range p.Stack {
		if row, ok = known.OtherEnd(r.Table.Func(id).Name); ok {
			return row, true
		}
	}
	return nil, false
}

// letEnd is what ends a wait at a line of the user's; left says who has started those that wait and returned, if that is
// known.
func letEnd(w stacks.Wait, at, left string) casefile.Remedy {
	sure := func(text string) casefile.Remedy {
		return doChange("Make sure the wait ends", fmt.Sprintf("At %s: %s, even if the work fails.", at, text), "none")
	}
	switch w {
	case stacks.WaitSend:
		return doChange("Let the sender go", fmt.Sprintf("At %s: if one answer is sent, give the channel room for every "+
			"sender (make(chan T, n)); if many are, select on ctx.Done() as well as the send, and cancel it when the "+
			"receiver returns. %s", at, left), "none")
	case stacks.WaitSleep:
		return doChange("End the loop with its context, or wait without a goroutine", fmt.Sprintf("At %s: if it polls, select "+
			"on ctx.Done() and a timer instead of time.Sleep, and cancel the context when the work is gone; if it does "+
			"something later, time.AfterFunc keeps no goroutine until then, or one goes through a queue by time.", at), "none")
	case stacks.WaitNetwork:
		return withNeeds(casefile.NeedsNoDeadline, doChange("Set a deadline on the network call", fmt.Sprintf("At %s: a context with a timeout on the request, "+
			"http.Client.Timeout, and on a server ReadTimeout and IdleTimeout (1 or 2 minutes). Then a peer that does "+
			"not answer, or an idle client, cannot hold a goroutine.", at), "slow answers are lost"))
	case stacks.WaitGroup:
		return sure("every path that was counted must call Done (defer it, or start it with wg.Go)")
	case stacks.WaitCond:
		return sure("every change that a waiter looks for needs a Signal, or a Broadcast where they look for different things")
	case stacks.WaitSemaphore:
		return sure("what was acquired is released on every path (defer it)")
	}
	if !parked(w) {
		return inGeneral("Find out what they wait for", "A dump with debug=2 shows how long each has waited and which code "+
			"started it: curl -fo goroutines.txt 'http://HOST/debug/pprof/goroutine?debug=2'. It stops the program for "+
			"50–200 ms at 10,000 goroutines.", "a pause")
	}
	return withName(closeIt, doChange("End it with its work: cancel its context, or unregister and close its channel",
		fmt.Sprintf("At %s: if it waits for ctx.Done(), derive a context for the work and defer its cancel; if for values, "+
			"whoever sends them closes the channel on every path, and one that was handed to others is taken back first "+
			"(signal.Stop, Unsubscribe). %sWhere it only cleans up, context.AfterFunc(ctx, …) and its stop() need no "+
			"goroutine. If neither is in its select, add ctx.Done().", at, left), "none"))
}

// callDeadline is for calls to a service that does not answer, or answers slowly.
func callDeadline(at string) casefile.Remedy {
	return withNeeds(casefile.NeedsNoDeadline, inGeneral("Give the call a deadline", fmt.Sprintf("At %s: pass a context with a timeout, and set the "+
		"client's own limits (http.Client.Timeout, Dialer.Timeout, Transport.ResponseHeaderTimeout; for a database "+
		"the context of QueryContext). The zero values wait forever.", at), "slow answers are lost"))
}

// waitsInside is the innermost frame of a dependency in which goroutines wait, below the user's line or without one, or
// else the standard library's function that the user's line calls, unless that is the primitive itself.
func waitsInside(r *Reading, stack []stacks.FrameID) (in stacks.FrameID, ok bool) {
	in = stacks.NoFrame
	for _, id := range stack {
		switch f := r.Table.Func(id); f.Owner {
		case stacks.Dependency:
			return id, true
		case stacks.User:
			return in, in != stacks.NoFrame
		case stacks.Std:
			if f.Class != stacks.Lock && !slices.Contains([]string{"sync", "time", "reflect"}, f.Package) {
				in = id // and the wait is not that of whoever calls it
			}
		}
	}
	return stacks.NoFrame, false
}

// endsBy is how a wait ends with a context, where its user can change it.
func endsBy(r *Reading, stack []stacks.FrameID, w stacks.Wait) string {
	if in, ok := waitsInside(r, stack); ok {
		return fmt.Sprintf("give %s the context, or a timeout of its own; where it takes neither, let context.AfterFunc "+
			"close what it waits for", short(r.Table.Func(in).Name))
	}
	switch w {
	case stacks.WaitCond:
		return "let context.AfterFunc(ctx, …) take the lock and Broadcast, and end the loop around Wait then"
	case stacks.WaitGroup, stacks.WaitSemaphore:
		return "wait in a goroutine that closes a channel afterwards, and select on that channel and ctx.Done()"
	}
	return "select on ctx.Done() as well"
}

// insideRemedies are for goroutines that wait inside of a library and of which no more is known.
func insideRemedies(r *Reading, p *view.Pile, in stacks.FrameID) []casefile.Remedy {
	f := r.Table.Func(in)
	end := inGeneral("End the wait from outside", fmt.Sprintf("At %s: %s waits until it is told to end. Give it a context "+
		"that is cancelled when the work is done, or a deadline, or close it.", r.Place(p.At), short(f.Name)), "none")
	if f.Owner == stacks.Std {
		return []casefile.Remedy{end}
	}
	module := f.Module()
	if !p.User {
		return []casefile.Remedy{inGeneral("End what "+short(f.Package)+" was started for", fmt.Sprintf("They are "+
			"goroutines of %s, and wait in %s until what they work for is closed or its context cancelled. Find the lines "+
			"that make it (a heap profile, or a dump with debug=2, names them), and close it there on every path.", module,
			short(f.Name)), "none"), newerRelease(module)}
	}
	return []casefile.Remedy{end, newerRelease(module)}
}
