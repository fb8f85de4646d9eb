package diagnose

import (
	"fmt"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose/known"
	"github.com/gocasebook/casebook/diagnose/stacks"
)

// A client of any protocol keeps its connections, unless one is made for each call, or fewer stay idle than are used at
// once. Who dials in a library is seen without its name: the standard library's Dialer is below it. Mostly that is a
// goroutine of the library's own, all of which is there to open the connection: dialling, the handshake, the first
// messages. A reconnect to a peer that is down waits longer and longer, and takes no CPU to speak of.

// A dialling is a module whose clients open connections, in ns.
type dialling struct {
	module string
	own    map[stacks.FuncID]bool // where its goroutines begin that dial
	ns     float64
	lines  map[stacks.FrameID]int64 // of requests that call it
}

// clientDials finds the dependency whose connections take most CPU to open, if requests call it.
func clientDials(r *Reading) (casefile.Finding, bool) {
	v := r.cpu()
	if v == nil || v.samples < minCPUSamples || v.level.idle() {
		return casefile.Finding{}, false
	}
	var most *dialling
	for _, d := range diallings(r.Table, v.set) {
		d.add(r.Table, v)
		if len(d.lines) > 0 && (most == nil || d.ns > most.ns || d.ns == most.ns && d.module < most.module) {
			most = d
		}
	}
	if most == nil {
		return casefile.Finding{}, false
	}
	return most.finding(r, v)
}

// diallings are the modules that dial in any stack.
func diallings(t *stacks.Table, set *stacks.Set) map[string]*dialling {
	out := make(map[string]*dialling)
	for i := range set.Samples {
		stack := set.Samples[i].Stack
		at := dialledBy(t, stack)
		if at < 0 {
			continue
		}
		module := t.Func(stack[at]).Module()
		d := out[module]
		if d == nil {
			d = &dialling{module: module, own: map[stacks.FuncID]bool{}, lines: map[stacks.FrameID]int64{}}
			out[module] = d
		}
		if root := t.FuncID(t.Root(stack)); t.Funcs[root].Owner == stacks.Dependency && !serves(t, stack) {
			d.own[root] = true
		}
	}
	return out
}

// dialledBy is the position of the dependency that opens a connection in a stack; -1 where none does.
func dialledBy(t *stacks.Table, stack []stacks.FrameID) int {
	dials := false
	for i, id := range stack {
		f := t.Func(id)
		dials = dials || f.Does(known.Dials)
		switch {
		case f.Owner == stacks.User:
			return -1
		case f.Owner == stacks.Dependency && dials:
			return i
		case f.Does(known.SpeaksHTTP):
			return -1 // its client's dialling is judged by itself
		}
	}
	return -1
}

// add adds what the module's dialling takes, and the lines of requests that call it.
func (d *dialling) add(t *stacks.Table, v *cpuView) {
	for s, w := range v.set.Counted(v.weight) {
		if at := dialledBy(t, s.Stack); d.own[t.FuncID(t.Root(s.Stack))] ||
			at >= 0 && t.Func(s.Stack[at]).Module() == d.module {
			d.ns += float64(w)
		}
		if line, u := t.UserFrame(s.Stack); u > 0 && serves(t, s.Stack) && t.Func(s.Stack[u-1]).Module() == d.module {
			d.lines[line] += w
		}
	}
}

func (d *dialling) finding(r *Reading, v *cpuView) (casefile.Finding, bool) {
	f, at, ok := dialsFinding(r, v, d.lines, d.ns, "calls the client")
	f.Title = fmt.Sprintf("Connections of %s are opened all the time; %s calls it", d.module, at)
	f.Summary = fmt.Sprintf("Opening connections of %s takes %s of the CPU; the lines of requests that are named call "+
		"it; %s.", d.module, percent(f.Impact.Share), v.level)
	f.Explanation = "A client is made to be kept: it opens its connections once, and each carries one call after " +
		"another. A connection that serves one call costs a round trip or more before its first byte, and both " +
		"sides open and close it."
	f.Remedies = []casefile.Remedy{
		doChange("One client for the process", fmt.Sprintf("If the client of %s is made at %s or below it: make it "+
			"once at start-up, and keep it in a field.", d.module, at), "it must be safe for concurrent use"),
		doChange("Keep as many idle connections as are used at once", "If it is made once, its pool keeps too few "+
			"of them, or closes them too soon: raise the number of idle connections, and their idle time.",
			"idle connections on both sides"),
	}
	return f, ok
}

// dialsFinding is what is the same in findings about connections that requests open, by the lines of these and the CPU
// that opening them takes; false if it is little.
func dialsFinding(r *Reading, v *cpuView, lines map[stacks.FrameID]int64, ns float64, role string) (f casefile.Finding,
	at string, ok bool) {
	es, share := entries(lines), ns/max(v.total, 1)
	score := min(dialCPUScale().Score(share), capUnsure, v.level.cap())
	if score < worthKnowing || len(es) == 0 {
		return f, "", false
	}
	return casefile.Finding{Score: score, Confidence: Confidence(share, v.samples), Evidence: Basis(v.set),
		Where: r.Frames(es, 3, v.total, role),
		Impact: casefile.Impact{Resource: "cpu", Share: roundShare(share),
			Text: percent(share) + " of the CPU the process used", Gain: keptGain(share)}}, r.Place(es[0].Key), true
}

// keptGain is what is saved where opening connections takes a share of the CPU.
func keptGain(share float64) casefile.Gain {
	return casefile.Gain{Low: roundShare(share * 0.8), High: roundShare(share), Arithmetic: fmt.Sprintf(
		"opening connections takes %s of the CPU; with connections that are kept nearly all of it goes away",
		percent(share))}
}

// A gRPC client connection is made once: it carries all calls at once, over HTTP/2. If one is made for each call, it is
// set up, connected and torn down each time, with six goroutines and 64 KiB of buffers.

// grpcDials finds client connections that are made while requests are answered, by the CPU that making them takes, and
// by what it allocates where there is no CPU profile.
func grpcDials(r *Reading) (casefile.Finding, bool) {
	v := r.cpu()
	if v == nil || v.samples < minCPUSamples || v.level.idle() {
		return casefile.Finding{}, false
	}
	set := r.Funcs(withRole(known.SetsUpClient))
	lines := make(map[stacks.FrameID]int64)
	for s, w := range v.set.Counted(v.weight) {
		if id, hit := set.BelowUser(r.Table, s.Stack); hit && id != stacks.NoFrame && serves(r.Table, s.Stack) {
			lines[id] += w
		}
	}
	f, at, ok := dialsFinding(r, v, lines, set.Sum(v.set, v.weight), "makes a connection, or closes it")
	f.Title = fmt.Sprintf("A gRPC connection is made for each call at %s", at)
	f.Summary = fmt.Sprintf("Making and closing gRPC client connections takes %s of the CPU; requests make them at %s; "+
		"%s.", percent(f.Impact.Share), at, v.level)
	f.Explanation = "A grpc.ClientConn is already a pool: it carries all calls at once and reconnects " +
		"automatically. If it is made for each call, it costs a connection, " +
		"HTTP/2's settings, half a dozen goroutines and 64 KiB of buffers, on both sides."
	f.Remedies = []casefile.Remedy{
		doChange("One grpc.ClientConn for the process", fmt.Sprintf("At %s: call grpc.NewClient once at "+
			"start-up, keep the connection in a field, and make stubs from it; it is safe for concurrent use.", at),
			"none"),
		doChange("If the targets vary, keep one for each", "A map from target to connection, and Close those "+
			"that have not been used for some minutes.", "idle connections on both sides"),
	}
	return f, ok
}
