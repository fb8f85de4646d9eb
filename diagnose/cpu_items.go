package diagnose

import (
	"fmt"
	"slices"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose/known"
	"github.com/gocasebook/casebook/diagnose/stacks"
)

// Items that go over a channel one by one. A send and a receive take 50 to 100 ns each if nobody waits, and 0.2–5 µs if
// a goroutine must be woken for them. An item for which less than that is done should go with others, or not at all.
// Only operations that the program's own lines make count, or a library that they call directly (a pool of workers, a
// stream): the channels below net/http, time.After or a context are not for items, and no batch would save them.

// itemsShare is the share of the CPU in channel operations of the program's own from which they are what is to change.
const itemsShare = 0.1

// itemOp reports whether a function is a channel operation that passes an item on, or makes the channel for it. Not to
// receive where nothing is there (selectnbrecv): that is polling.
func itemOp(f *stacks.Func) bool {
	return f.Does(known.Sends, known.Receives, known.Selects, known.SendsIfReady, known.MakesChannel)
}

// A handOver is what items cost that go over channels one by one, in shares of the CPU.
type handOver struct {
	ops   cpuBelow // channel operations of the program's own, and making channels
	makes cpuBelow // making channels
	work  float64  // what is neither the scheduler's, the collector's nor the allocator's
}

func newHandOver(r *Reading, v *cpuView) (h handOver) {
	ops, makes := make(map[stacks.FrameID]int64), make(map[stacks.FrameID]int64)
	set := r.Funcs(itemOp)
	for i := range v.set.Samples {
		s := &v.set.Samples[i]
		line, own := r.UserLine(s)
		if !own || !set.In(r.Table, s.Stack) {
			continue
		}
		made, ok := ownItemOp(r.Table, s.Stack)
		if !ok {
			continue
		}
		ops[line] += v.weight(s)
		if made {
			makes[line] += v.weight(s)
		}
	}
	h.ops, h.makes = v.sums(ops), v.sums(makes)
	h.work = 1 - v.share(schedulerClasses()...) - v.gcShare() - v.share(stacks.Malloc)
	return h
}

// ownItemOp reports whether the innermost channel operation of a stack is the program's own, or of a library that the
// program calls directly and that calls no other service; and whether it makes a channel.
func ownItemOp(t *stacks.Table, stack []stacks.FrameID) (makes, ok bool) {
	at := slices.IndexFunc(stack, func(id stacks.FrameID) bool { return itemOp(t.Func(id)) })
	if at < 0 || t.Has(stack, withWork(known.ReceivesIfReady)) {
		return false, false
	}
	makes = t.Func(stack[at]).Does(known.MakesChannel)
	library := ""
	for _, id := range stack[at:] {
		f := t.Func(id)
		switch f.Owner {
		case stacks.Runtime:
		case stacks.User:
			return makes, callsKnown(t, stack) == ""
		case stacks.Dependency:
			if library != "" && f.Package != library {
				return makes, false
			}
			library = f.Package
		default:
			return makes, false
		}
	}
	return makes, false
}

// sums makes a cost of weights by line.
func (v *cpuView) sums(lines map[stacks.FrameID]int64) (c cpuBelow) {
	c.lines = entries(lines)
	c.ns = stacks.SumOf(c.lines)
	c.share = c.ns / max(v.total, 1)
	return c
}

// leads reports whether channel operations are what scheduling is for: a third of it is in them alone, before those that
// wait are parked and woken.
func (h handOver) leads(scheduling float64) bool {
	return h.ops.share >= itemsShare && 3*h.ops.share >= scheduling && len(h.ops.lines) > 0
}

// Bounds of a batch: below 16 items a hand-over still counts, and with 1,024 it costs nothing that could be measured.
const (
	batchLeast = 16
	batchMost  = 1024
	batchWork  = 10 // times what the hand-over of a batch costs is done for it
)

// batch is how many items should go together: with N of them the hand-over costs a tenth of the work that is done for
// all N. What both cost now is known as shares of the same CPU, so that N = 10 · hand-over ÷ work; a power of two.
func (h handOver) batch(scheduling float64) float64 {
	n := batchWork * max(scheduling, h.ops.share) / max(h.work, 0.01)
	return min(max(float64(powerAbove(n)), batchLeast), batchMost)
}

// saysItems makes a finding about scheduling one about items.
func (h handOver) saysItems(r *Reading, f *casefile.Finding, scheduling float64) {
	at := r.Place(h.ops.lines[0].Key)
	n := h.batch(scheduling)
	f.Title = fmt.Sprintf("Handing over items one by one takes %s of the CPU, most seen at %s", percent(scheduling), at)
	f.Summary += fmt.Sprintf(" Channel operations at the program's own lines alone take %s, the work that is handed over "+
		"%s.", percent(h.ops.share), percent(h.work))
	f.Where = nil
	for _, e := range oneAFunction(r, h.ops.lines) {
		f.Where = append(f.Where, r.Frame(e.Key, h.ops.share*float64(e.Value)/max(h.ops.ns, 1), "hands over"))
	}
	for _, made := range h.makes.where(r, "makes channels", 1) {
		f.Where = addPlaces(f.Where, as(madePart, made))
	}
	saved := 1 - 1/n
	f.Impact.Gain = casefile.Gain{Low: roundShare(h.ops.share * saved), High: roundShare(scheduling * saved),
		Arithmetic: fmt.Sprintf("%s at a time need 1/%s of the hand-overs: of the %s in channel operations, at most of the "+
			"%s that scheduling takes in all", count(n), count(n), percent(h.ops.share), percent(scheduling))}
	f.Remedies = []casefile.Remedy{
		setValue(fmt.Sprintf("Hand over %s at a time", count(n)), fmt.Sprintf("At %s: send a slice of %s items, and what "+
			"is left at the end: their hand-over then costs a tenth of the work that is done for them. %s", at, count(n),
			h.sayMakes(r)), "an item waits for its batch"),
		doChange("Call a function instead", fmt.Sprintf("What is done for an item costs less than to hand it over: a "+
			"loop that calls it, in the goroutine at %s, needs no channel. Split the whole into as many parts as there "+
			"are processors if it is long.", at), "less runs in parallel"),
	}
}

// sayMakes says what to do where a channel is made for each item.
func (h handOver) sayMakes(r *Reading) string {
	if len(h.makes.lines) == 0 {
		return ""
	}
	return fmt.Sprintf("The channel that %s makes for each answer becomes one for each batch.",
		r.Place(h.makes.lines[0].Key))
}

// madeThere fits if the other finding's line is one that makes channels, by the roles of the own places.
func madeThere(own, other casefile.Finding) bool {
	return len(other.Where) > 0 && slices.ContainsFunc(own.Where, func(w casefile.Frame) bool {
		return w.Part == madePart && w.Function == other.Where[0].Function && w.Line == other.Where[0].Line
	})
}
