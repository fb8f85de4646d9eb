package diagnose

import (
	"fmt"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose/stacks"
)

// The collector's cost is a product: how often it runs, which garbage decides, and what it visits each time, which is
// what lives (runtime/mgcpacer.go: a cycle ends when the heap has grown by GOGC percent of what lives).
//
//	cycles a second = garbage a second / room, the bytes by which the heap may grow
//	marking         = cycles × live objects × 60 ns (nsPerObject)
//
// So either factor saves all of the marking. A place that makes the part g of the garbage saves g of all the collector
// does, and its allocating; a structure with the part o of the live objects saves o of the marking. What an author can
// avoid of either is in their gains: half to all of a place's garbage, four fifths to all of a structure's objects.

const (
	// makerShare is the part of the garbage that a function must make with what it calls, if no line makes half of it:
	// without it cycles are a third as many.
	makerShare = 2.0 / 3
	lineIsAll  = 0.5
	// oneCall is the part of a function's garbage below one of its lines from which on it only passes a call on, to
	// whatever handles it: a middleware is not the place to change.
	oneCall = 0.9
)

// A maker is the innermost function of the user's below which most of the garbage is made.
type maker struct {
	fn    stacks.FuncID
	at    stacks.FrameID                 // its line with the most garbage below it
	share float64                        // of the garbage
	lines []stacks.Entry[stacks.FrameID] // of the user's that allocate it, the most first; bytes
}

// maker finds it; ok is false if no function makes as much, or if the CPU profile shows that it does not allocate now.
func (g garbage) maker(r *Reading) (m maker, ok bool) {
	var made []*stacks.Sample
	for i := range g.set.Samples {
		if g.weight(&g.set.Samples[i]) > 0 {
			made = append(made, &g.set.Samples[i])
		}
	}
	fn, below, ok := deepestCommon(r.Table, weigh(made, g.weight), ofOwner(stacks.User), atLeast(makerShare))
	m = maker{fn: fn, share: min(below/max(g.total, 1), 1)} // where live memory grew, g.total is less than was made
	if !ok || m.share < makerShare || r.cpu() != nil && !allocatesBelow(r, fn, m.share) {
		return maker{}, false
	}
	at, lines := make(map[stacks.FrameID]int64), make(map[stacks.FrameID]int64)
	for _, s := range made {
		if up, found := frameOf(r.Table, s.Stack, fn); found {
			at[up] += g.weight(s)
			if id, has := r.UserLine(s); has {
				lines[id] += g.weight(s)
			}
		}
	}
	calls := entries(at)
	m.at, m.lines = calls[0].Key, entries(lines)
	return m, float64(calls[0].Value) < oneCall*below && r.Table.Funcs[fn].Name != "main.main"
}

// frameOf is the innermost frame of a function on a stack.
func frameOf(t *stacks.Table, stack []stacks.FrameID, fn stacks.FuncID) (stacks.FrameID, bool) {
	for _, id := range stack {
		if t.FuncID(id) == fn {
			return id, true
		}
	}
	return stacks.NoFrame, false
}

// allocatesBelow reports whether at least half as much of the CPU spent on allocating is below a function as it makes
// of the garbage: a heap profile since the start cannot tell the start-up from requests. With few samples nobody knows.
func allocatesBelow(r *Reading, fn stacks.FuncID, share float64) bool {
	v := r.cpu()
	ticks := stacks.ByValue(v.set.Value("samples", "count"))
	all, below := int64(0), int64(0)
	for i := range v.set.Samples {
		s := &v.set.Samples[i]
		if s.Class != stacks.Malloc && s.Class != stacks.GCAssist {
			continue
		}
		all += ticks(s)
		if _, ok := frameOf(r.Table, s.Stack, fn); ok {
			below += ticks(s)
		}
	}
	return all < minAllocTicks || 2*float64(below) >= share*float64(all)
}

// runAllocFunction answers for a function whose lines make most of the garbage together, where that costs more than
// the many live objects which the collector visits each time. No line of it saves as much, and the function does.
func runAllocFunction(r *Reading, g garbage, lines []stacks.Entry[stacks.FrameID]) (Answer, bool) {
	v := r.cpu()
	if v == nil || !v.enough() || v.level.idle() || v.gcShare() < GCCPUScale().Hurts || settingLeads(r) ||
		r.heap().liveObjects < pointerHeapScale().Worth || float64(lines[0].Value) >= lineIsAll*g.total ||
		!garbageSavesMore(r) {
		return Answer{}, false
	}
	m, ok := g.maker(r)
	if !ok || sampled(m.share*g.total, m.objects(r, g), g.rate) < minSiteSamples {
		return Answer{}, false
	}
	limit := v.level.cap()
	if !v.level.saturated() {
		limit = min(limit, capUnsure)
	}
	cost := m.share * (v.gcShare() + v.share(stacks.Malloc))
	score := min(allocCostScale().Score(cost), limit)
	if score < worthKnowing {
		return Answer{}, false
	}
	return found(m.finding(r, g, score)), true
}

// objects is how many objects the lines allocated.
func (m *maker) objects(r *Reading, g garbage) (n float64) {
	for _, e := range m.lines {
		n += g.objectsAt(r, e.Key)
	}
	return n
}

func (m *maker) finding(r *Reading, g garbage, score int) casefile.Finding {
	v, name := r.cpu(), short(r.Table.Funcs[m.fn].Name)
	most := r.Place(m.lines[0].Key)
	f := casefile.Finding{
		Title:      fmt.Sprintf("%s makes %s of the garbage, with what it calls", name, percent(m.share)),
		Score:      score,
		Confidence: Confidence(m.share, sampled(g.total, g.total, g.rate)),
		Summary: fmt.Sprintf("%s below %s allocated %s of the %s of garbage%s, most at %s (%s); allocating and "+
			"collecting take %s of the CPU%s.", things(float64(len(m.lines)), "line"), name, percent(m.share),
			size(g.total), g.span(), most, percent(float64(m.lines[0].Value)/g.total),
			percent(v.gcShare()+v.share(stacks.Malloc)), m.visits(r)),
		Explanation: "Garbage costs twice: when it is allocated, and because the collector runs each time the heap " +
			"has grown by GOGC percent. A cycle visits all that lives, so that garbage pays for large live data " +
			"again and again: half as much garbage halves the cycles. No line alone makes most of it.",
		Where:    []casefile.Frame{r.Frame(m.at, m.share, "makes the garbage, with what it calls")},
		Remedies: m.remedies(r, most),
		Evidence: addBasis(Basis(g.set), Basis(v.set)),
	}
	for _, e := range top(m.lines, 3) {
		if e.Key != m.at {
			f.Where = append(f.Where, r.Frame(e.Key, float64(e.Value)/g.total, "allocates"))
		}
	}
	cost := v.cured(m.share*v.share(stacks.Malloc), m.share)
	low, high := promised(cost/2, cost)
	f.Impact = casefile.Impact{Resource: "cpu", Share: roundShare(cost), Text: percent(m.share) + " of the garbage",
		Gain: casefile.Gain{Low: low, High: high, Arithmetic: fmt.Sprintf(
			"the function makes %s of the garbage, with what it calls, and allocating and collecting that take %s of "+
				"the CPU: at most all of it, half of that if half of the garbage can be avoided", percent(m.share),
			percent(cost))}}
	return f
}

// visits says what each cycle visits, where that is much.
func (m *maker) visits(r *Reading) string {
	if n := r.heap().liveObjects; n >= pointerHeapScale().Worth {
		return fmt.Sprintf("; each cycle visits %s live objects", count(n))
	}
	return ""
}

func (m *maker) remedies(r *Reading, most string) []casefile.Remedy {
	t := tuningOf(r, r.cpu().gcShare()/quietGC)
	return []casefile.Remedy{
		doChange("Make less of it", fmt.Sprintf("At %s: keep the result for the next call, share what is only read "+
			"instead of copying it, and make only the part that is used.", r.Place(m.at)),
			"what is kept or shared must not be changed"),
		doChange("Reuse the memory", fmt.Sprintf("At %s and the lines below: take what is needed for one call from a "+
			"sync.Pool or from one large allocation, and reset it after the call.", most),
			"code that keeps a reference to a reused object reads another request's data"),
		t.remedy(r.cpu().gcShare()),
	}
}

// garbageSavesMore reports whether the function that makes most of the garbage is expected to save more of the CPU than
// the structure with most live objects.
func garbageSavesMore(r *Reading) bool {
	v, g := r.cpu(), r.structure()
	if v == nil || r.heap() == nil {
		return false
	}
	m, ok := newGarbage(r).maker(r)
	if !ok || g == nil {
		return ok
	}
	const ofGarbage, ofObjects = 0.75, 0.9 // the middle of half to all, and of four fifths to all
	mark := v.share(stacks.GCMark, stacks.GCIdle, stacks.GCAssist)
	return ofGarbage*m.share*(v.gcShare()+v.share(stacks.Malloc)) >
		ofObjects*mark*g.Now.Objects/max(r.heap().liveObjects, 1)
}

// moreSavedFirst moves findings about garbage before the finding about the live objects that the collector visits,
// where their gain is the larger one. Both cure the same cost; see the top of this file.
func moreSavedFirst(fs []casefile.Finding) {
	at := -1
	for i, f := range fs {
		switch {
		case f.Kind == "gc-pointer-heap" && at < 0:
			at = i
		case at >= 0 && savesGarbage(f) && likelyGain(f) > likelyGain(fs[at]):
			copy(fs[at+1:i+1], fs[at:i])
			fs[at] = f
			at++
		}
	}
}

// savesGarbage reports whether a finding is about allocations whose cost is known as CPU.
func savesGarbage(f casefile.Finding) bool {
	return len(f.ID) > 2 && f.ID[:2] == "AL" && f.Impact.Resource == "cpu"
}

// likelyGain is the middle of a gain.
func likelyGain(f casefile.Finding) float64 { return (f.Impact.Gain.Low + f.Impact.Gain.High) / 2 }
