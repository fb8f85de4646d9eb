package diagnose

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose/known"
	"github.com/gocasebook/casebook/diagnose/stacks"
	"github.com/gocasebook/casebook/vitals"
)

// A request that starts a goroutine for each of its commands for Redis or a database answers before they are done, and
// every command still costs a round trip and a goroutine. When the commands do not keep up, they take the connections
// for which requests wait. How many there are for each request is told by allocations, which the heap profile counts
// since the process began: a go statement allocates its closure, and net/http and gRPC a few objects for each request.

// A fanOut is a kind of goroutine that requests start, each for a query over the network.
type fanOut struct {
	root  stacks.FuncID    // what the goroutines run
	at    stacks.FrameID   // the go statement
	above []stacks.FrameID // the stack of a request at it
	each  float64          // goroutines for each request
	http  bool             // they ask over HTTP or gRPC, each perhaps another service
	group bool             // they belong to a group that somebody waits for
	lines lineSum          // the user's lines that ask, by ns
	calls lineSum          // the dependency's functions that they call, by ns

	cost fanCost
}

// A fanCost is shares of the CPU.
type fanCost struct {
	all      float64 // what goes away with the goroutines
	kernel   float64 // of it: their system calls on the network
	starting float64 // of it: starting and ending them
}

// What a request starts at once it can send at once, so that three are enough; requests that are rejected before they
// start any count as well. surelyMany are left in spite of what sampling may miss.
const (
	minSpawned = 3
	surelyMany = 2
)

// fansOut are the goroutines of which requests start minSpawned or more each, and do not wait for.
func fansOut(r *Reading, v *cpuView) (out []*fanOut) {
	asking, set := askingRoots(r, v), sinceStart(r)
	if len(asking) == 0 || set == nil {
		return nil
	}
	c := newStarts(r, set, v)
	for _, f := range asking {
		if c.count(r.Table, f) && !f.joined(r) {
			if v != nil {
				f.addCost(r, v)
			}
			out = append(out, f)
		}
	}
	return out
}

// askingRoots are the kinds of goroutines that ask over the network, by what they were started with.
func askingRoots(r *Reading, v *cpuView) []*fanOut {
	var out groups[stacks.FuncID, fanOut]
	add := func(s *stacks.Sample, w stacks.Wait) {
		root, group, ok := ownRoot(r.Table, s.Stack)
		line, i := r.Table.UserFrame(s.Stack)
		if !ok || i < 1 || !asksOut(r, s, w) {
			return
		}
		f, _ := out.of(root)
		f.root, f.group = root, f.group || group
		f.http = f.http || r.Table.Func(s.Stack[i-1]).Does(known.SpeaksHTTP, known.OfGRPC)
		f.lines.add(line, 0)
	}
	for _, set := range r.All(casefile.Goroutine) {
		for i := range set.Samples {
			add(&set.Samples[i], set.Wait(i))
		}
	}
	if v != nil {
		for i := range v.set.Samples {
			add(&v.set.Samples[i], stacks.WaitUnknown)
		}
	}
	return out.all
}

// ownRoot is the user's function that a goroutine was started with; group if that was through one that waits for it.
func ownRoot(t *stacks.Table, stack []stacks.FrameID) (root stacks.FuncID, group, ok bool) {
	for _, id := range slices.Backward(stack) {
		f := t.Func(id)
		switch {
		case f.Owner == stacks.Runtime, strings.Contains(f.Name, ".gowrap"):
		case f.Does(known.StartsForCaller, known.StartsInGroup):
			group = group || f.Does(known.StartsInGroup)
		default:
			return t.FuncID(id), group, f.Owner == stacks.User
		}
	}
	return stacks.NoFunc, group, false
}

// asksOut reports whether the user's nearest line is in a call to another service: of a client that is known, or one
// that uses the connection itself.
func asksOut(r *Reading, s *stacks.Sample, w stacks.Wait) bool {
	write, read := netCall(r, s)
	_, pool := poolOf(r.Table, s.Stack)
	return write || read || pool || w == stacks.WaitNetwork || callsWhat(r, s.Stack) != ""
}

// joined reports whether the requests wait for the goroutines that they start: then these are needed for the answer,
// and may ask different services. A profile of goroutines shows one moment: whoever waits for those that it shows is in
// it as well, past the go statement, and asks for nothing itself. Calls over HTTP and gRPC may go anywhere, so some must
// be seen and nobody who waits for them.
func (f *fanOut) joined(r *Reading) bool {
	running, waiting := 0.0, 0.0
	for _, set := range r.Moments() {
		running += float64(runningIn(r, set, f.root))
		waiting += float64(pastLine(r, set, f.above, func(s *stacks.Sample, w stacks.Wait) bool { return !asksOut(r, s, w) }))
	}
	return f.group || waiting > 0 && 2*waiting*f.each >= running || f.http && running == 0
}

// addCost adds up what goes away with the goroutines: their own CPU and garbage, starting and ending them, and beside
// them what net/http's client does for their calls, or else the scheduler, by their part of all calls on the network.
func (f *fanOut) addCost(r *Reading, v *cpuView) {
	kernel, network, scheduling, trips, allTrips, loops := 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
	for s, ns := range v.set.Counted(v.weight) {
		root, _, _ := ownRoot(r.Table, s.Stack)
		w, own := float64(ns)/v.total, 0.0
		if root == f.root {
			own = w
			line, i := r.Table.UserFrame(s.Stack)
			if _, asks := f.lines[line]; asks && i > 0 && r.Table.Func(s.Stack[i-1]).Owner != stacks.Runtime {
				f.lines.add(line, ns)
				f.calls.add(s.Stack[i-1], ns)
			}
		}
		if write, read := netCall(r, s); write || read {
			kernel, network = kernel+own, network+w
		}
		switch {
		case r.Table.Has(s.Stack, withWork(known.RoundTripsHTTP)):
			trips, allTrips = trips+own, allTrips+w
		case r.Table.Has(s.Stack, withWork(known.ReadsForHTTP, known.WritesForHTTP)):
			loops += w
		case atEdge(r.Table, s.Stack, known.SchedulesNext) && !goesIdle(r.Table, s.Stack):
			scheduling += w
		}
	}
	beside := scheduling * kernel / max(network, 1e-9)
	if f.http {
		beside = loops * trips / max(allTrips, 1e-9)
	}
	c := newChurn(r, v)
	starting := float64(c.starts[f.at]) / v.total
	starting *= 1 + float64(c.ends-c.idles)/max(float64(c.all), 1)
	below := func(fn *stacks.Func) bool { return fn.Name == r.Table.Funcs[f.root].Name }
	costs := r.costs()
	f.cost = fanCost{v.cured(v.under(r, below)+starting+beside, costs.garbage.under(r, below)), kernel, starting}
}

// spawnedQueries finds goroutines that requests start for each query over the network.
func spawnedQueries(r *Reading) (f casefile.Finding, ok bool) {
	v := r.cpu()
	if v != nil && v.samples < minCPUSamples {
		v = nil
	}
	best := worthKnowing - 1
	for _, a := range fansOut(r, v) {
		if score := a.score(v); score > best {
			best, f, ok = score, a.finding(r, v, score), true
		}
	}
	return f, ok
}

// score is by the CPU of the goroutines.
func (f *fanOut) score(v *cpuView) int {
	if v == nil || f.cost.all*float64(v.samples) < minCostTicks || v.level.idle() {
		return 0
	}
	return min(roundTripScale().Score(f.cost.all), capUnsure, v.level.cap())
}

func (f *fanOut) finding(r *Reading, v *cpuView, score int) casefile.Finding {
	at, each, asks := r.Place(f.at), count(math.Round(f.each)), entries(f.lines)
	out := casefile.Finding{
		Form: formPerQuery,
		Title: fmt.Sprintf("%s starts a goroutine for each query over the network, about %s per request",
			short(r.Table.Func(f.at).Name), each),
		Score: score, Confidence: Confidence(1/f.each, f.each*f.each*16), // the number is certain to a quarter or so
		Summary: fmt.Sprintf("The go statement at %s starts about %s goroutines per request, as allocations count "+
			"them, and each makes a query of its own at %s.", at, each, r.Place(asks[0].Key)),
		Explanation: "Nobody waits for these goroutines, so the request looks fast. Nothing limits their number: when the " +
			"other side becomes slower, they pile up, and requests that need a connection wait behind them.",
		Evidence: Basis(sinceStart(r)),
		Remedies: remediesAt(at, spawnedRemedies(f.size(r))...),
	}
	total := math.Inf(1)
	if v != nil {
		total = v.total
		out.Evidence = addBasis(out.Evidence, Basis(v.set))
	}
	out.Where = []casefile.Frame{r.Frame(f.at, f.cost.all, "starts a goroutine for each query")}
	out.Where = append(out.Where, r.Frames(asks, 2, total, "asks over the network")...)
	out.Where = append(out.Where, r.Frames(entries(f.calls), 1, total, "called by it")...)
	if f.cost.all > 0 {
		f.sayCost(&out, v)
	}
	return out
}

// sayCost says what the goroutines take of the CPU, which is a measured gain.
func (f *fanOut) sayCost(out *casefile.Finding, v *cpuView) {
	c, saved := f.cost, 1-1/f.each
	out.Summary += fmt.Sprintf(" They take %s of the CPU, %s of it in system calls on the network and %s in starting "+
		"and ending goroutines; %s.", percent(c.all), percent(c.kernel), percent(c.starting), v.level)
	out.Confidence = max(out.Confidence, Confidence(c.all, v.samples))
	out.Impact = onCPU(c.all, saves((c.kernel+c.starting)*saved, c.all*saved, fmt.Sprintf("one exchange and no "+
		"goroutine of its own instead of %s saves that part of the system calls and of the goroutines (%s of the CPU), and "+
		"of all that they do and cause (%s) if the client's work shrinks as much", count(math.Round(f.each)),
		percent(c.kernel+c.starting), percent(c.all))))
}

// size is how many queries could be sent together. Where nobody counts requests, the kernel's count of writes does:
// each query is one, and each answer.
func (f *fanOut) size(r *Reading) batchSize {
	size := batchSize{each: f.each, requests: requestRate(r)}
	if size.requests == 0 {
		writes, _ := r.Mean(vitals.WriteCalls)
		size.requests = writes / (f.each + 1)
	}
	return size
}

// spawnedRemedies are in the order in which to try them.
func spawnedRemedies(size batchSize) []Remedy {
	return []Remedy{
		byPackage("", "Gather the queries of all requests, and send them together", "At {line}: Put them into one "+
			"Batcher of github.com/gocasebook/casebook/remedy/batch. Its Flush sends up to MaxItems of them at once: by the "+
			"client's pipeline (redis.Pipelined, pgx.Batch), MSET, or an INSERT of many rows."+size.ofAll()+" MaxFlushes: 2 "+
			"and its queue take the place of goroutines without a limit. Stop flushes the rest.",
			"a query is sent some milliseconds later; a killed process loses what is queued"),
		byChange("", "Send the queries of a request together", "At {line}: one goroutine per request, which sends all "+
			"of them with one command or pipeline."+size.ofRequest(), "goroutines are still without a limit"),
		byChange("", "Limit how many run", "At {line}: a fixed number of workers, or a semaphore that is acquired "+
			"before the go statement. Overload then does not take the connections that requests need.",
			"each query still costs a round trip; when all are busy, requests wait or queries are lost"),
	}
}
