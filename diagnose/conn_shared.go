package diagnose

import (
	"fmt"
	"slices"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose/known"
	"github.com/gocasebook/casebook/diagnose/stacks"
	"github.com/gocasebook/casebook/diagnose/view"
)

// A lock that is held over a round trip may guard the connection itself: then the call cannot be taken out of it, for
// two requests on one connection would read each other's answers. What helps is more connections, or a connection on
// which requests do not wait for each other.

// sharesConnection reports whether the lock of a queue guards the connection that its holder waits at.
func sharesConnection(r *Reading, q *lockQueue) bool {
	h := q.holders[0]
	if q.near != inFunction || h.wait != stacks.WaitNetwork || opens(r, q.fn) ||
		!r.Table.Has(h.stack, withWork(known.ReadsFD)) {
		return false
	}
	inner := h.stack[:max(slices.Index(h.stack, h.at), 0)]
	if r.Table.Has(inner, withWork(known.SpeaksHTTP, known.OfOS)) {
		return false // a request's or an answer's own body, or a pipe
	}
	if r.Table.Has(inner, withRole(known.OneConnection)) {
		return !r.Table.Has(inner, withRole(known.FromPool))
	}
	return callsWhat(r, h.stack) == "" && !r.Table.Has(inner, func(f *stacks.Func) bool { // a type from elsewhere reads it
		owner, method := stacks.Receiver(f.Name)
		return f.Owner == stacks.Dependency || f.Owner == stacks.User && method && owner != q.owner &&
			f.Package != r.Table.Funcs[q.fn].Package
	})
}

// opens reports whether a stack of any evidence opens a connection below a function: once is not seen.
func opens(r *Reading, fn stacks.FuncID) bool {
	return slices.ContainsFunc(r.Sets, func(s view.Captured) bool {
		return (s.Kind == casefile.CPU || s.Kind == casefile.Goroutine) &&
			slices.ContainsFunc(s.Samples, func(sample stacks.Sample) bool {
				at := slices.IndexFunc(sample.Stack, func(id stacks.FrameID) bool { return r.Table.FuncID(id) == fn })
				return at > 0 && r.Table.Has(sample.Stack[:at], withWork(known.Dials))
			})
	})
}

// takesTurns makes a finding about such a lock one about the connection, of which it says how many would be enough.
func (h *heldLock) takesTurns(r *Reading, f *casefile.Finding) {
	at := r.Place(h.holders[0].at)
	waiting, one := float64(h.n), float64(max(h.holding, 1))
	enough := max(enoughFor(r, waiting, one, 0), one+1)
	f.Title = fmt.Sprintf("Requests take turns on one connection at %s", at)
	if h.holding > 1 {
		f.Title = fmt.Sprintf("Requests take turns on %s connections at %s", count(one), at)
	}
	f.Explanation = "The lock keeps a request from reading another one's answer, so each waits for the round trips of " +
		"all before it: at 2 ms each a connection carries 500 a second. Without the lock answers get mixed up."
	f.Impact.Text = fmt.Sprintf("%s goroutines wait for their turn", count(waiting))
	f.Impact.Gain.Arithmetic = fmt.Sprintf("with enough connections the %s waiters call concurrently; half if the other "+
		"side becomes slower with more at a time", count(waiting))
	use := setValue(fmt.Sprintf("Use %s connections instead of %s", count(enough), count(one)), fmt.Sprintf("At %s: a "+
		"pool (a channel of connections: take one, call, give it back). By Little's law %s are enough for those who wait "+
		"now, with room for random arrivals.", at, count(enough)), "connections stay open")
	f.Remedies = append([]casefile.Remedy{use}, remediesAt(at, sharedRemedies()...)...)
}

// sharedRemedies are for what more connections do not cure.
func sharedRemedies() []Remedy {
	return []Remedy{
		byChange("", "Send before the last answer has come", "If the protocol answers in order or numbers its answers: "+
			"at {line} hold the lock for the write only and leave a channel in a queue; one goroutine reads the answers "+
			"and hands each to the first in the queue.", "more code; one failure is everybody's"),
		byChange("", "Bound the call", "A deadline on the connection (SetDeadline) for each round trip, so that a peer "+
			"that hangs cannot hold everybody; close the connection then.", "slow answers are lost"),
	}
}
