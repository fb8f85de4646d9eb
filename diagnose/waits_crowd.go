package diagnose

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose/known"
	"github.com/gocasebook/casebook/diagnose/stacks"
	"github.com/gocasebook/casebook/diagnose/traces"
	"github.com/gocasebook/casebook/diagnose/wait"
	"github.com/gocasebook/casebook/vitals"
)

// Goroutine profiles show how many requests wait outside of the process, and not for how long. The kernel's count of
// writes bounds that: a request ends with one, and a call of another service is one more, so that by Little's law those
// who wait wait for at least their number by the rate of such turns.

// An outsideCrowd is the line at which most requests in progress wait outside in each capture, themselves or in
// goroutines that are function literals of theirs.
type outsideCrowd struct {
	at          stacks.FrameID
	stack       []stacks.FrameID
	n, requests float64 // the mean over captures
}

// crowdOf finds it by the line that waits outside, which is NoFrame of others.
func crowdOf(r *Reading, line func(*wait.Pile) stacks.FrameID) (c outsideCrowd, ok bool) {
	g := r.waits()
	by, parents, moments := make(map[stacks.FrameID]*wait.Queue), make(map[string]bool), len(g.Moments)
	add := func(id stacks.FrameID, p *wait.Pile) {
		if by[id] == nil {
			by[id] = new(wait.Queue)
		}
		by[id].Waiters = append(by[id].Waiters, p)
	}
	for _, p := range g.Piles {
		switch id := line(p); {
		case !p.Request || tookOver(r, p, moments-1):
		case id != stacks.NoFrame:
			add(id, p)
		case p.Line != stacks.NoFrame && parked(p.Park):
			parents[g.Table.Func(p.Line).Name] = true
		}
	}
	for _, p := range g.Piles {
		if id := line(p); !p.Request && id != stacks.NoFrame && g.Table.Has(p.Stack, func(f *stacks.Func) bool {
			i := strings.LastIndex(f.Name, ".func")
			return i > 0 && parents[f.Name[:i]]
		}) {
			add(id, p)
		}
	}
	for id, q := range by {
		few := false
		for m := range moments {
			few = few || q.Waiting(m) < riseLeast
		}
		if n := g.Share(q.Waiters...); !few && (n > c.n || n == c.n && id < c.at) {
			c.at, c.stack, c.n = id, q.First().Stack, n
		}
	}
	for _, n := range g.Requests {
		c.requests += float64(n) / float64(moments)
	}
	ok, c.n = moments > 1 && c.n >= waitersMost, c.n*c.requests
	return c, ok
}

// answer says what a crowd waits for, if that is long: turns is how many writes a request makes in that time.
func (c *outsideCrowd) answer(r *Reading, what string, turns float64, scale Scale,
	remedies func(at string) []casefile.Remedy) Answer {
	sets, place := r.waits().Moments, r.Place(c.at)
	who := fmt.Sprintf("%s of %s requests in progress wait for %s at %s", count(c.n), count(c.requests), what, place)
	writes, n := r.MeanNear(vitals.WriteCalls, sets[len(sets)-1])
	if n == 0 || writes <= 0 {
		return undecided(who+", and how long each waits is not known", captureTrace)
	}
	each := c.n * turns / writes
	share := min(c.n/max(c.requests, 1), 1)
	here := r.Frame(c.at, share, "waits outside (share of the requests in progress)")
	a := waitAnswer{score: scale.Score(each), limit: capUnsure, places: []waitPlace{{frame: &here}},
		title: fmt.Sprintf("Requests wait for %s at %s, %s or longer", what, place, seconds(each)),
		summary: fmt.Sprintf("%s, in each of %s. The process writes %s times a second, and such a wait comes with %s: so "+
			"each is %s or longer.", who, things(float64(len(sets)), "capture"), count(writes), things(turns, "write"),
			seconds(each)),
		why: "The process only waits: what it calls takes so long. An execution trace that is longer than these calls " +
			"shows how long each takes (" + captureTrace + "). If the other side answers when there is news, the wait is no " +
			"fault.",
		impact:   seconds(each) + " or more of each of these requests",
		remedies: remedies(place)}
	if inner, _ := r.Table.UserFrame(c.stack); inner != c.at {
		reads := r.Frame(inner, share, "reads the answer")
		a.places = append(a.places, waitPlace{frame: &reads})
	}
	f := a.finding(r)
	f.Confidence, f.Impact.Share = 0.7, roundShare(share)
	return found(f)
}

// slowCrowd is requests that wait for the answer to a call.
func slowCrowd(r *Reading) Answer {
	c, ok := crowdOf(r, func(p *wait.Pile) stacks.FrameID {
		if p.Line == stacks.NoFrame || p.For == wait.Place || awaitsNews(r.Table, p.Stack) || !asks(r, p) ||
			r.Table.Has(p.Stack, withWork(known.PassesStream)) {
			return stacks.NoFrame
		}
		return lineThatAsks(r, p.Stack)
	})
	if !ok || strain(r) != "" {
		return Answer{}
	}
	return c.answer(r, "an answer", 2, slowCallScale(), func(at string) []casefile.Remedy {
		remedies := slowCallRemedies(at, traces.Times{})
		if c.n >= lockWaiterScale().Hurts { // these calls are the load of the other side
			remedies[1] = doChange("Ask once for what several want", fmt.Sprintf("At %s %s calls are open at once, and whoever "+
				"does a few at a time is later for each of them. Let one call answer all that ask for the same "+
				"(golang.org/x/sync/singleflight, or GetOrLoad of github.com/gocasebook/casebook/remedy/cache), give out the "+
				"old answer meanwhile, and bound how many ask at a time: who finds no place is refused at once.", at,
				count(c.n)), "some answers are old, or refused")
			remedies[0], remedies[1] = remedies[1], remedies[0]
		}
		return remedies
	})
}

// kernelCrowd is requests that are in a system call that is none on a connection, and no line of a log.
func kernelCrowd(r *Reading) Answer {
	c, ok := crowdOf(r, func(p *wait.Pile) stacks.FrameID {
		if p.Park != stacks.WaitSyscall || r.Table.Has(p.Stack, withWork(known.OfSocket)) ||
			r.Table.Has(p.Stack, withRole(known.Logs)) {
			return stacks.NoFrame
		}
		return p.Line
	})
	if !ok {
		return Answer{}
	}
	var below []string
	for _, id := range c.stack[:slices.Index(c.stack, c.at)] {
		below = append(below, r.Table.Func(id).Name)
	}
	name := systemCall(below)
	return c.answer(r, name, 1, syscallTimeScale(), func(at string) []casefile.Remedy {
		if forcesDisk(name) {
			return remediesAt(at, syncing{below: below, together: c.n}.remedies()...)
		}
		return remediesAt(at, syscallRemedies(name)...)
	})
}

// lineThatAsks is the user's line that asks: where the user's own code reads from the connection, with nothing between
// but the standard library's reading, the line that calls that code.
func lineThatAsks(r *Reading, stack []stacks.FrameID) stacks.FrameID {
	at, i := r.Table.UserFrame(stack)
	byHand := !slices.ContainsFunc(stack[:i], func(id stacks.FrameID) bool {
		f := r.Table.Func(id)
		return f.Owner == stacks.Dependency || known.IsClient(f.Package)
	})
	for _, id := range stack[i+1:] {
		f := r.Table.Func(id)
		if byHand && f.Owner == stacks.User && id != at && f.Name != r.Table.Func(at).Name {
			return id
		}
	}
	return at
}
