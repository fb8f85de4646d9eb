package diagnose

import (
	"fmt"
	"slices"

	"github.com/gocasebook/casebook/casefile"
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
		if len(w.Stack) == 0 || w.Stack[len(w.Stack)-1].Function != t.goroutine {
			continue
		}
		at, ok := r.TracedLine(w.Stack)
		calls := slices.ContainsFunc(w.Stack, func(f traces.Frame) bool {
			return callOutOf(f.Function) != ""
		})
		if ok && (calls || w.Reason == "network" || w.Reason == "sleep") {
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
		switch p.Wait {
		case stacks.WaitReceive, stacks.WaitSelect, stacks.WaitSend, stacks.WaitNilChan, stacks.WaitUnknown, stacks.WaitCond:
			if callsWhat(r, p.Stack) == "" {
				return nil, false
			}
		}
		if most == nil {
			most = p // they come in falling order
		}
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
	now := float64(t.number)
	enough := max(enoughFor(r, waiting, now, t.perSecond), now+1)
	return setValue(fmt.Sprintf("Start %s readers instead of %s", count(enough), count(now)), fmt.Sprintf("The %s "+
		"wait at %s for somebody else, and need no processor meanwhile: by Little's law %s of them take what comes, "+
		"with room for random arrivals. What must stay in order goes to the same reader, by its key.",
		short(t.goroutine), tracedPlace(t.busy), count(enough)), "more load on what they wait for"), true
}
