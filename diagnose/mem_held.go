package diagnose

import (
	"fmt"
	"math"
	"slices"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose/hold"
	"github.com/gocasebook/casebook/diagnose/known"
	"github.com/gocasebook/casebook/diagnose/stacks"
	"github.com/gocasebook/casebook/vitals"
)

// What is held where two profiles are too close together, or one is too poor, to measure a growth: a rule has measured
// it, or all that a line has ever made is alive.

// Bounds of what is said without a growth that two profiles measure.
const (
	heldShare   = 0.5       // of the live heap at one line
	heldWorth   = 100 << 20 // bytes at one line that are said even if nothing tells whether they grow
	tripWorth   = 16 << 20
	tripGrowing = 0.5 // of a tripped heap that was not there before
)

// whatStays is what is alive at the line that holds most, if a rule that watches memory has tripped or nothing of it
// was ever freed; an answer without both says what cannot be told, if it is much.
func whatStays(r *Reading) Answer {
	h := r.holds()
	if h == nil || h.Now.Bytes <= 0 {
		return Answer{}
	}
	if _, ok := pooledGiants(r); ok {
		return Answer{} // mem-giant's: they are as many as are at work
	}
	for _, row := range []func(*Reading, *hold.Heap) (casefile.Finding, bool){leftOpen, heldAtTrip, growsAsKnown,
		keptAgain, neverFreed, requestsKept, grewExactly, roomEach, retained} { // the first that fits
		if f, ok := row(r, h); ok {
			return found(f)
		}
	}
	s, next := mostHeldLine(h, heldWorth)
	if s == nil {
		return Answer{}
	}
	return undecided(fmt.Sprintf("%s are held at %s, %s of the live heap (%s); whether they grow, this evidence does "+
		"not show", size(s.Now.Bytes), newKept(r, s).place(), percent(s.Now.Bytes/h.Now.Bytes), objectsText(s.Now)), next)
}

// heldScale is in bytes that one line holds of which nothing tells whether they grow.
func heldScale() Scale { return Scale{Worth: heldWorth, Hurts: 16 << 30} }

// retained is a notice of what a line holds after the work that made it, where nothing shows whether it grows: many more
// objects than goroutines are in the functions that lead there, or large ones while none is; not what main has read.
func retained(r *Reading, h *hold.Heap) (f casefile.Finding, ok bool) {
	s, _ := mostHeldLine(h, heldWorth)
	if s == nil || s.Held[0].Line == stacks.NoFrame || len(r.Moments()) == 0 || r.Table.Has(s.Held[0].Stack, isAtStart) {
		return f, false
	}
	busy := atWork(r, s.Held[0].Stack) // of large ones a few are enough where nobody is
	if s.Now.Objects <= heldEach*float64(busy+1) && (busy > 0 || s.Now.Objects < pooledLeast || s.Size() < trailBlock) {
		return f, false
	}
	why := "They are many more than goroutines are at work there: they are kept. Whether they grow, "
	if g, two := r.Growth(); two {
		why += fmt.Sprintf("two profiles %s apart do not show", seconds(g.Seconds))
	} else {
		why += "one profile cannot tell"
	}
	if s.NeverFreed() {
		why += "; nothing was ever freed there"
	}
	f = stayingFinding(r, h, s, capNotice, why)
	f.Score = min(heldScale().Score(s.Now.Bytes), capNotice)
	return f, true
}

// keptByType is a notice of types, and of what is kept for each, that work has made: a program has as many as its
// source says, and they are small.
func keptByType(r *Reading) (f casefile.Finding, ok bool) {
	h := r.holds()
	if h == nil {
		return f, false
	}
	s := h.ByType()
	if s == nil || s.Samples < minGrowthSamples || s.Now.Bytes < max(keptShare*h.Now.Bytes, minGrowth) ||
		r.Table.Has(s.Held[0].Stack, isAtStart) {
		return f, false
	}
	at := r.Place(s.Held[0].Line)
	f = stayingFinding(r, h, s, capNotice, "")
	f.Summary = fmt.Sprintf("%s are types, or kept for one: %s, %s of the live heap. The runtime never frees a type, nor "+
		"the standard library what it keeps for each: the encoder, the list of fields.", objectsText(s.Now),
		size(s.Now.Bytes), percent(f.Impact.Share))
	f.Title = fmt.Sprintf("Types made at %s, and what is kept for each, are never freed: %s", at, size(s.Now.Bytes))
	f.Explanation = "What reflect makes of fields in another order, or of another length, is another type, and stays."
	f.Where, f.Remedies = nil, []casefile.Remedy{doChange("Make one type for the same fields", fmt.Sprintf("At %s: sort the "+
		"fields by name before they make a type, so that the same input gives the same type; where inputs differ without "+
		"bound, keep a map.", at), "none")}
	lines := hold.By(s.Held, hold.LineOf)
	for _, b := range s.Held {
		if of := lines[b.Line]; of.Held[0] == b {
			f.Where = append(f.Where, r.Frame(b.Line, min(of.Now.Bytes/h.Now.Bytes, 1), "allocates what stays (share of the "+
				"live heap)"))
		}
	}
	return f, true
}

// isAtStart knows what runs once, before there is work.
func isAtStart(f *stacks.Func) bool { return isMain(f) || isInit(f.Name) }

// largeRoom is from how many bytes an object of its own for each goroutine is large: twice what io.Copy and the frames of
// HTTP/2 take.
const largeRoom = 64 << 10

// roomEach is a notice of a line of the user's own that makes one large object for each goroutine that is at work
// there: a channel, a slice or a reader's buffer, made in its full size. It is no leak, and needs no second profile.
func roomEach(r *Reading, h *hold.Heap) (f casefile.Finding, ok bool) {
	s, _ := mostHeldLine(h, heldWorth)
	if s == nil {
		return f, false
	}
	b, n := s.Held[0], float64(atWork(r, s.Held[0].Stack))
	own := b.Enter == stacks.NoFrame || r.Table.Func(b.At).Does(known.MakesStream)
	if b.Line == stacks.NoFrame || !own || b.Size < largeRoom || n < pooledLeast ||
		math.Abs(s.Now.Objects-n) > sameNumber*n {
		return f, false
	}
	f = stayingFinding(r, h, s, capNotice, fmt.Sprintf("Each of the %s goroutines at work there has one", count(n)))
	f.Score = min(heldScale().Score(s.Now.Bytes), capNotice)
	f.Title = fmt.Sprintf("Each of %s goroutines has an object of %s made at %s: %s", count(n), size(b.Size),
		r.Place(b.Line), size(s.Now.Bytes))
	f.Explanation = "A channel, a slice or a buffer has all of its room from the moment it is made, used or not."
	f.Remedies = []casefile.Remedy{lessRoom(r.Place(b.Line), b.Size, ""), whoHolds()}
	return f, true
}

// lessRoom is for objects that are made with more room than is used.
func lessRoom(at string, each float64, why string) casefile.Remedy {
	return doChange("Make it smaller", fmt.Sprintf("At %s: %sa channel needs the capacity that its reader may be "+
		"behind, some tens mostly; a buffer that of one piece, 4 KiB mostly; a slice can grow. Each now has room for %s.",
		at, why, size(each)), "a sender waits, or drops, when a small channel is full")
}

// mostHeldLine is what one line holds of a large heap, and the capture that tells whether it grows; nil if no line
// holds at least so many bytes, and half of the heap.
func mostHeldLine(h *hold.Heap, least float64) (s *hold.Sum, next string) {
	if h == nil {
		return nil, ""
	}
	if s = largestHeld(h); s == nil || s.Now.Bytes < least || s.Now.Bytes < heldShare*h.Now.Bytes {
		return nil, ""
	}
	if h.First == nil {
		return s, captureTwoHeaps
	}
	return s, captureLaterHeap
}

// largestHeld is what one line of the user's holds most of; without any, what a dependency holds.
func largestHeld(h *hold.Heap) *hold.Sum {
	for _, s := range hold.By(h.Held, hold.LineOf).Sorted(hold.AliveBytes) {
		switch {
		case s.Key != stacks.NoFrame:
			return s.Sum
		case s.Now.Bytes >= heldShare*h.Now.Bytes && h.Table.Entered(s.Held[0].Stack) != stacks.NoFrame:
			return s.Sum
		}
	}
	return nil
}

// heldAtTrip is the largest part of the heap, if a rule tripped by a signal of memory that has grown, and the growth is
// still there.
func heldAtTrip(r *Reading, h *hold.Heap) (f casefile.Finding, ok bool) {
	for _, trip := range r.Triggers {
		class, tripped := tripOf(trip)
		if !tripped || class != ofHeld {
			continue
		}
		signal, _ := tripSignal(r, trip, tripSignals(trip)[0])
		if signal.Value == nil || signal.Earlier == nil || signal.Unit != "bytes" {
			continue
		}
		grown := h.Grown().Bytes
		if h.First == nil || h.First.Taken.After(trip.Time) {
			grown = h.Now.Bytes - *signal.Earlier
		}
		s := largestHeld(h) // of many lines no one is the answer
		if s == nil || s.Now.Bytes < max(tripWorth, heldShare*h.Now.Bytes) || grown < tripGrowing*h.Now.Bytes ||
			s.Grown().Bytes <= 0 {
			return f, false
		}
		return stayingFinding(r, h, s, capUnsure, fmt.Sprintf("The signal of the rule that tripped was %s before",
			size(*signal.Earlier))+". "+fillingText), true
	}
	return f, false
}

// grewExactly is the line that holds most, where the live heap, which the runtime counts and does not sample, grew
// between the profiles by more than all that is alive elsewhere.
func grewExactly(r *Reading, h *hold.Heap) (f casefile.Finding, ok bool) {
	s, _ := mostHeldLine(h, heldWorth)
	g, two := r.Growth()
	if s == nil || !two || g.Same || !r.Started.IsZero() && g.Last.Taken.Sub(r.Started) < keptAge {
		return f, false
	}
	first, last, ok := around(r, g, vitals.HeapLive)
	grown := last - first
	if !ok || grown < max(minGrowth, minGrowthShare*first) || grown <= h.Now.Bytes-s.Now.Bytes ||
		cameAndWent(r, g, grown) != "" || trendOfLows(r) == slowing {
		return f, false
	}
	return stayingFinding(r, h, s, capNotice, fmt.Sprintf("In the last %s heap_live rose by %s, more than all that is "+
		"alive elsewhere", seconds(g.Seconds), size(grown))+". "+fillingText), true
}

// fillingText is what may be where nothing shows that it is no store.
const fillingText = "A store that is still filling looks the same"

// stayingFinding says what is alive at a line.
func stayingFinding(r *Reading, h *hold.Heap, s *hold.Sum, limit int, why string) casefile.Finding {
	share := min(s.Now.Bytes/h.Now.Bytes, 1)
	k := newKept(r, s)
	place, score := k.place(), limit
	if old := h.Last.Taken.Sub(r.Started).Hours(); !r.Started.IsZero() && old > 0 {
		score = min(max(memRateScale().Score(s.Now.Bytes/old), worthKnowing), limit)
	}
	f := findingOfHeld(h, s, 0)
	f.Title = fmt.Sprintf("Memory allocated at %s stays: %s in %s", place, size(s.Now.Bytes), objectsText(s.Now))
	f.Score, f.Confidence = score, Confidence(share, s.Samples/share) // of all samples, these are the share
	f.Summary = fmt.Sprintf("%s that %s allocated are alive: %s, %s of the live heap. %s.", objectsText(s.Now), place,
		size(s.Now.Bytes), percent(share), why)
	f.Where, f.Remedies = k.places(share), k.cures()
	k.tellOwner(&f, size(s.Now.Bytes)+" at "+place)
	return f
}

// findingOfHeld has what all findings about memory that stays say; grown is how many bytes came between two profiles, 0
// where nothing shows that.
func findingOfHeld(h *hold.Heap, s *hold.Sum, grown float64) casefile.Finding {
	live, least := max(h.Now.Bytes, 1), ""
	if grown > 0 {
		least = fmt.Sprintf("at least the %s added, ", size(grown))
	}
	share := min(s.Now.Bytes/live, 1)
	return casefile.Finding{
		Explanation: "Something that lives on refers to what is allocated there: a map or slice that nobody shrinks, a " +
			"cache without a limit, a list of subscribers, a goroutine that does not end.",
		Evidence: Basis(h.Last),
		Impact: ofMemory(share, grown/live, share, size(s.Now.Bytes)+" are held", least+
			fmt.Sprintf("at most all %s of %s live", size(s.Now.Bytes), size(live))),
	}
}

// objectsText is a number of objects and their size: "7,129 objects of 48 KiB".
func objectsText(c hold.Count) string {
	if math.Round(c.Objects) <= 1 {
		return "1 object"
	}
	return fmt.Sprintf("%s of %s", things(c.Objects, "object"), size(c.Bytes/c.Objects))
}

// A kept is what one line or function keeps in memory, as findings and remedies are told of it.
type kept struct {
	*hold.Sum
	r     *Reading
	fn    stacks.FuncID    // whose line it is
	line  stacks.FrameID   // the user's; stacks.NoFrame where none leads there
	calls stacks.FrameID   // what that line calls; where a dependency runs without one, what of it keeps the memory
	stack []stacks.FrameID // by which most of it was made
	each  hold.Count       // what each call keeps

	foreign bool // a dependency runs without a line of the user's
	shared  bool // fn calls those that make it
	inPlace bool // it is a block that append makes larger
}

// newKept is about the largest of what is held. What is below no line of the user's is kept where all of it enters a
// dependency, or else where the largest is made.
func newKept(r *Reading, s *hold.Sum) *kept {
	b := s.Held[0]
	k := &kept{Sum: s, r: r, fn: r.Table.FuncID(b.Line), line: b.Line, calls: b.Enter, stack: b.Stack}
	if b.Line != stacks.NoFrame {
		return k
	}
	k.foreign, k.calls = true, r.Table.Entered(b.Stack)
	if k.calls == stacks.NoFrame || slices.ContainsFunc(s.Held, func(o *hold.Held) bool {
		return r.Table.Entered(o.Stack) != k.calls
	}) {
		k.calls = b.At
	}
	return k
}

// place is the user's line, or the dependency's where none leads there.
func (k *kept) place() string {
	if k.foreign {
		return k.r.Place(k.calls)
	}
	return k.r.Place(k.line)
}

// places are the user's line, and the dependency's beside it.
func (k *kept) places(share float64) (out []casefile.Frame) {
	b, role := k.Held[0], "allocates what stays (share of the live heap)"
	add := func(id stacks.FrameID, role string) { out = append(out, k.r.Frame(id, share, role)) }
	if !k.foreign {
		add(b.Line, role)
		if b.Enter != stacks.NoFrame {
			add(b.Enter, "what it calls")
		}
		if b.At != b.Enter && b.At != b.Line {
			add(b.At, "where that allocates")
		}
		return out
	}
	if k.calls != b.At {
		add(k.calls, "keeps what is allocated below it (share of the live heap)")
	}
	add(b.At, "allocates what stays, in a dependency (share of the live heap)")
	if in := k.r.Table.Entered(b.Stack); in != stacks.NoFrame {
		out = append(out, waysTo(k.r, k.r.Table.FuncID(b.At), in)...)
	}
	return out
}
