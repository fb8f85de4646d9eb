package diagnose

import (
	"fmt"
	"slices"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose/stacks"
	"github.com/gocasebook/casebook/diagnose/wait"
)

func deafReader() waitRow {
	return waitRow{id: "WT006", kind: "slow-reader", effect: "Requests stand still",
		title: "A peer that does not read holds up everybody",
		text: `Goroutines that answer requests wait inside a package (the user's or a dependency's) for a channel, while
another goroutine of that package sends to a channel that nobody empties, in two captures; or they themselves wait to
send, and a few goroutines with code of the same package on their stacks wait to write to a connection whose peer does
not read. Those are named wherever they are seen. Worth knowing from 10 requests that wait, hurting from 100; half of
the requests in progress or more must wait, in two captures.`,
		before: `for ev := range events { for _, s := range subscribers { s.ch <- ev } } // one full channel stops all`,
		after:  `select { case s.ch <- ev: default: drop(s) } // who does not keep up is dropped`,
		find: func(r *Reading, g *wait.Graph) (waitAnswer, bool) {
			for _, p := range g.Piles {
				if !p.Request || p.For != wait.Inside && p.For != wait.Channel || !p.InAll() || !mostWait(g, p) {
					continue
				}
				if u, q, ok := stopper(g, p); ok {
					return readerAnswer(r, g, p, u, q), true
				}
			}
			return waitAnswer{}, false
		}}
}

// stopper is the goroutines that write to a peer which does not read, and the loop that they stop, for a pile of
// requests that wait in the same package; the loop is nil if the requests send themselves.
func stopper(g *wait.Graph, p *wait.Pile) (unread, loop *wait.Pile, ok bool) {
	pkg := g.Table.Func(p.At).Package
	for _, q := range g.Piles {
		switch in := g.Table.Has(q.Stack, func(f *stacks.Func) bool { return f.Package == pkg }); {
		case q == p || !in || q.Last() == 0:
		case q.For == wait.Unread && 3*q.Last() <= p.Last() && (unread == nil || q.Last() > unread.Last()):
			unread = q
		case q.Park == stacks.WaitSend && !q.Request && g.Table.Func(q.At).Package == pkg:
			loop = q
		}
	}
	return unread, loop, loop != nil && loop.InAll() || unread != nil && p.Park == stacks.WaitSend
}

func readerAnswer(r *Reading, g *wait.Graph, p, unread, loop *wait.Pile) waitAnswer {
	n := p.Last()
	through := ""
	a := waitAnswer{waiters: []*wait.Pile{p}, n: n, limit: agreed(p), places: placesOf(p, "waits here")}
	if loop != nil {
		through = fmt.Sprintf(" The loop that should serve them stands at %s: it sends to a channel that is full.",
			r.Place(loop.At))
		a.places = append(a.places, waitPlace{at: loop.At, n: loop.Last(), role: "sends to a channel that nobody empties"})
	}
	a.title = fmt.Sprintf("%s wait at %s because of a subscriber that does not keep up", waiting(g, n), lineText(r, p))
	a.summary = fmt.Sprintf("%s wait at %s in %s.%s", waiting(g, n), lineText(r, p), callee(r, p), through)
	writes := "where a subscriber is written to"
	if unread != nil {
		writes = "at " + lineText(r, unread)
		a.places = append(a.places, placesOf(unread, "writes to a peer that does not read")...)
		a.summary += fmt.Sprintf(" %s %s to a peer that does not read.",
			things(float64(unread.Last()), "goroutine")+" of it write", writes)
	}
	a.why = "One loop serves all subscribers. When one of them does not read, its connection's buffer and then its " +
		"channel fill up, the loop stops at it, and with the loop everybody who publishes."
	a.remedies = []casefile.Remedy{
		doChange("Drop who does not keep up", "Where the loop sends to a subscriber: select with a default, or a short "+
			"timer, and remove the subscriber whose channel is full; a client that is removed connects again.",
			"a slow client misses events"),
		setValue("A deadline for writes", fmt.Sprintf("%s: http.ResponseController.SetWriteDeadline before each write "+
			"(SetWriteDeadline of a connection): a peer that does not read ends its handler.", upperFirst(writes)),
			"clients on bad lines are cut off"),
	}
	return a
}

// waitUnknown is the kind of a wait of which no row knows why.
const waitUnknown = "requests-wait"

func requestsWait() waitRow {
	return waitRow{id: "WT008", kind: waitUnknown, effect: "Requests are late",
		title: "Most requests in progress wait at one place",
		text: `Goroutines that answer requests wait at one line for something that is neither the processor, a lock nor the
answer of a peer: a channel, a condition, a place of a pool, a timer, inside the user's code or a dependency. They are
half of the requests in progress or more, became a third more, and ten more, from one capture to another, and a rule
tripped. It is the answer where no other kind has one that is more than a notice. Worth knowing from 10, hurting from
100, up to 74: what is awaited is not known. Long polls wait like that, too: where no rule tripped it is undecided.`,
		before: `h.queue <- job; <-job.done // and nobody takes from queue`,
		after:  `select { case h.queue <- job: case <-ctx.Done(): return errBusy }`,
		find: func(r *Reading, g *wait.Graph) (waitAnswer, bool) {
			for _, p := range g.Piles {
				if r.inTrouble() && p.Request && unexplained(p.For) && mostWait(g, p) && p.InAll() && mounts(p) &&
					!awaitsNews(r.Table, p.Stack) {
					return unknownAnswer(r, g, p), true
				}
			}
			return waitAnswer{}, false
		}}
}

// unexplained reports whether what is awaited is inside the process and none of what other kinds judge.
func unexplained(f wait.For) bool {
	switch f {
	case wait.Channel, wait.Inside, wait.Cond, wait.Group, wait.Place, wait.Limiter, wait.Gather, wait.Sleep, wait.Pipe:
		return true
	}
	return false
}

// lastResort leaves out findings of waits that nobody knows why, if another finding may be the reason.
func lastResort(fs []casefile.Finding) []casefile.Finding {
	known := slices.ContainsFunc(fs, func(f casefile.Finding) bool { return f.Kind != waitUnknown && f.Score > capNotice })
	return slices.DeleteFunc(fs, func(f casefile.Finding) bool { return f.Kind == waitUnknown && known })
}

// mounts reports whether a pile grows from capture to capture.
func mounts(p *wait.Pile) bool {
	first, last := p.N[0], p.Last()
	for i := 1; i < len(p.N); i++ {
		if 10*p.N[i] < 9*p.N[i-1] {
			return false
		}
	}
	return last >= first+riseLeast && float64(last) >= grownFactor*float64(first)
}

func unknownAnswer(r *Reading, g *wait.Graph, p *wait.Pile) waitAnswer {
	n := p.Last()
	inside := ""
	if p.Enter != stacks.NoFrame {
		inside = " in " + callee(r, p)
	}
	return waitAnswer{waiters: []*wait.Pile{p}, n: n, limit: capUnsure, places: placesOf(p, "waits here"),
		title: fmt.Sprintf("%s wait at %s%s for %s", waiting(g, n), lineText(r, p), inside, p.For),
		summary: fmt.Sprintf("%s wait at %s%s for %s, after %s in the first capture: fewer end than come.", waiting(g, n),
			lineText(r, p), inside, p.For, count(float64(p.N[0]))),
		why: "Requests that wait for each other, or for something inside the process, hold their goroutines, memory and " +
			"connections. Who could end the wait is not among the goroutines that this evidence shows at work.",
		remedies: []casefile.Remedy{
			doChange("Find out what ends the wait", fmt.Sprintf("Read what %s does where it stands, and who sends, signals "+
				"or gives back there; an execution trace shows who wakes whom.", callee(r, p)), "none"),
			doChange("Let a request give up", fmt.Sprintf("At %s: select on ctx.Done() as well, so that requests whose "+
				"clients have gone do not pile up.", lineText(r, p)), "answers that come late are lost"),
		}}
}
