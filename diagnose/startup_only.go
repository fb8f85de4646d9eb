package diagnose

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose/stacks"
)

// firstCallScale is in seconds that requests have waited for what runs once. After one second people notice that they
// wait, after ten they leave (R. B. Miller, Response time in man-computer conversational transactions, AFIPS 1968).
func firstCallScale() Scale { return Scale{Worth: 1, Hurts: 10, Top: 60} }

// minFirstRequests is how many requests must have waited for that long: one is the probe of whoever starts the process.
const minFirstRequests = 2

func startupOnly() Detector {
	return Detector{
		ID:    "LAT003",
		Kind:  "startup-only",
		Title: "Requests wait for something that is built once",
		Text: `Looks in goroutine profiles and dumps for goroutines that wait in a sync.Once (OnceFunc, OnceValue,
too), and for the one that works in it. It is no lock contention: the mutex in a Once is taken once in the life of the
process, and the others wait for what the function inside makes. To split that lock or to hold it for less is no remedy;
to call it before the process takes requests is.

Worth knowing from 10 goroutines that wait, hurting from 100; or from two requests that have waited for 1 s, hurting
from 10 s: as long as there is between two captures with the same Once at work, or as a dump says. Capped at 74, because
it ends by itself. Nothing is said where two goroutines are inside: then there is a Once for each entry of a cache, and
they wait for different things.

What another finding blames is marked as the start's, and is a notice at most, if four fifths of it are below a Once at
work, below a package's init, or below main before it serves.`,
		Needs: needGoroutines(),
		Before: `// the first request builds, all others wait
func (x *index) find(w string) []int { x.once.Do(x.build); return x.words[w] }`,
		After: `x := newIndex() // built before the process listens, and says that it is ready
log.Fatal(http.ListenAndServe(addr, x))`,
		Remedies:   firstCallRemedies(),
		NeedsPlace: true,
		IsQueue:    true,
		Effect:     "Requests wait until it is built",
		Run:        runStartupOnly,
	}
}

func runStartupOnly(_ context.Context, r *Reading) Answer {
	set := r.Goroutines()
	var out []casefile.Finding
	for _, c := range firstCalls(r, set) {
		waited := waitedForFirst(r, set, c)
		score := lockWaiterScale().Score(float64(c.waiting))
		if c.requests >= minFirstRequests && c.running > 0 {
			score = max(score, firstCallScale().Score(waited.Seconds()))
		}
		if score < worthKnowing || c.running > 1 {
			continue
		}
		out = append(out, c.finding(r, set, min(score, capUnsure), waited))
	}
	return Answer{Findings: worst(out, 2)}
}

// waitedForFirst is how long at least the Once has been at work: the time between two captures of which one is set, or
// what the goroutines of a dump say.
func waitedForFirst(r *Reading, set *stacks.Set, c *firstCall) time.Duration {
	waited := time.Duration(c.longest) * time.Minute
	for _, s := range r.All(casefile.Goroutine) {
		was, is := firstCalls(r, s), []*firstCall{c}
		if s.Taken.After(set.Taken) {
			was, is = is, was
		}
		for _, w := range was {
			if w.caller == c.caller && w.lasts(is) {
				waited = max(waited, lapse(s, set).Abs())
			}
		}
	}
	return waited
}

func (c *firstCall) finding(r *Reading, set *stacks.Set, score int, waited time.Duration) casefile.Finding {
	total := max(float64(set.Total(set.Count())), 1)
	share := float64(c.waiting) / total
	fn, seen := c.fn(r.Table)
	line := lineOfOnce(r, c)
	built := "what runs at " + r.Place(line)
	if seen {
		built = short(r.Table.Func(fn).Name)
	}
	f := casefile.Finding{
		Title:      fmt.Sprintf("%s wait for %s, which runs once", things(float64(c.waiting), c.who()), built),
		Score:      score,
		Confidence: Confidence(0.5, float64(c.waiting)*2),
		Summary:    c.summary(r, set, waited, built),
		Explanation: "A sync.Once lets the first caller work, and all others wait until it has finished. " +
			"Afterwards it costs nothing: this is about the start, or the first request of its kind, and not a " +
			"lock that is contended.",
		Impact: casefile.Impact{Resource: "latency", Share: roundShare(share),
			Text: fmt.Sprintf("%s wait until it has run", things(float64(c.waiting), c.who()))},
		Evidence: Basis(set),
		Remedies: remediesAt(r.Place(line), firstCallRemedies()...),
	}
	f.Where = c.where(r, line, share)
	if calls := callsWhat(r, c.runs); calls != "" {
		first := len(f.Remedies)
		if waited.Seconds() >= firstCallScale().Hurts {
			f.Title, first = f.Title+", and waits for "+calls, 0
		}
		f.Remedies = slices.Insert(f.Remedies, first, doChange("Give the call a deadline", fmt.Sprintf("It waits for %s. A "+
			"Once does not run again when its function fails: keep the error, or use a lock and try again.",
			calls), "none"))
	}
	return f
}

// who says what waits.
func (c *firstCall) who() string {
	if 2*c.requests >= c.waiting {
		return "request"
	}
	return "goroutine"
}

func (c *firstCall) summary(r *Reading, set *stacks.Set, waited time.Duration, built string) string {
	text := fmt.Sprintf("%s wait in a sync.Once for %s", things(float64(c.waiting), c.who()), built)
	if waited >= time.Second {
		text += fmt.Sprintf(", for %s at least", seconds(waited.Seconds()))
	}
	if age := set.Taken.Sub(r.Started); !r.Started.IsZero() && age > 0 {
		text += fmt.Sprintf("; the process started %s before", seconds(age.Seconds()))
	}
	if c.running == 0 {
		return text + ". Nobody is seen inside: it has just ended."
	}
	return text + "."
}

// lineOfOnce is the user's line that calls a Once, itself or in a library below it.
func lineOfOnce(r *Reading, c *firstCall) stacks.FrameID {
	stack := c.waits
	if stack == nil {
		stack = c.runs
	}
	for i, id := range stack {
		if id != c.caller {
			continue
		}
		if line, k := r.Table.UserFrame(stack[i:]); k >= 0 {
			return line
		}
	}
	return c.caller
}

// where is the function that runs inside, what it is busy with, and the line that waits.
func (c *firstCall) where(r *Reading, line stacks.FrameID, share float64) (out []casefile.Frame) {
	if fn, ok := c.fn(r.Table); ok {
		out = append(out, r.Frame(fn, 0, "runs once, while others wait"))
		if at, k := r.Table.UserFrame(c.runs); k >= 0 && at != fn && at != line {
			out = append(out, r.Frame(at, 0, "is where it is at the moment"))
		}
	}
	return append(out, r.Frame(line, share, "waits for it"))
}

func firstCallRemedies() []Remedy {
	return []Remedy{
		byChange("", "Build it before the process listens", "Call what {line} calls in main, before "+
			"ListenAndServe, and let the readiness probe say no until it has returned. Then no request finds it "+
			"unbuilt.",
			"the process is ready later; it does not get slower"),
		byChange("", "Build it faster", "Load it in the form in which it is used, or build its parts in several "+
			"goroutines: what runs in a Once runs on one processor.", "code, or a file to keep up to date"),
	}
}
