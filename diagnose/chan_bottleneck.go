package diagnose

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose/known"
	"github.com/gocasebook/casebook/diagnose/stacks"
	"github.com/gocasebook/casebook/diagnose/traces"
	"github.com/gocasebook/casebook/diagnose/view"
	"github.com/gocasebook/casebook/diagnose/wait"
	"github.com/gocasebook/casebook/internal/number"
)

func chanBottleneck() Detector {
	return Detector{
		ID: "CH001", Kind: "chan-bottleneck",
		Title:      "Goroutines queue at a channel",
		OtherNames: []string{"one-core"},
		Text: `Goroutines wait at one line to send to a channel, or requests wait there for a worker's answer: the code
that reads does not keep up. Worth knowing from 10 at one line, hurting from 100; by a block profile from 0.5 senders
that wait on average, and 4; by a trace from 50 ms that the slowest requests wait for a busy reader, and 0.5 s. Capped
at 74 unless two pieces of evidence agree that they send, at 49 if the senders are not requests.

In an execution trace a pool or a semaphore of the program's own shows: requests end each other's waits. It counts, up
to 74, if twice as many wait as have a place, and these need no processor for most of the time; if half of those wait
for a lock, a smaller pool, a sleep or an answer that does not come, that is to change. So do requests that wait for one
of several workers while most are idle, and, as a notice, a handler of a broker's messages that is never without one.
Pools of known clients are goroutine-surge's; senders whose number grew, or from whom nobody can receive, are
goroutine-leak's.`,
		Needs: []Need{{Kinds: []string{casefile.Goroutine, casefile.Block, traces.KindSummary},
			Reason: "no goroutine profile, dump, block profile or trace", Capture: captureGoroutine}},
		Before: `go func() { for e := range events { write(e) } }() // one reader for all requests`,
		After: `// more readers, or more at a time
for range runtime.GOMAXPROCS(0) { go func() { for e := range events { batch(e) } }() }`,
		Remedies: chanRemedies(), Waits: knowsWhat, IsQueue: true, NeedsPlace: true,
		Follows: "who reads the channel does that work, and senders wait until it is done", Run: runChanBottleneck,
	}
}

func runChanBottleneck(_ context.Context, r *Reading) Answer {
	blocked := blockedSends(r)
	var best *view.Pile
	set, bestScore := r.Goroutines(), 0
	for _, p := range r.Piles(set) {
		if score := queueScore(r, p, blocked); score > bestScore {
			best, bestScore = p, score
		}
	}
	if f, at, ok := fullPool(r); ok && (f.Score >= bestScore || best != nil && r.IsAt(best.At, at)) {
		f.Score = max(f.Score, bestScore)
		return found(keepers(r, f, func(id stacks.FrameID) bool { return r.IsAt(id, at) }))
	}
	if k, ok := keyedWorks(r); ok && best == nil {
		return found(k.finding(r))
	}
	if best == nil {
		return handlerAnswer(r)
	}
	return found(keepers(r, queueFinding(r, set, best, bestScore, blocked[best.At]), func(id stacks.FrameID) bool {
		return id == best.At
	}))
}

// queueScore judges a pile as a queue before a channel; 0 if it is not one.
func queueScore(r *Reading, p *view.Pile, blocked map[stacks.FrameID]float64) int {
	request := serves(r.Table, p.Stack)
	sends, places := p.Wait == stacks.WaitSend, givesPlaces(r, p.At)
	inChannel := sends || request && (p.Wait == stacks.WaitReceive || p.Wait == stacks.WaitSelect) &&
		callsWhat(r, p.Stack) == "" || // a client's goroutine sends the answer of another service
		request && p.Wait == stacks.WaitCond && (busyBehindCond(r, p) || places)
	turn := slices.ContainsFunc(r.waits().Piles, func(w *wait.Pile) bool { return w.Line == p.At && queuesForTurn(r, w) })
	if !p.User || !inChannel || 2*p.Waiting >= p.N || turn || request && idleEnders(r, p.At) {
		return 0
	}
	in, _ := r.Table.Caller(p.Stack)
	g := riseAt(r, p)
	// who receives inside a library is given news as often as answers, and where workers are idle there is no queue; who
	// selects may be a long poll, a stream of events; who is no request may leak, or be a surge
	if request && (!sends && isSession(r, p.Stack, p.N) || boundsWork(r, p.At)) ||
		p.Wait == stacks.WaitReceive && (r.Table.Func(in).Owner == stacks.Dependency || idleWorkers(r, p)) ||
		sends && r.Table.Func(in).Owner == stacks.Dependency || // nobody of the user's reads it
		p.Wait == stacks.WaitSelect && !busyBehind(r, p) && !places ||
		!request && (g.significant || float64(p.N) >= surgeScale().Worth || nobodyReceives(r, r.Goroutines(), p)) {
		return 0
	}
	limit := capUnsure
	switch {
	case !request || p.Wait == stacks.WaitSelect && !places:
		limit = capNotice
	case p.Wait != stacks.WaitSend: // or it waits for its context to end
	case g.known() && min(float64(g.before), float64(g.after)) >= lockWaiterScale().Worth:
		limit = noCap
	}
	score := max(lockWaiterScale().Score(float64(p.N)), min(feltBehind(r, p), capUnsure))
	if queue := blocked[p.At]; sends && queue > 0 {
		score, limit = max(score, lockQueueScale().Score(queue)), max(limit, capUnsure)
		if request {
			limit = noCap
		}
	}
	return min(score, limit)
}

// feltBehind scores for how long the slowest requests of a trace wait for a goroutine that does something else
// meanwhile.
func feltBehind(r *Reading, p *view.Pile) (score int) {
	t, ok := readerInTrace(r, p)
	for w := range r.WaitsAt(r.Summary(), p.At) {
		if ok && t.busy.Function != "" {
			score = max(score, batchScale().Score(feltAt(r.Summary(), w.Stack).Seconds()))
		}
	}
	if e := endsAt(r, p.At); p.Wait == stacks.WaitSend && e.Count > 0 { // by Little's law
		score = max(score, batchScale().Score(float64(p.N)*r.Summary().Span.Seconds()/float64(e.Count)))
	}
	return score
}

// idleWorkers reports whether as many goroutines of the same package, which are not requests, wait for work themselves.
func idleWorkers(r *Reading, p *view.Pile) bool {
	return slices.ContainsFunc(mayRead(r, r.Goroutines(), p), func(q *view.Pile) bool {
		return (q.Wait == stacks.WaitReceive || q.Wait == stacks.WaitSelect) && q.N >= p.N && samePackage(r, p, q)
	})
}

// mayRead are the piles of the program that may read the channel for which a pile waits: those that are no requests,
// which have channels of their own, and not in a function of the pile's.
func mayRead(r *Reading, set *stacks.Set, p *view.Pile) []*view.Pile {
	own := functionsOf(r, p)
	return slices.DeleteFunc(slices.Clone(r.Piles(set)), func(q *view.Pile) bool {
		return !q.User || serves(r.Table, q.Stack) || isOf(r, q, own)
	})
}

func samePackage(r *Reading, p, q *view.Pile) bool {
	return r.Table.Func(p.At).Package == r.Table.Func(q.At).Package
}

// blockedSends is the mean number of goroutines that wait in a send, by line, from a block profile with a known time.
func blockedSends(r *Reading) map[stacks.FrameID]float64 {
	set := r.Gained(casefile.Block)
	if set == nil || set.Seconds <= 0 {
		return nil
	}
	out := make(map[stacks.FrameID]float64)
	for s, ns := range set.Counted(stacks.ByValue(set.Value("delay", "nanoseconds"))) {
		line, ok := r.UserLine(s)
		if ok && r.Table.Func(s.Stack[0]).Does(known.Sends) {
			out[line] += float64(ns) / 1e9 / set.Seconds
		}
	}
	return out
}

func queueFinding(r *Reading, set *stacks.Set, p *view.Pile, score int, queue float64) casefile.Finding {
	at, what, total := r.Place(p.At), p.Wait.String(), float64(set.Total(set.Count()))
	before := "channel"
	if p.Wait == stacks.WaitCond {
		before = "condition"
	}
	if serves(r.Table, p.Stack) {
		what = "requests, " + what
	}
	parts := []string{fmt.Sprintf("%s goroutines are at %s at the same moment: %s", count(p.N), at, what)}
	if g := riseAt(r, p); g.known() && g.after > g.before { // the waiters differ from moment to moment
		parts = append(parts, g.String())
	}
	if queue > 0 {
		parts = append(parts, fmt.Sprintf("on average %s wait to send at %s (block profile)", count(queue), at))
	}
	by := whoReads(r, set, p, total)
	share := float64(p.N) / total
	f := casefile.Finding{
		Title: cmp.Or(by.title, fmt.Sprintf("%s queue at the %s at %s", number.Things(p.N, "goroutine"), before, at)),
		Score: score, Confidence: 0.8,
		Summary: joined(parts...) + by.text + ".",
		Explanation: "A channel moves no faster than its readers. If more is sent than they take, every sender waits. A " +
			"larger buffer only delays the moment when it is full.",
		Where:    slices.Concat(by.before, []casefile.Frame{r.Frame(p.At, share, "waits for the "+before)}, by.after),
		Evidence: Basis(set),
		Impact:   onLatency(share, percent(share)+" of all goroutines wait at one "+before),
		Remedies: remediesAt(at, chanRemedies()...),
	}
	if _, inside := waitsInside(r, p.Stack); inside || p.Wait == stacks.WaitCond {
		f.Remedies[2].Text = fmt.Sprintf("At %s: %s; then answer 503.", at, endsBy(r, p.Stack, p.Wait))
	}
	sends := (p.Wait == stacks.WaitSend || givesPlaces(r, p.At)) && set.Kind == casefile.Goroutine
	if more, ok := by.moreReaders(r, float64(p.N)); ok {
		f.Remedies[0] = more
	} else if past := pastLine(r, set, p.Stack, func(s *stacks.Sample, w stacks.Wait) bool {
		return outside(r, s.Stack, w)
	}); sends && by.text == "" && past > 0 {
		f.Summary += fmt.Sprintf(" %s are past that line and wait outside: it may bound how many are.", count(past))
		f.Remedies[0] = morePlaces(r, p, float64(past))
	}
	return f
}

// A channelReader is who reads the channel for which a pile waits, as a finding shows it.
type channelReader struct {
	tracedReader
	title, text   string
	before, after []casefile.Frame // the line that waits
}

// whoReads finds it by a trace, which is certain, or by what goroutines beside the pile do.
func whoReads(r *Reading, set *stacks.Set, p *view.Pile, total float64) (c channelReader) {
	traced, known := readerInTrace(r, p)
	if known {
		c.tracedReader = traced
		c.saysTraced(r, set, p, total)
	} else if id, n, wait := reader(r, set, p); id != stacks.NoFrame {
		c.after = append(c.after, r.Frame(id, float64(n)/total, "may be the reader, and is busy"))
		c.text = fmt.Sprintf("; %s at %s, %s, may be the reader", count(n), r.Place(id), wait)
	} else if b, ok := findBusyReader(r, set, p); ok {
		c.after = append(c.after, r.Frame(b.line, b.lineShare, "may be the reader, and takes the CPU"))
		c.text = fmt.Sprintf("; %s running in %s takes %s of the CPU, most at %s, and may be what they wait for",
			number.Things(b.n, "goroutine"), short(r.Table.Funcs[b.root].Name), percent(b.share), r.Place(b.line))
	}
	return c
}

// saysTraced says of a reader that a trace shows what it does meanwhile: it is what to change if that is why it does
// not keep up.
func (c *channelReader) saysTraced(r *Reading, set *stacks.Set, p *view.Pile, total float64) {
	at, wait := tracedFrame(c.at, 1, "reads the channel (trace)"), number.Things(p.N, "goroutine")+" wait to send to it"
	c.after, c.text = append(c.after, at), fmt.Sprintf("; %s reads it (trace)", tracedPlace(c.at))
	if p.Wait == stacks.WaitCond {
		at.Role, wait = "wakes them (trace)", number.Things(p.N, "goroutine")+" wait for it in a sync.Cond"
		c.after, c.text = []casefile.Frame{at}, fmt.Sprintf("; %s wakes them (trace)", tracedPlace(c.at))
	}
	work, working := c.atWork(r, set)
	switch {
	case !working || p.Wait != stacks.WaitSend && p.Wait != stacks.WaitCond:
		keeps, waits := c.waitsAt()
		c.after, c.text = append(c.after, keeps...), c.text+waits
	case work.Wait == stacks.WaitNothing: // it computes: then the cure is more of its loop
		c.before, c.after = c.after, nil
		if c.title = tracedPlace(c.at) + " computes while " + wait; c.goroutine != c.at.Function {
			c.title = short(c.goroutine) + " at " + c.title
		}
	default:
		c.before = append(c.before, r.Frame(work.At, float64(work.N)/total, "what the reader does"))
		c.text += fmt.Sprintf(", and %s of %s stand at %s, %s", count(work.N),
			things(c.number, "such goroutine"), r.Place(work.At), work.Wait)
		c.title = fmt.Sprintf("%s is busy at %s while %s", short(c.goroutine), r.Place(work.At), wait)
	}
}

// keepers makes a finding about a queue one of what those wait for who are past its line, and so have a place, most of
// them: where that is a lock, a sleep, a smaller pool or an answer that does not come, more of them would wait there.
func keepers(r *Reading, f casefile.Finding, at func(stacks.FrameID) bool) casefile.Finding {
	g := r.waits()
	i := slices.IndexFunc(g.Piles, func(p *wait.Pile) bool {
		return p.Request && (p.For == wait.Channel || p.For == wait.Cond) && at(p.Line)
	})
	if i < 0 {
		return f
	}
	h, all := g.Keeper(g.Piles[i])
	if all == 0 {
		return f
	}
	place, line, of := lineText(r, g.Piles[i]), lineText(r, h.Pile), h.For.String()
	var first casefile.Remedy
	switch {
	case h.For == wait.Sleep:
		first = awake(line, place)
	case h.For == wait.Lock:
		first = doChange("Hold the lock for less that they wait for", fmt.Sprintf("Those who have a place of %s wait "+
			"at %s, one after the other: what is done there with the lock held decides how many get through, and not the "+
			"number of places.", place, line), "see there")
	case h.For == wait.Place && h.Role != nil:
		first, of = higherLimit(h.Pile, all), "a "+whatPlace(h.Pile)
	case h.For == wait.Answer && unheard(r, h.Pile) > 0:
		first, of = callDeadline(line), "an answer that does not come"
	default:
		return f
	}
	f.Title = fmt.Sprintf("Requests wait for a place at %s, and those who have one for %s at %s", place, of, line)
	f.Summary += fmt.Sprintf(" Of %s past that line %s wait for %s at %s.", count(all), count(h.Last()), of, line)
	f.Where = slices.Insert(f.Where, 0, r.Frame(h.Line, 0, "has a place, and waits for "+of))
	f.Remedies = append([]casefile.Remedy{first}, f.Remedies[1:]...)
	return f
}

// awake is for places that are kept during a sleep, as between attempts.
func awake(line, at string) casefile.Remedy {
	return doChange("Do not sleep with a place", fmt.Sprintf("Before %s: give back what was taken at %s, sleep, and take "+
		"a place again for the next attempt. Who sleeps needs none, and keeps out those who would be quick.", line, at),
		"a retry may wait for a place again")
}

// givesPlaces reports whether requests end the waits at a line, as a trace shows, and wait further on for something
// else than a processor: what is waited for is a place that another request has and gives back.
func givesPlaces(r *Reading, at stacks.FrameID) bool {
	e, g := endsAt(r, at), r.waits()
	i := slices.IndexFunc(g.Piles, func(p *wait.Pile) bool { return p.Line == at && p.Request })
	if i < 0 || 2*e.ByOne <= e.Count || !servesRequests(e.By) {
		return false
	}
	h, all := g.Keeper(g.Piles[i])
	return all > 0 && h.For != wait.Nothing && h.For != wait.Collector
}

// morePlaces is for a channel that no goroutine is seen to read, and that those take who go on to wait for somebody
// else: a semaphore. Its size is not known without a trace, only how many have a place now.
func morePlaces(r *Reading, p *view.Pile, using float64) casefile.Remedy {
	perSecond := float64(endsAt(r, p.At).Count) / max(r.Summary().Span.Seconds(), 1)
	enough := max(enoughFor(r, float64(p.N), using, perSecond), using+1)
	title := fmt.Sprintf("Make it %s places, if it is a semaphore", count(enough))
	return withSets(casefile.SetsPlaces, setValue(title, fmt.Sprintf(
		"At %s: by Little's law %s places are enough for those who wait now, with room for random arrivals, "+
			"as far as what is behind it has room for, for all instances of the service together. If a goroutine reads "+
			"it, start more of these instead.", r.Place(p.At), count(enough)), "more load on what is behind it"))
}

// reader looks for goroutines that may read the channel: in the sender's package, fewer than the senders, and busy with
// something other than receiving.
func reader(r *Reading, set *stacks.Set, p *view.Pile) (stacks.FrameID, int64, stacks.Wait) {
	for _, q := range mayRead(r, set, p) {
		busy := q.Wait != stacks.WaitReceive && q.Wait != stacks.WaitSelect && q.Wait != stacks.WaitSend
		if busy && 3*q.N <= p.N && samePackage(r, p, q) && !awaitsToBeAsked(r.Table, q.Stack) {
			return q.At, q.N, q.Wait
		}
	}
	return stacks.NoFrame, 0, 0
}

// A busyReader is a goroutine in the background that computes while others wait.
type busyReader struct {
	root      stacks.FuncID  // the function it was started with
	n         int64          // how many of them there are
	line      stacks.FrameID // the user's line with most of its CPU
	share     float64        // of the CPU
	lineShare float64        // of the CPU, below that line
}

// busyBehind reports whether a pile may wait for one.
func busyBehind(r *Reading, p *view.Pile) bool {
	_, busy := findBusyReader(r, r.Goroutines(), p)
	return busy
}

// busyShare is how much of the CPU goroutines with the same start must take to count as what the others wait for.
const busyShare = 0.5

// findBusyReader looks in the CPU profile for the few background goroutines that take half of the CPU or more: a
// computing goroutine is not parked when goroutines are counted, and may be seen anywhere.
func findBusyReader(r *Reading, set *stacks.Set, p *view.Pile) (busyReader, bool) {
	v, own := r.cpu(), functionsOf(r, p)
	if v == nil || v.samples < minCPUSamples || v.level.idle() || set.Kind != casefile.Goroutine {
		return busyReader{}, false
	}
	background := func(s *stacks.Sample) (stacks.FuncID, bool) {
		if len(s.Stack) == 0 || serves(r.Table, s.Stack) {
			return 0, false
		}
		root := r.Table.FuncID(r.Table.Root(s.Stack))
		return root, r.Table.Funcs[root].Owner == stacks.User
	}
	roots := slices.DeleteFunc(stacks.SumBy(v.set, v.weight, background),
		func(e stacks.Entry[stacks.FuncID]) bool { return own[e.Key] })
	if len(roots) == 0 || float64(roots[0].Value) < busyShare*v.total {
		return busyReader{}, false
	}
	b := busyReader{root: roots[0].Key, share: float64(roots[0].Value) / v.total}
	b.n = runningIn(r, set, b.root)
	lines := stacks.SumBy(v.set, v.weight, func(s *stacks.Sample) (stacks.FrameID, bool) {
		root, ok := background(s)
		id, user := r.UserLine(s)
		return id, ok && user && root == b.root
	})
	if b.n == 0 || 3*b.n > p.N || len(lines) == 0 {
		return busyReader{}, false
	}
	b.line, b.lineShare = lines[0].Key, float64(lines[0].Value)/v.total
	return b, true
}

func chanRemedies() []Remedy {
	return []Remedy{
		byChange("", "Start more readers, or read more at a time", "If the work is independent: as many as CPUs for "+
			"computing, as many as the back end can take for I/O. Otherwise take what has arrived as a batch and write it at "+
			"once (github.com/gocasebook/casebook/remedy/batch gathers items and answers each caller).",
			"the order between readers is lost").named(moreReaders),
		byChange("", "Do less in the reader", "Take I/O, encoding and logs out of the loop.", "more code"),
		byChange("", "Reject what cannot be done in time", "At {line}: select with ctx.Done() or a default, and "+
			"answer 503: a queue that only grows helps nobody.", "requests are rejected under load"),
	}
}
