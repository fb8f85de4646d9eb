package diagnose

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose/known"
	"github.com/gocasebook/casebook/diagnose/stacks"
	"github.com/gocasebook/casebook/diagnose/traces"
	"github.com/gocasebook/casebook/internal/number"
)

// A client of any protocol keeps its connections, unless one is made for each call, or fewer stay idle than are used at
// once. Who dials in a library is seen without its name: the standard library's Dialer is below it. Mostly that is a
// goroutine of the library's own, all of which is there to open the connection: dialling, the handshake, the first
// messages. A reconnect to a peer that is down waits longer and longer, and takes no CPU to speak of.

// A dialling is a module whose clients open connections, in ns.
type dialling struct {
	module string
	own    []stacks.FuncID // where its goroutines begin that dial
	ns     float64
	made   float64 // beside these: of what makes a client
	opens  lineSum // lines of requests below which it dials, or makes a client
	calls  lineSum // lines of requests that call it
}

// clientDials finds the dependency whose connections take most CPU to open, if requests call it.
func clientDials(r *Reading) (f casefile.Finding, ok bool) {
	v := r.cpu()
	if v == nil || v.samples < minCPUSamples || v.level.idle() {
		return f, false
	}
	all := diallings(r.Table, v.set)
	for _, d := range all {
		d.add(r.Table, v)
	}
	all = slices.DeleteFunc(all, func(d *dialling) bool { return len(d.calls) == 0 })
	if most := mostOfAll(all, func(d *dialling) float64 { return d.ns }); most != nil {
		return most.finding(r, v)
	}
	return f, false
}

// diallings are the modules that dial in any stack.
func diallings(t *stacks.Table, set *stacks.Set) []*dialling {
	var out groups[string, dialling]
	for i := range set.Samples {
		stack := set.Samples[i].Stack
		at := dialledBy(t, stack)
		if at < 0 {
			continue
		}
		d, _ := out.of(t.Func(stack[at]).Module())
		d.module = t.Func(stack[at]).Module()
		if root := t.FuncID(t.Root(stack)); t.Funcs[root].Owner == stacks.Dependency && !serves(t, stack) &&
			dials(t, stack) && !slices.Contains(d.own, root) {
			d.own = append(d.own, root)
		}
	}
	return out.all
}

// dialledBy is the position of the dependency that opens a connection in a stack, or makes the client that will; -1
// where none does.
func dialledBy(t *stacks.Table, stack []stacks.FrameID) int {
	opens := false
	for i, id := range stack {
		f := t.Func(id)
		opens = opens || f.Does(known.Dials) || f.Is(known.SetsUpClient)
		switch {
		case f.Owner == stacks.User:
			return -1
		case f.Owner == stacks.Dependency && opens:
			return i
		case f.Does(known.SpeaksHTTP):
			return -1 // its client's dialling is judged by itself
		}
	}
	return -1
}

// dials reports whether a connection is being opened: by whoever makes a client it may only be closed.
func dials(t *stacks.Table, stack []stacks.FrameID) bool { return t.Has(stack, withWork(known.Dials)) }

// add adds what the module's dialling takes, and the lines of requests that call it.
func (d *dialling) add(t *stacks.Table, v *cpuView) {
	for s, w := range v.set.Counted(v.weight) {
		at := dialledBy(t, s.Stack)
		opens := at >= 0 && t.Func(s.Stack[at]).Module() == d.module
		if slices.Contains(d.own, t.FuncID(t.Root(s.Stack))) || opens && dials(t, s.Stack) {
			d.ns += float64(w)
		} else if opens {
			d.made += float64(w)
		}
		if line, u := t.UserFrame(s.Stack); u > 0 && serves(t, s.Stack) && t.Func(s.Stack[u-1]).Module() == d.module {
			if d.calls.add(line, w); opens {
				d.opens.add(line, w)
			}
		}
	}
}

func (d *dialling) finding(r *Reading, v *cpuView) (f casefile.Finding, ok bool) {
	lines, role, opened := d.calls, "calls the client", "all the time for the calls"
	if len(d.opens) > 0 {
		lines, role, opened = d.opens, "opens a connection, or makes the client that does", "for each call"
		d.ns += d.made
	}
	es, share := entries(lines), d.ns/max(v.total, 1)
	at, score := r.Place(es[0].Key), min(dialCPUScale().Score(share), capUnsure, v.level.cap())
	return casefile.Finding{Score: score, Confidence: Confidence(share, v.samples), Evidence: Basis(v.set),
		Where: r.Frames(es, 3, v.total, role),
		Title: fmt.Sprintf("Connections of %s are opened %s at %s", d.module, opened, at),
		Summary: fmt.Sprintf("Opening connections of %s takes %s of the CPU; the lines of requests that are named call "+
			"it; %s.", d.module, percent(share), v.level),
		Explanation: "A client is made to be kept: it opens connections once, and each carries one call after another.",
		Impact:      onCPU(share, keptGain(share)),
		Remedies: []casefile.Remedy{
			doChange("One client for the process", fmt.Sprintf("If the client of %s is made at %s or below it: make it "+
				"once at start-up (a grpc.ClientConn, too: it is a pool already), and keep it in a field.", d.module, at),
				"it must be safe for concurrent use"),
			doChange("Keep as many idle connections as are used at once", "If it is made once, its pool keeps too few "+
				"of them, or closes them too soon: raise the number of idle connections, and their idle time.",
				"idle connections on both sides"),
		}}, score >= worthKnowing
}

// keptGain is what is saved where opening connections takes a share of the CPU.
func keptGain(share float64) casefile.Gain {
	return saves(share*0.8, share, fmt.Sprintf(
		"opening connections takes %s of the CPU; with kept connections nearly all goes away", percent(share)))
}

// A pool that closes what comes back beyond the few connections that it keeps opens one for each of the others that are
// in use. One that keeps what it opens never opens more than were in use at once: many more tell the two apart.

const poolTurns = 10 // times as many connections as requests are in progress; bursts have some times the mean

// A poolDialing is what requests wait for below a pool's function while it opens a connection for them.
type poolDialing struct {
	setting, pool string
	took          time.Duration
	lines         map[traces.Frame]time.Duration // the user's, that ask the pool
	opened        int64
}

// openedBelow is where a pool opens a connection: the index of its function that does so for its caller, and of the
// user's line that asks; false of other stacks.
func openedBelow(r *Reading, s traces.Stack) (pool, line int, ok bool) {
	pool = slices.IndexFunc(s, func(f traces.Frame) bool { return known.Of(f.Function).Is(known.OpensForCaller) })
	if pool < 1 || !servesTraced(s) {
		return 0, 0, false
	}
	line = slices.IndexFunc(s[pool:], r.IsUsers)
	return pool, pool + line, line > 0
}

// poolDialings adds up the waits for connections that are opened: below the functions of a driver that dial.
func poolDialings(r *Reading, s *traces.Summary) poolDialing {
	d := poolDialing{lines: map[traces.Frame]time.Duration{}}
	openers, opened := make(map[string]bool), make(map[traces.Frame]int64)
	for _, c := range s.Syscalls {
		if pool, line, ok := openedBelow(r, c.Stack); ok && does(c.Stack[:pool], known.Dials) {
			openers[c.Stack[pool-1].Function] = true
			more := max(c.Times.Count-opened[c.Stack[line]], 0)
			opened[c.Stack[line]], d.opened = opened[c.Stack[line]]+more, d.opened+more
			d.setting, d.pool = known.IdleSetting(c.Stack[pool].Function)
		}
	}
	for _, w := range s.Blocking {
		if pool, line, ok := openedBelow(r, w.Stack); ok && openers[w.Stack[pool-1].Function] {
			d.took += w.Times.Total
			d.lines[w.Stack[line]] += w.Times.Total
		}
	}
	return d
}

// poolDials finds a pool that opens connections again and again, if requests wait for these.
func poolDials(r *Reading) (f casefile.Finding, ok bool) {
	s := r.Summary()
	all, d := tracedRequests(s), poolDialings(r, s)
	if d.opened < syscallRequests || float64(d.opened)*s.Span.Seconds() < poolTurns*all.took.Seconds() {
		return f, false
	}
	f = d.finding(r, min(float64(d.took)/max(float64(all.took), 1), 1), d.took.Seconds()/float64(max(all.number, 1)))
	return f, f.Score >= worthKnowing
}

func (d *poolDialing) finding(r *Reading, share, each float64) casefile.Finding {
	s, from := r.Trace()
	lines := slices.SortedFunc(maps.Keys(d.lines), func(a, b traces.Frame) int {
		return cmp.Or(cmp.Compare(d.lines[b], d.lines[a]), cmp.Compare(tracedPlace(a), tracedPlace(b)))
	})
	at, n, rate := tracedPlace(lines[0]), count(d.opened), count(float64(d.opened)/s.Span.Seconds())
	f := casefile.Finding{
		Score:      min(tripTimeScale().Score(each), syscallShareScale().Score(share), capUnsure),
		Confidence: Confidence(share, float64(d.opened)), Evidence: from,
		Title: fmt.Sprintf("Connections of %s are opened again and again for the calls at %s: %s a second", d.pool, at, rate),
		Summary: fmt.Sprintf("%s connections were opened within %s for requests that found none idle in %s: many more than "+
			"are ever in use at once, so it closes them in between. Requests wait %s each for them, and %s of their time.",
			n, seconds(s.Span), d.pool, seconds(each), percent(share)),
		Explanation: "A pool keeps only some connections while nobody uses them (two in database/sql, if nothing is set). " +
			"What comes back beyond these is closed, and the next request that finds none opens another.",
		Impact: onLatency(share, fmt.Sprintf("%s of each request, on average", seconds(each)), halfAtLeast(share,
			fmt.Sprintf("%s of the requests' time is spent opening connections, which goes away with those that are kept; "+
				"half of it if some are still opened at peaks", number.Share(share)))),
		Remedies: []casefile.Remedy{
			withSets(d.setting, setValue("Raise "+d.setting, fmt.Sprintf("Of the pool that is asked at %s, where it is "+
				"made: %s as high as the limit of open connections, and a lifetime (idle and in all) of minutes.", at,
				d.setting), "idle connections on both sides")),
			doChange("One pool for the process", "If the pool is made for each call: make it once, and keep it.", "none"),
		},
	}
	for _, l := range lines[:min(len(lines), 3)] {
		f.Where = append(f.Where, tracedFrame(l, share*float64(d.lines[l])/max(float64(d.took), 1),
			"waits for a connection that is opened (share of the requests' time)"))
	}
	return f
}
