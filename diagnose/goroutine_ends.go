package diagnose

import (
	"fmt"
	"slices"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose/known"
	"github.com/gocasebook/casebook/diagnose/stacks"
	"github.com/gocasebook/casebook/diagnose/view"
)

// What ends the wait of goroutines, and who can bring it about: whoever calls the library that began them, the other
// end of a pipe or of a connection, a pool, or the user's own line.

// endsOf is what ends the wait of a pile, by what is known of it: what began it, what it writes to, whom it calls, in
// whose function it is.
func endsOf(r *Reading, p *view.Pile) []casefile.Remedy {
	at := r.Place(p.At)
	if b, ok := begunBy(r, p); ok {
		return b.remedies(r)
	}
	if row, ok := endKnown(r, p); ok {
		return []casefile.Remedy{endAsKnown(at, row)}
	}
	if pool, ok := starvedPoolOf(r, p); ok {
		return []casefile.Remedy{returnSooner(at, pool)}
	}
	if callsWhat(r, p.Stack) != "" { // in whatever way the library waits: net/http's client is in a select
		return []casefile.Remedy{callDeadline(at)}
	}
	if in, ok := waitsInside(r, p.Stack); ok && p.Wait != stacks.WaitNetwork {
		return insideRemedies(r, p, in)
	}
	return []casefile.Remedy{letEnd(p.Wait, at)}
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

// letEnd is what ends a wait at a line of the user's.
func letEnd(w stacks.Wait, at string) casefile.Remedy {
	switch w {
	case stacks.WaitSend:
		return doChange("Let the sender go", fmt.Sprintf("At %s: give the channel room for every sender "+
			"(make(chan T, n)), or select on ctx.Done() as well as the send.", at), "none")
	case stacks.WaitSleep:
		return doChange("End the loop with its context", fmt.Sprintf("At %s: wait in a select on ctx.Done() and a timer "+
			"instead of time.Sleep, and cancel the context when the work it polls for is gone.", at), "none")
	case stacks.WaitNetwork:
		return doChange("Set a deadline on the network call", fmt.Sprintf("At %s: a context with a timeout on the request, "+
			"http.Client.Timeout, and on a server ReadTimeout and IdleTimeout (1 or 2 minutes): then a peer that does not "+
			"answer, or a client that does not use its connection, cannot hold a goroutine.", at), "slow answers are lost")
	case stacks.WaitGroup, stacks.WaitCond, stacks.WaitSemaphore:
		return doChange("Make sure the wait ends", fmt.Sprintf("At %s: every path that was counted must call Done (defer "+
			"it), and every waiter needs its Signal or Broadcast, even if the work fails.", at), "none")
	}
	if !parked(w) {
		return findOut()
	}
	return doChange("Close the channel, and watch the context", fmt.Sprintf("At %s: the sender closes the channel when "+
		"nothing more will come; select on ctx.Done() as well as the receive. A ticker's channel is never closed, and Stop "+
		"ends no range over it: that takes a done channel.", at), "none")
}

// findOut is for goroutines of which is not known what they wait for, or why so many do.
func findOut() casefile.Remedy {
	return inGeneral("Find out what they wait for", "A dump with debug=2 shows how long each has waited and which code "+
		"started it: curl -fo goroutines.txt 'http://HOST/debug/pprof/goroutine?debug=2' (it stops the program for 50–200 "+
		"ms at 10,000 goroutines).", "a pause")
}

// callDeadline is for calls to a service that does not answer, or answers slowly.
func callDeadline(at string) casefile.Remedy {
	return inGeneral("Give the call a deadline", fmt.Sprintf("At %s: pass a context with a timeout, and set the "+
		"client's own limits (http.Client.Timeout, Dialer.Timeout, Transport.ResponseHeaderTimeout; for a database "+
		"the context of QueryContext): the zero values wait forever.",
		at), "slow answers are lost")
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
		return "let context.AfterFunc(ctx, …) take the lock and Broadcast, and have the loop around Wait end when " +
			"ctx.Err() is not nil"
	case stacks.WaitGroup, stacks.WaitSemaphore:
		return "wait in a goroutine that closes a channel afterwards, and select on that channel and ctx.Done()"
	}
	return "select on ctx.Done() as well"
}

// insideRemedies are for goroutines that wait inside of a library and of which no more is known.
func insideRemedies(r *Reading, p *view.Pile, in stacks.FrameID) []casefile.Remedy {
	f := r.Table.Func(in)
	end := inGeneral("End the wait from outside", fmt.Sprintf("At %s: %s waits until it is told to end. Give it a context "+
		"that is cancelled when the work is done, or a deadline, or close what it was called on.", r.Place(p.At),
		short(f.Name)), "none")
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

// newerRelease says that a newer release of a module may be what it takes.
func newerRelease(module string) casefile.Remedy {
	return takePackage("If there is nothing to close, look for a newer release of "+shortModule(module),
		"What its user cannot end is the module's own fault: its change log and its issues say whether a release ends "+
			"these goroutines; "+upgradeCommand(module), "a new release of a dependency: read its notes, run the "+
			"tests")
}

func upgradeCommand(module string) string { return "go get " + module + "@latest" }
