package diagnose

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose/traces"
	"github.com/gocasebook/casebook/diagnose/view"
)

// boundScale is the share of requests' time, or of the time, in which goroutines are ready beside an idle processor
// because a thread must be woken: from a tenth a client could see it, at half of it everything takes twice as long.
func boundScale() Scale { return Scale{Worth: 0.1, Hurts: 0.5, Top: 1} }

// boundIdle is for how much of the time a processor must be idle beside such a goroutine: below it, nobody misses it,
// even where a request of a tenth of a millisecond spends a quarter of its time that way.
const boundIdle = 0.05

// boundWakes is how many hand-overs must be seen: fewer are the start of a program.
const boundWakes = 200

func schedIdle() Detector {
	return Detector{
		ID:    "SC004",
		Kind:  "sched-idle-while-runnable",
		Title: "Processors are idle while goroutines that are bound to a thread could run",
		Text: `Reads an execution trace: goroutines that are ready to run while a processor is idle, because only one thread
may run them and it must be woken first (runtime.LockOSThread). Whoever hands something to such a goroutine pays two
switches of the operating system, there and back: 8 to 35 µs in the recordings of testdata/bound. A trace does not say
who is bound: a goroutine is taken for it that 50 times in a row ran on one thread, on which nothing else ran, and never
on that of the goroutine which had woken it and then made room.

The score is the share of requests' time that is this waiting, or, where no requests are traced, of the time of each
such goroutine: worth knowing from a tenth, hurting from half; at most 74, because the binding is inferred. Nothing is
said where a processor is idle that way for less than a twentieth of the time: a few microseconds now and then.

Goroutines also wait beside idle processors for other reasons, which have kinds of their own. The operating system has
no CPU for the processor's thread: gomaxprocs-mismatch, cpu-quota, cpu-neighbours, cpu-steal. The world is stopped:
gc-stw. What is left are the microseconds until an idle thread is awake; the table of the trace has them.

It cannot tell a goroutine that is locked for one call only. The partner of a bound goroutine may look bound as well:
the one that costs more is named.`,
		Needs:      needTrace(),
		Before:     `for _, glyph := range text { mainthread.Call(func() { draw(glyph) }) } // two switches for each`,
		After:      `mainthread.Call(func() { for _, glyph := range text { draw(glyph) } })`,
		Remedies:   boundRemedies(),
		Follows:    "each hand-over to the bound goroutine waits until its thread is awake",
		NeedsPlace: true,
		Run:        runSchedIdle,
	}
}

func boundRemedies() []Remedy {
	return []Remedy{
		byChange("", "Hand over more at a time", "Let {line} hand over a whole request, or what several have asked for, "+
			"and not one step of it: the two switches are paid once each time.", "a step may wait for the others"),
		byChange("", "Bind only what needs the thread", "Take runtime.LockOSThread away if nothing that the goroutine does "+
			"needs the same thread each time (a C library with state of its own for each thread, a namespace, a signal "+
			"mask), or bind it only for the calls that do.", "calls that need the thread fail without it"),
	}
}

func runSchedIdle(_ context.Context, r *Reading) Answer {
	s, from := r.Trace()
	b, ok := mostBound(s)
	if !ok {
		return Answer{}
	}
	share, of := boundShare(s, &b)
	if share < boundScale().Worth || float64(b.Beside) < boundIdle*float64(s.Span) {
		return Answer{}
	}
	if why := starvedTrace(r, s); why != "" {
		return undecided(why, captureTrace+" on a machine with enough CPU")
	}
	return found(boundFinding(r, s, from, &b, share, of))
}

// mostBound are the bound goroutines that cost most.
func mostBound(s *traces.Summary) (b traces.Bound, ok bool) {
	for _, b := range s.Bound {
		if !isRuntimes(b.Goroutine) && b.Wakes.Count >= boundWakes {
			return b, true
		}
	}
	return b, false
}

// boundShare is the part of requests' time that is spent waking threads, or of the goroutines' own time.
func boundShare(s *traces.Summary, b *traces.Bound) (share float64, of string) {
	if all := tracedRequests(s); all.took > 0 {
		return min(float64(b.Beside)/float64(all.took), 1), "the time of requests"
	}
	return float64(b.Beside) / float64(s.Span) / float64(max(b.Number, 1)), "the time"
}

func boundFinding(r *Reading, s *traces.Summary, from []casefile.Basis, b *traces.Bound, share float64,
	of string) casefile.Finding {
	f := casefile.Finding{
		Score:      min(boundScale().Score(share), capUnsure),
		Confidence: Confidence(0.8, float64(b.Wakes.Count)),
		Summary: fmt.Sprintf("%s of %s ran on %s thread only, which ran nothing else: %s times in %s one was ready and "+
			"waited %s (mean) until that thread was awake, beside an idle processor, and who it woke waited %s. That is %s "+
			"of %s.", things(float64(b.Number), "goroutine"), short(b.Goroutine), eachOne(b.Number),
			count(float64(b.Wakes.Count)), seconds(s.Span.Seconds()), seconds(b.Wakes.Mean().Seconds()),
			seconds(b.Returns.Mean().Seconds()), percent(share), of),
		Explanation: "A goroutine that is bound to a thread (runtime.LockOSThread) cannot run where it was woken. The " +
			"processor is given to its thread, which the operating system must wake; and when the goroutine waits " +
			"again, the processor goes back to another thread, which must be woken, too.",
		Impact: casefile.Impact{Resource: "latency", Share: roundShare(share), Text: fmt.Sprintf(
			"%s of %s is waking threads", percent(share), of), Gain: casefile.Gain{Low: roundShare(share / 2),
			High:       roundShare(share),
			Arithmetic: "the switches go with the binding, or nearly all with few hand-overs; half if they are half as many"}},
		Evidence: from,
	}
	for _, l := range handsOver(r, s, b) {
		f.Where = append(f.Where, tracedFrame(l.At, float64(l.Total)/max(float64(l.Site.Times.Total), 1), "hands over to it"))
	}
	if at, ok := r.TracedLine(b.Stack); ok {
		own := tracedFrame(at, 1, "is bound to a thread")
		if f.Where = append(f.Where, own); servesRequests(b.Goroutine) { // then it is the handler that binds it
			f.Where = slices.Insert(f.Where[:len(f.Where)-1], 0, own)
		}
	}
	if len(f.Where) > 0 {
		w := f.Where[0]
		at := frameText(w)
		f.Title = fmt.Sprintf("Each hand-over at %s waits until a thread is awake", at)
		f.Remedies = remediesAt(at, boundRemedies()...)
	}
	return f
}

func eachOne(n int64) string {
	if n == 1 {
		return "one"
	}
	return "one each"
}

// handsOver are the user's lines that wait for bound goroutines, the longest waiting first, three at most. Each has the
// waiting for all of them in its site.
func handsOver(r *Reading, s *traces.Summary, b *traces.Bound) (lines []view.TracedSum) {
	var sites []traces.Site
	for _, w := range s.Blocking {
		for _, by := range w.Wakers {
			if by.Goroutine == b.Goroutine {
				sites = append(sites, traces.Site{Stack: w.Stack, Times: traces.Times{Count: by.Count, Total: by.Waited}})
			}
		}
	}
	lines, all := r.TracedLines(sites)
	lines = lines[:min(3, len(lines))]
	for i := range lines {
		lines[i].Site.Times.Total = max(all, time.Nanosecond)
	}
	return lines
}
