package diagnose

import (
	"fmt"
	"math"
	"strings"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose/stacks"
	"github.com/gocasebook/casebook/vitals"
)

// spawnedQueries finds goroutines that requests start for each query over the network.
func spawnedQueries(r *Reading) (f casefile.Finding, ok bool) {
	v := r.cpu()
	if v != nil && v.samples < minCPUSamples {
		v = nil
	}
	best := worthKnowing - 1
	for _, a := range spawnedAsking(r, v) {
		if score := a.score(v); score > best {
			best, f, ok = score, a.finding(r, v, score), true
		}
	}
	return f, ok
}

// score is by the CPU of the goroutines, or by those that queue: for themselves, and in the way of requests. Only where
// they share one pool of connections, as requests show that wait for it, is it certain that one exchange does for all.
func (a *spawned) score(v *cpuView) int {
	queue := surgeScale().Score(float64(a.queued))
	if a.moments > 0 {
		queue = max(queue, lockWaiterScale().Score(float64(a.behind)))
	}
	if a.moments < 2 {
		queue = min(queue, capUnsure)
	}
	if v == nil || a.ticks < minCostTicks || v.level.idle() {
		return queue
	}
	return max(queue, min(roundTripScale().Score(a.share(v)), capUnsure, v.level.cap()))
}

// share is the part of the CPU that the calls and their goroutines take, and others for them.
func (a *spawned) share(v *cpuView) float64 {
	if v == nil {
		return 0
	}
	return float64(a.asking+a.starting+a.beside) / v.total
}

func (a *spawned) finding(r *Reading, v *cpuView, score int) casefile.Finding {
	at, each := r.Place(a.at), count(math.Round(a.each))
	f := casefile.Finding{
		Form: formPerQuery,
		Title: fmt.Sprintf("%s starts a goroutine for each query over the network, about %s per request",
			short(r.Table.Func(a.at).Name), each),
		Score: score,
		Summary: fmt.Sprintf("The go statement at %s starts about %s goroutines per request, as allocations count "+
			"them, and each makes a query of its own at %s.%s", at, each, r.Place(a.line()), a.more(r, v)),
		Explanation: "Nobody waits for these goroutines, so the request looks fast. But each query still costs what " +
			"a round trip costs, 10–30 µs of CPU here and as much on the other side, and a goroutine. Nothing limits " +
			"how many there are: when the other side becomes slower, they pile up, and requests that need a " +
			"connection wait behind them.",
		Impact:   a.impact(v),
		Evidence: a.basis(r, v),
		Remedies: remediesAt(at, spawnedRemedies(a.size(r))...),
	}
	f.Confidence = Confidence(1/a.each, a.each*a.each*16) // the number is certain to a quarter or so
	if v != nil {
		f.Confidence = Confidence(max(a.share(v), 1e-3), v.samples)
	}
	if a.queued > 0 {
		f.Confidence = max(f.Confidence, 0.9)
	}
	f.Where = a.where(r, v)
	return f
}

// size is how many queries could be sent together. Where nobody counts requests, the kernel's count of writes does:
// each query is one, and each answer.
func (a *spawned) size(r *Reading) batchSize {
	size := batchSize{each: a.each, requests: requestRate(r)}
	if size.requests == 0 {
		writes, _ := r.Mean(vitals.WriteCalls)
		size.requests = writes / (a.each + 1)
	}
	return size
}

// line is the line that asks most.
func (a *spawned) line() stacks.FrameID { return entries(a.lines)[0].Key }

// more says what the queries cost and who waits.
func (a *spawned) more(r *Reading, v *cpuView) string {
	var b strings.Builder
	if v != nil && a.asking > 0 {
		fmt.Fprintf(&b, " They take %s of the CPU, %s of it in system calls on the network", percent(a.share(v)),
			percent(float64(a.kernel)/v.total))
		if n := a.starting + a.beside; n > 0 {
			fmt.Fprintf(&b, " and %s in starting, scheduling and ending goroutines and collecting their garbage",
				percent(float64(n)/v.total))
		}
		fmt.Fprintf(&b, "; %s.", v.level)
	}
	if a.queued > 0 {
		fmt.Fprintf(&b, " %s goroutines of this kind wait for a connection of %s", count(float64(a.queued)), a.pool)
		if a.behind > 0 {
			fmt.Fprintf(&b, ", and %s behind them, at %s", things(float64(a.behind), "request"), r.Place(a.behindAt))
		}
		b.WriteString(".")
	}
	return b.String()
}

func (a *spawned) impact(v *cpuView) casefile.Impact {
	saved := 1 - 1/a.each
	if v == nil || a.asking == 0 {
		return casefile.Impact{Resource: "latency", Text: fmt.Sprintf("%s wait for a connection behind them",
			things(float64(a.behind), "request")), Gain: casefile.Gain{Low: roundShare(saved), High: roundShare(saved),
			Arithmetic: fmt.Sprintf("one exchange instead of %s leaves that much more of the pool to requests",
				count(math.Round(a.each)))}}
	}
	share := a.share(v)
	low := float64(a.kernel+a.starting) / v.total
	return casefile.Impact{Resource: "cpu", Share: roundShare(share),
		Text: percent(share) + " of the CPU the process used",
		Gain: casefile.Gain{Low: roundShare(low * saved), High: roundShare(share * saved),
			Arithmetic: fmt.Sprintf("one exchange and no goroutine of its own instead of %s saves that part of the "+
				"system calls and of the goroutines (%s of the CPU), and of all that they do and cause (%s) if the "+
				"client's work shrinks as much", count(math.Round(a.each)), percent(low), percent(share))}}
}

func (a *spawned) basis(r *Reading, v *cpuView) (out []casefile.Basis) {
	if v != nil {
		out = Basis(v.set)
	}
	if set := (&spawning{Reading: r}).sinceStart(); set != nil {
		out = addBasis(out, Basis(set))
	}
	if a.queued > 0 {
		out = addBasis(out, Basis(lastMoment(r)))
	}
	return out
}

func (a *spawned) where(r *Reading, v *cpuView) []casefile.Frame {
	total := math.Inf(1)
	if v != nil {
		total = v.total
	}
	out := []casefile.Frame{r.Frame(a.at, a.share(v), "starts a goroutine for each query")}
	out = append(out, r.Frames(entries(a.lines), 2, total, "asks over the network")...)
	out = append(out, r.Frames(entries(a.calls), 1, total, "called by it")...)
	if a.behindAt != stacks.NoFrame {
		out = append(out, r.Frame(a.behindAt, 0, "requests wait here for a connection, behind them"))
	}
	return out
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

// causesWait fits if requests or goroutines wait at a place that the own finding names: for what its goroutines have
// taken, or for a connection, of which its many queries need one each.
func causesWait(own, other casefile.Finding) bool {
	return own.Form == formPerQuery && len(other.Where) > 0 && shareFunction(own.Where, other.Where[:1])
}
