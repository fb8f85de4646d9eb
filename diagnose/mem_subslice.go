package diagnose

import (
	"cmp"
	"context"
	"fmt"
	"math"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose/hold"
	"github.com/gocasebook/casebook/diagnose/known"
	"github.com/gocasebook/casebook/diagnose/stacks"
)

// subsliceScale is in shares of the live heap in whole inputs that are kept.
func subsliceScale() Scale { return Scale{Worth: 0.25, Hurts: 0.9} }

const (
	inputObject  = 4 << 10  // bytes on average: a page, a body, a line that is a document
	minInputs    = 64       // live at once: more than requests in flight
	minInputHeap = 16 << 20 // bytes
)

func memSubsliceRetained() Detector {
	return Detector{
		ID:    "MEM007",
		Kind:  "mem-subslice-retained",
		Title: "Whole inputs are kept alive, perhaps by small parts of them",
		Text: `A part of a slice or string keeps the whole array alive: body[10:42] keeps the body. Found where a
quarter of the live heap are 64 or more objects of 4 KiB or more, 16 MiB in all, that a function read whole
(io.ReadAll, os.ReadFile, bufio), or that a library or a line made of what the function has read, as many or as much;
and records whose lists of fields are gone (encoding/csv).

What holds them a profile does not show: a part that was cut out, a queue, a closure, or a cache that wants them whole.
So it is a notice, up to 74 if two captures show growth, and nothing while half as many goroutines read there.`,
		Needs:      needHeap("what is live is not in other evidence"),
		Before:     `id := body[from:to]; index[string(id)] = body[from:to] // each entry keeps its whole body`,
		After:      `index[string(id)] = bytes.Clone(body[from:to])`,
		Remedies:   subsliceRemedies(),
		Explains:   related(nil, "mem-limit-near"),
		Absorbs:    []Relation{{Kind: "mem-leak", If: SameFunction, Same: sameGrowth, Quiet: true}},
		NeedsPlace: true,
		Effect:     "Memory grows",
		IsHeld:     true,
		Run:        runMemSubslice,
	}
}

// A wholeInput is what one line of the user's keeps of whole inputs.
type wholeInput struct {
	hold.Sum
	line  stacks.FrameID
	reads bool // the line reads them itself
	parts bool // what is kept are certainly parts: the lists of them that were made with each are gone
}

// sameNumber is by how much two numbers of objects may differ that are one for each other.
const sameNumber = 0.1

// heldNow is what the heap held at the moment that is judged: with several, the growth is between the first and the
// last.
func heldNow(r *Reading) *hold.Heap {
	if h := r.holds(); h != nil && r.heap().set == h.Last {
		return h
	}
	return r.heap().held()
}

// wholeInputs are the lines that keep whole inputs: those that a function reads, and those that a library makes of what
// the function has read, one object of an input's size for each, or no more bytes than were read.
func wholeInputs(r *Reading, h *hold.Heap) map[stacks.FrameID]*wholeInput {
	readers := r.Funcs(withWork(known.ReadsWhole))
	reads := func(b *hold.Held) bool {
		_, hit := readers.BelowUser(r.Table, b.Stack)
		return hit && (b.Enter == stacks.NoFrame || !r.Table.Func(b.Enter).Does(known.BuildsText)) // not what it builds
	}
	handed := func(b *hold.Held) bool {
		return b.Size >= inputObject && b.Made.Objects > 0 && b.Enter != stacks.NoFrame &&
			r.Table.Func(b.Enter).Owner == stacks.Dependency &&
			!r.Table.Has(b.Inside(), isGrowing)
	}
	own := func(b *hold.Held) bool {
		return b.Size >= inputObject && b.Enter == stacks.NoFrame && b.Made.Objects > 0
	}
	read, copied := make(hold.Sums[stacks.FuncID]), make(hold.Sums[stacks.FrameID])
	for _, b := range h.Held {
		switch {
		case b.Line == stacks.NoFrame:
		case reads(b):
			read.Add(r.Table.FuncID(b.Line), b)
		case handed(b), own(b):
			copied.Add(b.Line, b)
		}
	}
	at := make(map[stacks.FrameID]*wholeInput)
	for _, b := range h.Held {
		if b.Line == stacks.NoFrame {
			continue
		}
		self := reads(b) // or makes its own copy of them
		of := read[r.Table.FuncID(b.Line)]
		self = self || own(b) && copiedFrom(r, h, b, copied[b.Line], read)
		if !self && (of == nil || !handed(b) || !oneForEach(copied[b.Line], of)) {
			continue
		}
		w := at[b.Line]
		if w == nil {
			w = &wholeInput{line: b.Line}
			at[b.Line] = w
		}
		w.Add(b)
		w.reads = w.reads || self
	}
	for line, s := range recordTexts(r, h) {
		at[line] = &wholeInput{Sum: *s, line: line, parts: true}
	}
	return at
}

// recordTexts are the texts of records (a line of a table, as one string), by the user's line that reads them, of which
// the lists of fields, one for each, are gone: somebody keeps fields, and each keeps its whole record.
func recordTexts(r *Reading, h *hold.Heap) map[stacks.FrameID]*hold.Sum {
	type place struct {
		line, at stacks.FrameID
	}
	sums, out := make(hold.Sums[place]), make(map[stacks.FrameID]*hold.Sum)
	for _, b := range h.Held {
		if b.Line != stacks.NoFrame && r.Table.Func(b.At).Does(known.ReadsRecord) {
			sums.Add(place{b.Line, b.At}, b)
		}
	}
	for k, s := range sums {
		for other, list := range sums {
			if other.line == k.line && other.at != k.at && s.Now.Bytes >= textKept*s.Made.Bytes &&
				list.Made.Bytes >= minInputHeap/4 && list.Now.Bytes < (1-textKept)*list.Made.Bytes {
				out[k.line] = s
			}
		}
	}
	return out
}

// textKept is how much of what was made is nearly all of it.
const textKept = 0.8

// copiedFrom reports whether what a line makes itself is a copy of what a function above it has read: as many objects
// of the size of one of the readers' lines.
func copiedFrom(r *Reading, h *hold.Heap, b *hold.Held, copied *hold.Sum, read hold.Sums[stacks.FuncID]) bool {
	for _, id := range b.Stack[len(b.Inside()):] {
		of := read[r.Table.FuncID(id)]
		if of == nil {
			continue
		}
		for at, s := range hold.By(of.Held, hold.PlaceOf) {
			size := s.Made.Bytes / max(s.Made.Objects, 1)
			if !r.Table.Func(at).Does(known.BuildsText) && copied.AsMany(s, h.Rate) &&
				math.Abs(size-copied.Size()) <= sameNumber*size {
				return true
			}
		}
	}
	return false
}

// oneForEach reports whether a library made what it copied of what was read: not more, or one for each that one of the
// readers' lines allocated.
func oneForEach(copied, read *hold.Sum) bool {
	if copied.Made.Bytes <= read.Made.Bytes {
		return true
	}
	for _, s := range hold.By(read.Held, hold.PlaceOf) {
		if math.Abs(s.Made.Objects-copied.Made.Objects) <= sameNumber*s.Made.Objects {
			return true
		}
	}
	return false
}

func runMemSubslice(_ context.Context, r *Reading) Answer {
	if r.holds() == nil || findBacklog(r) != nil {
		return Answer{} // inputs that wait for work are kept whole on purpose
	}
	h := heldNow(r)
	var w *wholeInput // that keeps most bytes
	for _, o := range wholeInputs(r, h) {
		if w == nil || cmp.Or(cmp.Compare(o.Now.Bytes, w.Now.Bytes), cmp.Compare(w.line, o.line)) > 0 {
			w = o
		}
	}
	if w == nil || w.Now.Objects < minInputs || w.Now.Bytes < minInputHeap || w.Size() < inputObject && !w.parts {
		return Answer{}
	}
	n, bytes, share := w.Now.Objects, w.Now.Bytes, min(w.Now.Bytes/max(h.Now.Bytes, 1), 1)
	if w.inProgress(float64(underWay(r, r.Table.FuncID(w.line)))) {
		return Answer{}
	}
	limit, growth := capNotice, ""
	if all := r.holds(); all.First != nil {
		if g := wholeInputs(r, all)[w.line]; g != nil && g.Grown().Bytes > minGrowth {
			limit, growth = capUnsure, fmt.Sprintf("%s more in %s", size(g.Grown().Bytes),
				seconds(lapse(all.First, all.Last).Seconds()))
		}
	}
	score := min(subsliceScale().Score(share), limit)
	if score < worthKnowing {
		return Answer{}
	}
	at := r.Place(w.line)
	f := casefile.Finding{
		Title:      fmt.Sprintf("%s whole inputs of %s read at %s are alive", count(n), size(w.Size()), at),
		Score:      score,
		Confidence: 0.5,
		Summary: joined(fmt.Sprintf("%s inputs of %s on average that were read at %s are alive, %s of the live heap",
			count(n), size(w.Size()), at, percent(share)), growth) + ". " + w.whoHolds(),
		Explanation: "The collector frees arrays as a whole: a string of 20 bytes that was cut out of a body keeps all of " +
			"it. So does what refers to the body itself: a queued task, a closure, a cache. Only the source or a heap " +
			"dump shows which it is.",
		Evidence: Basis(h.Last),
		Where:    []casefile.Frame{r.Frame(w.line, share, "reads the input that stays")},
		Remedies: remediesAt(at, subsliceRemedies()...),
	}
	if w.reads && !w.parts {
		f.Remedies[0] = copyOrBound(at, w.Sum)
	} else {
		f.Confidence = sureEnough // whoever keeps whole inputs keeps what was read, and not a library's copy of it
	}
	f.Impact = ofLiveHeap(share, 0, share*0.95, fmt.Sprintf("nearly all %s if small parts are kept, nothing if the whole "+
		"input is needed", size(bytes)))
	return found(f)
}

// inProgress reports whether so many goroutines at work may have all of them: two each, or the pieces of growing size
// that io.ReadAll has until it has all, which are no more bytes than twice the largest.
func (w *wholeInput) inProgress(busy float64) bool {
	largest := 0.0
	for _, b := range w.Held {
		largest = max(largest, b.Size)
	}
	return 2*busy >= w.Now.Objects || heldEach*busy >= w.Now.Objects && 2*busy*largest >= w.Now.Bytes
}

func subsliceRemedies() []Remedy {
	return []Remedy{
		byChange("", "Copy the part that is kept", "At {line}: use bytes.Clone or strings.Clone on the parts that "+
			"outlive the request.", "a small allocation per part").named(copyOrBoundIt),
		byChange("", "Drop references to finished work", "In queues, pools and closures: set slots to nil when they are "+
			"taken (q[0] = nil before q = q[1:], clear on a slice that is cut).", "none"),
		byChange("", "Decode what is needed", "Decode into a struct with the fields that are kept.", "none"),
	}
}

// whoHolds is what a profile shows of who keeps the inputs.
func (w *wholeInput) whoHolds() string {
	if w.parts {
		return "The lists of their fields are gone: fields that somebody keeps have kept the whole text of their records."
	}
	return "A profile shows what read them, not what holds them: parts that were cut out of them, or something that " +
		"keeps them whole (a queue, a pool, a cache)."
}

// copyOrBound is for inputs that the user's line itself reads: parts of them may be kept, or they as a whole.
func copyOrBound(at string, of hold.Sum) casefile.Remedy {
	return withName(copyOrBoundIt, doChange("Copy the part that is kept, or bound the whole by bytes", fmt.Sprintf(
		"If a part of what is read at %s is kept, use strings.Clone or bytes.Clone on it. If whole inputs are kept on "+
			"purpose, as a cache does, limit it by their bytes and not by their number: they have %s each.",
		at, size(of.Size())), "a small allocation per part; dropped entries must be fetched again"))
}

// sameGrowth fits where the inputs that stay are read at the very line that allocates the growth: it is the same
// memory, whatever keeps it.
func sameGrowth(inputs, growth casefile.Finding) bool {
	return sameFirst(inputs, growth) && inputs.Where[0].Line == growth.Where[0].Line
}
