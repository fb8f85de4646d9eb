package diagnose

import (
	"context"
	"fmt"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose/stacks"
	"github.com/gocasebook/casebook/vitals"
)

// ballastScale is in shares of the live heap. It ends at a notice: a ballast works, but hides the size of the live heap
// from the pacer, GOMEMLIMIT and people.
func ballastScale() Scale { return Scale{Worth: 0.25, Hurts: 0.9} }

const (
	ballastBytes   = 32 << 20
	ballastObjects = 4 // one or a few
	// of the ballast that must not be resident, as far as is visible; the process's code hides some MB of it
	untouchedShare = 0.5
	nearMain       = 3 // functions of the user's, main.main included: so near to it, the place alone says something
)

func gcBallast() Detector {
	return Detector{
		ID:    "GC009",
		Kind:  "gc-ballast",
		Title: "A ballast makes the heap look larger than it is",
		Text: `Before Go 1.19 a large slice that nobody touches made the collector run less often: its pages are never
resident, but count as live. GOMEMLIMIT does that without tricks, and counts a ballast.

Found are one to four objects of 32 MiB or more that the program's own code made while it started, a quarter of the
live heap or more. Half of it must be pages that Go holds and that are not resident (go_memory minus rss in the
vitals); without vitals the place is enough if main.main or an init function, or what they call, made it. A notice at
most, 35 unless place and pages agree: a table made at its full size looks the same.`,
		Needs:          needHeap("live objects are not in other evidence"),
		Before:         `ballast := make([]byte, 1<<30); defer runtime.KeepAlive(ballast)`,
		After:          `GOGC=off GOMEMLIMIT=2GiB, or GOGC=400`,
		IsWholeProcess: true,
		NeedsPlace:     true,
		Run:            runGCBallast,
	}
}

// ballastUnsure is the cap if neither the place nor the resident pages tell a ballast from a table.
const ballastUnsure = 35

func runGCBallast(_ context.Context, r *Reading) Answer {
	h := r.heap()
	for _, g := range giants(h.held(), alive) {
		depth, atStart := startUp(r, g.stack)
		if g.Objects > ballastObjects || g.mean() < ballastBytes || !atStart || madeInside(r, g.stack) ||
			g.grown(r) {
			continue // a ballast is made at its size, and data is often appended
		}
		share := g.Bytes / max(h.liveBytes, 1)
		limit, text := ballastUnsure, ""
		missing, known := notResident(r, h)
		switch {
		case known && missing >= untouchedShare*g.Bytes:
			text = fmt.Sprintf("; at least %s of the memory that the runtime holds was never touched", size(missing))
			if depth <= nearMain {
				limit = capNotice
			}
		case known && missing <= 0 || depth > nearMain:
			continue // it is used, or nothing shows that it is not
		}
		score := min(ballastScale().Score(share), limit)
		if score < worthKnowing {
			continue
		}
		f := casefile.Finding{
			Title:      fmt.Sprintf("A ballast of %s is allocated at %s", size(g.Bytes), r.Place(g.at)),
			Score:      score,
			Confidence: 0.6,
			Summary: fmt.Sprintf("%s of the %s live heap is one block that was allocated at start at %s%s.",
				percent(share), size(h.liveBytes), r.Place(g.at), text),
			Explanation: "The collector counts the ballast as live and runs less often; GOMEMLIMIT counts it, too.",
			Where:       []casefile.Frame{r.Frame(g.at, share, "allocates the ballast")},
			Evidence:    Basis(h.set),
			Remedies: []casefile.Remedy{
				inPlaceOf(r.pace(), g.Bytes),
				setValue("GOGC=off with GOMEMLIMIT", "Collects only near the limit: for a process that has its "+
					"container to itself.", "if no room is left, the collector runs all the time (gc-death-spiral)"),
			},
		}
		f.Impact = casefile.Impact{Resource: "memory", Share: roundShare(share),
			Text: fmt.Sprintf("%s of the live heap, counted in bytes; little of it is resident", percent(share))}
		return found(f)
	}
	return Answer{}
}

// inPlaceOf is the GOGC that gives the rest of the live heap the same goal as with the ballast. Where neither the goal
// nor GOGC is known, the value is the one for the default, and the text says so.
func inPlaceOf(p pace, ballast float64) casefile.Remedy {
	goal, text := p.goal, ""
	switch {
	case p.gogc > 0 && p.gogc < gogcOff:
		goal = p.goalAt(p.gogc)
	case goal <= 0:
		goal, text = p.goalAt(1), " It is the value for a GOGC of 100 now; the evidence does not show what GOGC is."
	}
	rest := max(p.live-ballast, 4<<20)
	value := min(max((goal-ballast)/rest-1, 1), 50)
	set := "GOGC=" + gogcValue(value)
	return withEnv(set, setValue(set+" in its place", fmt.Sprintf("Without the ballast %s are live, and the next cycle "+
		"still ends after %s more.%s", size(rest), size(value*rest), text), "the goal follows the live heap"))
}

// notResident is how much of the memory that the runtime owns is not resident, at least: whatever else of the process
// is resident, its code and what C allocated, hides as much. If the runtime's number is missing, the live heap is used.
func notResident(r *Reading, h *heapView) (bytes float64, known bool) {
	rss, n := r.MeanNear(vitals.RSS, h.set)
	if n == 0 {
		return 0, false
	}
	held, n := r.MeanNear(vitals.GoMemory, h.set)
	if n == 0 {
		held = h.liveBytes
	}
	return held - rss, true
}

// startUp reports whether an allocation was made below main.main or an init function, and how many functions of the
// user's are on the way, including that one.
func startUp(r *Reading, stack []stacks.FrameID) (depth int, ok bool) {
	for _, id := range stack {
		f := r.Table.Func(id)
		if f.Owner != stacks.User {
			continue
		}
		depth++
		if f.Name == "main.main" || isInit(f.Name) {
			return depth, true
		}
	}
	return 0, false
}
