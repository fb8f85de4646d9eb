package diagnose

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose/known"
	"github.com/gocasebook/casebook/diagnose/stacks"
	"github.com/gocasebook/casebook/diagnose/traces"
	"github.com/gocasebook/casebook/internal/number"
)

// roundTripScale is in shares of all CPU that the calls of one function over the network take, in the client library
// and in the kernel. A round trip costs the caller 10–30 µs. A service with a database makes one per request: 10–20 %
// if it does little else, so three times as much is worth a look.
func roundTripScale() Scale { return Scale{Worth: 0.20, Hurts: 0.50, Top: 0.80} }

// minTrips is how many round trips a request must make from one function before they are many: two or three queries may
// well depend on each other.
const minTrips = 4

func netRoundTrips() Detector {
	return Detector{
		ID: "NET003", Kind: "net-round-trips",
		Title:      "A request makes many queries to another service, each by itself",
		OtherNames: []string{"io-unbatched"},
		Text: fmt.Sprintf(`Adds up, for each function of the user's, the CPU of its calls that write to network
connections and read the answers in the same goroutine, as the clients of Redis, memcached and SQL do. A server writes
once for each request, so the CPU of these writes, compared with its own, tells how many queries a request makes, rather
too few. From %d on, worth knowing from 20 %% of the CPU, hurting from 50 %%, up to 74. An execution trace shows the
waits of any client: %d round trips by request from one function, %d of them from one line, are worth knowing from 5 ms
a request and 25 %% of the time of all, and hurt from 50 ms and 75 %%; each counts as 0.5 ms at least, for a notice.

Queries that each have a goroutine of their own, which nobody waits for, count from %d by request on, as allocations
tell: by the same limits of CPU, as a pile that waits for a connection (1,000, 10,000), and by the requests behind them
(10, 100), up to 74 unless two captures show these. Failed calls that are retried at once: while a fifth of the requests
fail, what calls allocate shows how many each request makes: 4 are worth knowing, 20 hurt, up to 74.`, minTrips, manyTrips, minTrips, minSpawned),
		Needs: []Need{{Kinds: []string{casefile.CPU, casefile.Heap, casefile.Allocs, traces.KindSummary},
			Reason: "no CPU or heap profile", Capture: captureCPU}},
		Before: `for _, key := range keys { rdb.Incr(ctx, key) } // a round trip each`,
		After: `rdb.Pipelined(ctx, func(p redis.Pipeliner) error {
	for _, key := range keys { p.Incr(ctx, key) }
	return nil
})`,
		Remedies: slices.Concat(roundTripRemedies(batchSize{}), spawnedRemedies(batchSize{}), retryRemedies()),
		Absorbs:  related(SameFunction, "cpu-hot-function", "goroutine-churn"),
		Explains: related(amongPlaces, "goroutine-surge", "goroutine-stuck", "pool-limit"), NeedsPlace: true,
		Run: runNetRoundTrips,
	}
}

// asking is what one function's questions over the network cost, in ns.
type asking struct {
	fn            stacks.FuncID
	writes, reads int64 // of them, in system calls
	ticks         float64
	all           int64   // of the calls that write or read
	lines         lineSum // of the function
	calls         lineSum // the dependency's functions that they call
	callers       lineSum // the user's lines that call the function
}

// A netUse is what is written to the network.
type netUse struct {
	server int64 // ns of the server's own writes
	ticks  float64
	asking groups[stacks.FuncID, asking]
}

func newNetUse(r *Reading, v *cpuView) (use netUse) {
	ticks := stacks.ByValue(v.set.Value("samples", "count"))
	for s, w := range v.set.Counted(v.weight) {
		if s.Class.GC() {
			continue
		}
		write, read := netCall(r, s)
		if write && serverWrites(r.Table, s.Stack) {
			use.server += w
			use.ticks += float64(ticks(s))
			continue
		}
		use.add(r.Table, s.Stack, w, float64(ticks(s)), write, read)
	}
	return use
}

// netCall says what system call on a network connection a sample is in.
func netCall(r *Reading, s *stacks.Sample) (write, read bool) {
	if s.Class == stacks.Syscall {
		write = r.Table.Has(s.Stack, withWork(known.SendsOnSocket))
		read = !write && r.Table.Has(s.Stack, withWork(known.ReceivesOnSocket))
	}
	return write, read
}

// serverWrites reports whether a server's library writes an answer: its own function stands below any of the user's.
func serverWrites(t *stacks.Table, stack []stacks.FrameID) bool {
	return t.Has(innerOf(t, stack), withWork(known.WritesAnswer, known.OfHTTP2Server))
}

// add puts a sample down to the function of the user's that asked: work of the call, or of the kernel for it.
func (u *netUse) add(t *stacks.Table, stack []stacks.FrameID, w int64, ticks float64, write, read bool) {
	at, i := t.UserFrame(stack)
	if i < 1 || t.Func(stack[i-1]).Owner == stacks.Runtime || t.Has(stack[:i], func(f *stacks.Func) bool {
		return f.Does(known.PassesStream) || f.Package == known.NetHTTP
	}) {
		return
	}
	a, _ := u.asking.of(t.FuncID(at))
	a.fn, a.all, a.ticks = t.FuncID(at), a.all+w, a.ticks+ticks
	a.lines.add(at, w)
	a.calls.add(stack[i-1], w)
	if by, j := t.UserFrame(stack[i+1:]); j >= 0 {
		a.callers.add(by, w)
	}
	if write {
		a.writes += w
	}
	if read {
		a.reads += w
	}
}

func runNetRoundTrips(_ context.Context, r *Reading) Answer {
	return firstFound(r, retries, spawnedQueries, tracedTrips, writtenTrips)
}

// writtenTrips finds the function whose questions take most CPU, of those that ask again and again, by what writing
// takes.
func writtenTrips(r *Reading) (f casefile.Finding, ok bool) {
	v := r.cpu()
	if v == nil || v.level.idle() || v.samples < minCPUSamples {
		return f, false
	}
	use := newNetUse(r, v)
	many := slices.DeleteFunc(use.asking.all, func(a *asking) bool {
		return a.writes == 0 || a.reads == 0 || a.trips(use.server) < minTrips
	})
	most := mostOfAll(many, func(a *asking) float64 { return float64(a.all) })
	if most == nil || min(use.ticks, most.ticks) < minCostTicks {
		return f, false
	}
	share := float64(most.all) / v.total
	score := min(roundTripScale().Score(share), capUnsure, v.level.cap())
	return most.finding(r, v, most.trips(use.server), share, score), true
}

// trips is how many times a function writes for each answer of the server, by what writing takes.
func (a *asking) trips(server int64) float64 { return float64(a.writes) / max(float64(server), 1) }

func (a *asking) finding(r *Reading, v *cpuView, trips, share float64, score int) casefile.Finding {
	lines := entries(a.lines)
	at := r.Place(lines[0].Key)
	kernel := float64(a.writes+a.reads) / v.total
	saved := 1 - 1/trips
	f := casefile.Finding{
		Title: fmt.Sprintf("%s makes many queries over the network per request, which take %s of the CPU",
			short(r.Table.Funcs[a.fn].Name), percent(share)),
		Score: score, Confidence: Confidence(share, v.samples),
		Summary: fmt.Sprintf("The calls at %s take %s of the CPU, %s of it in system calls on the network. Their "+
			"writes take %s times what the server's own answers take, and a request has one answer; %s.",
			at, percent(share), percent(kernel), count(trips), v.level),
		Explanation: "A query costs system calls to write and read, waking up in between, and the wait for the answer: " +
			"10–30 µs of CPU and a round trip, whether it is one key or a hundred. One after another, the waits add up.",
		Impact: onCPU(share, saves(kernel*saved, share*saved, fmt.Sprintf(
			"one exchange instead of %s saves that part of the system calls (%s of the CPU), and of the "+
				"whole calls (%s) if the client's work shrinks as much", count(trips), percent(kernel),
			percent(share)))),
		Evidence: Basis(v.set),
		Remedies: remediesAt(at, roundTripRemedies(batchSize{})...), // trips is too low, and says no size
	}
	f.Where = slices.Concat(r.Frames(lines, 3, v.total, "asks over the network"),
		r.Frames(entries(a.callers), 1, v.total, "calls it"), r.Frames(entries(a.calls), 1, v.total, "called by the first"))
	return f
}

func roundTripRemedies(size batchSize) []Remedy {
	out := []Remedy{
		byChange("", "Ask for all at once", "At {line}: one command for many keys (MGET, MSET, HMGET, WHERE id IN "+
			"…), or the client's pipeline (redis.Pipelined, pgx.Batch)."+size.ofRequest(),
			"errors arrive together, and must be matched to their queries").needs(casefile.NeedsApart),
	}
	if size.shared() {
		out = append(out, byPackage("", "Batch the queries of all requests", "At {line}: "+
			"github.com/gocasebook/casebook/remedy/batch combines the queries that requests make at the same time "+
			"into one exchange, and answers each."+size.ofAll(), "a query waits for the exchange before it"))
	}
	return append(out, byChange("", "Ask less", "Keep rarely changing data in the process (remedy/cache), or let one "+
		"script on the server do the steps.", "a cache can be stale"))
}

// tripTimeScale is in seconds that a request waits for the answers to one function's questions, on average. Within a
// data centre a round trip is 0.5 ms (Dean, Numbers everyone should know): 5 ms are ten of them, and 50 ms are seen by
// people.
func tripTimeScale() Scale { return Scale{Worth: 0.005, Hurts: 0.05, Top: 1} }

const (
	farTrip   = 0.0005 // seconds of a round trip within a data centre
	manyTrips = 8      // of a request from one function: counted, and not estimated as minTrips is, where 24 show as 7
)

// A tracedTrip is the round trips of requests from one function.
type tracedTrip struct {
	tracedAsk // at the line with most of the waiting
	lines     []*tracedAsk
	trips     float64 // by request that makes any
	took      time.Duration
	share     float64 // of the time of all requests
	score     int
}

// tracedTrips finds the function whose round trips, one after the other, take most of the requests' time.
func tracedTrips(r *Reading) (f casefile.Finding, ok bool) {
	s := r.Summary()
	all := tracedRequests(s)
	if all.number < syscallRequests {
		return f, false
	}
	var by groups[string, tracedTrip]
	for _, a := range tracedAsks(r, s) {
		if a.by < syscallRequests {
			a.by = all.number
		}
		if !a.own || a.local || !isCounted(a.stack) || a.calls < minTrips*a.by {
			continue
		}
		t, first := by.of(a.at.Function)
		if first {
			t.tracedAsk, t.calls = *a, 0
		}
		t.lines = append(t.lines, a)
		t.by, t.calls = max(t.by, a.by), t.calls+a.calls
		t.trips = float64(t.calls) / float64(t.by)
		t.took += a.times.Total
		t.share = min(float64(t.took)/max(float64(all.took), 1), 1)
		t.judge(t.took.Seconds() / float64(t.by))
	}
	worst := mostOfAll(slices.DeleteFunc(by.all, func(t *tracedTrip) bool {
		return t.trips < manyTrips || t.score < worthKnowing
	}), func(t *tracedTrip) float64 { return float64(t.took) })
	if worst == nil {
		return f, false
	}
	return worst.finding(r), true
}

// judge scores what a request waits, in seconds. Where the other side is nearer than that, on the same machine as in
// most tests, the number of trips is judged as a notice: they cost more wherever it is not.
func (t *tracedTrip) judge(each float64) {
	far := max(t.trips*farTrip, each)
	t.score = max(tripTimeScale().Score(each), min(tripTimeScale().Score(far), capNotice))
	t.score = min(t.score, syscallShareScale().Score(t.share), capUnsure)
}

func (t *tracedTrip) finding(r *Reading) casefile.Finding {
	s, from := r.Trace()
	place := tracedPlace(t.at)
	each := t.took.Seconds() / float64(t.by)
	saved := t.share * (1 - 1/t.trips)
	size := batchSize{each: t.trips, requests: float64(t.by) / s.Span.Seconds(), took: each / t.trips}
	f := casefile.Finding{
		Title: fmt.Sprintf("A request makes %s round trips one after another at %s, which take %s of its time",
			count(t.trips), place, percent(t.share)),
		Score: t.score, Confidence: Confidence(t.share, float64(t.by)),
		Summary: fmt.Sprintf("%s wait %s times each for %s below %s, %s a time: %s, and %s of the time of all requests.",
			things(t.by, "request"), count(t.trips), t.what, short(t.at.Function), seconds(size.took), seconds(each),
			percent(t.share)),
		Explanation: "Each question waits for the answer to the one before it, though most of them do not need it. " +
			"The waits add up, and the process has nothing to do meanwhile." + t.nearText(each),
		Impact: onLatency(t.share, fmt.Sprintf("%s of each request, on average", seconds(each)), halfAtLeast(saved, fmt.Sprintf(
			"one exchange instead of %s: %s; half of that if every second question needs an answer first",
			count(t.trips), number.Share(saved)))),
		Evidence: from,
		Remedies: remediesAt(place, roundTripRemedies(size)...),
	}
	if hasRole(t.stack, known.TriesToChange) {
		t.tries(&f, place)
	}
	for _, a := range t.lines[:min(len(t.lines), 3)] {
		f.Where = append(f.Where, tracedFrame(a.at, t.share*float64(a.times.Total)/max(float64(t.took), 1),
			"asks over the network (share of the requests' time)"))
	}
	f.Where = append(f.Where, tracedCalls(r, t.stack, t.at, t.share)...)
	return f
}

// tries says of round trips that they are of a transaction which fails if others have changed what it read: each needs
// the answer to the one before, and a request that makes many mostly begins again and again.
func (t *tracedTrip) tries(f *casefile.Finding, at string) {
	f.Title = fmt.Sprintf("A request makes %s round trips at %s in optimistic transactions: %s of its time",
		count(t.trips), at, percent(t.share))
	f.Summary += " They are of transactions that fail if somebody else has changed what they read: most likely of one that " +
		"is tried again until none has; or else of one for each of many keys."
	f.Explanation = "Of all who try at the same time one succeeds, and the others have asked for nothing and begin again."
	f.Remedies = []casefile.Remedy{
		doChange("One atomic command or script in place of the transaction", fmt.Sprintf("At %s: let the server check and "+
			"change in one step (HINCRBY, SET NX, a Lua script with redis.NewScript; in SQL or etcd the condition in the "+
			"statement itself): one round trip, and no try is in vain.", at), "the rule moves into the script"),
		doChange("One at a time for each key", "A lock for the key around the tries, of the process or the server's: "+
			"whoever has it succeeds at the first try.", "they wait for each other"),
		doChange("Wait before the next try", "A pause that grows and differs, and an end after some tries.", "some are late"),
	}
}

// nearText says what the trips cost elsewhere, if the other side is near.
func (t *tracedTrip) nearText(each float64) string {
	if t.trips*farTrip <= each {
		return ""
	}
	return fmt.Sprintf(" Here the other side is near. Within a data centre a round trip takes %s, and a request would "+
		"wait %s.", seconds(farTrip), seconds(t.trips*farTrip))
}
