package diagnose

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose/hold"
	"github.com/gocasebook/casebook/diagnose/known"
	"github.com/gocasebook/casebook/diagnose/stacks"
)

// What is kept whole: of many stacks all that they ever allocated is alive. What a call needs for itself is on other
// stacks, and those have freed: sums over a line or a function hide the one behind the other.

// Bounds of what is kept whole.
const (
	keptShare  = 0.3             // of the live heap below one call
	keptAge    = 3 * time.Minute // of the process: what is read at a start is there by then
	keptEarly  = time.Minute     // if it cannot be a store that fills
	keptEach   = 0.5             // objects for each request that was ever served
	keptNew    = 2               // sampled allocations that came between the profiles
	keptSlower = 3               // times fewer than the steady rate since the start: it fills up
)

// neverFreed is the call that keeps much of the heap of which nothing was ever freed, and that goes on keeping it as
// fast as since the start: it alone, or with all that is kept whole beside it, if that is most of the heap.
func neverFreed(r *Reading, h *hold.Heap) (f casefile.Finding, ok bool) {
	if h.First == nil || r.Started.IsZero() {
		return f, false
	}
	old, span := h.Last.Taken.Sub(r.Started), h.Last.Taken.Sub(h.First.Taken)
	if old < keptEarly || span <= 0 {
		return f, false
	}
	live := h.Now.Bytes
	if pooled := h.Sum(func(b *hold.Held) bool { return b.Pooled(r.Table) }); pooled != nil {
		live -= pooled.Now.Bytes
	}
	calls := slices.DeleteFunc(h.KeptWhole().Sorted(func(s *hold.Sum) float64 {
		if s.Held[0].Line != stacks.NoFrame { // those of the user's first
			return s.Now.Bytes + h.Now.Bytes
		}
		return s.Now.Bytes
	}), func(c hold.Keyed[hold.Call]) bool { return c.Came().Bytes <= 0 })
	var all hold.Sum
	for _, c := range calls {
		all.AddAll(c.Held)
	}
	goesOn := func(s *hold.Sum) bool {
		came := s.Came()
		samples := min(came.Bytes/h.Rate, came.Objects)
		return s.Samples >= hold.LeastKept && samples >= keptNew &&
			samples*keptSlower >= s.Samples*span.Seconds()/old.Seconds()
	}
	together := all.Now.Bytes >= heldShare*live && goesOn(&all)
	for _, c := range calls {
		k, s := c.Key, c.Sum
		if s.Now.Bytes < keptShare*live || s.Samples < hold.LeastKept/2 || !together && !goesOn(s) ||
			k.Line == stacks.NoFrame && k.Enter == stacks.NoFrame || oneForEachGoroutine(r, s) ||
			old < keptAge && noStore(r, h, k, s) == "" {
			continue
		}
		came := &all
		if !together {
			came = s
		}
		f = stayingFinding(r, h, s, capNotice, fmt.Sprintf("All that was ever made there is alive, and %s came in the "+
			"last %s. %s", size(came.Came().Bytes), seconds(span.Seconds()), cmp.Or(noStore(r, h, k, s), fillingText)))
		return f, s.Now.Bytes >= tripWorth || f.Score > worthKnowing
	}
	return f, false
}

// keptAgain is a constructor of a dependency that requests call again, of which a part is never freed while the rest is:
// nobody has what it returned, and the dependency keeps the part. No age of the process is needed for that.
func keptAgain(r *Reading, h *hold.Heap) (f casefile.Finding, ok bool) {
	for _, c := range h.KeptWhole().Sorted(hold.AliveBytes) {
		if c.Now.Bytes < keptShare*h.Now.Bytes || c.Samples < hold.LeastKept {
			break
		}
		if !constructsAgain(r, h, c.Key) || oneForEachGoroutine(r, c.Sum) || h.First != nil && c.Came().Bytes <= 0 {
			continue
		}
		name := short(r.Table.Func(c.Key.Enter).Name)
		f = stayingFinding(r, h, c.Sum, capNotice, fmt.Sprintf("All of them that %s ever made are alive, and most else that "+
			"it makes is freed: nobody has what it returned", name))
		f.Title = fmt.Sprintf("What %s makes for each request at %s stays: %s", name, r.Place(c.Key.Line),
			size(c.Now.Bytes))
		return f, true
	}
	return f, false
}

// constructsAgain reports whether a call is of a dependency's constructor, made by a request, and most of what it makes
// beside what is kept whole is freed.
func constructsAgain(r *Reading, h *hold.Heap, call hold.Call) bool {
	if call.Line == stacks.NoFrame || call.Enter == stacks.NoFrame {
		return false
	}
	f := r.Table.Func(call.Enter)
	if f.Owner != stacks.Dependency || isMethod(f) || !known.MakesByName(f.Name) {
		return false
	}
	rest := h.Sum(func(b *hold.Held) bool {
		return b.Call() == call && !b.WholeIsAlive() && r.Table.Has(b.Stack, withRole(known.BeginsRequest))
	})
	return rest != nil && min(rest.Made.Bytes/h.Rate, rest.Made.Objects) >= hold.LeastKept/2 &&
		rest.Now.Bytes <= rest.Made.Bytes/2
}

// openLeast is how many sampled allocations show that records stay: if one in two were freed, five that are all alive
// would be chance one time in thirty, and they tell how many there are within a factor of two.
const openLeast = 5

// leftOpen is a notice of what a line of the user's begins and only another call of its ends: the records that the
// library has of each, all alive, many more than goroutines can use. No growth has to show it, nor any age.
func leftOpen(r *Reading, h *hold.Heap) (f casefile.Finding, ok bool) {
	open, made := make(hold.Sums[hold.Call]), 0.0
	for _, b := range h.Held {
		made += b.Made.Bytes
		if row, by := hold.Begins(r.Table, b.Inside()); row != nil && r.Table.Func(b.At).Package == by.Package &&
			b.WholeIsAlive() {
			open.Add(b.Call(), b)
		}
	}
	call, s := open.Most(hold.AliveBytes)
	if s == nil || s.Samples < openLeast || s.Now.Bytes < keptShare*h.Now.Bytes || oneForEachGoroutine(r, s) ||
		made < 2*h.Now.Bytes { // else nothing has been collected
		return f, false
	}
	row, by := hold.Begins(r.Table, s.Held[0].Inside())
	f = stayingFinding(r, h, s, capNotice, fmt.Sprintf("They are the records of what %s began: all that were ever made "+
		"are alive, many more than goroutines could use", short(by.Name)))
	f.Title = fmt.Sprintf("What %s begins at %s is not ended: %s of records", short(r.Table.Func(call.Enter).Name),
		r.Place(call.Line), size(s.Now.Bytes))
	f.Remedies = []casefile.Remedy{endAsKnown(r.Place(call.Line), row), whoHolds()}
	return f, true
}

// growsAsKnown is a notice of what a row says grows by what it is given: much of the heap is below its function, made by
// work, and all of that was ever made there is alive. However young the process is, the row knows that nothing ends it.
func growsAsKnown(r *Reading, h *hold.Heap) (f casefile.Finding, ok bool) {
	e, rows, made := r.experts(), make(hold.Sums[*known.Advice]), 0.0
	grows := func(a *known.Advice) bool { return a.About == known.AboutGrowth && a.Show(known.Holding) }
	for _, b := range h.Held {
		made += b.Made.Bytes
		if on := e.on(e.frames(b.Stack), grows); len(on) > 0 && b.WholeIsAlive() && !r.Table.Has(b.Stack, isAtStart) {
			rows.Add(on[0].advice, b)
		}
	}
	_, s := rows.Most(hold.AliveBytes)
	if s == nil || s.Samples < openLeast || s.Now.Bytes < max(keptShare*h.Now.Bytes, minGrowth) || made < 2*h.Now.Bytes {
		return f, false
	}
	said := e.on(e.frames(s.Held[0].Stack), grows)[0]
	f = stayingFinding(r, h, s, capNotice, "All that was ever made there is alive. "+strings.TrimSuffix(said.advice.Why, "."))
	f.Title = fmt.Sprintf("%s: %s at %s", asTitle(said.advice.Says), size(s.Now.Bytes), newKept(r, s).place())
	f.Explanation, f.Remedies = said.reason(), append(said.cures(newKept(r, s).place()), whoHolds())
	return f, true
}

// oneForEachGoroutine reports whether there are not many more objects of any stack than goroutines: then each may keep
// its own, and they are what does not end.
func oneForEachGoroutine(r *Reading, s *hold.Sum) bool {
	set := r.Goroutines()
	if set == nil {
		return false
	}
	most := 0.0
	for _, b := range s.Held {
		most = max(most, b.Now.Objects)
	}
	return most <= heldEach*float64(set.Total(set.Count()))
}

// noStore says why what a call keeps is not a store that fills: requests that have ended hang on it, what the call
// returned was dropped, or there is one for each request, and a store has hits. "" if it may be one.
func noStore(r *Reading, h *hold.Heap, k hold.Call, s *hold.Sum) string {
	if _, begins, _, ok := endIn(r, func(o *hold.Sum) bool {
		return k.Line != stacks.NoFrame && r.Table.FuncID(o.Held[0].Line) == r.Table.FuncID(k.Line)
	}); ok {
		return fmt.Sprintf("What %s began there stays until it is ended", short(r.Table.Func(begins).Name))
	}
	if kept := r.served(); kept != nil {
		return fmt.Sprintf("Requests that have ended are kept, too: %s of what the server made for them",
			size(kept.Now.Bytes))
	}
	if k.Line != stacks.NoFrame && k.Enter != stacks.NoFrame && dropsMost(h, k.Line, k.Enter) {
		return "Most else that the same call makes is freed"
	}
	served := servedRequests(r, h)
	if served == nil || served.Samples(served.Made) < hold.LeastWhole ||
		s.MostSampled().Now.Objects < keptEach*served.Made.Objects {
		return ""
	}
	return "It is about one for each request that was ever served"
}

// endIn is the call, of those that match, that keeps whole what only another call ends, and how that ends; false without
// one.
func endIn(r *Reading, match func(*hold.Sum) bool) (line, begins stacks.FrameID, row *known.Row, ok bool) {
	most := 0.0
	for k, s := range r.holds().KeptWhole() {
		if k.Line == stacks.NoFrame || k.Enter == stacks.NoFrame || s.Now.Bytes <= most || !match(s) ||
			oneForEachGoroutine(r, s) {
			continue
		}
		for _, b := range s.Held {
			if how := hold.Ends(r.Table, b.Inside()); how != nil {
				line, begins, row, most = k.Line, k.Enter, how, s.Now.Bytes
			}
		}
	}
	return line, begins, row, row != nil
}

// servedRequests is what the server has made most certainly once for each request that was ever served; nil if it has
// not served any.
func servedRequests(r *Reading, h *hold.Heap) (served *hold.Held) {
	for _, b := range h.Held {
		if b.Line == stacks.NoFrame && r.Table.Entered(b.Stack) == stacks.NoFrame &&
			r.Table.Has(b.Stack, withRole(known.BeginsRequest)) &&
			(served == nil || b.Samples(b.Made) > served.Samples(served.Made)) {
			served = b
		}
	}
	return served
}

// A keptServed is what the server made for requests that have ended, and that is kept below no line of the user's.
type keptServed struct {
	hold.Sum
	by   stacks.FrameID // the user's line with most of what requests keep beside; NoFrame without one
	text bool           // it is all of one function, and what others made for the same requests is gone
}

// servedKept is what is kept of requests that have ended: hardly anything of it was ever freed, and it is many more
// than are in progress; nil without any.
func servedKept(r *Reading) *keptServed {
	h := r.holds()
	if h == nil {
		return nil
	}
	at, lines := make(hold.Sums[stacks.FuncID]), make(hold.Sums[stacks.FrameID])
	for _, b := range h.Held {
		switch {
		case b.Line != stacks.NoFrame && r.Table.Has(b.Stack, withRole(known.BeginsRequest)):
			lines.Add(b.Line, b)
		case b.Line == stacks.NoFrame && r.Table.Has(b.Stack, withWork(known.ReadsRequest)):
			at.Add(r.Table.FuncID(b.At), b) // and not what it made for the connection
		}
	}
	out, kept, gone := &keptServed{by: stacks.NoFrame}, 0, 0.0
	for _, fn := range slices.Sorted(maps.Keys(at)) { // equals are told by the first
		s := at[fn]
		switch samples := min(s.Made.Bytes/h.Rate, s.Made.Objects); {
		case samples < hold.LeastWhole:
		case s.Now.Bytes >= textKept*s.Made.Bytes:
			kept++
			out.AddAll(s.Held)
		default:
			gone += samples
		}
	}
	if out.Samples < hold.LeastKept || oneForEachGoroutine(r, &out.Sum) {
		return nil
	}
	if line, most := lines.Most(hold.AliveBytes); most != nil {
		out.by = line
	}
	out.text = kept == 1 && gone >= hold.LeastWhole
	return out
}

// says is what is kept, and what to keep instead.
func (k *keptServed) says() (what string, cure casefile.Remedy) {
	if k.text {
		return "The text of requests that have ended is kept", doChange("Copy the part that is kept", "A path or a header "+
			"is cut out of the text of its request and keeps all of it: use strings.Clone on what outlives the request, such "+
			"as the key of a map.", "a small allocation per part")
	}
	return "Requests that have ended are kept", doChange("Keep what is needed of the request, and not the request",
		"Something keeps the *http.Request, its context or its header: a closure, a goroutine, a logger that is stored. Copy "+
			"the values that are needed before the handler returns, or delete the entry when the request ends.", "none")
}

// requestsKept says what of ended requests is kept, if it is much of the heap, and what to keep of them instead.
func requestsKept(r *Reading, h *hold.Heap) (f casefile.Finding, ok bool) {
	k := r.served()
	if k == nil || k.Now.Bytes < keptShare*h.Now.Bytes {
		return f, false
	}
	what, cure := k.says()
	limit := capNotice
	if !r.Started.IsZero() && h.Last.Taken.Sub(r.Started) >= keptAge {
		limit = capUnsure
	}
	f = stayingFinding(r, h, &k.Sum, limit, what+": the server made them, many more than there are goroutines, and "+
		"hardly any was ever freed")
	f.Title = fmt.Sprintf("%s: %s in %s", what, size(k.Now.Bytes), objectsText(k.Now))
	if k.by != stacks.NoFrame {
		f.Title += ", most likely by " + r.Place(k.by)
		f.Where = append([]casefile.Frame{r.Frame(k.by, f.Impact.Share, "keeps something of each request")}, f.Where...)
	}
	f.Remedies = []casefile.Remedy{cure, whoHolds()}
	return f, f.Score > worthKnowing
}

// dropsMost reports whether a function that the user's line calls has made much more that was freed than what is kept:
// its result was dropped, most likely, and the dependency keeps a part. A method may need as much for itself.
func dropsMost(h *hold.Heap, line, enter stacks.FrameID) bool {
	f := h.Table.Func(enter)
	if isMethod(f) {
		return false
	}
	kept := h.KeptWhole()[hold.Call{Line: line, Enter: enter}]
	all := h.Sum(func(b *hold.Held) bool {
		return b.Line == line && b.Enter != stacks.NoFrame && h.Table.Func(b.Enter) == f
	})
	return kept != nil && kept.Samples >= hold.LeastKept/2 && all.Made.Bytes-all.Now.Bytes >= kept.Now.Bytes
}
