package diagnose

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose/known"
	"github.com/gocasebook/casebook/diagnose/stacks"
	"github.com/gocasebook/casebook/diagnose/traces"
	"github.com/gocasebook/casebook/diagnose/view"
)

// A tracedReader is who wakes those that wait for a channel at a line, by an execution trace.
type tracedReader struct {
	at        traces.Frame // where it reads the channel, or answers
	goroutine string       // its type
	number    int64        // of these
	busy      traces.Frame // where it waits most for something else; no function: nowhere
	outside   bool         // that is the network, a system call or a sleep
	perSecond float64      // waits that it ended
}

// readerInTrace finds who reads the channel that a pile waits for, if another kind of goroutine does.
func readerInTrace(r *Reading, p *view.Pile) (t tracedReader, ok bool) {
	s := r.Summary()
	for w := range r.WaitsAt(s, p.At) {
		if len(w.Wakers) == 0 {
			continue
		}
		by := w.Wakers[0]
		if t.at, ok = r.TracedLine(by.Stack); !ok || 2*by.Queued > by.Count || servesTraced(by.Stack) {
			return t, false
		}
		t.goroutine, t.perSecond = by.Goroutine, float64(w.Times.Count)/max(s.Span.Seconds(), 1e-9)
		t.number, t.outside = readersOfType(r, s, by.Goroutine)
		calls := int64(0)
		if t.busy, calls = readerBusyAt(r, s, t); p.Wait == stacks.WaitCond { // a Broadcast wakes all, for one turn
			t.perSecond = float64(calls) / max(s.Span.Seconds(), 1e-9)
		}
		return t, true
	}
	return t, false
}

// waitsAt says where a reader waits for something else than its channel, most of the time.
func (t tracedReader) waitsAt() (keeps []casefile.Frame, text string) {
	if t.busy.Function == "" {
		return nil, ""
	}
	return []casefile.Frame{tracedFrame(t.busy, 1, "keeps the reader waiting")},
		fmt.Sprintf(", and waits at %s most of the time", tracedPlace(t.busy))
}

// readersOfType is how many goroutines of a type live, and whether they wait for the world outside most of the time
// that they do not read.
func readersOfType(r *Reading, s *traces.Summary, name string) (n int64, outside bool) {
	i := slices.IndexFunc(s.Goroutines, func(g traces.GoroutineType) bool { return g.Name == name })
	if i < 0 {
		return 0, false
	}
	spent := s.Goroutines[i].Spent
	works := spent.Running + spent.Assist + spent.Runnable
	return s.Goroutines[i].Alive, works < spent.Sum()/4
}

// readerBusyAt is the user's line at which a reader waits most, other than for its channel, and how often.
func readerBusyAt(r *Reading, s *traces.Summary, t tracedReader) (at traces.Frame, n int64) {
	for _, w := range s.Blocking {
		at, ok := r.TracedLine(w.Stack)
		calls := slices.ContainsFunc(w.Stack, func(f traces.Frame) bool { return callOutOf(f.Function) != "" })
		if ok && w.Stack[len(w.Stack)-1].Function == t.goroutine && (calls || w.Reason == "network" || w.Reason == "sleep") {
			return at, w.Times.Count
		}
	}
	return traces.Frame{}, 0
}

// atWork is what most of a user's readers do at the moment of a profile, if none of them waits for its channel: then it
// is they who do not keep up. One that sends on to a full channel has a slow reader itself.
func (t tracedReader) atWork(r *Reading, set *stacks.Set) (most *view.Pile, ok bool) {
	if set.Kind != casefile.Goroutine || t.goroutine == "" {
		return nil, false
	}
	for _, p := range r.Piles(set) {
		root, rooted := mostOf(p.Root)
		if !rooted || r.Table.Func(root).Name != t.goroutine {
			continue
		}
		if slices.Contains([]stacks.Wait{stacks.WaitReceive, stacks.WaitSelect, stacks.WaitSend, stacks.WaitNilChan,
			stacks.WaitUnknown, stacks.WaitCond}, p.Wait) && callsWhat(r, p.Stack) == "" {
			return nil, false
		}
		most = cmp.Or(most, p) // they come in falling order
	}
	return most, most != nil && most.User && !serves(r.Table, most.Stack)
}

// busyBehindCond reports whether goroutines of another kind end the waits of a pile in a sync.Cond, as a trace shows,
// and all are at work outside of it: it is the room in a queue for which the pile waits.
func busyBehindCond(r *Reading, p *view.Pile) bool {
	t, ok := readerInTrace(r, p)
	_, working := t.atWork(r, r.Goroutines())
	return ok && working
}

// moreReaders is how many readers are enough, where they wait for somebody else and not for a processor.
func (t tracedReader) moreReaders(r *Reading, waiting float64) (casefile.Remedy, bool) {
	if t.number == 0 || !t.outside || t.busy.Function == "" {
		return casefile.Remedy{}, false
	}
	if t.readsSeveral(r) {
		return doChange("Take the call out of the loop", fmt.Sprintf("At %s: the one goroutine that takes from several "+
			"channels waits there, and everybody with it. Give the call to a goroutine of its own, with a copy of what it "+
			"needs (a channel with room for one; what comes meanwhile goes with the next). More goroutines for the loop would "+
			"share what only one changes now.", tracedPlace(t.busy)), "the other side is told a little later"), true
	}
	now := float64(t.number)
	enough := max(enoughFor(r, waiting, now, t.perSecond), now+1)
	more := setValue(fmt.Sprintf("Start %s readers instead of %s", count(enough), count(now)), fmt.Sprintf("The %s "+
		"wait at %s for somebody else, and need no processor meanwhile: by Little's law %s of them take what comes, "+
		"with room for random arrivals. What must stay in order goes to the same reader, by its key.",
		short(t.goroutine), tracedPlace(t.busy), count(enough)), "more load on what they wait for")
	if t.number == 1 { // it may own what it changes
		more.Title = fmt.Sprintf("Take the call out of the loop, or start %s readers", count(enough))
		more.Text = "If the loop has maps or counters that only it changes, give the call, with a copy of what it " +
			"needs, to a goroutine of its own; if each item stands alone, start more. " + more.Text
	}
	return more, true
}

// readsSeveral reports whether requests wait at several lines until one goroutine takes what they send: it may own what
// all of them ask for or change.
func (t tracedReader) readsSeveral(r *Reading) bool {
	lines := make(map[traces.Frame]bool)
	for _, w := range r.Summary().Blocking {
		if line, ok := r.TracedLine(w.Stack); ok && servesTraced(w.Stack) && len(w.Wakers) > 0 &&
			w.Wakers[0].Goroutine == t.goroutine && takes(w.Wakers[0].Stack) {
			lines[line] = true
		}
	}
	return t.number == 1 && len(lines) > 1
}

// A client of a broker calls a subscription's handler in one goroutine. What has not been handled waits in the client
// or at the broker, where no goroutine shows it. The handler does: it never waits for the next one. So does a loop that
// a library starts once (errgroup, a job of cron). That messages are handed over shows by whose the goroutine is, that
// of a module with another one that reads from the network, or by one of the library's that waits until this one takes
// the next.

// Bounds of a handler that does not keep up.
const (
	handlerWaits = 0.9 // of the trace in waits at the handler's own lines; 10 % are for what it computes
	handlerCalls = 50  // waits in it: a long poll or a job ends less often
	// handlerIdle is how many waits for a message there may be for each wait in a handler, where several goroutines
	// have the same function: others wait for messages of other subscriptions.
	handlerIdle = 0.1
	// handlerFed is for how much of the trace a goroutine of the library must wait until the handler takes a message.
	handlerFed = 0.5
)

// A oneHandler is a goroutine that spends its time in waits of the user's code.
type oneHandler struct {
	fn     traces.Frame // where the function waits that the dependency calls, or that this one calls
	worst  traces.Wait  // the longest wait
	waited time.Duration
	waits  int
	idle   int // waits outside of the user's code
	name   string
	number int64 // of goroutines with that name
}

// who says which goroutine it is: one of several that wait for other messages, or one for each message.
func (h *oneHandler) who() string {
	name := short(unescaped(h.name))
	if h.number == 1 {
		return name + " is one goroutine."
	}
	return fmt.Sprintf("Of %s of %s one at a time has a message.", things(h.number, "goroutine"), name)
}

// busyHandler finds the one that waits longest.
func busyHandler(r *Reading, s *traces.Summary) (best oneHandler, ok bool) {
	for _, g := range s.Goroutines {
		h := handlerOf(r, s, g)
		if h.keepsNoPace(s, g) && h.waited > best.waited && isHanded(r, s, g) {
			best, ok = h, true
		}
	}
	return best, ok
}

// handlerOf adds up the waits of a type of goroutine in the user's code.
func handlerOf(r *Reading, s *traces.Summary, g traces.GoroutineType) oneHandler {
	h := oneHandler{name: g.Name, number: g.Number}
	for _, w := range s.Blocking {
		if typeOf(w.Stack) != g.Name || servesTraced(w.Stack) {
			continue
		}
		at, called := calledBack(r, w.Stack)
		if !called {
			h.idle += int(w.Times.Count)
			continue
		}
		h.waited, h.waits = h.waited+w.Times.Total+w.Open, h.waits+int(w.Times.Count)
		if w.Times.Total > h.worst.Times.Total {
			h.worst, h.fn = w, at
		}
	}
	return h
}

// keepsNoPace reports whether one goroutine of a type is in the handler all the time in which it needs no processor: on
// a crowded machine it waits for one now and then.
func (h *oneHandler) keepsNoPace(s *traces.Summary, g traces.GoroutineType) bool {
	all := h.waited.Seconds() / max(s.Span-g.Spent.Runnable, s.Span/2).Seconds()
	return h.waits >= handlerCalls && all >= handlerWaits && all <= 2-handlerWaits &&
		(g.Number == 1 || float64(h.idle) <= handlerIdle*float64(h.waits))
}

// isHanded reports whether somebody hands messages to goroutines of a type, one after the other.
func isHanded(r *Reading, s *traces.Summary, g traces.GoroutineType) bool {
	i := slices.IndexFunc(s.Blocking, func(w traces.Wait) bool { return w.Stack.BeganIn(g.Name) })
	if i >= 0 && g.Number < handlerCalls {
		began := s.Blocking[i].Stack
		module := tracedModule(r, began[len(began)-1])
		if module != "" && readsNetwork(r, s, func(f traces.Frame) bool { return tracedModule(r, f) == module }) {
			return true
		}
	}
	return feeding(r, s, g.Name, true).Seconds() >= handlerFed*s.Span.Seconds()
}

// feeding is for how long goroutines of a dependency wait until one of a type takes what they have. There may be one
// for each message between them, which waits until the handler is done and then gives its place back (asynq).
func feeding(r *Reading, s *traces.Summary, name string, between bool) (waited time.Duration) {
	for _, w := range s.Blocking {
		if len(w.Stack) == 0 || len(w.Wakers) == 0 || w.Wakers[0].Goroutine != name ||
			r.Traced(w.Stack[len(w.Stack)-1]).Owner != stacks.Dependency {
			continue
		}
		switch by := typeOf(w.Stack); {
		case takes(w.Wakers[0].Stack):
			waited = max(waited, w.Times.Total)
		case between && by != name:
			waited = max(waited, min(w.Times.Total, feeding(r, s, by, false)))
		}
	}
	return waited
}

// takes reports whether who wakes a goroutine does it by receiving: from a channel, alone or among others. Who sends
// wakes one that has nothing to do.
func takes(waker traces.Stack) bool {
	return len(waker) > 0 && does(waker[:1], known.Receives, known.Selects, known.ReceivesIfReady)
}

// typeOf is the type of a goroutine with a stack: the function that it was begun with. Of one that a WaitGroup starts
// that is what it is started for.
func typeOf(s traces.Stack) string {
	last := len(s) - 1
	if last > 0 && does(s[last:], known.StartsForCaller) {
		last--
	}
	if last < 0 {
		return ""
	}
	return s[last].Function
}

// calledBack is the line of the user's function that a goroutine called first, through which it waits.
func calledBack(r *Reading, s traces.Stack) (at traces.Frame, ok bool) {
	i := len(s) - 1
	for i >= 0 && !r.IsUsers(s[i]) {
		i--
	}
	if i > 0 && r.IsUsers(s[i-1]) { // what its closure calls
		i--
	}
	if i < 0 {
		return at, false
	}
	return s[i], true
}

// handlerAnswer reports such a handler, as a notice: the trace does not show how much waits before it.
func handlerAnswer(r *Reading) Answer {
	s := r.Summary()
	h, ok := busyHandler(r, s)
	if !ok {
		return Answer{}
	}
	place, busy := tracedPlace(h.fn), min(h.waited.Seconds()/s.Span.Seconds(), 1)
	at, _ := r.TracedLine(h.worst.Stack)
	f := casefile.Finding{
		Title: "One goroutine handles every message, one after the other, at " + place,
		Score: capNotice, Confidence: Confidence(busy, float64(h.waits)),
		Summary: fmt.Sprintf("%s It spends %s of its time in waits of the handler at %s, most at %s "+
			"(%s each), and never waits for a message: more come than it can handle, or as many.",
			h.who(), percent(busy), place, tracedPlace(at), seconds(h.worst.Times.Mean())),
		Explanation: "The client of a broker calls a handler for one message after the other. While it waits, the next " +
			"messages wait in the client or at the broker: ask these how many are pending, for no goroutine shows it.",
		Where:    []casefile.Frame{tracedFrame(h.fn, busy, "waits for others (share of the time)")},
		Impact:   onLatency(busy, percent(busy)+" of the only goroutine's time"),
		Remedies: remediesAt(place, handlerRemedies()...),
		Evidence: traceBasis(r),
	}
	if at != h.fn {
		f.Where = append(f.Where, tracedFrame(at, busy, "waits here"))
	}
	return found(f)
}

func handlerRemedies() []Remedy {
	return []Remedy{
		byChange("", "Handle several at a time", "In {line}, hand each message to one of a fixed number of goroutines "+
			"(errgroup with SetLimit; as many as the service it waits for can take), or subscribe several times to the "+
			"same queue group.", "messages are no longer handled in order; divide them by key if that matters"),
		byChange("", "Ask for several messages at once", "Collect messages and make one call for all of them.",
			"a message waits for the others"),
	}
}
