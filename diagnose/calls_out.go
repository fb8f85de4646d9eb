package diagnose

import (
	"slices"
	"strings"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose/known"
	"github.com/gocasebook/casebook/diagnose/stacks"
	"github.com/gocasebook/casebook/diagnose/traces"
)

// What waits below a line of the user's for another service or process calls out. A row of package known says whom it
// calls. Without one the stack does: a dependency between the user's line and the network asks somebody, and so does
// one in which a request is parked while a goroutine of the same module reads from the network.

// anAnswer is what is waited for where nobody knows whom a dependency calls.
const anAnswer = "an answer"

// serves reports whether a goroutine answers a request: a client waits for it.
func serves(t *stacks.Table, stack []stacks.FrameID) bool {
	return t.Has(stack, withRole(known.BeginsRequest))
}

// servesTraced is serves for a stack of a trace.
func servesTraced(s traces.Stack) bool { return hasRole(s, known.BeginsRequest) }

// callOutOf is what a known function asks; "" if it does not call out.
func callOutOf(function string) string {
	if f := known.Of(function); f.Is(known.CallsOut) {
		return f.What()
	}
	return ""
}

// callsKnown is what a goroutine asks, seen from the user's line inwards, by what is known of the functions; "" if none
// of them calls out.
func callsKnown(t *stacks.Table, stack []stacks.FrameID) string {
	for _, id := range innerOf(t, stack) {
		if f := t.Func(id); f.Is(known.CallsOut) {
			return callOutOf(f.Name)
		}
	}
	return ""
}

// innerOf are the frames below the user's line; all of them without one.
func innerOf(t *stacks.Table, stack []stacks.FrameID) []stacks.FrameID {
	if _, u := t.UserFrame(stack); u >= 0 {
		return stack[:u]
	}
	return stack
}

// callsWhat is what a goroutine asks below the user's line; "" if it does not call out.
func callsWhat(r *Reading, stack []stacks.FrameID) string {
	if what := callsKnown(r.Table, stack); what != "" {
		return what
	}
	_, u := r.Table.UserFrame(stack)
	if u < 0 {
		return ""
	}
	if asksNetwork(r.Table, stack[:u]) || serves(r.Table, stack) && readsFor(r, stack, u) {
		return anAnswer
	}
	return ""
}

// waitingFor is what goroutines wait for, in words.
func waitingFor(r *Reading, stack []stacks.FrameID, w stacks.Wait) string {
	if what := callsWhat(r, stack); what != "" {
		return "waiting for " + what
	}
	return w.String()
}

// asksNetwork reports whether a dependency is between the user's line and a connection that is no server's.
func asksNetwork(t *stacks.Table, inner []stacks.FrameID) bool {
	network := slices.IndexFunc(inner, func(id stacks.FrameID) bool {
		return t.Func(id).Does(known.ReadsFD, known.AwaitsConnect)
	})
	return network >= 0 && t.Has(inner[network:], ofDependency) && !t.Has(inner, func(f *stacks.Func) bool {
		return f.Does(known.OfRequestConn) || strings.Contains(f.Package, "websocket")
	})
}

// readsFor reports whether a goroutine is parked, below the user's line at u, in a dependency that has a goroutine of
// its own to read from the network: that one wakes it when the answer has come. A server that has called the user's
// line is another matter: there the wait is for the request's own client.
func readsFor(r *Reading, stack []stacks.FrameID, u int) bool {
	at := slices.IndexFunc(stack[:u], func(id stacks.FrameID) bool {
		f := r.Table.Func(id)
		return f.Owner != stacks.Runtime && f.Package != "sync"
	})
	if at < 0 || !ofDependency(r.Table.Func(stack[at])) {
		return false
	}
	module := r.Table.Func(stack[at]).Module()
	return r.readers()[module] && !r.Table.Has(stack[u:], func(f *stacks.Func) bool {
		return f.Owner == stacks.Dependency && f.Module() == module
	})
}

// readersOf are the modules that have goroutines of their own which wait for what comes over the network.
func readersOf(r *Reading) map[string]bool {
	out := make(map[string]bool)
	for _, set := range r.All(casefile.Goroutine) {
		for i := range set.Samples {
			stack := set.Samples[i].Stack
			if set.Wait(i) != stacks.WaitNetwork || serves(r.Table, stack) ||
				r.Table.Has(stack, func(f *stacks.Func) bool { return f.Owner == stacks.User }) {
				continue
			}
			if f := r.Table.Func(r.Table.Root(stack)); f.Owner == stacks.Dependency {
				out[f.Module()] = true
			}
		}
	}
	return out
}

// outside reports whether a wait is for the world outside the process: network, files, a sleep, a call to another
// service.
func outside(r *Reading, stack []stacks.FrameID, w stacks.Wait) bool {
	return slices.Contains([]stacks.Wait{stacks.WaitNetwork, stacks.WaitSyscall, stacks.WaitSleep}, w) ||
		callsWhat(r, stack) != "" || fileIO(r.Table, stack)
}

// fileIO reports whether a stack is in a call of package os that reads or writes, at any instruction.
func fileIO(t *stacks.Table, stack []stacks.FrameID) bool {
	return t.Has(innerOf(t, stack), func(f *stacks.Func) bool {
		return f.Package == "os" && strings.Contains(f.Name, "(*File)")
	})
}
