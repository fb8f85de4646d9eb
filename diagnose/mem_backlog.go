package diagnose

import (
	"fmt"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose/hold"
	"github.com/gocasebook/casebook/diagnose/stacks"
)

// A backlog is what a line keeps for work that waits.
type backlog struct {
	hold.Sum
	line    stacks.FrameID
	workers hold.Workers
}

// each is how many pieces of work there must be for each that does it: fewer are in the hands of those who work.
const each = 8

// findBacklog is the line that keeps most of the heap, if that is work which waits for few goroutines that are all busy
// at every moment; nil if it is not.
func findBacklog(r *Reading) *backlog {
	h := r.holds()
	if h == nil {
		return nil
	}
	s := largestHeld(h)
	if s == nil || s.Held[0].Line == stacks.NoFrame || s.Now.Bytes < tripWorth || s.Now.Bytes < heldShare*h.Now.Bytes ||
		s.Now.Objects < minInputs {
		return nil
	}
	b := &backlog{Sum: *s, line: s.Held[0].Line}
	maker := r.Table.FuncID(b.line)
	if float64(2*underWay(r, maker)) >= s.Now.Objects {
		return nil // requests in progress
	}
	sets := r.Moments()
	for _, set := range sets {
		w, ok := hold.WorkersOf(r.Table, set, maker)
		if !ok || float64(w.N*each) > s.Now.Objects || b.workers.N > 0 && w.Root != b.workers.Root {
			return nil
		}
		b.workers = w
	}
	if len(sets) == 0 || !b.workers.Literal && !b.flows(h) {
		return nil
	}
	return b
}

// flows reports whether work goes as well as comes, and more comes: what is kept for good does not go, and what is full
// does not grow.
func (b *backlog) flows(h *hold.Heap) bool {
	return h.First != nil && b.Grown().Bytes > minGrowth && b.Grew() &&
		b.Samples*b.Went().Bytes/max(b.Now.Bytes, 1) >= minGrowthSamples
}

// finding is what waits, and who does it.
func (b *backlog) finding(r *Reading, h *hold.Heap) casefile.Finding {
	workers, at := things(float64(b.workers.N), "goroutine"), r.Place(b.line)
	doing := r.Place(b.workers.At)
	why := fmt.Sprintf("They are work that waits: %s at %s do it, and all that were "+
		"started like them are busy", workers, doing)
	limit := capNotice
	if grown := b.Grown().Bytes; h.First != nil && grown > minGrowth {
		limit = capUnsure
		why += fmt.Sprintf("; %s more waits than %s before", size(grown), seconds(lapse(h.First, h.Last).Seconds()))
	}
	f := stayingFinding(r, h, &b.Sum, limit, why)
	f.Score = min(max(f.Score, subsliceScale().Score(f.Impact.Share)), limit)
	f.Title = fmt.Sprintf("Work that came at %s waits in memory for %s: %s, %s", at, workers, objectsText(b.Now),
		size(b.Now.Bytes))
	f.Explanation = "More work comes than is done, and nothing stops it: the queue grows, with everything that its entries " +
		"refer to, until the memory is used up, and work is done later and later."
	f.Where = append(f.Where[:1], append([]casefile.Frame{as(worksPart, r.Frame(b.workers.At, 0, "what the few do"))},
		f.Where[1:]...)...)
	f.Remedies = []casefile.Remedy{
		withName(boundRemedy, doChange("Refuse work when too much waits", fmt.Sprintf("At %s: give the queue a limit, "+
			"and when it is reached answer 503 or let the caller wait (a channel of fixed size, a semaphore acquired "+
			"before the work is handed over).", at), "work is refused, or its caller waits, when more comes than is done")),
		doChange("Let more of it be done at once", fmt.Sprintf("%s at %s are busy all the time: more of them do more if "+
			"they wait for something else (a disk, another service); if they compute, make the work cheaper.",
			upperFirst(workers), doing), "what they wait for gets more to do"),
	}
	return f
}
