package diagnose

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose/stacks"
)

// All other evidence leaves out the code that takes profiles: it is not the service's work. If it makes most of the
// garbage, the collector runs because of it, and hiding it hides the answer.

// profilerScale is in bytes of garbage a second: at 10 MiB/s a heap of 20 MiB is collected every two seconds for
// nothing else, at 200 MiB/s ten times a second. A profiler that sends all profiles every 15 s makes less than 1 MiB/s.
func profilerScale() Scale { return Scale{Worth: 10 << 20, Hurts: 200 << 20} }

const (
	profilerShare = 0.5 // of the garbage: most of it
	profilerSpan  = 5.0 // s; a capture itself makes some MB
)

func allocProfiler() Detector {
	return Detector{
		ID: "AL017", Kind: "alloc-profiler", Title: "Taking profiles makes most of the garbage",
		Text: `All other detectors ignore the code that takes profiles: net/http/pprof, runtime/pprof, and the
continuous profilers that run in the process (Pyroscope's, Datadog's, Google's). This one looks at nothing else. Each
profile is compressed by its own writer, which allocates 800 KiB of tables, and its text or protobuf is built in memory
as well.

It must make half of the garbage or more. Between two heap profiles 5 s or more apart it is scored by its rate: worth
knowing from 10 MiB/s, hurting from 200 MiB/s; one capture of all kinds a minute makes less than 1 MiB/s. With one heap
profile there must be 1 GiB of it since the process began, and it is a notice. The garbage that Casebook's own watch
makes inside the process does not count.`,
		Needs:      needHeap("allocations are not in other evidence"),
		Before:     `for range time.Tick(100 * time.Millisecond) { pprof.WriteHeapProfile(w) }`,
		After:      `for range time.Tick(time.Minute) { pprof.WriteHeapProfile(w) }`,
		Remedies:   profilerRemedies(),
		NeedsPlace: true,
		Run:        runAllocProfiler,
	}
}

func runAllocProfiler(_ context.Context, r *Reading) Answer {
	g := newGarbage(r)
	own := slices.DeleteFunc(slices.Clone(g.set.Own), func(s stacks.Sample) bool {
		return r.Table.Has(s.Stack, (*stacks.Func).Watches)
	})
	made := 0.0
	for i := range own {
		made += float64(max(g.weight(&own[i]), 0))
	}
	share := made / max(made+g.total, 1)
	if share < profilerShare {
		return Answer{}
	}
	score, span := 0, ""
	if g.diff && g.set.Seconds >= profilerSpan {
		rate := made / g.set.Seconds
		score, span = profilerScale().Score(rate), fmt.Sprintf("%s a second", size(rate))
	} else if made >= minLifetime {
		score, span = min(profilerScale().Score(made/60), capNotice), "since the process started"
	}
	if v := r.cpu(); v != nil && v.level.known {
		score = min(score, v.level.cap())
	}
	if score < worthKnowing {
		return Answer{}
	}
	return found(profilerFinding(r, g, own, made, share, score, span))
}

func profilerFinding(r *Reading, g garbage, own []stacks.Sample, made, share float64, score int,
	span string) casefile.Finding {
	byPlace := make(map[stacks.FrameID]int64)
	for i := range own {
		if id := profilerPlace(r, own[i].Stack); id != stacks.NoFrame {
			byPlace[id] += max(g.weight(&own[i]), 0)
		}
	}
	places := entries(byPlace)
	at := r.Place(places[0].Key)
	f := casefile.Finding{
		Title:      fmt.Sprintf("Taking profiles makes %s of the garbage, most at %s", percent(share), at),
		Score:      score,
		Confidence: Confidence(share, sampled(made, made, g.rate)),
		Summary: fmt.Sprintf("%s of the %s of garbage is made by taking profiles (%s), most of it at %s.",
			size(made), size(made+g.total), span, at),
		Explanation: "Each profile is built in memory and compressed by a writer that allocates 800 KiB for it. If " +
			"profiles are taken many times a second, or by several tools at once, " +
			"the collector runs mostly because of them. All other findings leave them out.",
		Impact: casefile.Impact{Resource: "memory", Share: roundShare(share),
			Text: fmt.Sprintf("%s of the garbage", percent(share)),
			Gain: casefile.Gain{Low: roundShare(share / 2), High: roundShare(share), Arithmetic: fmt.Sprintf(
				"%s of %s: all of it goes away without profiles, half of it if they are taken half as often",
				size(made), size(made+g.total))}},
		Evidence: Basis(g.set),
		Remedies: remediesAt(at, profilerRemedies()...),
	}
	for _, e := range top(places, 3) {
		f.Where = append(f.Where, r.Frame(e.Key, float64(e.Value)/max(made+g.total, 1), "takes profiles"))
	}
	return f
}

// profilerPlace is the code that takes profiles: the user's line, otherwise the profiler in the process, otherwise the
// function of net/http/pprof or runtime/pprof that writes them.
func profilerPlace(r *Reading, stack []stacks.FrameID) stacks.FrameID {
	if id, i := r.Table.UserFrame(stack); i >= 0 {
		return id
	}
	place := stacks.NoFrame
	for _, id := range stack {
		if f := r.Table.Func(id); f.TakesProfiles() && !strings.HasPrefix(f.Package, "runtime") ||
			place == stacks.NoFrame && f.TakesProfiles() {
			place = id
		}
	}
	return place
}

func profilerRemedies() []Remedy {
	return []Remedy{
		byChange("", "Take profiles less often", "At {line}, or in the tool that fetches from there: one CPU profile "+
			"and one heap profile a minute show the same as ten a second.", "a spike of seconds may fall between two"),
		byChange("", "Take fewer kinds, and let one tool do it", "Two profilers in one process get half of the CPU "+
			"profiles each, and both make garbage. Turn one off, and turn off the kinds that nobody reads.", "none"),
		byValue("", "runtime.MemProfileRate = 2 MiB", "The heap profile then has a quarter of the records, and takes "+
			"a quarter of the work to write.", "small allocation sites are seen less well"),
	}
}
