package diagnose

import (
	"slices"
	"strings"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/vitals"
)

// A consequence is a signal that findings move: the end of a chain. In the order of the list one follows from another,
// so that it goes on from the finding to what a client sees.
type consequence struct {
	id   vitals.ID
	why  string
	of   func(t relations, f casefile.Finding) bool // of which finding
	over float64                                    // worth a link from here on, in the signal's unit
	// times is how often the level of the first quarter of the vitals; 0 where over alone says it: a share, a delay.
	times float64
}

// movedTimes is how far a level has moved that is more than load (alsoMoved).
const movedTimes = 1.5

// consequences are the signals, in the order in which one follows from another.
func consequences() []consequence {
	return []consequence{
		{vitals.GCCPU, "the collector runs once in so many bytes", needsCollector, 0.1, 0},
		{vitals.CPUShare, "the work takes the CPU", about("cpu"), 0.7, 0}, // as level.saturated
		{vitals.Throttled, "the kernel stops a process whose quota of 100 ms is used up", about("cpu", "quota"),
			throttledShare, 0},
		{vitals.SchedLatencyP99, "more goroutines are ready to run than processors run them", about("cpu", "quota"),
			waitToRun, 0},
		{vitals.Threads, "a call that blocks keeps its thread", about("threads"), 20, movedTimes},
		{vitals.OpenFiles, "each holds a connection or a file", about("goroutines", "latency"), 50, movedTimes},
		{vitals.Goroutines, "each that waits is a goroutine", about("goroutines", "latency", "quota"), 50, movedTimes},
		{vitals.Stacks, "each goroutine has a stack of 2 KiB or more", about("goroutines", "latency", "quota"), 4 << 20,
			movedTimes},
		{vitals.HeapLive, "what is referred to is never collected", about("memory", "goroutines"), 8 << 20, movedTimes},
		{vitals.RSS, "the process keeps what its heap and stacks need", about("memory", "goroutines"), 32 << 20,
			movedTimes},
		{vitals.HTTPLatencyP99, "a request takes as long as what it waits for", about("latency", "quota", "cpu"),
			spikeFelt, movedTimes},
		{vitals.Unanswered, "a process that waits for the CPU, or stands still, answers nobody",
			about("latency", "quota", "cpu", "memory"), 1e-9, 0},
	}
}

// about fits findings about a resource. "quota" are those of the CPU quota, "threads" those about threads: their impact
// is on the latency, or on the goroutines.
func about(resources ...string) func(relations, casefile.Finding) bool {
	return func(_ relations, f casefile.Finding) bool {
		resource := f.Impact.Resource
		switch f.Kind {
		case "cpu-quota":
			resource = "quota"
		case "thread-surge":
			resource = "threads"
		}
		return slices.Contains(resources, resource)
	}
}

// needsCollector fits findings that make the collector run.
func needsCollector(t relations, f casefile.Finding) bool {
	return slices.ContainsFunc(t.kind(f.Kind).Explains, func(e Relation) bool {
		return (e.Kind == "gc-cpu" || e.Kind == "gc-frequency") && t.applies(&e)
	})
}

// movedSignals are the links of the signals that the vitals show to be high, or to have risen, because of a chain's
// findings. A collector that has a finding of its own in the chain is not named again.
func movedSignals(r *Reading, t relations, path []casefile.Finding) []casefile.Link {
	last := path[len(path)-1]
	inChain := func(prefix string) bool {
		return slices.ContainsFunc(path, func(f casefile.Finding) bool { return strings.HasPrefix(f.Kind, prefix) })
	}
	var out []casefile.Link
	before, known := ownSignal(last)
	for _, c := range consequences() {
		if !c.of(t, last) || c.id == vitals.GCCPU && inChain("gc-") {
			continue
		}
		if text, ok := seen(r, c); ok {
			why := c.why
			if known {
				why += orderOf(r, before, c.id)
			}
			out = append(out, casefile.Link{Signal: c.id.String(), Text: text, Why: why})
			before, known = c.id, true
		}
	}
	return out
}

// seen says what a consequence's signal was; ok is false if it is neither high nor risen, and no rule tripped by it.
func seen(r *Reading, c consequence) (text string, ok bool) {
	at := r.TroubleAt()
	s, known := tripSignal(r, casefile.Trigger{Time: at}, c.id.String())
	if !known || s.Value == nil {
		return "", false
	}
	rose := c.times == 0 || s.Earlier != nil && *s.Value >= c.times**s.Earlier
	if !trippedBy(r, c.id) && (*s.Value < c.over || !rose) {
		return "", false
	}
	return tripText(s, false), true
}

// trippedBy reports whether a rule tripped by a signal.
func trippedBy(r *Reading, id vitals.ID) bool {
	return slices.ContainsFunc(r.Triggers, func(t casefile.Trigger) bool { return t.Signal == id.String() })
}
