package diagnose

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose/known"
	"github.com/gocasebook/casebook/diagnose/stacks"
	"github.com/gocasebook/casebook/diagnose/traces"
	"github.com/gocasebook/casebook/diagnose/view"
)

// An execution trace shows every wait for a lock and who had it meanwhile. The mutex profile blames who gave it
// back last, which after one long hold is each of those that queued for it, one after the other.

// lockTailScale is in seconds: the 99th percentile of the waits for one holder. Go lets a goroutine run for 10 ms
// before another may (sched-latency has the same limit); a tenth of a second is noticed by people.
func lockTailScale() Scale { return Scale{Worth: 0.01, Hurts: 0.1, Top: 1} }

// minTracedWaits is how many waits a 99th percentile and a median are taken of.
const minTracedWaits = 100

// worksShare is the share of the CPU below the function that has a lock from which what it does with it is work.
const worksShare = 0.1

// A tracedHold is what a trace says of the waits for one holder of a lock.
type tracedHold struct {
	traces.Holder
	at     traces.Frame // the user's line that gives it back
	waited time.Duration
	felt   time.Duration    // for how long the slowest requests waited for it
	by     []view.TracedSum // the lines that wait, the one with most first
	times  []traces.Times   // of the waits at these lines
}

// tracedHolds are the holders of locks in a trace, those for whom others waited most first.
func tracedHolds(r *Reading, s *traces.Summary) []*tracedHold {
	var out groups[traces.Frame, tracedHold]
	for _, w := range s.Blocking {
		line, ok := r.TracedLine(w.Stack)
		if !ok || !r.IsUsers(line) || !awaitsMutex(w.Stack) {
			continue // a library's own goroutines wait for each other, as its authors intended
		}
		for _, h := range w.Holders {
			at, ok := r.TracedLine(h.Stack)
			if !ok || !r.IsUsers(at) {
				continue
			}
			o, first := out.of(at)
			if first {
				o.Holder, o.at = h, at
			}
			o.add(line, w, h)
			if 2*h.Waited >= w.Times.Total {
				o.felt = max(o.felt, feltAt(s, w.Stack))
			}
		}
	}
	sortFalling(out.all, func(h *tracedHold) time.Duration { return h.waited })
	return out.all
}

func (h *tracedHold) add(line traces.Frame, w traces.Wait, part traces.Holder) {
	h.waited, h.Longest, h.times = h.waited+part.Waited, max(h.Longest, part.Longest), append(h.times, w.Times)
	i := slices.IndexFunc(h.by, func(s view.TracedSum) bool { return s.At == line })
	if i < 0 {
		i = len(h.by)
		h.by = append(h.by, view.TracedSum{At: line})
	}
	h.by[i].Total += part.Waited
	sortFalling(h.by, func(s view.TracedSum) time.Duration { return s.Total })
}

// awaitsMutex reports whether a stack waits for a Mutex or an RWMutex, and not for the first call of a sync.Once.
func awaitsMutex(s traces.Stack) bool {
	for _, f := range s {
		switch of := known.Of(f.Function); {
		case of.Does(known.OfOnce, known.OfCond):
			return false
		case !of.Does(known.OfMutex, known.OfRWMutex, known.OfRuntime):
			return does(s[:1], known.OfMutex, known.OfRWMutex)
		}
	}
	return false
}

// lockTrace reads an execution trace.
func lockTrace(r *Reading) *lockSign {
	s := r.Summary()
	holds := tracedHolds(r, s)
	if len(holds) == 0 {
		return nil
	}
	h, all := holds[0], time.Duration(0)
	for _, o := range holds {
		all += o.waited
	}
	queue := h.waited.Seconds() / s.Span.Seconds()
	sign := &lockSign{cap: noCap, resource: "latency", score: lockQueueScale().Score(queue), basis: traceBasis(r),
		place: tracedPlace(h.at), where: h.where(), share: float64(h.waited) / float64(max(all, 1))}
	sign.confidence = Confidence(sign.share, float64(h.Count))
	sign.text = fmt.Sprintf("on average %s goroutines wait for the one that has it there (trace), up to %s at a time",
		count(max(queue, 0.1)), seconds(h.Longest))
	sign.impact = fmt.Sprintf("%s of waiting in %s", seconds(h.waited), seconds(s.Span))
	sign.perSecond = float64(h.Count) / s.Span.Seconds()
	if sign.inside = tracedLockOwner(r, h.Stack); sign.inside == nil {
		sign.score = max(sign.score, batchScale().Score(h.felt.Seconds()))
	}
	work, works := workOf(r, lastLock(s, h.at), h.at)
	if crowdedOut(r) { // its work would be done so much sooner without the others
		alone := batchScale().Score(h.felt.Seconds() * (1 - r.machine().waiting))
		if sign.cap = capNotice; works {
			sign.cap = max(capNotice, min(alone, capUnsure))
		}
		sign.text += ", on a machine whose CPUs others take, so that who has the lock waits with it"
	}
	if tail := h.tail(); works && tail > 0 {
		sign.score = max(sign.score, min(lockTailScale().Score(tail), capNotice))
		sign.text += fmt.Sprintf("; one wait in a hundred takes %s", seconds(tail))
	}
	// what is held for moments costs by being handed over
	if works && (h.at.Function != h.by[0].At.Function || h.Longest.Seconds() >= longWait && sign.perSecond < 1/shortHold) {
		work.background = !servesTraced(h.Stack)
		sign.work = &work
	}
	return sign
}

// tracedLockOwner is the library's function whose lock a stack gives back; nil if it is the user's own.
func tracedLockOwner(r *Reading, s traces.Stack) *stacks.Func {
	at, pkg := standsAt(s)
	if fn := r.Traced(at); pkg != "" && fn.Owner != stacks.User {
		return &fn
	}
	return nil
}

// tail is the 99th percentile of the waits at the line with most of them, if they are long and many: 0 otherwise.
func (h *tracedHold) tail() float64 {
	most := slices.MaxFunc(h.times, func(a, b traces.Times) int { return cmp.Compare(a.Total, b.Total) })
	if most.Count < minTracedWaits || most.P50.Seconds() < longWait {
		return 0
	}
	return most.P99.Seconds()
}

// where is the line that gives the lock back, then those that wait for it.
func (h *tracedHold) where() []casefile.Frame {
	out := []casefile.Frame{as(casefile.HoldsLock, tracedFrame(h.at, 1, "has the lock while others wait"))}
	for _, s := range h.by[:min(len(h.by), 3)] {
		out = append(out, as(casefile.WaitsForLock, tracedFrame(s.At, float64(s.Total)/float64(max(h.waited, 1)),
			"waits for the lock")))
	}
	return out
}

// A heldWork is what a function that has a lock does with it, by the CPU profile.
type heldWork struct {
	line       stacks.FrameID // of the function, with most of its CPU
	share      float64        // of all CPU
	background bool           // it is no request that does it
}

// workOf is the line of a function of the user's below which most of its CPU is, behind the line that takes the lock
// where that is known; ok is false where it hardly computes. Ten samples are a tenth of as many as show a share.
func workOf(r *Reading, lock, unlock traces.Frame) (w heldWork, ok bool) {
	v := r.cpu()
	if v == nil {
		return w, false
	}
	lines := stacks.SumBy(v.set, v.weight, func(s *stacks.Sample) (stacks.FrameID, bool) {
		i := slices.IndexFunc(s.Stack, func(id stacks.FrameID) bool {
			return r.Table.Func(id).Name == unlock.Function && r.Table.Line(id) > lock.Line &&
				(lock.Line == 0 || r.Table.Line(id) <= unlock.Line)
		})
		if i < 0 {
			return stacks.NoFrame, false
		}
		return s.Stack[i], true
	})
	if len(lines) == 0 {
		return w, false
	}
	w = heldWork{line: lines[0].Key, share: stacks.SumOf(lines) / max(v.total, 1)}
	return w, w.share >= worksShare && w.share*float64(v.samples) >= worksShare*minCPUSamples
}

// saysWork names what the holder does while others wait.
func (s *lockSign) saysWork(r *Reading, f *casefile.Finding) {
	at := r.Place(s.work.line)
	f.Title = fmt.Sprintf("Goroutines wait for the lock while %s works", short(r.Table.Func(s.work.line).Name))
	f.Summary += fmt.Sprintf(" It computes meanwhile, most at %s: %s of the CPU.", at, percent(s.work.share))
	if work := r.Frame(s.work.line, s.work.share, "works with the lock (share of the CPU)"); !hasPlace(f.Where, work) {
		f.Where = slices.Insert(f.Where, min(len(f.Where), 1), work)
	}
	f.Evidence = addBasis(f.Evidence, Basis(r.cpu().set))
	f.Remedies = heldWorkRemedies(at)
	stack := r.cpu().set.Heaviest(r.cpu().weight, func(o *stacks.Sample) bool { return slices.Contains(o.Stack, s.work.line) })
	i := slices.Index(stack, s.work.line)
	if s.work.background && (i == 0 || r.Table.Func(stack[i-1]).Owner == stacks.User) { // to copy all takes as long
		f.Remedies[0], f.Remedies[1] = f.Remedies[1], f.Remedies[0]
	}
}

// heldWorkRemedies are for a lock that is held while something is computed that others need not wait for.
func heldWorkRemedies(at string) []casefile.Remedy {
	return []casefile.Remedy{
		doChange("Hold the lock for less: work on a copy, outside of it", fmt.Sprintf("At %s: copy under the lock what the "+
			"work reads, unlock, do the work on the copy, and lock again only to store the result.", at),
			"memory for the copy; the result is that of a moment ago"),
		doChange("Hold the lock for a part at a time", fmt.Sprintf("At %s, where a copy would take as long as the work: "+
			"some hundred entries, with the lock given back in between; shards with a lock each do that, and others wait "+
			"for one of them at most. Or look under the read lock, and change what was found afterwards.", at),
			"the parts are of different moments"),
		doChange("Keep the result up to date", "Change sums and orders as entries come and go, so that nobody goes "+
			"through all of them.", "each change costs a little more"),
	}
}

// A goroutine profile shows a lock that is held over a call only if ten wait at that moment. A trace shows the waits of
// seconds: those for the lock, with who gave it back, and those for the network. If the function that gives it back
// waits for the network between the line that takes it and the line that gives it back, it does so with the lock.

// heldLeast and heldMost are the share of the time for which a lock must be held outside. A call that is not made with
// the lock may be made by many at once; what one at a time does cannot take longer than the time that passes.
const (
	heldLeast = 0.1
	heldMost  = 1.05
)

// A tracedCall is what a holder of a lock waits for outside the process, by a trace.
type tracedCall struct {
	hold   *tracedHold
	span   time.Duration
	unlock traces.Frame // in the holder's function
	lock   traces.Frame // where others wait in the same function; no function: nowhere
	at     traces.Frame // the function's line with most of the waiting outside
	inner  traces.Frame // the user's line below it
	what   string       // it waits for
	writes bool         // to a connection
	waited time.Duration
}

// callUnderLock finds what the lock for which others wait most is held for. A lock inside a library is not the user's
// to hold for less.
func callUnderLock(r *Reading) (c tracedCall, ok bool) {
	s := r.Summary()
	holds := tracedHolds(r, s)
	if len(holds) == 0 || tracedLockOwner(r, holds[0].Stack) != nil {
		return c, false
	}
	c.hold, c.span = holds[0], s.Span
	if c.unlock, _ = standsAt(c.hold.Stack); !r.IsUsers(c.unlock) {
		return c, false
	}
	c.lock = lastLock(s, c.unlock)
	c.addWaits(r, s)
	_, computes := workOf(r, traces.Frame{}, c.unlock)
	computes = computes && r.cpu().samples >= minCPUSamples
	if guardsConnection(s, c) || computes && c.lock.Function == "" { // or it may wait before the lock is taken
		return c, false
	}
	held := float64(c.waited) / float64(c.span)
	return c, held >= heldLeast && held <= heldMost && 2*c.waited >= c.hold.Longest
}

// lastLock is the last line above another one of the same function at which goroutines wait for a lock.
func lastLock(s *traces.Summary, unlock traces.Frame) (last traces.Frame) {
	for _, w := range s.Blocking {
		at, _ := standsAt(w.Stack)
		if awaitsMutex(w.Stack) && at.Function == unlock.Function && at.Line < unlock.Line && at.Line > last.Line {
			last = at
		}
	}
	return last
}

// addWaits adds up the waits for the world outside between the two lines.
func (c *tracedCall) addWaits(r *Reading, s *traces.Summary) {
	most := time.Duration(0)
	for _, w := range s.Blocking {
		i := slices.IndexFunc(w.Stack, func(f traces.Frame) bool {
			return f.Function == c.unlock.Function && f.Line > c.lock.Line && f.Line <= c.unlock.Line
		})
		what := waitsOutside(w)
		if i < 0 || what == "" {
			continue
		}
		took := w.Times.Total + w.Open
		c.waited += took
		if took > most {
			most, c.at, c.what = took, w.Stack[i], what
			c.inner, _ = r.TracedLine(w.Stack)
			c.writes = does(w.Stack, known.WritesFD)
		}
	}
}

// waitsOutside is what a wait in a trace is for outside the process; "" if it is for another goroutine.
func waitsOutside(w traces.Wait) string {
	for _, f := range w.Stack {
		if what := callOutOf(f.Function); what != "" && !hasRole(w.Stack, known.TakesPlace) {
			return what
		}
	}
	if !does(w.Stack, known.AwaitsToBeAsked) && (w.Reason == "network" || w.Reason == "sleep") {
		return "the " + w.Reason
	}
	return ""
}

// guardsConnection reports whether the lock may guard the connection that is read: to call without it is no cure then.
func guardsConnection(s *traces.Summary, c tracedCall) bool {
	return slices.ContainsFunc(s.Blocking, func(w traces.Wait) bool {
		i := slices.Index(w.Stack, c.at)
		if i < 0 {
			return false
		}
		inner := w.Stack[:i]
		return hasRole(inner, known.OneConnection) && !hasRole(inner, known.FromPool) ||
			does(inner, known.ReadsFD) && waitsOutside(w) == "the network" && !does(inner, known.SpeaksHTTP, known.OfOS)
	})
}

// finding says what the holder waits for, and who waits for it.
func (c *tracedCall) finding(r *Reading) casefile.Finding {
	queue, waits := c.hold.waited.Seconds()/c.span.Seconds(), c.hold.by[0].At
	doing := "waiting for " + c.what
	if c.what == "the sleep" {
		doing = "sleeping"
	}
	f := casefile.Finding{
		Title:      fmt.Sprintf("The lock at %s is held while %s", tracedPlace(waits), doing),
		Score:      max(lockQueueScale().Score(queue), min(batchScale().Score(c.hold.felt.Seconds()), capUnsure)),
		Confidence: 0.9,
		Summary: fmt.Sprintf("On average %s goroutines wait for the lock at %s (trace), up to %s at a time, most while %s "+
			"has it, which is at line %d, %s, for %s of the time.", count(max(queue, 0.1)), tracedPlace(waits),
			seconds(c.hold.Longest), short(c.at.Function), c.at.Line, doing, percent(min(float64(c.waited)/float64(c.span), 1))),
		Explanation: lockHeldText,
		Where: []casefile.Frame{tracedFrame(c.at, min(float64(c.waited)/float64(c.span), 1),
			"holds the lock and waits outside (share of the time)"), tracedFrame(waits, 1, "waits for the lock")},
		Evidence: traceBasis(r),
		Remedies: c.remedies(r),
	}
	if c.inner.Function != c.at.Function {
		f.Where = append(f.Where, tracedFrame(c.inner, 1, "waits outside"))
	}
	if c.lock.Function == "" {
		f.Confidence = 0.75 // nobody waits in the function: that the lock is taken above the line is not seen
	}
	share := min(float64(c.hold.waited)/float64(cmp.Or(tracedRequests(r.Summary()).took, c.hold.waited)), 1)
	f.Impact = heldImpact(share, fmt.Sprintf("%s of waiting for the lock in %s", seconds(c.hold.waited), seconds(c.span)))
	return f
}

// remedies depend on the direction: what is written can be made ready under the lock and written after it.
func (c *tracedCall) remedies(r *Reading) []casefile.Remedy {
	at := tracedPlace(c.at)
	if c.what == "the sleep" {
		return asleepRemedies(at)
	}
	if !c.writes || strings.Contains(c.what, "request") {
		return remediesAt(at, heldRemedies()...)
	}
	return []casefile.Remedy{
		doChange("Write after the lock is given back", fmt.Sprintf("At %s: copy under the lock what is to be written, or "+
			"encode it into a bytes.Buffer, unlock, and write then. Who reads slowly keeps nobody else waiting.", at),
			"memory for the copy, which is that of a moment ago"),
		doChange("Copy in parts", fmt.Sprintf("Where the copy would be large: at %s take the lock for some hundred "+
			"entries at a time, and write them without it.", at), "the parts are of different moments"),
		doChange("Bound the write", "A deadline for it (http.ResponseController.SetWriteDeadline, "+
			"net.Conn.SetWriteDeadline), so that a peer that does not read cannot hold the lock.",
			"slow clients are cut off"),
	}
}
