package diagnose

import (
	"fmt"
	"slices"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose/stacks"
	"github.com/gocasebook/casebook/diagnose/wait"
)

// Callers that join a call in progress (singleflight and its like) wait for the one goroutine that makes it. Who waits
// is told when it has ended: what is missing is an end of that one call.

// joinedCall is goroutines that wait for one call of another one, and are more than the requests in progress: those
// whose requests have ended are left behind, so that the call takes longer than they do.
func joinedCall(r *Reading, g *wait.Graph) (a waitAnswer, ok bool) {
	for _, p := range g.Piles {
		if p.Request || p.Line == stacks.NoFrame || p.Last() < waitersLeast || p.Last() <= g.InProgress() ||
			g.InProgress() < waitersLeast || !p.InAll() {
			continue
		}
		h, owned := g.Owner(p)
		if !owned {
			continue
		}
		n, at := count(float64(p.Last())), lineText(r, h.Pile)
		return waitAnswer{waiters: []*wait.Pile{p}, n: p.Last(), limit: capUnsure,
			places: []waitPlace{{at: h.Line, n: 1, role: "the one call"}, {at: p.Line, n: p.Last(), role: "waits for it"}},
			title:  fmt.Sprintf("%s goroutines wait for one call at %s, which does not end", n, at),
			summary: fmt.Sprintf("%s goroutines wait at %s in %s for one goroutine that is inside of it, waiting for %s at %s; "+
				"%s requests are in progress, so that the others have been left behind.", n, lineText(r, p), callee(r, p), h.For,
				at, count(float64(g.InProgress()))),
			impact: n + " goroutines wait",
			why: "Who asks for what is being fetched joins the call in progress. As long as that call does not end, nobody " +
				"starts another one, and all who join wait for it.",
			remedies: oneCallRemedies(at, lineText(r, p))}, true
	}
	return a, false
}

// joinedCalls is requests that have joined the calls of a few others, which wait for the world outside.
func joinedCalls(r *Reading, g *wait.Graph) (a waitAnswer, ok bool) {
	for _, p := range g.Piles {
		first, n := g.Leaders(p)
		if n == 0 || 2*n > p.Last() || !p.Request || p.Last() < waitersLeast || !p.InAll() || !mostWait(g, p) {
			continue
		}
		calls, at, joins := things(float64(n), "other"), lineText(r, first), lineText(r, p)
		a = waitAnswer{waiters: []*wait.Pile{p}, n: p.Last(), limit: capUnsure,
			places: []waitPlace{{at: first.Line, n: n, role: "the calls"}, {at: p.Line, n: p.Last(), role: "waits for them"}},
			title:  fmt.Sprintf("%s wait for the calls of %s at %s", waiting(g, p.Last()), calls, at),
			summary: fmt.Sprintf("%s wait at %s in %s, which lets one call for each key through; %s make the calls, and "+
				"wait for %s at %s, in both captures.", waiting(g, p.Last()), joins, callee(r, p), calls, first.For, at),
			why: "Who asks for what is being fetched joins the call in progress, and is as late as that is. It keeps the " +
				"load away from the other side, and makes nothing faster.",
			remedies: slices.Insert(oneCallRemedies(at, joins), 0, doChange("Answer with the old value while a new one is "+
				"fetched", fmt.Sprintf("At %s: keep what was fetched, give it out for a while after it has expired, and let one "+
				"goroutine fetch the new one; or keep it longer, and fetch it before it expires.", joins), "answers can be stale"))}
		if float64(p.Last()+n) >= nearlyAllWait*float64(g.InProgress()) {
			a.score = scoreOfAll
		}
		return a, true
	}
	return a, false
}

// ownerOf is who goroutines at a line wait for: the one call.
func ownerOf(r *Reading, at stacks.FrameID) (h wait.Holder, ok bool) {
	for _, p := range r.waits().Piles {
		if !ok && p.Line == at {
			h, ok = r.waits().Owner(p)
		}
	}
	return h, ok
}

func oneCallRemedies(call, joined string) []casefile.Remedy {
	return []casefile.Remedy{callDeadline(call),
		doChange("Let those that wait give up", fmt.Sprintf("At %s: wait for the result in a select beside ctx.Done() "+
			"(DoChan of singleflight), and forget the key (Forget), so that the next one asks anew.", joined),
			"several calls for one key")}
}
