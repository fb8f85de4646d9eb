package diagnose

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose/known"
	"github.com/gocasebook/casebook/diagnose/stacks"
	"github.com/gocasebook/casebook/diagnose/traces"
	"github.com/gocasebook/casebook/vitals"
)

// A file or connection that nobody closes, and to which nobody refers any more, is closed by the finalizer that the
// standard library gives each. Open files rise then only from one collection to the next, and no object of them is
// alive in a heap profile. The trace shows who calls close.

// leastCollected is how many the collector must close in a trace: a few were forgotten on a rare path.
const leastCollected = 10

// An opener is a line of the user's that opens files or connections, itself or by goroutines that a library starts for
// it, as often as a trace shows.
type opener struct {
	at     traces.Frame
	opens  int64
	behind string // the module that opens for it; "" where the line does so itself
}

// closedByCollector finds what finalizers close, and who opens most of it.
func closedByCollector(r *Reading) (casefile.Finding, bool) {
	s, from := r.Trace()
	if s == nil || s.Span <= 0 {
		return casefile.Finding{}, false
	}
	closed := int64(0)
	closes := make(map[string]int64) // by the user's function that closes, or defers it
	for _, c := range s.Syscalls {
		if kernelCall(c.Stack) != "close" {
			continue
		}
		if at, ok := r.TracedLine(c.Stack); ok && r.IsUsers(at) {
			closes[at.Function] += c.Times.Count
		}
		if does(c.Stack, known.RunsFinalizers) {
			closed += c.Times.Count
		}
	}
	open := float64(closed)
	if files := signalOf(r, vitals.OpenFiles); len(files.values) > 0 {
		open = slices.Max(files.values) - slices.Min(files.values)
	}
	score := min(connLeakScale().Score(open), capUnsure)
	if closed < leastCollected || score < worthKnowing {
		return casefile.Finding{}, false
	}
	for _, o := range openers(r, s) {
		if 2*(o.opens-closes[o.at.Function]) >= closed {
			return collectedFinding(r, s, o, closed, score, from), true
		}
	}
	return casefile.Finding{}, false
}

// openers are the lines that open, the most frequent first.
func openers(r *Reading, s *traces.Summary) []*opener {
	var out []*opener
	for _, c := range s.Syscalls {
		if !does(c.Stack, known.OpensDescriptor, known.Dials) || kernelCall(c.Stack) == "close" {
			continue
		}
		o := opener{opens: c.Times.Count, behind: enteredModule(r, c.Stack)}
		at, ok := r.TracedLine(c.Stack)
		if !ok || !r.IsUsers(at) {
			at, ok = requestBehind(r, s, c.Stack[len(c.Stack)-1].Function, furthestBegun)
		}
		if o.at = at; !ok || !r.IsUsers(at) {
			continue
		}
		if k := slices.IndexFunc(out, func(b *opener) bool { return b.at == at }); k >= 0 {
			out[k].opens = max(out[k].opens, o.opens) // to open takes several system calls, each a site
			continue
		}
		out = append(out, &o)
	}
	slices.SortStableFunc(out, func(a, b *opener) int { return cmp.Compare(b.opens, a.opens) })
	return out
}

// enteredModule is the module of the dependency that the user's line of a stack calls, or the outermost; "" without one.
func enteredModule(r *Reading, stack traces.Stack) (module string) {
	for _, f := range stack {
		switch g := r.Traced(f); g.Owner {
		case stacks.User:
			return module
		case stacks.Dependency:
			module = g.Module()
		}
	}
	return module
}

func collectedFinding(r *Reading, s *traces.Summary, o *opener, closed int64, score int,
	from []casefile.Basis) casefile.Finding {
	at := tracedPlace(o.at)
	cure := doChange("Close each on every path", fmt.Sprintf("At %s: defer Close of what is opened there right after the "+
		"error check; where the function returns it, whoever gets it closes it.", at), "none")
	if o.behind != "" {
		cure = doChange("Make the client once, or close each", fmt.Sprintf("What %s calls of %s opens connections as often "+
			"as requests come. If its client is made there, or below: make it once at start-up and keep it in a field; where "+
			"it must serve one request, defer its Close.", at, o.behind), "a client must be safe for concurrent use")
	}
	return casefile.Finding{
		Title: fmt.Sprintf("What is opened at %s is closed by the collector: %s in %s", at, count(float64(closed)),
			seconds(s.Span.Seconds())),
		Score: score, Confidence: 0.85,
		Summary: fmt.Sprintf("In a trace of %s finalizers closed %s files and connections, and this line opened %s.",
			seconds(s.Span.Seconds()), count(float64(closed)), count(float64(o.opens))),
		Explanation: "Nobody closes them, and nobody refers to them: they stay open until a collection finds that, as many " +
			"as come in between. With a larger heap or fewer collections that is the limit of open files; and each call pays " +
			"for opening.",
		Where: []casefile.Frame{tracedFrame(o.at, 0, "opens them")},
		Impact: casefile.Impact{Resource: "files",
			Text: count(float64(closed)/s.Span.Seconds()) + " a second, closed late"},
		Evidence: from,
		Remedies: []casefile.Remedy{cure},
	}
}
