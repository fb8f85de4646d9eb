package diagnose

import (
	"context"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose/known"
	"github.com/gocasebook/casebook/diagnose/traces"
	"github.com/gocasebook/casebook/diagnose/view"
)

// overloadScale is how many times the CPU of a request its time is. Where requests share processors that is
// 1/(1−load): 4 at a load of 75 %, 10 at 90 %.
func overloadScale() Scale { return Scale{Worth: 4, Hurts: 10, Top: 100} }

// What a trace must show before more requests count as coming than the processors can answer.
const (
	overloadIdle     = 0.05 // of the processors' time at most: a burst that passes leaves more
	overloadQueue    = 4.0  // goroutines that wait for each processor, on average: M/M/1 at a load of 83 %
	overloadRequests = 20   // that ended, for a mean
	// overloadCure is the part of the CPU that one change saves, from which it is the change to make first: at a load
	// of 100 % it makes the queue one of M/M/1 at 75 %.
	overloadCure = 0.25
	// overloadSplit is what a goroutine that a request starts must run for: starting and ending it costs a microsecond.
	overloadSplit = 5 * time.Microsecond
)

func overload() Detector {
	return Detector{
		ID: "SC006", Kind: "overload",
		Title: "More requests come than the processors can answer",
		Text: `Reads an execution trace. The processors are busy for 95 % of the time or more, four goroutines or
more wait for each of them on average, and who runs is requests, what these start, or the goroutines of a server's
connections. The score is that of how many times longer requests take than the CPU that they use, worth knowing from 4
and hurting from 10 (1/(1−load) at loads of 75 and 90 %), or that of sched-latency if it is lower. It says nothing where
another kind is why: sched-hog, a collector that takes a quarter of the processors, gomaxprocs-mismatch, cpu-quota,
goroutine-churn; it is undecided where other programs had the CPU. What would save a quarter of the CPU comes first.`,
		Needs:  needTrace(),
		Before: `http.ListenAndServe(addr, mux) // 60 requests at once share two CPUs, and each takes 30 times as long`,
		After: `http.ListenAndServe(addr, atMost(2*runtime.GOMAXPROCS(0), mux)) // the rest gets 503 at once,
// and the balancer another instance`,
		Explains: append(related(nil, "sched-latency", "goroutine-surge"), overloadedWork()...), IsQueue: true,
		NeedsPlace: true, Joins: overloadCauses, Follows: "without it the processors would have time for the requests",
		Run: runOverload,
	}
}

// overloadedWork are the kinds that name work which may be the purpose of the service: it is what there is too much of.
func overloadedWork() []Relation {
	out := related(nil, hotFunction, "cpu-compression", "cpu-map-hash", "cpu-cgo", "cpu-crypto", "cpu-regexp")
	for i := range out {
		out[i].Why = "more requests come than the processors can answer, and that is what each of them costs"
	}
	return out
}

// A demand is requests that share the processors.
type demand struct {
	what   string  // "request", "wake-up of main.serve"
	count  float64 // that were answered
	took   float64 // s, mean
	slow   float64 // s, p99; 0 if not known
	cpu    float64 // s, mean
	queued float64 // share of their time that they wait for a processor
	inWork float64 // at a time
}

func runOverload(_ context.Context, r *Reading) Answer {
	q, ok := findCPUQueue(r)
	if !ok || !q.full() || q.hog() || q.collects() || q.splits() || keptFromCPUs(r) || !q.waiter("") {
		return Answer{}
	}
	c, ok := q.demand(r)
	score := min(overloadScale().Score(c.took/max(c.cpu, 1e-9)), schedLatencyScale().Score(q.waits.Latency.P99.Seconds()))
	if !ok || score < worthKnowing {
		return Answer{}
	}
	if q.starvedOr(r) != "" {
		return undecided(q.starve, captureTrace+" on a machine with enough CPU")
	}
	lines, all := busyLines(r, q.trace)
	return found(c.finding(&q, lines, all, score))
}

// full reports whether the processors have no time left, and many wait.
func (q *cpuQueue) full() bool {
	s := q.trace
	all := float64(s.Span) * float64(max(s.Procs, 1))
	return float64(s.Use.Idle) <= overloadIdle*all && float64(s.Use.Waited) >= overloadQueue*all
}

// collects reports whether the collector takes a quarter of what runs.
func (q *cpuQueue) collects() bool {
	cpu := q.trace.GC.AssistCPU
	for _, took := range q.trace.GC.Workers {
		cpu += took
	}
	return float64(cpu) >= collectorHeavy*float64(q.trace.Use.Busy)
}

// splits reports whether most goroutines are parts of requests that are too small to be goroutines.
func (q *cpuQueue) splits() bool {
	all, most := int64(0), traces.GoroutineType{}
	for _, g := range q.trace.Goroutines {
		if known.Of(g.Name).Does(known.SpeaksHTTP) {
			continue // one or two for each request, whatever it is
		}
		if all += g.Number; g.Number > most.Number {
			most = g
		}
	}
	return 2*most.Number > all && requestsStart(q.trace, most.Name) &&
		most.Spent.Running < time.Duration(most.Number)*overloadSplit
}

// keptFromCPUs reports whether the process is kept from CPUs by GOMAXPROCS or by its quota.
func keptFromCPUs(r *Reading) bool {
	p, set := setProcs(r)
	u, used := usedQuota(r)
	return set && p.procs <= p.cpus-1 || used && u.throttled >= quotaScale().Worth
}

// demand is the requests, if they are what runs.
func (q *cpuQueue) demand(r *Reading) (demand, bool) {
	served := q.served()
	switch {
	case served.count >= overloadRequests && q.requestsRun():
		return served, true
	case q.share < hogShare:
		return demand{}, false
	case q.perMessage(): // from the network, as the trace shows; who reads them there waits behind them
		return q.messages(), true
	case q.runs.Name == q.waits.Name && q.ownConnections() && isAsked(r):
		return q.turns()
	}
	return demand{}, false
}

// messages is what a goroutine each is started for.
func (q *cpuQueue) messages() demand {
	w := q.runs
	own, n := float64(w.Spent.Running+w.Spent.Assist), float64(max(w.Number, 1))
	return demand{what: "request", count: float64(w.Life.Count), took: w.Life.Mean().Seconds(),
		slow: w.Life.P99.Seconds(), cpu: max(own/n/1e9, 1e-9),
		queued: float64(w.Spent.Runnable) / max(float64(w.Spent.Sum()), 1),
		inWork: float64(w.Spent.Sum()) / float64(q.trace.Span)}
}

// turns is what connections do each time that something has come.
func (q *cpuQueue) turns() (demand, bool) {
	w := q.runs
	own, turns := float64(w.Spent.Running+w.Spent.Assist), max(float64(w.Latency.Count), 1)
	active := own + float64(w.Spent.Runnable)
	return demand{what: "turn of " + short(w.Name), count: turns, took: active / turns / 1e9, cpu: own / turns / 1e9,
		queued: float64(w.Spent.Runnable) / max(active, 1), inWork: active / float64(q.trace.Span)}, own > 0
}

// requestsRun reports whether servers' goroutines run while most of the waiting happens, or those that requests start.
func (q *cpuQueue) requestsRun() bool {
	var share, all time.Duration
	for _, g := range q.trace.Goroutines {
		all += g.Delayed
		if servesRequests(g.Name) || requestsStart(q.trace, g.Name) {
			share += g.Delayed
		}
	}
	return float64(share) >= hogShare*float64(all)
}

// served is the requests to servers, by the trace. Their CPU is that of all processors: nothing else runs.
func (q *cpuQueue) served() demand {
	all := tracedRequests(q.trace)
	n, took := float64(max(all.number, 1)), all.took.Seconds()
	return demand{what: "request", count: float64(all.number), slow: all.p99.Seconds(),
		took: took / n, cpu: q.trace.Use.Busy.Seconds() / n,
		queued: all.queued.Seconds() / max(took, 1e-9), inWork: took / q.trace.Span.Seconds()}
}

func (c *demand) finding(q *cpuQueue, lines []view.TracedSum, all time.Duration, score int) casefile.Finding {
	s, slow := q.trace, ""
	if c.slow > 0 {
		slow = fmt.Sprintf(" (p99 %s)", seconds(c.slow))
	}
	f := casefile.Finding{
		Score: score, Confidence: Confidence(0.5, c.count),
		Summary: fmt.Sprintf("The %s are busy for %s of the time, and %s on average. A %s takes %s%s and %s of CPU: %s "+
			"times as long.", things(s.Procs, "processor"), percent(1-s.Use.Idle.Seconds()/s.Span.Seconds()/float64(s.Procs)),
			queueText(s), c.what, seconds(c.took), slow, seconds(c.cpu), count(math.Round(c.took/c.cpu))),
		Explanation: "Requests that are let in share the processors: each one more makes all others later, and none is " +
			"answered sooner. Who has waited too long asks again, which is more work still.",
		Impact: onLatency(c.queued, percent(c.queued)+" of the time of requests is waiting for a processor", halfAtLeast(
			c.queued, "of requests that are let in: half of the waiting if as many wait as run, else all")),
		Evidence: q.from,
	}
	for _, l := range lines[:min(3, len(lines))] {
		f.Where = append(f.Where, tracedFrame(l.At, float64(l.Total)/max(float64(all), 1), "takes the CPU"))
	}
	if len(lines) > 0 {
		f.Remedies = c.remedies(s, tracedPlace(lines[0].At))
	}
	return f
}

// remedies have the numbers of what the processors can do.
func (c *demand) remedies(s *traces.Summary, place string) []casefile.Remedy {
	slots, rate := 2*s.Procs, c.count/s.Span.Seconds()
	return []casefile.Remedy{
		doChange("Let no more in than the processors can answer", fmt.Sprintf("Let %s in at once, of the "+
			"%s that are in work now, and refuse the rest: 503 with Retry-After. A channel of twice GOMAXPROCS slots "+
			"does that, before anything is read or computed; a balancer then goes elsewhere.",
			count(slots), count(math.Round(c.inWork))), "some requests are refused"),
		setValue("More instances, or more CPUs", fmt.Sprintf("An instance answers %s a second at most, and that is "+
			"what it does now. Add one when each answers more than %s, which is 70 %% of it.", count(math.Round(rate)),
			count(math.Round(0.7*rate))), "machines"),
		doChange("Use less CPU for each", fmt.Sprintf("Most CPU is used at %s: half of it saved is "+
			"twice the requests.", place), "the work of finding it"),
	}
}

// overloadCauses names findings of waste that would save a quarter of the CPU or more: they are what to change first.
func overloadCauses(_ *Reading, own *casefile.Finding, all, faults []casefile.Finding) {
	for _, f := range faults {
		if f.ID != own.ID && f.Impact.Resource == "cpu" && f.Score > capNotice && f.Impact.Gain.High >= overloadCure &&
			!slices.Contains(own.CausedBy, f.ID) && !follows(own, &f, all) {
			own.CausedBy = append(own.CausedBy, f.ID)
		}
	}
}

// follows reports whether a finding is caused by one that a finding causes: more requests make more garbage of the work
// that there is too much of.
func follows(own, f *casefile.Finding, all []casefile.Finding) bool {
	return slices.ContainsFunc(all, func(between casefile.Finding) bool {
		return slices.Contains(f.CausedBy, between.ID) && slices.Contains(between.CausedBy, own.ID)
	})
}
