package diagnose

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose/known"
	"github.com/gocasebook/casebook/diagnose/stacks"
	"github.com/gocasebook/casebook/diagnose/traces"
)

// stopScale is in seconds that the world stands still, by the longest such stop that is no exception. Since Go 1.8 the
// collector's stops are below a millisecond (the release notes: "usually under 100 microseconds"): 5 ms is a fault of
// the program, and 50 ms are seen by people.
func stopScale() Scale { return Scale{Worth: 0.005, Hurts: 0.05, Top: 1} }

// stopShareScale is the share of time in which the world stands still.
func stopShareScale() Scale { return Scale{Worth: 0.02, Hurts: 0.2, Top: 1} }

// manyStops are how many must have been as long as what is said of them. A single one may be the operating system's:
// a thread that it takes off its CPU stops late, too.
const manyStops = 3

// lateUsually is how late a line is in half of the stops for which it was the last: a line that can be preempted stops
// within 0.1 ms, unless the operating system has taken its thread off the CPU, which it does now and then.
const lateUsually = 2 * time.Millisecond

func gcSTW() Detector {
	return Detector{
		ID:         "GC010",
		Kind:       "gc-stw",
		Title:      "The world is stopped for long",
		OtherNames: []string{"gc-latency"},
		Text: `Reads the stops of the world in an execution trace: how long they took, who asked for them, and which
goroutine was the last to stop.

Worth knowing from 5 ms, hurting from 50 ms, of the third longest stop for one reason: one or two may be the operating
system's doing. Or from 2 % of all time, hurting from 20 %. A stop that takes long because somebody is late is found
at the line of who was late: code in assembler, such as the copying and clearing of large memory, cannot be preempted;
with asyncpreemptoff=1 in GODEBUG no loop can that calls nothing, and that setting is the first remedy.
The line must have been last in most of the stops, and 2 ms late in half of them. A stop for ReadMemStats, a goroutine
profile or GOMAXPROCS is found at the line that asked for it. Stops for traces and profiles that Casebook took are
left out.`,
		Needs:      needTrace(),
		Before:     `copy(next, table) // 512 MiB: the world waits for 100 ms`,
		After:      `for i := 0; i < n; i += 1 << 18 { copy(next[i:], table[i:min(i+1<<18, n)]); runtime.Gosched() }`,
		Remedies:   lateRemedies(),
		NeedsPlace: true,
		Effect:     "The whole process stands still",
		Run:        runGCSTW,
	}
}

// A slowStop is what a trace shows of the stops for one reason.
type slowStop struct {
	traces.Stop
	score int
	text  string
}

func runGCSTW(_ context.Context, r *Reading) Answer {
	s, from := r.Trace()
	var worst slowStop
	for _, stop := range s.Stops {
		if ownStop(stop.Reason) {
			continue
		}
		if w := rateStop(stop, s.Span); w.score > worst.score {
			worst = w
		}
	}
	if worst.score < worthKnowing {
		return Answer{}
	}
	if starved := starvedTrace(r, s); starved != "" {
		return undecided(starved, captureTrace+" on a machine with enough CPU")
	}
	f := casefile.Finding{
		Score:      worst.score,
		Confidence: Confidence(0.5, float64(worst.Times.Count)*10),
		Summary:    worst.text,
		Explanation: "While the world is stopped no goroutine runs, whatever it does. The runtime asks all of them " +
			"to stop, and waits for the last one.",
		Impact: casefile.Impact{Resource: "latency", Share: roundShare(float64(worst.Times.Total) / float64(s.Span)),
			Text: fmt.Sprintf("everything waits, for up to %s", seconds(worst.Times.Max.Seconds()))},
		Evidence: from,
	}
	if !worst.blameLate(r, &f) && !worst.blameAsker(r, &f) {
		return Answer{} // the collector's own stops: how often it runs is another kind's
	}
	return found(f)
}

// ownStop reports whether Casebook or another observer stops the world, once, to begin or end a trace.
func ownStop(reason string) bool { return reason == "start trace" || reason == "stop trace" }

// rateStop scores the stops for one reason: by those that are long, or by their sum.
func rateStop(stop traces.Stop, span time.Duration) slowStop {
	share := float64(stop.Times.Total) / max(float64(span), 1)
	long := stopScale().Score(stop.Third.Seconds())
	all := 0
	if stop.Times.Count >= manyStops {
		all = stopShareScale().Score(share)
	}
	w := slowStop{Stop: stop, score: max(long, all)}
	w.text = fmt.Sprintf("The world was stopped %s in %s (%s), the longest for %s, the third longest for %s; %s of "+
		"all time.", things(float64(stop.Times.Count), "time"), seconds(span.Seconds()), stop.Reason,
		seconds(stop.Times.Max.Seconds()), seconds(stop.Third.Seconds()), percent(share))
	return w
}

// blameLate finds the line of who was the last to stop, if stopping is what takes long.
func (w *slowStop) blameLate(r *Reading, f *casefile.Finding) bool {
	if 2*w.Stopping.Total < w.Times.Total || len(w.Late) == 0 {
		return false
	}
	sites := make([]traces.Site, 0, len(w.Late))
	for _, l := range w.Late {
		sites = append(sites, traces.Site{Stack: l.Stack, Times: l.Times})
	}
	lines, all := r.TracedLines(sites)
	if len(lines) == 0 {
		return false
	}
	at := lines[0]
	if at.Site.Times.P50 < lateUsually {
		return false
	}
	share := float64(at.Total) / max(float64(all), 1)
	if at.Site.Times.Count < manyStops || share < 0.5 {
		return false
	}
	place := tracedPlace(at.At)
	f.Title = fmt.Sprintf("The world waits for %s to stop", place)
	f.Summary += fmt.Sprintf(" The last to stop was %s, up to %s late.", place, seconds(at.Site.Times.Max.Seconds()))
	f.Where = append(f.Where, tracedFrame(at.At, share, "is the last to stop"))
	f.Remedies = remediesAt(place, lateRemedies()...)
	if r.settings.waitsForCalls() {
		blameSetting(r, f, at.At)
	}
	if gain := float64(w.Stopping.Total) / float64(w.Times.Total); f.Impact.Share > 0 {
		f.Impact.Gain = casefile.Gain{Low: roundShare(gain * f.Impact.Share / 2),
			High: roundShare(gain * f.Impact.Share), Arithmetic: "stops without the wait for the last goroutine"}
	}
	return true
}

// noPreemption is the setting of GODEBUG with which a goroutine stops only where it calls a function. Without it a
// signal stops loops, too (Go 1.14's release notes).
const noPreemption = "asyncpreemptoff=1"

func (s *settings) waitsForCalls() bool {
	return slices.Contains(strings.Split(s.debug, ","), noPreemption)
}

// blameSetting says that a setting keeps the world waiting. A trace shows the call at which a goroutine stopped at
// last: the loop before it is where the CPU profile has most of the function.
func blameSetting(r *Reading, f *casefile.Finding, late traces.Frame) {
	f.Summary += " GODEBUG has " + noPreemption + ": only the call of a function lets a goroutine stop."
	f.Remedies = []casefile.Remedy{setValue("Take "+noPreemption+" out of GODEBUG", "With it a loop that calls "+
		"nothing runs to its end while everybody waits; without it a signal stops the loop within a tenth of a "+
		"millisecond.",
		"none, unless it was set against a fault that the signal shows in code of C or of the kernel")}
	loop, share, ok := computesBelow(r, late.Function)
	if !ok {
		f.Remedies = append(f.Remedies, doChange("Let it be stopped", "Call runtime.Gosched now and then in the loop "+
			"before "+tracedPlace(late)+".", "a nanosecond or two each time"))
		return
	}
	at := r.Place(loop)
	f.Title = fmt.Sprintf("The world waits for the loop at %s, which nothing can stop", at)
	f.Where = slices.Insert(f.Where, 0, r.Frame(loop, share, "runs meanwhile (share of the function's CPU)"))
	f.Evidence = addBasis(f.Evidence, Basis(r.cpu().set))
	f.Remedies = append(f.Remedies, doChange("Let it be stopped", "Call runtime.Gosched in the loop at "+at+
		", every millisecond or so of work.", "a nanosecond or two each time"))
}

// computesBelow is the user's line at which most of a function's CPU is, and the share of it; ok is false if it is not
// most of it, or is not known.
func computesBelow(r *Reading, function string) (line stacks.FrameID, share float64, ok bool) {
	v := r.cpu()
	if v == nil || v.samples < minCPUSamples {
		return stacks.NoFrame, 0, false
	}
	lines := stacks.SumBy(v.set, v.weight, func(s *stacks.Sample) (stacks.FrameID, bool) {
		below := slices.ContainsFunc(s.Stack, func(id stacks.FrameID) bool { return r.Table.Func(id).Name == function })
		id, i := r.Table.UserFrame(s.Stack)
		return id, below && i >= 0
	})
	if len(lines) == 0 {
		return stacks.NoFrame, 0, false
	}
	all := int64(0)
	for _, l := range lines {
		all += l.Value
	}
	share = float64(lines[0].Value) / float64(max(all, 1))
	return lines[0].Key, share, share >= 0.5
}

// blameAsker finds the line that asks for stops which are not the collector's.
func (w *slowStop) blameAsker(r *Reading, f *casefile.Finding) bool {
	if strings.HasPrefix(w.Reason, "GC ") {
		return false
	}
	lines, all := r.TracedLines(slices.DeleteFunc(slices.Clone(w.By), isObservers))
	if len(lines) == 0 {
		return false
	}
	at := lines[0]
	place := tracedPlace(at.At)
	f.Title = fmt.Sprintf("%s stops the world (%s)", place, w.Reason)
	f.Where = append(f.Where, tracedFrame(at.At, float64(at.Total)/max(float64(all), 1), "stops the world"))
	f.Remedies = remediesAt(place, askerRemedies(w.Reason)...)
	f.Impact.Gain = casefile.Gain{Low: roundShare(f.Impact.Share / 2), High: f.Impact.Share,
		Arithmetic: "these stops, if the line asks for none"}
	return true
}

// isObservers reports whether who looks at the process through net/http/pprof asked for a stop.
func isObservers(s traces.Site) bool {
	return does(s.Stack, known.ServesProfiles)
}

func lateRemedies() []Remedy {
	return []Remedy{
		byChange("", "Do it in pieces, and yield", "Copy, clear, compare or hash at {line} in pieces of 256 KiB, and "+
			"call runtime.Gosched between two. Pieces alone do not help: the signal that preempts hardly ever meets "+
			"the few instructions between two calls of assembler.", "none"),
		byChange("", "Do not copy it", "Let {line} share the memory instead of copying it, or grow it once, to its "+
			"final size, at the start.", "the size must be known, or the readers must not write"),
	}
}

// askerRemedies are what to do instead of asking for a stop.
func askerRemedies(reason string) []Remedy {
	switch reason {
	case "read mem stats":
		return []Remedy{byChange("", "Read runtime/metrics", "Replace runtime.ReadMemStats at {line} by "+
			"metrics.Read of package runtime/metrics: it does not stop the world.", "none")}
	case "goroutine profile", "goroutine profile cleanup", "all goroutines stack trace":
		return []Remedy{byChange("", "Take it seldom", "Take the goroutine profile or the stack dump of {line} when "+
			"something is wrong, not on a timer. runtime.NumGoroutine and /sched/goroutines of runtime/metrics count "+
			"without a stop.", "fewer stacks")}
	case "GOMAXPROCS":
		return []Remedy{byChange("", "Set GOMAXPROCS once", "Do not set GOMAXPROCS at {line} while the service "+
			"runs. Since Go 1.25 the runtime follows the CPU limit by itself.", "none")}
	}
	return []Remedy{byChange("", "Ask for it seldom", "Each call at {line} stops the world ("+reason+"): call it "+
		"seldom, or when nobody waits.", "it happens less often")}
}
