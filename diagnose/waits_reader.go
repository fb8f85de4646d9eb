package diagnose

import (
	"fmt"
	"slices"
	"time"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose/known"
	"github.com/gocasebook/casebook/diagnose/stacks"
	"github.com/gocasebook/casebook/diagnose/traces"
	"github.com/gocasebook/casebook/diagnose/wait"
	"github.com/gocasebook/casebook/internal/number"
	"github.com/gocasebook/casebook/internal/words"
)

func deafReader() waitRow {
	return waitRow{id: "WT006", kind: "slow-reader", effect: "Requests stand still",
		title: "A peer that does not read holds up everybody",
		text: `Half of the requests in progress or more wait, in two captures, for a package of which a goroutine sends
to a channel that nobody empties, or writes to a peer that does not read; for others that write to the same descriptor;
for room in a queue whose few readers are all in calls of their own; or for an answer to bodies that the peer does not
read. Worth knowing from 10 requests, hurting from 100. So is a goroutine that accepts connections and waits for each
one's peer itself: for a fifth of a trace, and 100 ms at once.`,
		before: `for ev := range events { for _, s := range subscribers { s.ch <- ev } } // one full channel stops all`,
		after:  `select { case s.ch <- ev: default: drop(s) } // who does not keep up is dropped`,
		find: func(r *Reading, g *wait.Graph) (waitAnswer, bool) {
			return firstAnswer(r, blockedWrite, unsentBodies, slowQueue, slowSubscriber, standsStill, askedAtDoor)
		}}
}

// askedAtDoor is a loop that accepts connections and waits for each one's peer itself: in a trace the goroutine that is
// in Accept waits for something else at other times, and who connects then waits as long.
func askedAtDoor(r *Reading, _ *wait.Graph) (a waitAnswer, ok bool) {
	s := r.Summary()
	for _, door := range s.Blocking {
		loop, ok := r.TracedLine(door.Stack)
		if !ok || !does(door.Stack, known.AwaitsToBeAsked) {
			continue
		}
		kept, worst := time.Duration(0), traces.Wait{}
		for _, w := range s.Blocking {
			if !w.Stack.BeganIn(door.Stack[len(door.Stack)-1].Function) || does(w.Stack, known.AwaitsToBeAsked) {
				continue
			}
			if kept += w.Times.Total + w.Open; w.Times.Max > worst.Times.Max {
				worst = w
			}
		}
		share := kept.Seconds() / s.Span.Seconds()
		at, found := r.TracedLine(worst.Stack)
		if !found || share < 0.2 || worst.Times.Max < 100*time.Millisecond ||
			kept+door.Times.Total+door.Open > s.Span*11/10 { // of more than one goroutine
			continue
		}
		_, limit, queue := unaccepted(r)
		in := tracedPlace(at)
		return waitAnswer{limit: limit, score: scoreOfAll, places: []waitPlace{{frame: tracedFrame(at, share,
			"waits between two connections")}, {frame: tracedFrame(loop, 1-share, "accepts connections")}},
			title: fmt.Sprintf("One goroutine accepts connections, and waits for each one's peer at %s", in),
			summary: fmt.Sprintf("The goroutine that accepts at %s is in %s for %s of the trace, for %s at once, and "+
				"accepts nothing meanwhile%s. Requests are measured from later on.", tracedPlace(loop), in, percent(share),
				number.Duration(worst.Times.Max), queue), impact: "who connects waits until the peer before has answered",
			why: "A client that connects and says nothing, or a slow one, stops the loop for all who come after it. " +
				"What a connection has to say first is for a goroutine of its own.",
			remedies: []casefile.Remedy{doChange("Ask each peer in a goroutine of its own", fmt.Sprintf("Accept at "+
				"%s, and begin with go what leads to %s, with a deadline (SetReadDeadline) for who says nothing.",
				tracedPlace(loop), in), "a bound on how many are asked at a time")}}, true
	}
	return a, false
}

// standsStill is requests that wait for a library of which all that could go on waits to send: what it hands out is not
// taken. A row may know what that is.
func standsStill(r *Reading, g *wait.Graph) (waitAnswer, bool) {
	s, ok := g.Stopped()
	_, stuck := g.Stuck()
	if !ok || stuck || !s.Waiters[0].InAll() || !mostWait(g, s.Waiters...) {
		return waitAnswer{}, false
	}
	if _, back := g.CalledBack(s.Waiters[0]); back {
		return waitAnswer{}, false // goroutine-deadlock, both
	}
	p, end, n, e := s.Waiters[0], s.Ends[0], wait.Last(s.Waiters), r.experts()
	var said []standing
	for _, q := range s.Ends {
		if on := e.on(e.frames(q.Stack), shows(known.Waiting)); len(on) > 0 && said == nil {
			end, said = q, on
		}
	}
	at, of, sends := lineText(r, p), r.Table.Func(end.At).Package, r.Place(end.At)
	a := waitAnswer{waiters: s.Waiters, n: n, limit: agreed(p), places: placesOf(p, "waits for it"),
		title: fmt.Sprintf("%s wait at %s for %s, which stands still", waiting(g, n), at, words.Base(of)),
		summary: fmt.Sprintf("%s wait, the most at %s. In both captures %s of %s wait to send, one at %s, and none "+
			"of it reads or computes: nobody takes what it hands out.", waiting(g, n), at, things(wait.Last(s.Ends),
			"goroutine"), of, sends), why: "What a library hands out over channels (results, errors, events) has to be " +
			"taken. When such a channel is full, its goroutines wait, then its queues fill up, and then everybody who " +
			"calls it waits.", remedies: []casefile.Remedy{doChange("Take what it hands out", fmt.Sprintf("%s sends to a "+
			"channel that the library gave out, or was given: range over it in a goroutine of its own from before the "+
			"first call until it is closed, or turn off what it reports there.", sends), "none")}}
	if said != nil {
		a.why, a.remedies = said[0].reason(), said[0].cures(at)
	}
	a.places = append(a.places, waitPlace{at: end.At, n: wait.Last(s.Ends), role: "sends to a channel that nobody empties"})
	return a, true
}

// slowSubscriber is requests that wait for a loop which a subscriber stops, or a peer that does not read.
func slowSubscriber(r *Reading, g *wait.Graph) (a waitAnswer, ok bool) {
	if _, stuck := g.Stuck(); stuck {
		return a, false // goroutine-deadlock: it is the workers who send
	}
	for _, p := range g.Piles {
		if !p.Request || p.For != wait.Inside && p.For != wait.Channel || !p.InAll() || !mostWait(g, p) {
			continue
		}
		if _, back := g.CalledBack(p); back {
			continue // goroutine-deadlock
		}
		if u, q, ok := stopper(g, p); ok {
			return readerAnswer(r, g, p, u, q), true
		}
	}
	return a, false
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
		case q.Park == stacks.WaitSend && !q.Request && g.Table.Func(q.At).Package == pkg &&
			g.Table.FuncID(q.At) != g.Table.FuncID(p.At): // who stands where they do is one of them
			loop = q
		}
	}
	return unread, loop, loop != nil && loop.InAll() || unread != nil && p.Park == stacks.WaitSend
}

func readerAnswer(r *Reading, g *wait.Graph, p, unread, loop *wait.Pile) waitAnswer {
	// whether those who take from the user's own channel write to the peer themselves
	itself := p.For == wait.Channel && loop == nil && unread != nil && unread.Line != stacks.NoFrame && !unread.Request
	n, through := p.Last(), ""
	a := waitAnswer{waiters: []*wait.Pile{p}, n: n, limit: agreed(p), places: placesOf(p, "waits here")}
	if loop != nil {
		through = fmt.Sprintf(" The loop that should serve them sends to a full channel at %s.", r.Place(loop.At))
		a.places = append(a.places, waitPlace{at: loop.At, n: loop.Last(), role: "sends to a channel that nobody empties"})
	}
	a.title = fmt.Sprintf("%s wait at %s because of a subscriber that does not keep up", waiting(g, n), lineText(r, p))
	a.summary = fmt.Sprintf("%s wait at %s in %s.%s", waiting(g, n), lineText(r, p), callee(r, p), through)
	writes := "where a subscriber is written to"
	if unread != nil {
		writes = "at " + lineText(r, unread)
		if at := placesOf(unread, "writes to a peer that does not read"); itself {
			a.places = append(at, a.places...)
		} else {
			a.places = append(a.places, at...)
		}
		a.summary += fmt.Sprintf(" %s of it write %s to who does not read.", things(unread.Last(), "goroutine"), writes)
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
	if itself {
		a.title = fmt.Sprintf("A peer does not read what is written at %s, and %s wait for that goroutine",
			lineText(r, unread), waiting(g, n))
		a.remedies[0] = doChange("Drop who does not keep up", fmt.Sprintf("%s the loop itself writes to a subscriber. Give "+
			"each one a goroutine that writes, and a channel with room for some messages; the loop sends to that channel in "+
			"a select with a default, and removes the subscriber whose channel is full.", upperFirst(writes)),
			"a slow client misses events")
	}
	return a
}

// blockedWrite is a descriptor to which most requests wait to write, while one of them is in the write and does not
// come back: the pipe, the disk or the peer behind it takes less than they write.
func blockedWrite(r *Reading, g *wait.Graph) (waitAnswer, bool) {
	for _, q := range g.Queues() {
		p := q.First()
		if !p.Request || !p.InAll() || !mostWait(g, q.Waiters...) || !g.ForDescriptor(p) {
			continue
		}
		i := slices.IndexFunc(g.Piles, func(h *wait.Pile) bool {
			return h.Line == p.Line && h.For != wait.Lock && h.Last() > 0 && hasFrame(r.Table, h.Stack, known.WriteFD)
		})
		if i < 0 {
			continue
		}
		n, at := q.Last(), lineText(r, p)
		return waitAnswer{waiters: q.Waiters, n: n, limit: agreed(p), places: placesOf(p, "waits to write"),
			title: fmt.Sprintf("%s wait to write at %s: what is written there is not taken off", waiting(g, n), at),
			summary: fmt.Sprintf("%s wait at %s until others have written to the same descriptor, and %s in the write: the "+
				"reader of that pipe, the disk or the peer takes less than is written.", waiting(g, n), at,
				things(g.Piles[i].Last(), "goroutine")+" stand"),
			why: "A descriptor takes one write at a time. When the buffer behind it is full, the write waits for the reader, " +
				"and everybody who writes there waits for the write.",
			remedies: []casefile.Remedy{
				doChange("Write outside of the request", fmt.Sprintf("At %s: put the line into a channel with room for some "+
					"thousand, which one goroutine writes from. Where it is full, count the line and drop it (select "+
					"with default).", at), "lines are lost while the reader is slow, and at a crash"),
				doChange("Let the reader keep up", "See who has the other end of the pipe or socket (ls -l /proc/PID/fd, lsof): "+
					"a log collector that is throttled, a full disk, a terminal that is suspended; write fewer lines, too.", "none"),
			}}, true
	}
	return waitAnswer{}, false
}

// slowQueue is requests that wait for room in a library's queue, whose reader is in a slow call.
func slowQueue(r *Reading, g *wait.Graph) (waitAnswer, bool) {
	q, ok := g.SlowReader()
	if !ok || !q.Waiters[0].InAll() || !mostWait(g, q.Waiters...) {
		return waitAnswer{}, false
	}
	p, n := q.Waiters[0], wait.Last(q.Waiters)
	at, reads, doing := lineText(r, p), lineText(r, q.Pile), outsideWords(q.Pile)
	a := waitAnswer{waiters: q.Waiters, n: n, limit: agreed(p), places: placesOf(p, "waits for room"),
		title: fmt.Sprintf("Requests wait at %s for room in a queue with a slow reader", at),
		summary: fmt.Sprintf("%s wait in %s, the most at %s. %s takes from that queue, and is at %s in both captures, for "+
			"%s: that takes longer than what is handed over needs to come.", waiting(g, n), callee(r, p), at,
			things(q.Last(), "goroutine"), reads, doing),
		why: "A queue with a bound makes who hands something over wait as soon as it is full. Then requests are as slow " +
			"as its reader, although their own work is done.",
		remedies: []casefile.Remedy{
			doChange("Let the queue drop what comes when it is full", fmt.Sprintf("Where what %s belongs to is made: without "+
				"the option that makes callers wait, so that what finds no room is counted and dropped. Lines of a log, spans "+
				"and figures may be lost; what must not be lost wants a queue on a disk.", callee(r, p)),
				"some are lost under load"),
			doChange("Make its reader quicker", fmt.Sprintf("At %s: larger batches, several at the same time, a deadline for "+
				"each; or hand over less (sample).", reads), "more load on the other side"),
		}}
	if q.Line != stacks.NoFrame {
		a.places = append(a.places, waitPlace{at: q.Line, n: q.Last(), role: "what its reader does"})
	}
	return a, true
}

// unsentBodies is requests that wait for an answer which cannot come yet: as many goroutines of the same client wait
// until the peer has read more of the bodies that they send.
func unsentBodies(r *Reading, g *wait.Graph) (waitAnswer, bool) {
	for _, p := range g.Piles {
		if !p.Request || p.For != wait.Answer || !p.InAll() || !mostWait(g, p) {
			continue
		}
		i := slices.IndexFunc(g.Piles, func(s *wait.Pile) bool {
			return s.For == wait.Unread && !s.Request && g.Table.Func(s.At).Package == g.Table.Func(p.At).Package &&
				2*s.Last() >= p.Last()
		})
		if i < 0 {
			continue
		}
		s, n, at := g.Piles[i], p.Last(), lineText(r, p)
		a := waitAnswer{waiters: []*wait.Pile{p}, n: n, limit: agreed(p), places: placesOf(p, "waits here"),
			title: fmt.Sprintf("%s wait at %s until the peer reads what they send", waiting(g, n), at),
			summary: fmt.Sprintf("%s wait at %s for an answer, and %s of the client for room to send their bodies: they have "+
				"not been asked whole, so that no answer can come.", waiting(g, n), at, things(s.Last(), "goroutine")+" wait"),
			why: "All requests to a peer share one HTTP/2 connection and its window. Bodies that handlers there have not read " +
				"fill it; then nothing more is sent for anybody, and quick requests wait behind the slow ones.",
			remedies: []casefile.Remedy{
				doChange("A connection apart for slow uploads", fmt.Sprintf("At %s: an http.Client with a Transport of its own "+
					"for bodies that the peer reads slowly, or HTTP/1.1 for them (Transport.Protocols), which has a connection "+
					"for each request.", at), "more connections"),
				setValue("A larger window at the server", "There: MaxReceiveBufferPerConnection of http.HTTP2Config "+
					"(MaxUploadBufferPerConnection of http2.Server), as large as the bodies that are not read yet; or read each "+
					"body before anything else.", "memory of the server"),
			}}
		a.places = append(a.places, waitPlace{at: s.At, n: s.Last(), role: "waits until the peer reads"})
		return a, true
	}
	return waitAnswer{}, false
}
