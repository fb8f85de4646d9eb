package diagnose

import (
	"fmt"
	"strings"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose/stacks"
	"github.com/gocasebook/casebook/diagnose/traces"
	"github.com/gocasebook/casebook/diagnose/wait"
)

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
	a.places = placesOf(p, "asks for it again and again")
	gives := tracedFrame(back, 0, "gives it back")
	a.places = append(a.places, waitPlace{frame: &gives})
	a.title = fmt.Sprintf("%s ask again and again at %s for what none of them has", who, at)
	a.summary = fmt.Sprintf("%s wait at %s in %s, %s at a time, and try again. In all captures no request is beyond that "+
		"line: whoever has it is in another process, or has gone without giving it back at %s.", who, at, callee(r, p),
		seconds(t.Mean().Seconds()), end)
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
