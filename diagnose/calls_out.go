package diagnose

import (
	"slices"
	"strings"
	"time"

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
	return r.readers()[module].n > 0 && !r.Table.Has(stack[u:], func(f *stacks.Func) bool {
		return f.Owner == stacks.Dependency && f.Module() == module
	})
}

// An inbound are the goroutines of a module that wait for what comes over the network, for others that have asked.
type inbound struct {
	n     int64 // in the capture that has most of them
	roots map[string]bool
}

// inboundOf are those of each module; of the standard library the ones that a row about silence names.
func inboundOf(r *Reading) map[string]inbound {
	out := make(map[string]inbound)
	for _, set := range r.All(casefile.Goroutine) {
		n, count := map[string]int64{}, set.Count()
		for i := range set.Samples {
			stack := set.Samples[i].Stack
			if len(stack) == 0 || set.Wait(i) != stacks.WaitNetwork || serves(r.Table, stack) ||
				r.Table.Has(stack, func(f *stacks.Func) bool { return f.Owner == stacks.User }) {
				continue
			}
			root := stack[len(stack)-1:]
			module := r.module(root)
			if module == known.Std && len(r.experts().on(r.experts().frames(root), shows(known.Silence))) == 0 {
				continue
			}
			in := out[module]
			if in.roots == nil {
				in.roots = map[string]bool{}
			}
			n[module] += count(&set.Samples[i])
			in.n, in.roots[r.Table.Func(root[0]).Name] = max(in.n, n[module]), true
			out[module] = in
		}
	}
	return out
}

// module is whose code a goroutine is parked in: a dependency's, or known.Std for all else.
func (r *Reading) module(stack []stacks.FrameID) string {
	i := slices.IndexFunc(stack, func(id stacks.FrameID) bool { return r.Table.Func(id).Owner != stacks.Runtime })
	if i < 0 || r.Table.Func(stack[i]).Owner != stacks.Dependency {
		return known.Std
	}
	return r.Table.Func(stack[i]).Module()
}

const (
	silentFor  = 8               // that ask for each connection: whoever has one each waits for a peer that is slow
	silentSpan = 2 * time.Second // of a trace
)

// silentModules are those over whose few connections many goroutines have asked, and nothing has come in for as long as
// a trace lasts: no answer to any of them. A slow peer answers some.
func silentModules(r *Reading) map[string]bool {
	s, out, asked := r.Summary(), make(map[string]bool), make(map[string]int64)
	for _, p := range r.waits().Piles {
		if p.Line != stacks.NoFrame && p.InAll() {
			asked[r.module(p.Stack)] += p.Last()
		}
	}
	for module, in := range r.readers() {
		out[module] = s.Span >= silentSpan && asked[module] >= max(waitersLeast, silentFor*in.n) &&
			!slices.ContainsFunc(s.Blocking, func(b traces.Wait) bool {
				return b.Reason == "network" && b.Times.Count > 0 && len(b.Stack) > 0 && in.roots[b.Stack[len(b.Stack)-1].Function]
			})
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
