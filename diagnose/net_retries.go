package diagnose

import (
	"fmt"
	"math"
	"slices"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose/known"
	"github.com/gocasebook/casebook/diagnose/stacks"
	"github.com/gocasebook/casebook/diagnose/view"
	"github.com/gocasebook/casebook/vitals"
)

// A service that retries a failed call at once sends its back end a multiple of its own load, at the moment when the
// back end cannot take it. Each retry is a call like any other. The sign of a storm is that a request makes many calls
// while requests fail, and made few before.

// retryScale is in calls per request. Three attempts are what most clients allow. Twenty are a storm: no back end has
// that much capacity to spare.
func retryScale() Scale { return Scale{Worth: 4, Hurts: 20, Top: 100} }

const (
	failing     = 0.2 // share of requests that fail: below, most of what is allocated is of those that succeed
	unfailing   = 0.02
	retryRise   = 3  // times the calls that a request can have made before
	retryBefore = 10 // samples of the time before, at least
	retryTicks  = 16 // sampled allocations of calls, at least: then their number is known to a half
)

// What a call of a client allocates in the goroutine of its caller, rather too high, so that calls are counted too low:
// measured on Go 1.26, 3.0 KiB for net/http with a body and a deadline (testdata/trial/shipping), and for gRPC 3.7 KiB
// for an empty message with a deadline, plus the message itself.
const (
	httpCallBytes = 3 << 10
	grpcCallBytes = 6 << 10
)

// A retrying is one function whose calls are made again and again.
type retrying struct {
	bytes  float64 // that the calls allocated
	calls  float64
	lines  lineSum // that call the client, by bytes
	loops  lineSum // the user's lines that call those
	tries  float64 // calls a request
	before float64 // calls per request that there can have been while requests did not fail
	failed float64 // share of requests
}

// retries finds the function that makes the most calls while requests fail, if these are many more per request than
// before.
func retries(r *Reading) (f casefile.Finding, ok bool) {
	set := r.Gained(casefile.Heap, casefile.Allocs)
	if set == nil || set.Seconds <= 0 {
		return f, false
	}
	most := mostCalls(r, set)
	failed, n := r.MeanDuring(vitals.HTTPErrors, set)
	rate, _ := r.MeanDuring(vitals.HTTPRate, set)
	if most == nil || n == 0 || failed < failing || rate <= 0 || most.bytes < retryTicks*set.Rate() {
		return f, false
	}
	usual, ok := usualAllocation(r)
	most.failed, most.tries = failed, most.calls/(rate*set.Seconds)
	most.before = usual / (most.bytes / most.calls)
	score := min(retryScale().Score(most.tries), capUnsure)
	return retryFinding(r, set, most, score), ok && score >= worthKnowing && most.tries >= retryRise*most.before
}

// mostCalls is the function whose calls, made to answer requests, allocated most.
func mostCalls(r *Reading, set *stacks.Set) (most *retrying) {
	var by groups[stacks.FuncID, retrying]
	clients := []clientCall{{r.Funcs(named(known.HTTPDo)), httpCallBytes}, {r.Funcs(named(known.HTTPRoundTrip)), httpCallBytes},
		{r.Funcs(named(known.GRPCInvoke)), grpcCallBytes}}
	for s, n := range set.Counted(stacks.ByValue(set.Value("alloc_space", "bytes"))) {
		// http.Client calls the Transport, unless a RoundTripper of the user's is between the two: then that one retries
		line, at := r.Table.UserFrame(s.Stack)
		i := slices.IndexFunc(clients, func(c clientCall) bool { return at >= 0 && c.fns.In(r.Table, s.Stack[:at]) })
		if i < 0 || !serves(r.Table, s.Stack) {
			continue
		}
		a, _ := by.of(r.Table.FuncID(line))
		a.bytes, a.calls = a.bytes+float64(n), a.calls+float64(n)/clients[i].bytes
		a.lines.add(line, n)
		if by, above := r.Table.UserFrame(s.Stack[at+1:]); above >= 0 {
			a.loops.add(by, n)
		}
	}
	return mostOfAll(by.all, func(a *retrying) float64 { return a.bytes })
}

// A clientCall is the functions that call a client, and what a call allocates.
type clientCall struct {
	fns   view.FuncSet
	bytes float64
}

// usualAllocation is what was allocated per request while requests did not fail, which bounds what their calls did. It
// is the smaller of the median of the samples and the mean: where few requests come, a census allocates most of what
// every second sample counts.
func usualAllocation(r *Reading) (bytes float64, ok bool) {
	var each []float64
	allocations, requests := 0.0, 0.0
	for i := range r.Vitals {
		s := &r.Vitals[i]
		failed, known := s.Get(vitals.HTTPErrors)
		rate, _ := s.Get(vitals.HTTPRate)
		allocated, ok := s.Get(vitals.AllocRate)
		if known && ok && failed <= unfailing && rate > 0 {
			each = append(each, allocated/rate)
			allocations, requests = allocations+allocated, requests+rate
		}
	}
	if len(each) < retryBefore {
		return 0, false
	}
	slices.Sort(each)
	return min(each[len(each)/2], allocations/requests), true
}

func retryFinding(r *Reading, set *stacks.Set, a *retrying, score int) casefile.Finding {
	lines := entries(a.lines)
	at := r.Place(lines[0].Key)
	f := casefile.Finding{
		Title: fmt.Sprintf("Failed calls at %s are retried, about %s times per request", at, count(math.Round(a.tries))),
		Score: score, Confidence: 0.8,
		Summary: fmt.Sprintf("While %s of the requests fail, each makes about %s calls to another service at %s, "+
			"estimated from what the calls allocate; while none failed, a request made at most %s.",
			percent(a.failed), count(math.Round(a.tries)), at, count(math.Round(max(a.before, 1)))),
		Explanation: "A call that fails is likely to fail again a moment later, for the same reason. Retrying at once " +
			"multiplies the load of an overloaded service, keeps it from recovering, and the request still fails, only later.",
		Impact: onLatency(1-1/a.tries, fmt.Sprintf("%s calls in place of one", count(math.Round(a.tries))),
			saves(1-3/a.tries, 1-1/a.tries, fmt.Sprintf("with one to three calls per request instead of %s that part of "+
				"them is saved", count(math.Round(a.tries))))),
		Evidence: Basis(set),
		Remedies: remediesAt(at, retryRemedies()...),
	}
	whole := max(a.bytes, 1)
	f.Where = append(r.Frames(lines, 2, whole, "makes the calls"), r.Frames(entries(a.loops), 1, whole,
		"calls it: check which of the two has the loop")...)
	return f
}

func retryRemedies() []Remedy {
	return []Remedy{
		byChange("", "Back off between tries, and make few of them", "Around {line}: make two or three attempts, and "+
			"wait before each for a time that doubles and has a random part, such as "+
			"time.Sleep(rand.N(100*time.Millisecond << try)). Do not retry once ctx.Err() says that nobody waits any "+
			"more, or for permanent errors such as 4xx.", "a call that would have succeeded at once waits a little"),
		byChange("", "Give retries a budget", "Count retries and calls, and stop retrying when more than a tenth of "+
			"the calls are retries (gRPC's retryThrottling is such a budget). Or put a circuit breaker "+
			"(github.com/sony/gobreaker/v2) before {line}: it refuses for a while when most calls fail.",
			"calls that would succeed may be refused for some seconds"),
		byChange("", "Retry in one layer only", "If a library, a proxy or the caller retries as well, the "+
			"numbers multiply: leave it to the one nearest to the user.", "none"),
	}
}
