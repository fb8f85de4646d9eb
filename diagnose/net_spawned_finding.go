package diagnose

import (
	"fmt"
	"math"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/vitals"
)

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

// score is by the CPU of the goroutines, or by those that queue: for themselves, and in the way of requests. Only where
// they share one pool of connections, as requests show that wait for it, is it certain that one exchange does for all.
func (f *fanOut) score(v *cpuView) int {
	queue := surgeScale().Score(float64(f.queued))
	if f.moments > 0 {
		queue = max(queue, lockWaiterScale().Score(float64(f.behind)))
	}
	if f.moments < 2 {
		queue = min(queue, capUnsure)
	}
	if v == nil || f.cost.all*float64(v.samples) < minCostTicks || v.level.idle() {
		return queue
	}
	return max(queue, min(roundTripScale().Score(f.cost.all), capUnsure, v.level.cap()))
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
		Explanation: "Nobody waits for these goroutines, so the request looks fast. But each query still costs a round trip, " +
			"10–30 µs of CPU here and as much on the other side, and a goroutine. Nothing limits their number: when the other " +
			"side becomes slower, they pile up, and requests that need a connection wait behind them.",
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
	if f.queued > 0 {
		f.sayQueue(r, &out)
	}
	if f.cost.all > 0 {
		f.sayCost(&out, v)
	}
	return out
}

// sayQueue says who waits for a connection.
func (f *fanOut) sayQueue(r *Reading, out *casefile.Finding) {
	out.Summary += fmt.Sprintf(" %s goroutines of this kind wait for a %s", count(f.queued), f.pool)
	if f.behind > 0 {
		out.Summary += fmt.Sprintf(", and %s behind them, at %s", things(f.behind, "request"), r.Place(f.behindAt))
		out.Where = append(out.Where, r.Frame(f.behindAt, 0, "requests wait here for a connection, behind them"))
	}
	out.Summary += "."
	out.Evidence = addBasis(out.Evidence, Basis(lastMoment(r)))
	out.Confidence = max(out.Confidence, 0.9)
	saved := roundShare(1 - 1/f.each)
	out.Impact = casefile.Impact{Resource: effectLatency, Text: fmt.Sprintf("%s wait for a connection behind them",
		things(f.behind, "request")), Gain: casefile.Gain{Low: saved, High: saved, Arithmetic: fmt.Sprintf(
		"one exchange instead of %s leaves that much more of the pool to requests", count(math.Round(f.each)))}}
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
			"Batcher of github.com/gocasebook/casebook/remedy/batch. Its Flush sends up to MaxItems of them in one "+
			"exchange: the client's pipeline (redis.Pipelined, pgx.Batch), MSET, or an INSERT of many rows."+
			size.ofAll()+" MaxFlushes: 2 and its queue take the place of goroutines without a limit. Stop flushes "+
			"the rest when the service ends.",
			"a query is sent some milliseconds later; a killed process loses what is queued"),
		byChange("", "Send the queries of a request together", "At {line}: one goroutine per request, which sends all "+
			"of them with one command or pipeline."+size.ofRequest(), "goroutines are still without a limit"),
		byChange("", "Limit how many run", "At {line}: a fixed number of workers, or a semaphore that is acquired "+
			"before the go statement. Overload then does not take the connections that requests need.",
			"each query still costs a round trip; when all are busy, requests wait or queries are lost"),
	}
}
