package diagnose

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose/stacks"
	"github.com/gocasebook/casebook/vitals"
)

// memRateScale is in live bytes an hour that come and do not go. 64 MiB an hour are 1.5 GiB a day: a process of
// ordinary size does not last from one release to the next. A GiB an hour ends it in a shift.
func memRateScale() Scale { return Scale{Worth: 64 << 20, Hurts: 1 << 30, Top: 64 << 30} }

// memEndScale is in processes that the leak would fill an hour: within a day is worth knowing, within two hours hurts.
func memEndScale() Scale { return Scale{Worth: 1.0 / 24, Hurts: 1.0 / 2, Top: 10} }

// Floors on growth between two heap profiles.
const (
	minGrowth        = 4 << 20 // bytes
	minGrowthSamples = 8       // sampled allocations that stayed: ±70 % at 95 %, enough for the sign
	minGrowthShare   = 0.02    // of the earlier live heap
	growthBlame      = 0.3     // of the growth at one function
)

// Time between two heap profiles below which growth may be caches that fill after a start.
const (
	leakSoon = 60  // seconds: a notice
	leakLong = 300 // seconds: no cap
)

func memLeak() Detector {
	return Detector{
		ID:    "MEM001",
		Kind:  "mem-leak",
		Title: "The live heap grows at one place and does not shrink",
		Text: `Takes two heap profiles of the same process and looks where what is live became more: 4 MiB and 2 % of the heap at the
least, a third of the growth or more in one function of the user's code, and still growing at the end where there are
three. A heap profile shows what was alive at the end of the last collection, so garbage does not count. Where no line
of the user's is on the stacks (a middleware, a library's own workers) it is the deepest function of the dependency that
has six tenths of its package's growth below it, and the user's lines nearest to it in other stacks are named as well.

Scored by the rate: worth knowing from 64 MiB an hour (1.5 GiB a day), hurting from 1 GiB an hour; with a memory
limit, also by when it is full: a day, two hours. What happens in seconds may be a cache that fills after a start: a
notice at most where the profiles are less than a minute apart, and undecided there when it rests on fewer than 16 sampled
allocations; capped at 74 below five minutes unless the low points
of heap_alloc in the vitals rise over five minutes, too.

From one profile no leak can be told from a large heap: nothing is found; where the vitals show the heap's low points
rising, the second profile is asked for. Goroutines that pile up hold memory as well: see goroutine-leak; where 20 or
more are inside of the function, what it allocated belongs to work under way, and is no leak. The place is where the
memory was allocated; who still refers to it does not show in a profile.`,
		Needs:  needHeap("what is live is not in other evidence"),
		Before: `seen[r.Header.Get("X-Request-Id")] = time.Now() // nobody ever deletes`,
		After:  `seen, _ := lru.New(…, 100_000) // or delete entries after their time, from one ticker`,
		Run:    runMemLeak,
	}
}

// A heapGrowth is how the live heap changed between two captures.
type heapGrowth struct {
	diff    *stacks.Set
	first   *stacks.Set
	last    *stacks.Set
	net     float64
	live    float64
	seconds float64
	sets    []*stacks.Set
}

func (r *Reading) heapGrowth() (heapGrowth, bool) {
	sets := slices.DeleteFunc(r.All(casefile.Heap, casefile.Allocs), func(s *stacks.Set) bool { return s.Seconds > 0 })
	if len(sets) < 2 {
		return heapGrowth{}, false
	}
	first, last := sets[0], sets[len(sets)-1]
	if !last.Taken.After(first.Taken) {
		return heapGrowth{}, false
	}
	d, ok := stacks.Subtract(last, first)
	if !ok {
		return heapGrowth{}, false
	}
	space := stacks.ByValue(last.Value("inuse_space", "bytes"))
	before, after := float64(first.Total(space)), float64(last.Total(space))
	return heapGrowth{d, first, last, after - before, after, last.Taken.Sub(first.Taken).Seconds(), sets}, true
}

func runMemLeak(_ context.Context, r *Reading) Answer {
	g, ok := r.heapGrowth()
	if !ok {
		if text, rising := r.lowsRise(); rising {
			return undecided("the heap's low points rise ("+text+"), and one heap profile cannot say where", captureTwoHeaps)
		}
		return Answer{}
	}
	if g.net < max(minGrowth, minGrowthShare*(g.live-g.net)) {
		return Answer{}
	}
	w := r.grower(g.diff)
	if w == nil || w.bytes < growthBlame*g.net || w.bytes < minGrowth {
		return Answer{}
	}
	seen := sampled(w.bytes, w.objects, heapRate(g.last))
	if seen < minGrowthSamples || !r.stillGrowing(g, w) || r.underWay(w.fn) >= manyUnderWay {
		return Answer{}
	}
	perHour := w.bytes / g.seconds * 3600
	score, limit := memRateScale().Score(perHour), capUnsure
	ends, filling := "", ""
	if m := float64(r.Limits.MemoryBytes); m > 0 {
		left := max(m-max(g.live, r.rss()), 0.01*m)
		score = max(score, memEndScale().Score(perHour/left))
		ends = fmt.Sprintf("; the limit of %s would be reached in %s", size(m), hours(left/perHour))
	}
	text, rising := r.lowsRise()
	switch {
	case g.seconds >= leakLong || rising:
		limit = noCap
	case g.seconds < leakSoon:
		limit = capNotice
	}
	if score = min(score, limit); score < worthKnowing {
		return Answer{}
	}
	if limit == capNotice {
		if seen < fewGrowthSamples {
			return undecided(fmt.Sprintf("%s more are alive in %s after %s; that rests on %s sampled allocations, and a store that is still filling looks the same",
				size(w.bytes), short(r.Table.Funcs[w.fn].Name), seconds(g.seconds), count(math.Round(seen))), captureLaterHeap)
		}
		filling = g.maybeFilling()
	}
	if text != "" {
		ends += "; " + text
	}
	return found(r.leakOfMemory(g, w, ends+filling, score))
}

func (r *Reading) rss() float64 { v, _ := r.mean(vitals.RSS); return v }

func hours(h float64) string {
	if h < 48 {
		return fmt.Sprintf("%.1f hours", h)
	}
	return fmt.Sprintf("%.0f days", h/24)
}

// Growth over seconds may be a store that fills after a start.
const (
	fewGrowthSamples = 16  // sampled allocations: ±50 % at 95 %, too few to stretch seconds to a rate an hour
	oneTurnover      = 2.0 // bytes ever allocated for each live one: the heap has hardly been replaced once since the start
)

// maybeFilling says what settles whether growth in less than a minute is a leak.
func (g heapGrowth) maybeFilling() string {
	ever := float64(g.last.Total(stacks.ByValue(g.last.Value("alloc_space", "bytes"))))
	young := ""
	if ever > 0 && ever < oneTurnover*g.live {
		young = fmt.Sprintf(" (%s of the %s that were ever allocated are alive, as soon after a start)", size(g.live), size(ever))
	}
	return ". A store that is still filling looks the same" + young + ": a profile five minutes later settles it, for what fills stops growing"
}

// manyUnderWay is how many goroutines inside of a function show that what it allocated belongs to work that piles up,
// and not to what is kept after it.
const manyUnderWay = 20

// underWay is how many goroutines are inside of a function.
func (r *Reading) underWay(fn stacks.FuncID) (n int64) {
	set := r.goroutines()
	if set == nil {
		return 0
	}
	count := stacks.ByValue(set.Value(set.Kind, "count"))
	for i := range set.Samples {
		if slices.ContainsFunc(set.Samples[i].Stack, func(id stacks.FrameID) bool { return r.Table.Frames[id].Func == fn }) {
			n += count(&set.Samples[i])
		}
	}
	return n
}

// stillGrowing reports whether a grower's live bytes grew in the second half of the captures as well. With two captures
// nobody knows.
func (r *Reading) stillGrowing(g heapGrowth, w *grower) bool {
	return len(g.sets) < 3 || w.live(g.last) > 1.02*w.live(g.sets[len(g.sets)/2])
}

// lowsRise compares the lowest heap_alloc of each third of the vitals, if they span five minutes: between two
// collections the signal shows garbage, at its low points what is live.
func (r *Reading) lowsRise() (string, bool) {
	n := len(r.Vitals) / 3
	if n < 10 || r.Vitals[len(r.Vitals)-1].Time.Sub(r.Vitals[0].Time).Seconds() < leakLong {
		return "", false
	}
	var low [3]float64
	for k := range low {
		low[k] = math.Inf(1)
		for i := k * n; i < (k+1)*n; i++ {
			if v, ok := r.Vitals[i].Get(vitals.HeapAlloc); ok {
				low[k] = min(low[k], v)
			}
		}
	}
	if math.IsInf(low[0]+low[1]+low[2], 1) || low[1] < 1.02*low[0] || low[2] < 1.02*low[1] || low[2]-low[0] < minGrowth {
		return "", false
	}
	return fmt.Sprintf("heap_alloc's low points rose from %s over %s to %s", size(low[0]), size(low[1]), size(low[2])), true
}

func (r *Reading) leakOfMemory(g heapGrowth, w *grower, ends string, score int) casefile.Finding {
	name := short(r.Table.Funcs[w.fn].Name)
	whose := ""
	if w.foreign {
		whose = fmt.Sprintf(" None of the program's own code is on these stacks; they enter the dependency at %s.", r.place(w.entered))
	}
	f := casefile.Finding{
		Title:      fmt.Sprintf("Memory allocated in %s stays: %s more in %s", name, size(w.bytes), seconds(g.seconds)),
		Score:      score,
		Confidence: confidence(0.5, sampled(w.bytes, w.objects, heapRate(g.last))),
		Summary: fmt.Sprintf("Between two heap profiles %s apart the live heap grew by %s to %s, %s of it in %s: %s an hour%s.",
			seconds(g.seconds), size(g.net), size(g.live), percent(min(w.bytes/g.net, 1)), name, size(w.bytes/g.seconds*3600), ends) + whose,
		Explanation: "What was allocated there is still referred to: by a map or slice that nobody shortens, a cache without a bound, a list of subscribers, a goroutine that " +
			"does not end. The collector cannot free it, visits it in every cycle, and the process ends when memory does.",
		Evidence: basis(g.diff),
		Where:    r.leakPlaces(g, w),
		Remedies: r.leakRemedies(w),
	}
	held := w.live(g.last)
	f.Impact = casefile.Impact{Resource: "memory", Share: roundShare(w.bytes / max(g.live, 1)), Text: fmt.Sprintf("%s an hour", size(w.bytes/g.seconds*3600)),
		Gain: casefile.Gain{Low: roundShare(w.bytes / max(g.live, 1)), High: roundShare(held / max(g.live, 1)), Arithmetic: fmt.Sprintf(
			"at least the %s that came, at most all %s that the function holds, of %s live", size(w.bytes), size(held), size(g.live))}}
	return f
}

// leakPlaces are the lines that allocate what stays, and the user's way to them.
func (r *Reading) leakPlaces(g heapGrowth, w *grower) []casefile.Frame {
	role := "allocates what stays (share of the growth)"
	if w.foreign {
		role = "allocates what stays, in a dependency (share of the growth)"
	}
	var out []casefile.Frame
	for _, e := range top(w.lines, 2) {
		out = append(out, r.frame(e.Key, float64(e.Value)/g.net, role))
	}
	if w.foreign {
		if w.entered != w.lines[0].Key {
			out = append(out, r.frame(w.entered, w.bytes/g.net, "where the dependency is entered"))
		}
		return append(out, r.waysTo(w)...)
	}
	stack := g.diff.Heaviest(stacks.ByValue(g.diff.Value("inuse_space", "bytes")), func(s *stacks.Sample) bool {
		id, ok := w.made(r.Table, s.Stack)
		return ok && id == w.lines[0].Key
	})
	if up := callerOutside(r.Table, stack, r.Table.Funcs[w.fn].Package, w.fn); up != stacks.NoFrame {
		out = append(out, r.frame(up, out[0].Share, "called from"))
	}
	return out
}

func (r *Reading) leakRemedies(w *grower) []casefile.Remedy {
	name := short(r.Table.Funcs[w.fn].Name)
	who := doChange("See who holds it", "A core dump read with golang.org/x/debug/cmd/viewcore, or the field's length as a metric: a profile shows who allocated, not who refers to it.", "a core is as large as the process")
	if w.foreign {
		return []casefile.Remedy{
			doChange("Give it fewer different keys", fmt.Sprintf("The line is not the program's own. What %s keeps one entry each for (label values, names, addresses, methods) mostly comes from requests: "+
				"map what is unknown to one value before it is handed over.", name), "less detail"),
			doChange("Look for its bound, or a newer version", fmt.Sprintf("See the settings and the change log of %s for a limit, an expiry, a Delete or Close that is never called.", r.Table.Funcs[w.fn].Package), "an update to test"),
			who,
		}
	}
	return []casefile.Remedy{
		doChange("Bound it", fmt.Sprintf("Find what keeps the objects of %s and give it a limit by number or bytes, and an age after which entries go; delete where the owner ends.", name), "more misses"),
		takePackage("A cache with a bound", "github.com/maypok86/otter/v2 or github.com/elastic/go-freelru evict by size and age; a plain map does neither.", "a dependency"),
		who,
	}
}
