package diagnose

import (
	"context"
	"fmt"
	"slices"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose/known"
	"github.com/gocasebook/casebook/diagnose/stacks"
	"github.com/gocasebook/casebook/internal/number"
	"github.com/gocasebook/casebook/vitals"
)

// allocCostScale is in shares of all CPU: the site's share of the garbage times what allocating and collecting take.
// 10 % of the CPU is worth a look at one line. At 40 % the line is the service's largest cost; a healthy file server
// has been seen at 23 % (Caddy: the buffer of io.Copy, one per response).
func allocCostScale() Scale { return Scale{Worth: 0.10, Hurts: 0.40, Top: 0.80} }

// allocShareScale is in shares of the garbage, for when the cost of allocating is not known.
func allocShareScale() Scale { return Scale{Worth: 0.30, Hurts: 0.70, Top: 1} }

// dominates is the share of the garbage below which no site dominates.
const dominates = 0.25

// Floors on the evidence.
const (
	minGarbage      = 64 << 20 // bytes in total: 128 samples at the default rate
	minSiteSamples  = 30       // sampled allocations at the site: ±36 % at 95 %
	minLifetime     = 1 << 30  // bytes since the start, for one capture without a rate
	minTurnover     = 10       // garbage since the start per live byte, for one capture without a rate
	quietAllocShare = 0.05     // of CPU in allocating and collecting: below it there is nothing to gain
	minRate         = 10 << 20 // bytes of garbage a second
	// fullRate, of one line's large objects, is worth knowing in a process that uses little CPU, too: each is zeroed,
	// and the next user of the CPU's caches pays for it.
	fullRate     = 100 << 20
	dominatesAll = 0.8
)

func allocSite() Detector {
	return Detector{
		ID:    "AL001",
		Kind:  "alloc-site",
		Title: "One allocation site makes most of the garbage",
		Text: `Garbage is memory that was allocated and is no longer live. With two heap profiles it is the garbage
made between them, with one it is all garbage since the process started. Sites are lines of the user's code; what the
standard library allocates below a line counts for that line. Half of the garbage that no line of the user's is below
has a dependency's line as its place.

A site must make a quarter of the garbage or more. With a CPU profile the score is in CPU: the site's share of the
garbage times the share of CPU in allocating and collecting (without marking if a million objects or more are live:
then the live objects make a cycle expensive), worth knowing from 10 %, hurting from 40 %, and capped at 74 unless the
process used 70 % or more of the CPU it may use. Nothing is found if allocating and collecting take less than 5 % or
the process is idle, nor for a line whose function has less than 5 % of the CPU spent on allocating: it made its
garbage once. Without a CPU profile the score is in shares of the garbage (30 % and 70 %) and capped at 74.

If a million objects live, the collector takes 25 % of the CPU or more and no line makes half of the garbage, the place
is the innermost function that makes two thirds of it with what it calls, if that saves more than the live objects
(gc-pointer-heap): fewer cycles save marking, whatever lives.

Floors: 64 MiB of garbage in all and 30 sampled allocations at the site (a heap profile samples one allocation in 512
KiB). One capture cannot tell what the start-up allocated from what requests allocate. Without a CPU profile and
without a second capture there must be 1 GiB of garbage and ten times the live heap.

Where a rule tripped by the memory of the process, its heap has risen by 256 MiB or more, and most of that is no longer
alive, the line that made half or more of what was allocated is a notice, whatever that costs in CPU: garbage stays in
memory until it is collected.`,
		Needs: []Need{{Kinds: []string{casefile.Heap, casefile.Allocs},
			Reason:  "no heap profile",
			Why:     "allocations are not in other evidence",
			Capture: captureHeap}},
		Before:   `body, _ := io.ReadAll(r.Body) // grows a new slice for every request`,
		After:    `buf := pool.Get().(*bytes.Buffer); buf.Reset(); buf.ReadFrom(r.Body)`,
		Explains: garbageExplains(),
		Quoted:   Quote{Verb: "makes", Of: casefile.Garbage},
		Run: func(_ context.Context, r *Reading) Answer {
			a := runAllocSite(r)
			if len(a.Findings) > 0 {
				return a
			}
			if f, ok := filledByGarbage(r); ok {
				return found(f)
			}
			return a
		},
		promise: rewrittenSite,
	}
}

// garbageExplains are the collector's symptoms that garbage is a cause of, unless a setting is.
func garbageExplains() []Relation {
	out := related(nil, "gc-cpu", "gc-frequency", "gc-assist")
	for i := range out {
		out[i].When = settingDoesNot
	}
	return out
}

// A garbage is the evidence of memory that was allocated and died.
type garbage struct {
	set    *stacks.Set
	weight stacks.Weight // bytes
	total  float64
	rate   float64 // bytes between two samples of the heap
	diff   bool    // between two captures
	line   func(*stacks.Sample) (stacks.FrameID, bool)
	others bool // line is a dependency's, where none of the user's is
}

func newGarbage(r *Reading) garbage {
	g := garbage{line: r.UserLine}
	g.set, g.weight = madeLately(r)
	g.diff = g.set != r.heap().set
	g.set = withBegun(r, g.set)
	g.total = float64(g.set.Total(g.weight))
	g.rate = g.set.Rate()
	return g
}

// madeLately is what was allocated between two captures, or else since the start, and its part that is no longer alive.
func madeLately(r *Reading) (*stacks.Set, stacks.Weight) {
	set := r.Gained(casefile.Heap, casefile.Allocs)
	if set == nil {
		set = r.heap().set
	}
	space := stacks.ByValue(set.Value("alloc_space", "bytes"))
	live := stacks.ByValue(set.Value("inuse_space", "bytes"))
	return set, func(s *stacks.Sample) int64 { return space(s) - max(live(s), 0) }
}

func runAllocSite(r *Reading) Answer {
	g := newGarbage(r)
	if g.total < minGarbage {
		return Answer{}
	}
	a := g.site(r)
	if len(a.Findings)+len(a.Undecided) > 0 {
		return a
	}
	g.others, g.line = true, func(s *stacks.Sample) (stacks.FrameID, bool) {
		if _, user := r.UserLine(s); !user {
			if at := hangsOn(r.Table, s.Stack); at >= 0 {
				return s.Stack[at], true
			}
		}
		return stacks.NoFrame, false
	}
	return g.site(r)
}

// site judges the line that makes most.
func (g garbage) site(r *Reading) Answer {
	lines := allocatesNow(r, g, stacks.SumBy(g.set, g.weight, g.line))
	if len(lines) == 0 {
		return Answer{}
	}
	if a, ok := runAllocFunction(r, g, lines); ok && !g.others {
		return a
	}
	site := lines[0]
	share := float64(site.Value) / g.total
	objects := g.objectsAt(r, site.Key)
	n := sampled(float64(site.Value), objects, g.rate)
	if share < dominates || n < minSiteSamples || g.others && share < lineIsAll {
		return Answer{}
	}
	score, why, ok := g.score(r, share)
	if !ok {
		return undecided(why, captureTwoHeaps)
	}
	if rate, known := g.perSecond(r); score < worthKnowing && known && rate >= fullRate && share >= dominatesAll &&
		float64(site.Value)/max(objects, 1) >= oversizedObject && (r.cpu() == nil || !r.cpu().level.idle()) {
		score, why = int(worthKnowing), fmt.Sprintf("it allocates %s/s, in large objects", size(rate))
	}
	if score < worthKnowing {
		return Answer{}
	}
	f := casefile.Finding{
		Title:      fmt.Sprintf("%s makes %s of the garbage", r.Place(site.Key), percent(share)),
		Score:      score,
		Confidence: Confidence(share, sampled(g.total, g.total, g.rate)),
		Summary: fmt.Sprintf("The line %s allocated %s of the %s of garbage%s, %s an object on average; %s.",
			r.Place(site.Key), percent(share), size(g.total), g.span(), size(float64(site.Value)/max(objects, 1)), why),
		Explanation: "Garbage costs twice: when it is allocated, and because the collector runs each time the heap " +
			"fills up. Allocations " +
			"that stay alive are not counted here.",
		Where:    g.where(r, lines),
		Remedies: allocRemedies(r, g, site.Key),
		Evidence: Basis(g.set),
	}
	f.Summary += poolingAt(r, g.set, g.weight, site.Key).text()
	f.Impact = g.impact(r, share)
	if v := r.cpu(); v != nil {
		f.Evidence = addBasis(f.Evidence, Basis(v.set))
	}
	return found(f)
}

// minAllocTicks is how many CPU samples in allocating are needed to tell which lines allocate now: a line that makes a
// quarter of the garbage then has five of them.
const minAllocTicks = 20

// allocatesNow leaves out the leading lines that made garbage once but, by the CPU profile, do not allocate now: a heap
// profile since the start cannot tell the start-up from requests. Without enough CPU samples in allocating all lines
// stay.
func allocatesNow(r *Reading, g garbage, lines []stacks.Entry[stacks.FrameID]) []stacks.Entry[stacks.FrameID] {
	v := r.cpu()
	if v == nil {
		return lines
	}
	ticks := stacks.ByValue(v.set.Value("samples", "count"))
	total := int64(0)
	now := make(map[stacks.FuncID]int64)
	for i := range v.set.Samples {
		s := &v.set.Samples[i]
		if s.Class != stacks.Malloc && s.Class != stacks.GCAssist {
			continue
		}
		if id, ok := g.line(s); ok {
			now[r.Table.FuncID(id)] += ticks(s)
			total += ticks(s)
		}
	}
	if total < minAllocTicks {
		return lines
	}
	for len(lines) > 0 && now[r.Table.FuncID(lines[0].Key)]*20 < total {
		lines = lines[1:]
	}
	return lines
}

// objectsAt is how many objects a line allocated.
func (g garbage) objectsAt(r *Reading, line stacks.FrameID) float64 {
	w := stacks.ByValue(g.set.Value("alloc_objects", "count"))
	for _, e := range stacks.SumBy(g.set, w, g.line) {
		if e.Key == line {
			return float64(e.Value)
		}
	}
	return 0
}

func (g garbage) span() string {
	switch {
	case g.diff && g.set.Seconds > 0:
		return fmt.Sprintf(" in %s (%s/s)", seconds(g.set.Seconds), size(g.total/g.set.Seconds))
	case g.diff:
		return " between the two captures"
	}
	return " since the process started"
}

// An allocCost is what allocating costs as a share of CPU.
type allocCost struct {
	share float64
	text  string
}

// allocCPU is the cost of garbage; ok is false without a CPU profile that can be judged. Marking is part of it while
// the live heap is small: then its cost is the number of cycles, which the garbage causes. With a million live objects
// or more each cycle is expensive because of them, and gc-pointer-heap judges the marking.
func allocCPU(r *Reading) (cost allocCost, ok bool) {
	v := r.cpu()
	if v == nil || v.samples < minCPUSamples {
		return allocCost{}, false
	}
	if live := r.heap().liveObjects; live >= pointerHeapScale().Worth {
		share := v.share(stacks.Malloc, stacks.GCSweep, stacks.GCOther)
		return allocCost{share, fmt.Sprintf("allocating and sweeping take %s of the CPU (marking is due to the %s "+
			"live objects)",
			percent(share), count(live))}, true
	}
	share := v.gcShare() + v.share(stacks.Malloc)
	return allocCost{share, fmt.Sprintf("allocating and collecting take %s of the CPU", percent(share))}, true
}

// score rates a site that makes a share of the garbage. why says what the score is based on, or, if ok is false, why
// there is none.
func (g garbage) score(r *Reading, share float64) (score int, why string, ok bool) {
	v := r.cpu()
	if v != nil && v.level.idle() {
		return 0, "", true
	}
	if cost, known := allocCPU(r); known {
		if cost.share < quietAllocShare {
			return 0, "", true
		}
		limit := v.level.cap()
		if !v.level.saturated() {
			limit = min(limit, capUnsure)
		}
		return min(allocCostScale().Score(share*cost.share), limit), cost.text, true
	}
	score = min(allocShareScale().Score(share), capUnsure)
	if v != nil {
		score = min(score, v.level.cap())
	}
	if rate, known := g.perSecond(r); known {
		if rate < minRate {
			return 0, "", true
		}
		return score, fmt.Sprintf("it allocates %s/s", size(rate)), true
	}
	if live := r.heap().liveBytes; g.total < minLifetime || g.total < minTurnover*live {
		return 0, fmt.Sprintf("the heap profile %s shows %s of garbage since the process started, and %s live: all "+
			"of that may come from the start-up",
			g.set.Name, size(g.total), size(live)), false
	}
	return score, fmt.Sprintf("that is %s times the live heap", count(g.total/max(r.heap().liveBytes, 1))), true
}

// perSecond is the allocation rate in bytes a second, from two captures or the vitals.
func (g garbage) perSecond(r *Reading) (float64, bool) {
	if g.diff && g.set.Seconds > 0 {
		return g.total / g.set.Seconds, true
	}
	return r.Mean(vitals.AllocRate)
}

// where names the lines that make most garbage, then what allocates below the first.
func (g garbage) where(r *Reading, lines []stacks.Entry[stacks.FrameID]) []casefile.Frame {
	var out []casefile.Frame
	for _, e := range top(lines, 3) {
		if share := float64(e.Value) / g.total; share >= 0.05 {
			out = append(out, r.Frame(e.Key, share, "allocates"))
		}
	}
	stack := g.set.Heaviest(g.weight, func(s *stacks.Sample) bool {
		id, ok := g.line(s)
		return ok && id == lines[0].Key
	})
	at := slices.Index(stack, lines[0].Key)
	for i := at - 1; i >= 0 && len(out) < 6; i-- {
		id := stack[i]
		below := stacks.SumBy(g.set, g.weight, func(s *stacks.Sample) (stacks.FrameID, bool) {
			u, ok := g.line(s)
			return id, ok && u == lines[0].Key && slices.Contains(s.Stack, id)
		})
		if len(below) > 0 {
			out = append(out, as(casefile.Called, r.Frame(id, float64(below[0].Value)/g.total, "allocates below it")))
		}
	}
	return out
}

func (g garbage) impact(r *Reading, share float64) casefile.Impact {
	text := fmt.Sprintf("%s of the garbage", percent(share))
	cost, ok := allocCPU(r)
	if !ok {
		return casefile.Impact{Resource: "memory", Share: roundShare(share), Text: text}
	}
	high := share * cost.share
	return casefile.Impact{Resource: "cpu", Share: roundShare(high), Text: text,
		Gain: casefile.Gain{Low: roundShare(high / 2), High: roundShare(high), Arithmetic: fmt.Sprintf(
			"%s, the line makes %s of the garbage: at most %s, half of that if half of the garbage can be avoided",
			cost.text, percent(share), percent(high))}}
}

// rewrittenSite is the impact of the first line with the other lines of its function that allocate, which whoever
// changes one sees, and with what else the function does.
func rewrittenSite(r *Reading, i casefile.Impact) casefile.Impact {
	v, g := r.cpu(), newGarbage(r)
	lines := allocatesNow(r, g, stacks.SumBy(g.set, g.weight, r.UserLine))
	if len(lines) == 0 || float64(lines[0].Value) < dominates*g.total {
		return i // a dependency's
	}
	if _, ok := runAllocFunction(r, g, lines); ok {
		return i
	}
	share := 0.0
	for _, e := range lines {
		if r.Table.FuncID(e.Key) == r.Table.FuncID(lines[0].Key) {
			share += float64(e.Value) / max(g.total, 1)
		}
	}
	in, cost := r.costs().functionOf(lines[0].Key), v.cured(share*v.share(stacks.Malloc), share)
	all := cost + v.cured(in.cpu-in.malloc, 0)
	low, high := promised(cost/2, all)
	i.Share = max(i.Share, high)
	i.Gain = casefile.Gain{Low: low, High: high, Arithmetic: fmt.Sprintf(
		"the lines of the function make %s of the garbage, which costs %s of the CPU in allocating and collecting: "+
			"half of that if half of it can be avoided; %s with what else the function does: %s", percent(share),
		percent(cost), percent(all), number.Estimate(low, high))}
	return i
}

func allocRemedies(r *Reading, g garbage, line stacks.FrameID) []casefile.Remedy {
	k := spentAt(r, line)
	if g.others {
		first := ofHeaders(r, k)
		if first == nil {
			first = []casefile.Remedy{laterRelease(r, line, short(r.Table.Func(line).Name))}
		}
		return append(first, inGeneral("Leave it out, or give it less", fmt.Sprintf("No line of the program's own is "+
			"below %s. Look for an option that leaves out what it makes, and put less through it.", r.Place(line)),
			"less of what it does"))
	}
	first := contentRemedies(r, k)
	if k != nil && k.OfDependency(r.Table) {
		return append(first, dependencyRemedies(r, k)...)
	}
	at := r.Place(line)
	if pool := poolingAt(r, g.set, g.weight, line); pool != noPool {
		return pool.remedies(at)
	}
	stack := g.set.Heaviest(g.weight, func(s *stacks.Sample) bool {
		id, ok := r.UserLine(s)
		return ok && id == line
	})
	if _, u := r.Table.UserFrame(stack); u > 0 {
		return append(first, madeBelow(r, at, stack, u)...)
	}
	if row, l := r.costs().madeBy(line); l != nil {
		return append(first, row.remedies(r, []*lineCost{l})...)
	}
	size := 0.0
	for _, e := range stacks.SumBy(g.set, g.weight, g.line) {
		if e.Key == line {
			size = float64(e.Value) / max(g.objectsAt(r, line), 1)
		}
	}
	reuse := withNeeds(casefile.NeedsNotKept, inGeneral("Reuse the memory", fmt.Sprintf("At %s: keep a buffer across calls, or take it from a "+
		"sync.Pool; append to it from length 0.", at), "code that keeps a reference to a reused buffer reads another "+
		"request's data"))
	byKind := inGeneral("Make fewer of them: at their size, by value, or once", fmt.Sprintf("At %s: a slice that "+
		"grows is made at its size, make([]T, 0, n); small structs are kept by value, in one slice, and not behind a "+
		"pointer each; a text or bytes are not converted or joined anew, but appended to a buffer that is kept; what "+
		"is the same for each call is made once. go build -gcflags=-m says why a value does not stay on the stack.", at),
		"other types")
	if size < poolableObject {
		return append(first, byKind, reuse)
	}
	return append(first, reuse, byKind)
}

// madeBelow are the remedies for garbage that the standard library makes below a line, which is at position u: those of
// the row that its calls have.
func madeBelow(r *Reading, at string, stack []stacks.FrameID, u int) []casefile.Remedy {
	x := r.costs().x
	if h, ok := x.findHeap(&stacks.Sample{Stack: stack}); ok && h.line == stack[u] {
		return x.kinds[h.kind].remedies(r, []*lineCost{{line: h.line, calls: map[stacks.FrameID]float64{h.call: 1}}})
	}
	if r.Table.Has(stack[:u], withWork(known.CopiesStream)) {
		return []casefile.Remedy{doChange("Copy through a reused buffer",
			fmt.Sprintf("At %s: io.Copy allocates 32 KiB for each call. io.CopyBuffer can use one from a pool, but "+
				"only if the destination's ReadFrom and the source's WriteTo are hidden: io.CopyBuffer(struct{ "+
				"io.Writer }{w}, struct{ io.Reader }{r}, buf). The ReadFrom of an http.ResponseWriter ends in io.Copy "+
				"unless the source is a file.", at), "no sendfile for files")}
	}
	name := r.Table.Func(stack[u-1]).Name
	return append(ofLibrary(name), inGeneral("Keep what it makes, or have it make less", fmt.Sprintf("At %s it is %s "+
		"that makes the garbage. If it is asked for the same again: keep what it returned. If parts of that are used: "+
		"ask for these alone (Cut, Index or an iterator for Split; a field; a limit). If it has a form that fills or "+
		"appends to what it is given (Append…, Reset, Bytes for Text, ReuseRecord): give it a buffer that is kept.", at,
		short(name)),
		"what is kept can be stale; what is reused must not be held on to"))
}
