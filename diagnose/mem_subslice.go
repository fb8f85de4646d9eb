package diagnose

import (
	"context"
	"fmt"
	"slices"

	"github.com/gocasebook/casebook/casefile"
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
		Text: `A part of a slice or string keeps the whole array alive: body[10:42] keeps the body. Found where live
objects of 4 KiB or more on average, 64 or more of them and 16 MiB in all, were made by reading input (io.ReadAll,
os.ReadFile, bufio, functions of strings and bytes that copy the whole), or by a library in a function that has read
at least as much (a parser that makes a string of the document), and hold a quarter of the live heap.

It is certain that whole inputs are alive. A profile shows what allocated them, not what holds them: a part that was
cut out, a queue, a pool or a closure that still refers to finished work, or a cache that wants them whole. So it is a
notice at most, 74 if two captures show that their number grows. Nothing is found while half as many goroutines are
inside the function that reads: those are requests in progress.`,
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

// inputReaders are the functions that allocate the whole of an input.
func inputReaders(r *Reading) funcSet {
	return r.named("io.ReadAll", "io/ioutil.ReadAll", "os.ReadFile", "bytes.(*Buffer).ReadFrom",
		"bytes.(*Buffer).String", "bufio.(*Reader).ReadString",
		"bufio.(*Reader).ReadBytes", "bufio.(*Scanner).Text", "strings.(*Builder).", "encoding/json.RawMessage",
		"net/http.readBody")
}

// inputStacks tells which samples allocated the whole of an input: those of a function that reads it, and those of a
// library to which the user's function hands what it has read, if that made objects of an input's size and no more bytes
// than were read: a string of the bytes, a parsed form that keeps them.
func inputStacks(r *Reading, set *stacks.Set) func(*stacks.Sample) bool {
	readers := inputReaders(r)
	made, number := stacks.ByValue(set.Value("alloc_space", "bytes")), stacks.ByValue(set.Value("alloc_objects", "count"))
	read, copied := make(map[stacks.FuncID]int64), make(map[stacks.FrameID]int64)
	handed := func(s *stacks.Sample) (line stacks.FrameID, ok bool) {
		line, u := r.Table.UserFrame(s.Stack)
		n := number(s)
		return line, u > 0 && n > 0 && made(s) >= inputObject*n &&
			r.Table.Func(s.Stack[u-1]).Owner == stacks.Dependency && !r.Table.Has(s.Stack[:u], isGrowing)
	}
	for i := range set.Samples {
		s := &set.Samples[i]
		if id, hit := readers.belowUser(r.Table, s.Stack); hit {
			read[r.Table.FuncID(id)] += made(s)
		} else if line, ok := handed(s); ok {
			copied[line] += made(s)
		}
	}
	return func(s *stacks.Sample) bool {
		if _, hit := readers.belowUser(r.Table, s.Stack); hit {
			return true
		}
		line, ok := handed(s)
		return ok && copied[line] <= read[r.Table.FuncID(line)]
	}
}

// readsItself reports whether a line of the user's allocates by reading.
func readsItself(r *Reading, set *stacks.Set, at stacks.FrameID) bool {
	readers := inputReaders(r)
	return slices.ContainsFunc(set.Samples, func(s stacks.Sample) bool {
		id, hit := readers.belowUser(r.Table, s.Stack)
		return hit && id == at
	})
}

func runMemSubslice(_ context.Context, r *Reading) Answer {
	h := r.heap()
	input := inputStacks(r, h.set)
	inputs := func(w stacks.Weight) stacks.Weight {
		return func(s *stacks.Sample) int64 {
			if !input(s) {
				return 0
			}
			return w(s)
		}
	}
	es := stacks.SumBy(h.set, inputs(h.space), r.UserLine)
	if len(es) == 0 {
		return Answer{}
	}
	n := 0.0
	for _, e := range stacks.SumBy(h.set, inputs(h.objects), r.UserLine) {
		if e.Key == es[0].Key {
			n = float64(e.Value)
		}
	}
	bytes := float64(es[0].Value)
	share := bytes / max(h.liveBytes, 1)
	if n < minInputs || bytes < minInputHeap || bytes < inputObject*n {
		return Answer{}
	}
	if float64(2*underWay(r, r.Table.FuncID(es[0].Key))) >= n {
		return Answer{}
	}
	limit, growth := capNotice, ""
	if d := r.Gained(casefile.Heap, casefile.Allocs); d != nil && d.Seconds > 0 {
		for _, e := range stacks.SumBy(d, inputs(stacks.ByValue(d.Value("inuse_space", "bytes"))), r.UserLine) {
			if e.Key == es[0].Key && e.Value > minGrowth {
				limit, growth = capUnsure, fmt.Sprintf("%s more in %s", size(float64(e.Value)), seconds(d.Seconds))
			}
		}
	}
	score := min(subsliceScale().Score(share), limit)
	if score < worthKnowing {
		return Answer{}
	}
	at := r.Place(es[0].Key)
	f := casefile.Finding{
		Title:      fmt.Sprintf("%s whole inputs of %s read at %s are alive", count(n), size(bytes/max(n, 1)), at),
		Score:      score,
		Confidence: 0.5,
		Summary: joined(fmt.Sprintf("%s inputs of %s on average that were read at %s are alive, %s of the live heap",
			count(n), size(bytes/max(n, 1)), at, percent(share)), growth) +
			". A profile shows what read them, not what holds them: parts that were cut out of them, or something " +
			"that keeps them whole (a queue, a pool, a cache).",
		Explanation: "The collector frees arrays as a whole: a slice or string of 20 bytes that was cut out of a " +
			"body keeps all of the body. So does anything that refers to the body itself: " +
			"a waiting task, a finished task that its queue still refers to, a closure, a cache. Only the source or " +
			"a core dump shows which it is.",
		Evidence: Basis(h.set),
		Remedies: remediesAt(at, subsliceRemedies()...),
	}
	for _, e := range top(es, 2) {
		f.Where = append(f.Where, r.Frame(e.Key, float64(e.Value)/max(h.liveBytes, 1), "reads the input that stays"))
	}
	if !readsItself(r, h.set, es[0].Key) {
		f.Confidence = sureEnough // whoever keeps whole inputs keeps what was read, and not a library's copy of it
	}
	f.Impact = casefile.Impact{Resource: "memory", Share: roundShare(share), Text: percent(share) + " of the live heap",
		Gain: casefile.Gain{High: roundShare(share * 0.95), Arithmetic: fmt.Sprintf("nearly all %s if small parts "+
			"are kept, nothing if the whole input is needed", size(bytes))}}
	return found(f)
}

func subsliceRemedies() []Remedy {
	return []Remedy{
		byChange("", "Copy the part that is kept", "At {line}: use bytes.Clone or strings.Clone on the parts that "+
			"outlive the request.", "a small allocation per part"),
		byChange("", "Drop references to finished work", "If inputs are passed to queues, pools or closures: set "+
			"slots to nil when they are taken (q[0] = nil before q = q[1:], clear on a slice that is cut), and "+
			"look for a newer version of a library that queues.", "none"),
		byChange("", "Decode what is needed", "Decode into a struct with the fields that are kept; the rest of the "+
			"input is then garbage.", "none"),
	}
}

// sameGrowth fits where the inputs that stay are read at the very line that allocates the growth: it is the same
// memory, whatever keeps it.
func sameGrowth(inputs, growth casefile.Finding) bool {
	return sameFirst(inputs, growth) && inputs.Where[0].Line == growth.Where[0].Line
}
