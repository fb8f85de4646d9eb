package diagnose

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose/known"
	"github.com/gocasebook/casebook/diagnose/stacks"
	"github.com/gocasebook/casebook/diagnose/traces"
	"github.com/gocasebook/casebook/diagnose/view"
)

// An execution trace shows every wait for a lock and who had it meanwhile. The mutex profile blames the one that gave it
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
	if crowdedOut(r) {
		sign.cap = capNotice
		sign.text += ", on a machine whose CPUs others take, so that who has the lock waits with it"
	}
	sign.impact = fmt.Sprintf("%s of waiting in %s", seconds(h.waited), seconds(s.Span))
	sign.perSecond = float64(h.Count) / s.Span.Seconds()
	work, works := workOf(r, h.at.Function)
	if tail := h.tail(); works && tail > 0 {
		sign.score = max(sign.score, min(lockTailScale().Score(tail), capNotice))
		sign.text += fmt.Sprintf("; one wait in a hundred takes %s", seconds(tail))
	}
	sign.inside = tracedLockOwner(r, h.Stack)
	if works && h.at.Function != h.by[0].At.Function {
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
	line  stacks.FrameID // of the function, with most of its CPU
	share float64        // of all CPU
}

// workOf is the line of a function of the user's below which most of its CPU is; ok is false where it hardly computes.
func workOf(r *Reading, function string) (w heldWork, ok bool) {
	v := r.cpu()
	if v == nil || v.samples < minCPUSamples {
		return w, false
	}
	lines := stacks.SumBy(v.set, v.weight, func(s *stacks.Sample) (stacks.FrameID, bool) {
		i := slices.IndexFunc(s.Stack, func(id stacks.FrameID) bool { return r.Table.Func(id).Name == function })
		if i < 0 {
			return stacks.NoFrame, false
		}
		return s.Stack[i], true
	})
	if len(lines) == 0 {
		return w, false
	}
	w = heldWork{lines[0].Key, stacks.SumOf(lines) / max(v.total, 1)}
	return w, w.share >= worksShare
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
}

// heldWorkRemedies are for a lock that is held while something is computed that others need not wait for.
func heldWorkRemedies(at string) []casefile.Remedy {
	return []casefile.Remedy{
		doChange("Work on a copy, outside the lock", fmt.Sprintf("At %s: copy under the lock what the work reads, "+
			"unlock, do the work on the copy, and lock again only to store the result.", at),
			"memory for the copy; the result is that of a moment ago"),
		doChange("Go through the data in parts", fmt.Sprintf("Where the copy would take as long as the work: a part "+
			"at a time, with the lock given back in between; shards with a lock each do that, and others wait for one "+
			"of them at most. Called at %s.", at), "the parts are of different moments"),
		doChange("Keep the result up to date", "Change sums and orders as entries come and go, so that nobody goes "+
			"through all of them.", "each change costs a little more"),
	}
}
