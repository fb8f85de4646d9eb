package diagnose

import (
	"context"
	"fmt"
	"slices"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose/hold"
	"github.com/gocasebook/casebook/diagnose/stacks"
	"github.com/gocasebook/casebook/diagnose/view"
	"github.com/gocasebook/casebook/vitals"
)

// memRateScale is in live bytes an hour that are allocated and not freed. 64 MiB an hour is 1.5 GiB a day: an ordinary
// process does not last from one release to the next. A GiB an hour ends it within a shift.
func memRateScale() Scale { return Scale{Worth: 64 << 20, Hurts: 1 << 30, Top: 64 << 30} }

// memEndScale is in processes that the leak would fill an hour: a day is worth knowing, two hours hurt.
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

const memLeakKind = "mem-leak"

func memLeak() Detector {
	return Detector{
		ID:    "MEM001",
		Kind:  memLeakKind,
		Title: "The live heap grows at one place and does not shrink",
		Text: `Finds where live memory grew between two heap profiles: by 4 MiB and 2 % of the heap or more, by three
standard deviations of the samples, a third of it in one function of the user's, and still at the end if there are
three profiles. Without a line of the user's the place is the dependency's deepest function with 60 % of its package's
growth, with the lines that lead there. Where something smaller is seen to keep it, that is the first place.

Scored by the rate: worth knowing from 64 MiB an hour, hurting from 1 GiB an hour, or by the time until a memory limit
is reached (a day, two hours). A notice at most within a minute, up to 74 within five, unless the heap's low points in
the vitals rise steadily, too. Work that waits for few goroutines, all busy with it, is up to 74 if it grows.

Undecided, with the capture to take next: both profiles show one collection; requests, goroutines or open files rose
meanwhile; the growth slows down, or came and went before; the process is younger than five minutes and does not grow
as fast as since its start; most of what was allocated is gone; fewer than 16 samples within a minute.

Without a measured growth: the line that holds half of the heap if a rule tripped by memory (up to 74); and notices of
what a library keeps until it is ended, of what was never freed, of requests that have ended, and of a line that holds
half of the heap and 100 MiB, by more objects than work there can use. A heap dump (casebook capture --heap-refs) or a
profile of goref shows what refers to the memory: who holds half or more is named, and the remedy is about it.`,
		Needs:  needHeap("what is live is not in other evidence"),
		Before: `seen[r.Header.Get("X-Request-Id")] = time.Now() // nobody ever deletes`,
		After:  `seen, _ := lru.New(…, 100_000) // or delete entries after their time, from one ticker`,
		Explains: append(related(nil, "gc-death-spiral", "mem-limit-near"), Relation{Kind: "known-fault", Leads: true,
			If: func(own, other casefile.Finding) bool { return other.Form == formSize && sharesPlace(other, own) }}),
		Absorbs:    []Relation{{Kind: "mem-giant", If: sameFirst, Quiet: true}}, // what is large is what grew
		NeedsPlace: true,
		IsHeld:     true,
		Follows:    "a goroutine, timer or connection that does not end keeps what it refers to",
		Effect:     "Memory grows",
		Run:        runMemLeak,
	}
}

// confidence is how sure it is that the memory grew there. Blocks are all sampled.
func (w *grower) confidence(g view.Growth) float64 {
	if w.inPlace != nil {
		return 0.95
	}
	return Confidence(0.5, sampled(w.bytes, w.objects, g.Last.Rate()))
}

func runMemLeak(_ context.Context, r *Reading) Answer {
	if b := findBacklog(r); b != nil {
		return found(b.finding(r, r.holds()))
	}
	if f, ok := keptByType(r); ok {
		return found(f)
	}
	out := grownBetween(r)
	if len(out.Findings) > 0 {
		return out
	}
	if stays := whatStays(r); len(stays.Findings) > 0 || len(out.Undecided) == 0 {
		return stays
	}
	return out
}

// grownBetween is what grew between two heap profiles.
func grownBetween(r *Reading) Answer {
	g, ok := r.Growth()
	if !ok {
		if rise := lowsRise(r); rise != "" {
			return undecided(rise+", and one heap profile cannot show where", captureTwoHeaps)
		}
		return Answer{}
	}
	if g.Same {
		return sameCollection(r, g)
	}
	growers := findGrowers(r.holds())
	if len(growers) == 0 {
		return Answer{}
	}
	out := leakAt(r, g, growers[0])
	for _, w := range growers[1:] {
		a := leakAt(r, g, w)
		if len(out.Findings) > 0 && len(a.Findings) > 0 && sameCaller(r.Table, growers[0], w) {
			out.Findings[0].Where = append(out.Findings[0].Where, r.Frame(w.lines[0].Key, g.Share(w.bytes),
				"grows beside it, from the same caller (share of the growth)"))
			continue
		}
		out.Findings = append(out.Findings, a.Findings...)
	}
	return out
}

// sameCaller reports whether a function of the user's calls both: then they are most likely parts of one entry, the
// value and what keeps it.
func sameCaller(t *stacks.Table, a, b *grower) bool {
	of := a.callers(t)
	return slices.ContainsFunc(b.callers(t), func(fn stacks.FuncID) bool { return slices.Contains(of, fn) })
}

// callers are the user's functions that call the grower where it grew.
func (g *grower) callers(t *stacks.Table) (out []stacks.FuncID) {
	for _, b := range g.Held {
		at := slices.Index(b.Stack, g.line(t, b))
		if up, k := t.UserFrame(b.Stack[at+1:]); k >= 0 && b.Grown().Bytes > 0 {
			out = append(out, t.FuncID(up))
		}
	}
	return out
}

// leakAt judges the growth of one function.
func leakAt(r *Reading, g view.Growth, w *grower) Answer {
	if w.bytes < growthBlame*g.Net || w.bytes < max(minGrowth, minGrowthShare*(g.Live-g.Net)) {
		return Answer{}
	}
	seen := sampled(w.bytes, w.objects, g.Last.Rate())
	if w.inPlace = mostInPlace(r.holds(), w); w.inPlace == nil &&
		(seen < minGrowthSamples || !w.Grew() || !stillGrowing(g, w) || piledUp(r, g, w)) {
		return Answer{}
	}
	score, limit, ends := rateLeak(r, g, w)
	if score < worthKnowing {
		return Answer{}
	}
	if why := doubt(r, g, w, seen); why != "" {
		return undecided(fmt.Sprintf("%s more are alive in %s after %s; %s", size(w.bytes),
			short(r.Table.Funcs[w.fn].Name), seconds(g.Seconds), why), captureLaterHeap)
	}
	if limit == capNotice {
		ends += maybeFilling(r, g)
	}
	return found(leakOfMemory(r, g, w, ends, score))
}

// rateLeak scores a growth by its rate, up to the limit that the evidence allows, and says when it ends the process and
// what else shows it.
func rateLeak(r *Reading, g view.Growth, w *grower) (score, limit int, ends string) {
	perHour := w.bytes / g.Seconds * 3600
	score, limit = memRateScale().Score(perHour), capUnsure
	if m := float64(r.Limits.MemoryBytes); m > 0 {
		left := max(m-max(g.Live, rss(r)), 0.01*m)
		score = max(score, memEndScale().Score(perHour/left))
		if g.Seconds >= leakLong {
			ends = fmt.Sprintf("; the limit of %s would be reached in %s", size(m), seconds(3600*left/perHour))
		}
	}
	rise := lowsRise(r)
	if g.Seconds >= leakLong && w.bytes >= memRateScale().Worth && w.bytes >= heldShare*g.Live {
		score = max(score, capNotice+1) // it has doubled the heap
	}
	switch {
	case g.Seconds >= leakLong || rise != "":
		limit = noCap
	case (g.Seconds < leakSoon || young(r, g)) && trendOfLows(r) != steady:
		limit = capNotice
	}
	if rise != "" {
		ends += "; " + rise
	}
	return min(score, limit), limit, ends
}

func rss(r *Reading) float64 { v, _ := r.Mean(vitals.RSS); return v }

func leakOfMemory(r *Reading, g view.Growth, w *grower, ends string, score int) casefile.Finding {
	name := short(r.Table.Funcs[w.fn].Name)
	whose := ""
	if w.inPlace != nil {
		whose = " It is " + w.inPlace.text() + "."
	}
	if w.foreign {
		whose = fmt.Sprintf(" None of the program's own code is on these stacks; they enter the dependency at %s.",
			r.Place(w.entered))
	}
	f := findingOfHeld(r.holds(), &w.Sum, w.bytes)
	f.Title = fmt.Sprintf("Memory allocated %s %s stays: %s more in %s", w.in(), name, size(w.bytes), seconds(g.Seconds))
	f.Score, f.Confidence = score, w.confidence(g)
	f.Summary = fmt.Sprintf("Between two heap profiles %s apart %s more stayed %s %s%s; the live heap went from %s to "+
		"%s%s.", seconds(g.Seconds), size(w.bytes), w.in(), name, hourly(g, w.bytes, ", "), size(g.Live-g.Net),
		size(g.Live), ends) + whose
	k := w.kept(r)
	f.Evidence, f.Where, f.Remedies = Basis(g.Diff), leakPlaces(r, g, w), k.cures()
	k.tellOwner(&f, fmt.Sprintf("%s more %s %s in %s", size(w.bytes), w.in(), name, seconds(g.Seconds)))
	f.Impact.Text += hourly(g, w.bytes, ", ")
	return f
}

// leakPlaces are the lines that allocate the memory that stays, and the user's path to them.
func leakPlaces(r *Reading, g view.Growth, w *grower) []casefile.Frame {
	role := "allocates what stays (share of the growth)"
	if w.foreign {
		role = "allocates what stays, in a dependency (share of the growth)"
	}
	if w.shared {
		role = "calls what allocates what stays (share of the growth)"
	}
	var out []casefile.Frame
	for _, e := range top(w.lines, 2) {
		out = append(out, r.Frame(e.Key, g.Share(float64(e.Value)), role))
	}
	if w.shared {
		return append(out, parts(r, g, w)...)
	}
	if w.foreign {
		if w.entered != w.lines[0].Key {
			out = append(out, r.Frame(w.entered, g.Share(w.bytes), "where the dependency is entered"))
		}
		return append(out, waysTo(r, w.fn, w.entered)...)
	}
	stack := w.heaviest(r.Table, w.lines[0].Key)
	// below the line is what it calls, such as the New function of a pool
	if i := slices.Index(stack, w.lines[0].Key); i > 0 {
		stack = stack[i:]
	}
	if up := callerOutside(r.Table, stack, r.Table.Funcs[w.fn].Package, w.fn); up != stacks.NoFrame {
		out = append(out, r.Frame(up, out[0].Share, "called from"))
	}
	return out
}

// parts are the lines of the user's that allocate most of what is made below a shared function.
func parts(r *Reading, g view.Growth, w *grower) (out []casefile.Frame) {
	for _, e := range topLines(hold.By(w.Held, hold.LineOf), 3, hold.GrownBytes) {
		out = append(out, r.Frame(e.Key, g.Share(float64(e.Value)), "allocates a part of it"))
	}
	return out
}

// in says how a growth is a function's.
func (w *grower) in() string {
	if w.shared {
		return "below"
	}
	return "in"
}

// kept is what the function keeps, for its remedies.
func (w *grower) kept(r *Reading) *kept {
	b := w.Held[0]
	k := &kept{Sum: &w.Sum, r: r, fn: w.fn, line: b.Line, calls: b.Enter, stack: w.heaviest(r.Table, stacks.NoFrame),
		foreign: w.foreign, shared: w.shared, inPlace: w.inPlace != nil}
	if w.foreign {
		k.calls = lineIn(r.Table, k.stack, w.fn)
	}
	return k
}
