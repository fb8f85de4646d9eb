package diagnose

import (
	"context"
	"fmt"
	"math"
	"strings"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose/stacks"
)

// timerScale is in timers that are alive. A timer is about 200 bytes with its channel, and with a context 500 and what
// it refers to: 20,000 are 4–10 MB, and several times the timers of a busy service, which has one or two per request in
// flight. With a million, every change of a timer moves through 10 levels of a heap.
func timerScale() Scale { return Scale{Worth: 20_000, Hurts: 1_000_000, Top: 10_000_000} }

// minTimerSamples is how many sampled allocations of timers there must be.
const minTimerSamples = 8

func timerLeak() Detector {
	return Detector{
		ID:    "GO006",
		Kind:  "timer-leak",
		Title: "Timers and contexts are made and never stopped",
		Text: `Counts live objects in the heap profile that time.NewTimer, NewTicker, AfterFunc and After, and contexts
with a deadline, allocated, by the user's line that asked for them. Worth knowing from 20,000, hurting from a million;
capped at 74 unless two heap profiles show that their number grows, by more than sampling explains; then the number
expected in five minutes at that rate counts, up to 90. At least 8 sampled allocations (4 MiB at the default rate).

Since Go 1.23 a timer or ticker that nobody refers to is collected without Stop. Three kinds still stay: AfterFunc,
whose function holds its data until it has run; a context whose cancel function is not called, until its deadline or
the end of its parent; and tickers whose goroutine still listens (goroutine-leak). Before 1.23, or with
GODEBUG=asynctimerchan=1, time.After in a loop keeps each timer until it fires.`,
		Needs: needHeap("live timers are not in other evidence"),
		Before: `// stays a child of s.ctx for an hour, done or not
ctx, _ := context.WithTimeout(s.ctx, time.Hour)`,
		After:      `ctx, cancel := context.WithTimeout(s.ctx, time.Hour); defer cancel()`,
		Remedies:   timerRemedies(),
		Explains:   related(nil, "mem-leak"),
		Absorbs:    related(SameFunction, "mem-leak", "alloc-site", "cpu-hot-function"),
		Settles:    []string{"mem-leak"},
		NeedsPlace: true,
		Effect:     "Memory grows",
		Run:        runTimerLeak,
	}
}

// first drops what is not asked for.
func first[T, U any](a T, _ U) T { return a }

func timerFrames() []string {
	return []string{"time.NewTimer", "time.newTimer", "time.NewTicker", "time.AfterFunc", "time.After", "time.Tick",
		"context.WithDeadline", "context.WithTimeout",
		"context.WithDeadlineCause", "context.WithTimeoutCause", "context.AfterFunc"}
}

// timersOf counts a set's timers by the user's line that asked for them, and the bytes of the first line with all
// that belongs to them: a context with a deadline is several objects.
func timersOf(r *Reading, set *stacks.Set) (es []stacks.Entry[stacks.FrameID], bytes float64) {
	makes := r.named(timerFrames()...)
	line := func(s *stacks.Sample) (stacks.FrameID, bool) {
		id, hit := makes.belowUser(r.Table, s.Stack)
		return id, hit && id != stacks.NoFrame
	}
	objects, space := stacks.ByValue(set.Value("inuse_objects", "count")),
		stacks.ByValue(set.Value("inuse_space", "bytes"))
	timers := func(s *stacks.Sample) int64 {
		if len(s.Stack) == 0 || !strings.HasPrefix(r.Table.Func(s.Stack[0]).Name, "time.") &&
			!hasFrame(r.Table, s.Stack[:min(len(s.Stack), 4)], "time.") {
			return 0
		}
		return objects(s)
	}
	if es = stacks.SumBy(set, timers, line); len(es) == 0 {
		return nil, 0
	}
	for _, e := range stacks.SumBy(set, space, line) {
		if e.Key == es[0].Key {
			bytes = float64(e.Value)
		}
	}
	return es, bytes
}

func runTimerLeak(_ context.Context, r *Reading) Answer {
	set := r.heap().set
	g, two := r.heapGrowth()
	if two {
		set = g.last
	}
	es, bytes := timersOf(r, set)
	if len(es) == 0 {
		return Answer{}
	}
	n, rate := float64(es[0].Value), heapRate(set)
	if sampled(bytes, n, rate) < minTimerSamples {
		return Answer{}
	}
	score, limit, growth := timerScale().Score(n), capUnsure, ""
	if two {
		before := 0.0
		for _, e := range first(timersOf(r, g.first)) {
			if e.Key == es[0].Key {
				before = float64(e.Value)
			}
		}
		perMin := (n - before) / max(g.seconds/60, 1e-3)
		switch {
		case n > 1.2*before && growsBeyondChance(sampled(bytes, n, rate), before/n):
			limit, growth = noCap, fmt.Sprintf("%s more in %s", count(n-before), seconds(g.seconds))
			score = max(score, min(timerScale().Score(n+lookAhead*perMin), lookAheadCap))
		case g.seconds >= leakLong:
			return Answer{} // as many as are in use
		}
	}
	if score = min(score, limit); score < worthKnowing {
		return Answer{}
	}
	live := float64(set.Total(stacks.ByValue(set.Value("inuse_space", "bytes"))))
	liveObjects := float64(set.Total(stacks.ByValue(set.Value("inuse_objects", "count"))))
	at := r.Place(es[0].Key)
	f := casefile.Finding{
		Title:      fmt.Sprintf("%s timers made at %s are alive", count(n), at),
		Score:      score,
		Confidence: Confidence(0.5, sampled(bytes, n, rate)),
		Summary: joined(fmt.Sprintf("The line %s made %s timers and contexts with deadlines that are still "+
			"alive, %s", at, count(n), size(bytes)), growth) + ".",
		Explanation: "A timer that was not stopped, and a context that was not cancelled, stay until they fire, with " +
			"everything their function or their parent refers to. If more are made in an hour than fire, memory " +
			"grows, and setting any timer of the process becomes more expensive.",
		Evidence: Basis(set),
		Remedies: remediesAt(at, timerRemedies()...),
	}
	for _, e := range top(es, 3) {
		f.Where = append(f.Where, r.Frame(e.Key, float64(e.Value)/max(liveObjects, 1), "makes the timers"))
	}
	share := bytes / max(live, 1)
	f.Impact = casefile.Impact{Resource: "memory", Share: roundShare(share),
		Text: fmt.Sprintf("%s of the live heap, not counting what the timers refer to", percent(share)),
		Gain: casefile.Gain{Low: roundShare(share * 0.9), High: roundShare(share),
			Arithmetic: fmt.Sprintf("%s of %s live are timers that could have been stopped", size(bytes), size(live))}}
	return found(f)
}

// growsBeyondChance reports whether so many sampled allocations, of which a share was there before, are more than
// chance makes of the same number: the difference of two counts scatters by the square root of their sum, and three
// times that is 0.1 %.
func growsBeyondChance(samples, share float64) bool {
	return samples*(1-share) >= 3*math.Sqrt(samples*(1+share))
}

func timerRemedies() []Remedy {
	return []Remedy{
		byChange("", "Stop timers that are no longer needed", "At {line}: defer cancel() after context.WithTimeout; "+
			"keep what AfterFunc returns and Stop it when the work is done; go vet's lostcancel finds dropped cancel "+
			"functions.", "none"),
		byChange("", "One timer for many", "If thousands of entries expire, keep them in a queue sorted by time with "+
			"one timer for the first (or sweep once a second), or use Reset on an existing timer.",
			"entries expire up to a second late"),
	}
}
