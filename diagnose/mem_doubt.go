package diagnose

import (
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/gocasebook/casebook/diagnose/known"
	"github.com/gocasebook/casebook/diagnose/stacks"
	"github.com/gocasebook/casebook/diagnose/view"
	"github.com/gocasebook/casebook/vitals"
)

// Memory that grew between two heap profiles is alive at the later one, but not necessarily leaked. Much grows over
// seconds without a leak: a cache after a start, the buffers of more requests, work in progress during a collection.

// Bounds of what may be growth that ends on its own.
const (
	staleWorth = 16 << 20 // bytes alive, from which it is worth saying that they cannot be judged
	youngAge   = 5 * time.Minute
	keptLeast  = 0.5 // of what was allocated at the line in between: a leak keeps nearly all of it
	workRise   = 0.2 // of goroutines, requests or open files
)

// sameCollection says that growth cannot be judged, and describes the heap. For a small heap it says nothing.
func sameCollection(r *Reading, g view.Growth) Answer {
	if g.Live < staleWorth {
		return Answer{}
	}
	moved := ""
	if first, last, ok := around(r, g, vitals.HeapAlloc); ok && last-first >= minGrowth {
		moved = fmt.Sprintf("; heap_alloc rose from %s to %s meanwhile, garbage included", size(first), size(last))
	}
	return undecided(fmt.Sprintf("both heap profiles show the same collection, which left %s alive: none ended in "+
		"the %s between them%s",
		size(g.Live), seconds(g.Seconds), moved), captureTwoCollected)
}

// doubt says why growth should not be called a leak yet; "" if nothing speaks against it.
func doubt(r *Reading, g view.Growth, w *grower, seen float64) string {
	if why := moreWork(r, g, w); w.inPlace == nil && why != "" {
		return why
	}
	trend, again := trendOfLows(r), cameAndWent(r, g, w.bytes)
	switch {
	case trend == slowing:
		return "but the low points of heap_alloc show that the growth is slowing down, as in a store that fills up " +
			"to a level"
	case young(r, g) && trend != steady && !goesOn(r, g, w) && w.bytes < heldWorth:
		return fmt.Sprintf("but the process started %s before: a store that is still filling looks the same",
			seconds(age(r, g).Seconds()))
	case trend != steady && again != "":
		return again
	case g.Seconds >= leakSoon:
		return ""
	case seen < fewGrowthSamples && w.inPlace == nil:
		return fmt.Sprintf("that is based on %s sampled allocations, and a store that is still filling looks the same",
			count(math.Round(seen)))
	case madeOnce(r.Table, w):
		return "but that was allocated in a sync.Once: what is built once, by the first request that needs it, looks " +
			"the same"
	case heapBefore(r, g):
		return "but a heap profile shows the heap of the last collection, and none was seen to end before the first " +
			"profile: the growth may have happened long before"
	}
	if kept, made, began := keptOf(r.Table, w); w.inPlace == nil && kept < keptLeast*made &&
		!(goesOn(r, g, w) && began) {
		return fmt.Sprintf("but %s was allocated there meanwhile, and most is gone: work in progress at the moment "+
			"of the last collection looks the same", size(made))
	}
	return ""
}

// age is how old the process was at the last profile.
func age(r *Reading, g view.Growth) time.Duration { return g.Last.Taken.Sub(r.Started) }

// young reports whether the process is known to have started only minutes before.
func young(r *Reading, g view.Growth) bool {
	return !r.Started.IsZero() && age(r, g) >= 0 && age(r, g) < youngAge
}

// Bounds of growth that is told of a young process, as a notice: people capture a process soon after its start, and a
// leak that is large and does not slow down is worth a second look even if it may be a store that fills.
const (
	evenLives   = 3    // collections that show what is live
	evenAtLeast = 0.5  // of the earlier growth in the later one
	evenDip     = 0.02 // of the live heap that one collection may find less: requests under way
)

// goesOn reports whether a place that holds half of the heap, or has taken as much as is worth saying, has grown as fast
// as before, and so has what collections left alive: unlike what is made at the start, or a store that fills.
func goesOn(r *Reading, g view.Growth, w *grower) bool {
	live, before := w.Now.Bytes, g.First.Taken.Sub(r.Started).Seconds()
	return !r.Started.IsZero() && before > 0 && !unevenLives(r, g) &&
		(live >= heldShare*g.Live || w.bytes >= staleWorth) && w.bytes/g.Seconds >= evenAtLeast*(live-w.bytes)/before
}

// unevenLives reports whether what collections left alive fell at one of them, or rose less in the later half than in
// the earlier one and than since the start. Few collections show neither.
func unevenLives(r *Reading, g view.Growth) bool {
	live := signalOf(r, vitals.HeapLive).until(g.Last.Taken)
	if len(live.values) < evenLives {
		return false
	}
	for i, v := range live.values[1:] {
		if v < (1-evenDip)*live.values[i] {
			return true
		}
	}
	first, middle := live.values[0], live.halfway()
	sinceStart := first / max(live.times[0].Sub(r.Started).Seconds(), 1) * live.span().Seconds() / 2
	return middle <= first || live.last()-middle < evenAtLeast*min(middle-first, sinceStart)
}

// madeOnce reports whether a sync.Once made nearly all of what grew.
func madeOnce(t *stacks.Table, w *grower) bool {
	inside := 0.0
	for _, b := range w.Held {
		if t.Has(b.Stack, withWork(known.RunsOnce)) {
			inside += b.Grown().Bytes
		}
	}
	return inside >= startPart*w.bytes
}

// cameAndWent says that the live heap rose by as much before and fell again, to a height as now: so does the memory of
// a job that comes back. "": it did not, or heap_live does not show it.
func cameAndWent(r *Reading, g view.Growth, grown float64) string {
	live := signalOf(r, vitals.HeapLive).until(g.Last.Taken).values
	after := slices.Clone(live) // the lowest from here on
	for i := len(after) - 2; i >= 0; i-- {
		after[i] = min(after[i], after[i+1])
	}
	before := math.Inf(1)
	for i, high := range live {
		before = min(before, high)
		if up, down := high-before, high-after[i]; min(up, down) >= asMuch*grown && high >= asHigh*live[len(live)-1] {
			return fmt.Sprintf("but heap_live rose by %s before, to %s, and fell again by %s: the memory of a job at "+
				"work looks the same", size(up), size(high), size(down))
		}
	}
	return ""
}

// Parts of a growth and of the present level that an earlier rise and fall must have: as much, but for sampling.
const asMuch, asHigh = 0.75, 0.9

// keptOf is what is alive of what a grower allocated between the profiles, at its first line, and how much that was.
// Began: as much of what the line had made before, a tenth or more of that part, was alive then: a leak that began.
func keptOf(t *stacks.Table, w *grower) (kept, made float64, began bool) {
	before, yet := 0.0, 0.0
	for _, b := range w.Held {
		if w.line(t, b) == w.lines[0].Key {
			made += b.Came().Bytes
			before, yet = before+b.Before.Bytes, yet+b.MadeYet.Bytes
		}
	}
	kept = float64(w.lines[0].Value)
	return kept, made, before*made >= yet*kept/10
}

// moreWork names what has grown since the first profile and may own the memory: requests in flight, goroutines in the
// package that allocated it, or all where each may own an object; without a goroutine profile files, too.
func moreWork(r *Reading, g view.Growth, w *grower) string {
	more := func(before, after float64) bool { return more(before, after) && w.objects <= heldEach*(after-before) }
	if before, after, ok := around(r, g, vitals.HTTPInFlight); ok && more(before, after) {
		return moreText("requests in flight", before, after)
	}
	pkg := r.Table.Funcs[w.fn].Package
	in := r.Funcs(func(f *stacks.Func) bool { return f.Package == pkg })
	before, ok1 := inside(r, in, g.First.Taken)
	after, ok2 := inside(r, in, g.Last.Taken)
	known := ok1 && ok2
	if known && more(before, after) {
		return moreText("goroutines in "+pkg, before, after)
	}
	// Goroutines elsewhere may hold what was handed on to them: an answer each, that is written to a slow client.
	before, after, ok := around(r, g, vitals.Goroutines)
	if ok && more(before, after) && (!known || w.objects <= after-before) {
		return moreText("goroutines", before, after)
	}
	if known {
		return ""
	}
	if before, after, ok := around(r, g, vitals.OpenFiles); ok && more(before, after) {
		return moreText("open files and connections", before, after)
	}
	return ""
}

// heldEach is how many objects of one line a request or a connection keeps at most: buffers, a body, the decoded form.
// 300 more connections do not keep 9,000 bodies.
const heldEach = 20

func moreText(what string, before, after float64) string {
	return fmt.Sprintf("but %s rose from %s to %s meanwhile, and each holds memory", what, count(before), count(after))
}

// inside is how many goroutines were in some functions at a time; ok is false if no evidence is from about that time.
func inside(r *Reading, in view.FuncSet, at time.Time) (n float64, ok bool) {
	for _, s := range allMoments(r) {
		if s.Taken.Sub(at).Abs() > besideHeap {
			continue
		}
		return in.Sum(s, s.Count()), true
	}
	return 0, false
}

// besideHeap is the largest distance in time between a heap profile and a sample or goroutine profile that belongs to
// it: a capture waits up to 5 s for a collection before it takes the heap.
const besideHeap = 8 * time.Second

// more reports whether there is more work than randomness explains.
func more(before, after float64) bool {
	return after-before >= manyUnderWay && after >= (1+workRise)*before
}

// around is the value of a signal near each of the two profiles.
func around(r *Reading, g view.Growth, id vitals.ID) (first, last float64, ok bool) {
	first, ok1 := valueNear(r, id, g.First.Taken)
	last, ok2 := valueNear(r, id, g.Last.Taken)
	return first, last, ok1 && ok2
}

// wasCollected reports whether a collection was run for a heap profile.
func wasCollected(r *Reading, set *stacks.Set) bool {
	i := slices.IndexFunc(r.Sets, func(s view.Captured) bool { return s.Set == set })
	return i >= 0 && r.Sets[i].Collected
}

// A lowsTrend is the trend of the heap's low points.
type lowsTrend int

const (
	unknownTrend lowsTrend = iota
	steady                 // they rise, and as fast at the end as at the start
	slowing                // they rise, and less than half as fast at the end
)

// lowsSpan is how long the vitals must be for their low points to show a trend.
const lowsSpan = 45 * time.Second

// trendOfLows compares how the low points rise in the first and in the second half of the vitals.
func trendOfLows(r *Reading) lowsTrend {
	low, ok := lows(r)
	early, late := low[1]-low[0], low[2]-low[1]
	switch {
	case !ok || early <= 0 || low[2]-low[0] < minGrowth:
		return unknownTrend
	case late < early/2:
		return slowing
	case low[1] >= 1.02*low[0] && low[2] >= 1.02*low[1] && late >= 0.75*early:
		return steady
	}
	return unknownTrend
}

// lowsRise says that the low points rise steadily over five minutes; "" if the vitals do not show that.
func lowsRise(r *Reading) string {
	low, _ := lows(r)
	if trendOfLows(r) != steady || r.Vitals[len(r.Vitals)-1].Time.Sub(r.Vitals[0].Time).Seconds() < leakLong {
		return ""
	}
	return fmt.Sprintf("the heap's low points rose from %s over %s to %s", size(low[0]), size(low[1]), size(low[2]))
}

// leastLives is how many collections heap_live must show: in a growing heap they come at longer and longer intervals,
// and the last three are in the second half.
const leastLives = 8

// lows are the heap's low points at the start, in the middle and at the end of the vitals: what collections left alive,
// or, if heap_live has too few values, the lowest heap_alloc of each third, garbage included.
func lows(r *Reading) (low [3]float64, ok bool) {
	n := len(r.Vitals) / 3
	if n < 10 || r.Vitals[len(r.Vitals)-1].Time.Sub(r.Vitals[0].Time) < lowsSpan {
		return low, false
	}
	if live := signalOf(r, vitals.HeapLive); len(live.values) >= leastLives && live.span() >= lowsSpan {
		return [3]float64{live.values[0], live.halfway(), live.last()}, true
	}
	for k := range low {
		low[k] = math.Inf(1)
		for i := k * n; i < (k+1)*n; i++ {
			if v, ok := r.Vitals[i].Get(vitals.HeapAlloc); ok {
				low[k] = min(low[k], v)
			}
		}
	}
	return low, !math.IsInf(low[0]+low[1]+low[2], 1)
}
