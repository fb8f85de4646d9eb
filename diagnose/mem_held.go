package diagnose

import (
	"fmt"
	"math"
	"slices"
	"strings"

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

// stayingRows are what is said of memory that stays, of which two profiles do not measure a growth: the first that
// fits.
func stayingRows() []func(*Reading, *hold.Heap) (casefile.Finding, bool) {
	return []func(*Reading, *hold.Heap) (casefile.Finding, bool){leftOpen, heldAtTrip, neverFreed, requestsKept,
		grewExactly, roomEach, retained}
}

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
	for _, row := range stayingRows() {
		if f, ok := row(r, h); ok {
			return found(f)
		}
	}
	s, next := mostHeldLine(h)
	if s == nil {
		return Answer{}
	}
	return undecided(fmt.Sprintf("%s are held at %s, %s of the live heap (%s); whether they grow, this evidence does "+
		"not show", size(s.Now.Bytes), heldPlace(r, s), percent(s.Now.Bytes/h.Now.Bytes), objectsText(s.Now)), next)
}

// heldScale is in bytes that one line holds of which nothing tells whether they grow.
func heldScale() Scale { return Scale{Worth: heldWorth, Hurts: 16 << 30} }

// retained is a notice of what a line holds after the work that made it, where the profiles do not show whether it
// grows: many more objects than goroutines are in the functions that lead there, made by work and not by main, which
// may have read them at the start.
func retained(r *Reading, h *hold.Heap) (f casefile.Finding, ok bool) {
	s, _ := mostHeldLine(h)
	if s == nil || s.Held[0].Line == stacks.NoFrame || len(r.Moments()) == 0 || r.Table.Has(s.Held[0].Stack, isAtStart) ||
		s.Now.Objects <= heldEach*float64(atWork(r, s.Held[0].Stack)+1) {
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
	f.Explanation = "What reflect makes of fields in another order, or of another length, is another type. Each stays " +
		"as long as the process, with all that packages such as encoding/json have worked out about it."
	f.Where, f.Remedies = nil, []casefile.Remedy{oneType(at)}
	lines := hold.By(s.Held, hold.LineOf)
	for _, b := range s.Held {
		if of := lines[b.Line]; of.Held[0] == b {
			f.Where = append(f.Where, r.Frame(b.Line, min(of.Now.Bytes/h.Now.Bytes, 1), "allocates what stays (share of the "+
				"live heap)"))
		}
	}
	return f, true
}

// oneType is for types that are made again and again.
func oneType(at string) casefile.Remedy {
	return doChange("Make one type for the same fields", fmt.Sprintf("At %s: sort the fields by name before they make a "+
		"type, and keep the type by what it is made of, so that the same input gives the same type; where inputs differ "+
		"without bound, encode or keep a map in place of a struct.", at), "none")
}

// isAtStart knows what runs once, before there is work.
func isAtStart(f *stacks.Func) bool { return isMain(f) || isInit(f.Name) }

// roomEach is a notice of a line of the user's own that makes one large object for each goroutine that is at work
// there: a channel, a slice or a reader's buffer, made in its full size.
func roomEach(r *Reading, h *hold.Heap) (f casefile.Finding, ok bool) {
	s, _ := mostHeldLine(h)
	if s == nil {
		return f, false
	}
	b, n := s.Held[0], float64(atWork(r, s.Held[0].Stack))
	own := b.Enter == stacks.NoFrame || r.Table.Func(b.At).Does(known.MakesStream)
	if b.Line == stacks.NoFrame || !own || b.Size < trailBlock || n < pooledLeast ||
		math.Abs(s.Now.Objects-n) > sameNumber*n {
		return f, false
	}
	f = stayingFinding(r, h, s, capNotice, fmt.Sprintf("Each of the %s goroutines at work there has one", count(n)))
	f.Score = min(heldScale().Score(s.Now.Bytes), capNotice)
	f.Title = fmt.Sprintf("Each of %s goroutines has an object of %s made at %s: %s", count(n), size(b.Size),
		r.Place(b.Line), size(s.Now.Bytes))
	f.Explanation = "A channel, a slice or a buffer has all of its room from the moment it is made, used or not, and as " +
		"long as what refers to it. With twice as many goroutines at work it is twice as much."
	f.Remedies = []casefile.Remedy{doChange("Make it smaller", fmt.Sprintf("At %s: a channel needs the capacity that "+
		"its reader may be behind, some tens mostly; a buffer for reading or writing that of "+
		"one piece, 4 KiB mostly; and a slice can grow with what is in it. Each now has room for %s.",
		r.Place(b.Line), size(b.Size)), "a sender waits, or drops, when a small channel is full"), whoHolds()}
	return f, true
}

// mostHeldLine is what one line holds of a large heap, and the capture that tells whether it grows; nil if no line
// holds so much.
func mostHeldLine(h *hold.Heap) (s *hold.Sum, next string) {
	if h == nil {
		return nil, ""
	}
	if s = largestHeld(h); s == nil || s.Now.Bytes < heldWorth || s.Now.Bytes < heldShare*h.Now.Bytes {
		return nil, ""
	}
	if h.First == nil {
		return s, captureTwoHeaps
	}
	return s, captureLaterHeap
}

// largestHeld is what one line of the user's holds most of; without any, what a dependency holds.
func largestHeld(h *hold.Heap) *hold.Sum {
	for _, s := range h.ByLine() {
		switch {
		case s.Held[0].Line != stacks.NoFrame:
			return s
		case s.Now.Bytes >= heldShare*h.Now.Bytes && h.Table.Entered(s.Held[0].Stack) != stacks.NoFrame:
			return s
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
	s, _ := mostHeldLine(h)
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
	place := heldPlace(r, s)
	score := limit
	if old := h.Last.Taken.Sub(r.Started).Hours(); !r.Started.IsZero() && old > 0 {
		score = min(max(memRateScale().Score(s.Now.Bytes/old), worthKnowing), limit)
	}
	f := findingOfHeld(h, s, 0)
	f.Title = fmt.Sprintf("Memory allocated at %s stays: %s in %s", place, size(s.Now.Bytes), objectsText(s.Now))
	f.Score, f.Confidence = score, Confidence(share, s.Samples/share) // of all samples, these are the share
	f.Summary = fmt.Sprintf("%s that %s allocated are alive: %s, %s of the live heap. %s.", objectsText(s.Now), place,
		size(s.Now.Bytes), percent(share), why)
	f.Where, f.Remedies = heldWhere(r, s, share), remediesOfHeld(r, s)
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
			"cache without a limit, a list of subscribers, a goroutine that does not end. The collector cannot free it and " +
			"visits it in every cycle, and the process ends when it runs out of memory.",
		Evidence: Basis(h.Last),
		Impact: casefile.Impact{Resource: effectMemory, Share: roundShare(share), Text: size(s.Now.Bytes) + " are held",
			Gain: casefile.Gain{Low: roundShare(grown / live), High: roundShare(share), Arithmetic: least +
				fmt.Sprintf("at most all %s of %s live", size(s.Now.Bytes), size(live))}},
	}
}

// objectsText is a number of objects and their size: "7,129 objects of 48 KiB".
func objectsText(c hold.Count) string {
	if math.Round(c.Objects) <= 1 {
		return "1 object"
	}
	return fmt.Sprintf("%s of %s", things(c.Objects, "object"), size(c.Bytes/c.Objects))
}

// heldPlace is the user's line, or the dependency's where none leads there.
func heldPlace(r *Reading, s *hold.Sum) string {
	if b := s.Held[0]; b.Line != stacks.NoFrame {
		return r.Place(b.Line)
	} else if in := keptBehind(r, s); in != stacks.NoFrame {
		return r.Place(in)
	}
	return r.Place(s.Held[0].At)
}

// keptBehind is where all of a sum that is below no line of the user's enters a dependency; NoFrame without one.
func keptBehind(r *Reading, s *hold.Sum) stacks.FrameID {
	in := r.Table.Entered(s.Held[0].Stack)
	for _, b := range s.Held {
		if r.Table.Entered(b.Stack) != in {
			return stacks.NoFrame
		}
	}
	return in
}

// heldWhere are the user's line, and the dependency's beside it.
func heldWhere(r *Reading, s *hold.Sum, share float64) (out []casefile.Frame) {
	b := s.Held[0]
	if b.Line == stacks.NoFrame {
		if in := keptBehind(r, s); in != stacks.NoFrame {
			out = append(out, r.Frame(in, share, "keeps what is allocated below it (share of the live heap)"))
		}
		out = append(out, r.Frame(b.At, share, "allocates what stays, in a dependency (share of the live heap)"))
		if in := r.Table.Entered(b.Stack); in != stacks.NoFrame {
			out = append(out, waysTo(r, r.Table.FuncID(b.At), in)...)
		}
		return out
	}
	out = append(out, r.Frame(b.Line, share, "allocates what stays (share of the live heap)"))
	if b.Enter != stacks.NoFrame {
		out = append(out, r.Frame(b.Enter, share, "what it calls"))
	}
	if b.At != b.Enter && b.At != b.Line {
		out = append(out, r.Frame(b.At, share, "where that allocates"))
	}
	return out
}

// remediesOfHeld are what the user can do about what stays: by whose function made it.
func remediesOfHeld(r *Reading, s *hold.Sum) []casefile.Remedy {
	b := s.Held[0]
	if end, ok := endsThere(r, r.Table.FuncID(b.Line)); ok {
		return []casefile.Remedy{end, whoHolds()}
	}
	switch {
	case b.Line == stacks.NoFrame:
		if in := keptBehind(r, s); in != stacks.NoFrame {
			return foreignRemedies(r, in, b.Stack)
		}
		return foreignRemedies(r, b.At, b.Stack)
	case keptInside(r, s):
		return throughRemedies(r, b.Line, b.Enter, b.Stack)
	}
	return ownRemedies(r, short(r.Table.Func(b.Line).Name), s)
}

// keptInside reports whether a dependency keeps what a line of the user's has it make, and not the user's own code, of
// which no container grows beside the call: a method's receiver may, a function only if it is seen to, or if it makes
// contexts.
func keptInside(r *Reading, s *hold.Sum) bool {
	h, b := r.holds(), s.Held[0]
	if b.Enter == stacks.NoFrame || r.Table.Func(b.Enter).Owner != stacks.Dependency || b.Pooled(r.Table) {
		return false
	}
	if keeper := h.Keeper(s); keeper != stacks.NoFrame && r.Table.FuncID(keeper) == r.Table.FuncID(b.Line) {
		return false
	}
	return isMethod(r.Table.Func(b.Enter)) || h.KeptWithin(s) || dropsMost(r, h, b.Line, b.Enter) ||
		servedKept(r, h) != nil || r.Table.Has(b.Stack, withWork(known.DerivesContext))
}

func whoHolds() casefile.Remedy {
	return withName(whoRemedy, doChange("See who holds it", "A profile shows what allocated the memory, not what "+
		"refers to it. A heap dump does: casebook capture --heap-refs URL, or casebook.WriteHeapDump and casebook heap.",
		"the process stands still for seconds for each GiB of its heap"))
}

// ownRemedies are for memory that the user's function makes, at the lines of a sum. A map or list that grows beside it
// is to be bounded; where none does, a bound is a guess, and comes second.
func ownRemedies(r *Reading, name string, s *hold.Sum) []casefile.Remedy {
	bound := aBound(fmt.Sprintf("Find what keeps the objects of %s, limit it by number or bytes, and expire "+
		"old entries; delete an entry where its owner ends.", name),
		"dropped entries must be made or fetched again")
	if b := s.Held[0]; r.Table.Has(b.Stack, withWork(known.DerivesLogger)) {
		return []casefile.Remedy{letDerivedGo(r.Place(b.Line)), whoHolds()}
	}
	keeper := r.holds().Keeper(s)
	if each, ok := r.holds().EachCall(s); ok && each.Objects >= treeObjects && each.Bytes >= inputObject {
		if first := s.Held[0].Line; slices.ContainsFunc(s.Held, func(b *hold.Held) bool {
			return b.Line == first && r.Table.Has(b.Inside(), parses)
		}) {
			return []casefile.Remedy{copyNeeded(r, s.Held[0], each), bound, whoHolds()}
		}
		return []casefile.Remedy{closeEach(r, s.Held[0], each), bound, whoHolds()}
	}
	if line, store := r.holds().Store(s); keeper == stacks.NoFrame && line != stacks.NoFrame {
		return []casefile.Remedy{dropOld(r, line, store), whoHolds()}
	}
	if keeper == stacks.NoFrame && r.holds().KeptByReceiver(s) {
		return []casefile.Remedy{keepsNames(r, s.Held[0]), whoHolds()}
	}
	if keeper == stacks.NoFrame {
		return []casefile.Remedy{findReference(r.Place(s.Held[0].Line)), bound, whoHolds()}
	}
	bound.Text = fmt.Sprintf("A map, slice or list that grows at %s most likely keeps the objects of %s: limit it by "+
		"number or bytes, and expire old entries; delete an entry where its owner ends.", r.Place(keeper), name)
	return []casefile.Remedy{bound,
		takePackage("A cache with a bound", "If it is a cache: github.com/gocasebook/casebook/remedy/cache keeps "+
			"entries where the collector does not visit them; github.com/maypok86/otter/v2 or "+
			"github.com/elastic/go-freelru evict by size and age; a plain map does neither.", "a dependency"),
		whoHolds(),
	}
}

// treeObjects is from how many objects that one call made, and that are all kept, they are a whole of many parts: the
// tree of a document, a decoded table. A value has few.
const treeObjects = 100

func parses(f *stacks.Func) bool { return known.ParsesByName(f.Name) }

// closeEach is for what a call of a library made of no input, and which is kept as a whole.
func closeEach(r *Reading, b *hold.Held, each hold.Count) casefile.Remedy {
	return doChange("Close each when its work is done, which a finalizer may never do", fmt.Sprintf("At %s: of what each "+
		"call of %s makes, about %s stay, %s, which is all of a result. Call the Close of what it returned, on every path, "+
		"or make one and keep it. A finalizer does not do that: an object that has one, and is part of a cycle of pointers, "+
		"is never freed, nor what it refers to; take it away, or set a cleanup (runtime.AddCleanup).", r.Place(b.Line),
		short(r.Table.Func(b.Enter).Name), things(each.Objects, "object"), size(each.Bytes)), "none")
}

// copyNeeded is for what a call of a library made as a whole, and which is kept as a whole.
func copyNeeded(r *Reading, b *hold.Held, each hold.Count) casefile.Remedy {
	return doChange("Keep what is needed of each result", fmt.Sprintf("At %s: of what each call of %s makes, about %s "+
		"stay, %s, which is all of a result. A part of it that is kept (a node, a selection, an element) keeps the whole, "+
		"because the parts refer to each other: copy what is needed (strings.Clone of its text), and let the rest go. If "+
		"whole results are wanted, limit them by bytes.", r.Place(b.Line), short(r.Table.Func(b.Enter).Name),
		things(each.Objects, "object"), size(each.Bytes)), "none")
}

// keepsNames is for what the receiver of a method of the standard library keeps by name.
func keepsNames(r *Reading, b *hold.Held) casefile.Remedy {
	f := r.Table.Func(b.Enter)
	of, _ := stacks.Receiver(f.Name)
	return doChange("Let what is called end with the work, or call it once for each name", fmt.Sprintf("A map grows below "+
		"%s, called at %s: the %s that it is called on, or the set that this belongs to, keeps an entry for each name that "+
		"it is given, with what was made for it, and lives on. Call it on a copy that ends with the work (its Clone, if it "+
		"has one) or on a new one, or keep what it returned for the next time with the same name.", short(f.Name),
		r.Place(b.Line), of), "none")
}

// dropOld is for what a library's store keeps, which a line calls.
func dropOld(r *Reading, line, store stacks.FrameID) casefile.Remedy {
	f := r.Table.Func(store)
	if row, ok := known.Remover(f.Package); ok && !everRuns(r, withRole(known.RemovesOld)) {
		return endAsKnown(r.Place(line), row)
	}
	return doChange("Have its store drop what is old", fmt.Sprintf("As many objects are alive below %s, called at %s: "+
		"most likely it keeps what is made. Give it a capacity, delete what has ended, and see that somebody removes what "+
		"has expired: in some stores only a loop does that you start, or a call that you make from time to time.",
		short(f.Name), r.Place(line)), "dropped entries must be made or fetched again")
}

// everRuns reports whether a function is on the stack of any goroutine, of any moment.
func everRuns(r *Reading, match func(*stacks.Func) bool) bool {
	return slices.ContainsFunc(r.Moments(), func(set *stacks.Set) bool {
		return slices.ContainsFunc(set.Samples, func(s stacks.Sample) bool { return r.Table.Has(s.Stack, match) })
	})
}

// findReference is for what stays where no map or list is seen to grow with it.
func findReference(place string) casefile.Remedy {
	return doChange("Find what still refers to it", fmt.Sprintf("What is made at %s outlives the work that it was made "+
		"for, and no map or list is seen to grow beside it. Look there for a call that is deferred in a loop without "+
		"end, a context that is not cancelled, a goroutine or closure that stays, objects with a finalizer that refer to "+
		"each other, slots of a slice that are not cleared; and for few entries that keep much each, such as a part of "+
		"a document or a node of its tree: copy what is needed of it.", place), "none")
}

func fewerKeys(text string) casefile.Remedy {
	return doChange("Give it fewer different keys", text+" keeps one entry for each key (label value, name, address), "+
		"and keys mostly come from requests, such as a user or a path in a metric's label: leave it out, or map "+
		"unknown values to a single one.", "less detail")
}

// endedRequests is for what keeps the requests that have ended.
func endedRequests(place, calls, pkg string, kept float64) casefile.Remedy {
	return doChange("Delete the entry when the request ends", fmt.Sprintf("At %s: %s of what the server made for "+
		"requests is alive, and those requests have ended. Most likely %s stores something by the *http.Request, or keeps "+
		"the request, and nothing deletes it. Call the Clear or Delete that goes with it when the request ends (defer it in "+
		"the handler), with the same *http.Request: a middleware's WithContext makes another one. A newer version of %s "+
		"may keep it in the request's context, where it ends by itself.", place, size(kept), calls, pkg), "none")
}

func newerVersion(pkg string) casefile.Remedy {
	return doChange("Take a newer version, or report it", fmt.Sprintf("Check the change log of %s for a leak that was "+
		"repaired, and its settings for a limit or an expiry; report it with this profile if there is neither.", pkg),
		"an update to test")
}

// foreignRemedies are for what a dependency keeps below no line of the user's: keys from requests where it answers
// them, and else only itself.
func foreignRemedies(r *Reading, at stacks.FrameID, stack []stacks.FrameID) []casefile.Remedy {
	f := r.Table.Func(at)
	// a goroutine that something else began
	if n := len(stack); n == 0 || r.Table.Func(stack[n-1]).Owner != stacks.Dependency {
		return []casefile.Remedy{fewerKeys("The line is not the program's own. " + short(f.Name)),
			newerVersion(f.Package), whoHolds()}
	}
	return []casefile.Remedy{newerVersion(f.Package),
		doChange("Close what was made, or make fewer", fmt.Sprintf("%s runs in a goroutine of its own: call the "+
			"Close, Stop or Shutdown of what your code made of %s where it ends, and give it less to do meanwhile.",
			short(f.Name), f.Package), "none"), whoHolds()}
}

// letDerivedGo is for loggers that are made of another one, which does not keep them.
func letDerivedGo(place string) casefile.Remedy {
	return doChange("Do not keep what is derived", fmt.Sprintf("At %s a logger is made of another one, which does not "+
		"keep it. The program does: it adds each to a slice or map, or derives each from the last one. Derive it for the "+
		"work at hand, from the one that was made at the start, and let it go; where others must know of it, take it out "+
		"again when the work ends.", place), "none")
}

// throughRemedies are for what a dependency keeps for a line of the user's that calls it.
func throughRemedies(r *Reading, line, enter stacks.FrameID, stack []stacks.FrameID) []casefile.Remedy {
	f, place := r.Table.Func(enter), r.Place(line)
	if h := r.holds(); h != nil {
		if kept := servedKept(r, h); kept != nil && !kept.text {
			return []casefile.Remedy{endedRequests(place, short(f.Name), f.Package, kept.Now.Bytes),
				newerVersion(f.Package), whoHolds()}
		}
		if dropsMost(r, h, line, enter) {
			return []casefile.Remedy{doChange("Make it once, or stop it", fmt.Sprintf("At %s: each call of %s makes "+
				"something new. Most of it is freed: most likely what it returned was dropped, and %s still keeps a part. "+
				"Make it once and use it again (an argument is made at each call, even if a lookup then finds an older "+
				"one), and call the Stop, Close or Unregister of what is no longer needed.", place, short(f.Name), f.Package),
				"none"), newerVersion(f.Package), whoHolds()}
		}
	}
	if r.Table.Has(stack, withWork(known.DerivesLogger)) {
		return []casefile.Remedy{letDerivedGo(place), whoHolds()}
	}
	if r.Table.Has(stack, withWork(known.DerivesContext)) {
		return []casefile.Remedy{
			doChange("Cancel the context", fmt.Sprintf("%s makes contexts whose parent lives on and keeps each until it "+
				"is cancelled. Give each call a context of its own: ctx, cancel := context.WithCancel(parent); defer "+
				"cancel().", place), "none"), newerVersion(f.Package), whoHolds()}
	}
	if receiver, _, ok := strings.Cut(strings.TrimPrefix(f.Name, f.Package+"."), ")."); ok {
		receiver = strings.TrimPrefix(receiver, "(")
		return []casefile.Remedy{
			doChange("Make it once, or let the owner go", fmt.Sprintf("At %s: most likely the %s keeps something for "+
				"each call of %s. Call it once for each different input and keep the result, or make a new %s now and "+
				"then, or call the Close, Delete or Reset of it or of what it returned.", place, receiver,
				short(f.Name), strings.TrimPrefix(receiver, "*")), "none"),
			fewerKeys(fmt.Sprintf("At %s: perhaps %s", place, short(f.Name))), newerVersion(f.Package), whoHolds()}
	}
	return []casefile.Remedy{fewerKeys(fmt.Sprintf("At %s: %s", place, short(f.Name))),
		doChange("Delete what has ended", "Call the Delete, Remove or Close that goes with it where the owner ends, or "+
			"set the limit or expiry that the package has.", "none"), whoHolds()}
}
