package diagnose

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose/stacks"
)

// A crash is an answer: the runtime says what the process died of, and the stack where. What is left to do is the line
// of the user's, who else is there, and the change.

// Scores of a crash: a process that died serves nobody. A panic that the server caught failed one request.
const (
	crashScore = 95
	maxCaught  = 3 // findings about panics that a server caught
)

// Resources of findings about a process that ended, and about requests that did.
const (
	effectProcess  = "process"
	effectRequests = "requests"
)

// caughtScale is in panics that a server caught at one line.
func caughtScale() Scale { return Scale{Worth: 1, Hurts: 100, Top: 10_000} }

func crashDetector() Detector {
	return Detector{
		ID: "CR001", Kind: "crash", Title: "The process ended itself",
		OtherNames: []string{"panic", "fatal error", "segmentation fault", "out of memory"},
		Text: `Reads what the runtime prints before the first goroutine: an error of its own (a map that two goroutines
use at the same time, no memory, a stack or threads beyond their limit, an address that cannot be used), a panic that
nobody recovered, or a signal in code that is not Go's. The place is the first line of the program's own below the
outermost panic, on the stack of the goroutine that ended it. Of a map the other goroutines in the same function, or in
another method of its type, are named: one of them may be the second. That all goroutines are asleep is
goroutine-deadlock's. A dump that somebody asked for (SIGQUIT, a test that took too long) is no crash: it is judged like
any other.`,
		Needs: crashNeeds(), Remedies: crashRemedies(), IsWholeProcess: true, Effect: "The process died",
		Before: `go func() { for { cache[key()] = load() } }() // and a handler reads cache[k]`,
		After:  `mu.Lock(); cache[k] = v; mu.Unlock() // and mu.RLock() around each read`,
		Run: func(_ context.Context, r *Reading) Answer {
			var a Answer
			for _, d := range deaths(r, false) {
				a.Findings = append(a.Findings, d.finding(r))
			}
			a.Findings = a.Findings[:min(len(a.Findings), maxCaught)]
			return a
		},
	}
}

func requestPanic() Detector {
	return Detector{
		ID: "CR002", Kind: "request-panic", Title: "Requests end in a panic",
		OtherNames: []string{"recovered panic", "http: panic serving"},
		Text: `Reads the panics that net/http ("http: panic serving") or a framework's recovery caught, by the line of
the program's own that raised them. Each ended a request, and its connection; the process went on. A warning from one:
whoever sent that request got no answer, and the next that is like it gets none. At most three lines are reported. What
panics outside of a request ends the process, and is a crash.`,
		Needs: crashNeeds(), Remedies: crashRemedies(), Effect: "Requests fail",
		Before: `user := r.Context().Value(userKey).(*User) // a panic where nobody is signed in`,
		After:  `user, ok := r.Context().Value(userKey).(*User); if !ok { http.Error(w, "sign in", 401); return }`,
		Run: func(_ context.Context, r *Reading) Answer {
			var a Answer
			for _, d := range deaths(r, true) {
				a.Findings = append(a.Findings, d.finding(r))
			}
			a.Findings = a.Findings[:min(len(a.Findings), maxCaught)]
			return a
		},
	}
}

func crashNeeds() []Need {
	return []Need{{Kinds: []string{casefile.Goroutine}, Reason: "no text of a crash",
		Capture: "keep what the process prints to its standard error, and give that"}}
}

// A death is one or more crashes for the same reason at the same line.
type death struct {
	crash *stacks.Crash // the first
	row   crashRow
	at    stacks.FrameID // NoFrame where the text does not show it
	user  bool           // at is the program's own
	n     int
	set   *stacks.Set
}

// deaths are the crashes of all texts by reason and line, the most frequent first: those that ended the process, or
// those that a server caught.
func deaths(r *Reading, caught bool) []*death {
	type key struct {
		form string
		at   stacks.FrameID
	}
	var out groups[key, death]
	for _, s := range r.Sets {
		for _, c := range s.Crashes {
			row, known := rowOf(c)
			if c.Caught != caught || !known {
				continue
			}
			at, user := crashPlace(r, c)
			d, first := out.of(key{row.form, at})
			if first {
				*d = death{crash: c, row: row, at: at, user: user, set: s.Set}
			}
			d.n++
		}
	}
	sortFalling(out.all, func(d *death) int { return d.n })
	return out.all
}

// died reports whether a text shows that the process ended.
func died(r *Reading) bool {
	for _, s := range r.Sets {
		if slices.ContainsFunc(s.Crashes, func(c *stacks.Crash) bool { return !c.Caught }) {
			return true
		}
	}
	return false
}

// crashPlace is the line that led to a crash: the program's own, otherwise where a dependency is entered.
func crashPlace(r *Reading, c *stacks.Crash) (at stacks.FrameID, user bool) {
	stack := r.Table.Origin(c)
	if c.Kind == stacks.CrashStack {
		if at, ok := mostRepeated(r, stack); ok {
			return at, r.Table.Func(at).Owner == stacks.User
		}
	}
	if id, i := r.Table.UserFrame(stack); i >= 0 {
		return id, true
	}
	if id, i := r.Table.UserFrame(c.Stack); i >= 0 { // only above the panic: a function that raised it again
		return id, true
	}
	return r.Table.Entered(stack), false
}

// mostRepeated is the line of the function that calls itself: the one that is most often on a stack, the user's first.
func mostRepeated(r *Reading, stack []stacks.FrameID) (at stacks.FrameID, ok bool) {
	n, most := make(map[stacks.FrameID]int), 0
	for _, id := range stack {
		if r.Table.Func(id).Owner == stacks.Runtime {
			continue
		}
		if n[id]++; n[id] > most && n[id] > 1 {
			at, most = id, n[id]
		}
	}
	for _, id := range stack {
		if r.Table.Func(id).Owner == stacks.User && n[id] > 1 && 2*n[id] >= most {
			return id, true
		}
	}
	return at, most > 0
}

func (d *death) finding(r *Reading) casefile.Finding {
	place := "a line that the text does not show"
	f := casefile.Finding{Form: d.row.form, Score: crashScore, Confidence: 0.99, Explanation: d.row.why,
		Evidence: Basis(d.set), Impact: endOfProcess()}
	if d.at != stacks.NoFrame {
		place = r.Place(d.at)
		f.Where = []casefile.Frame{r.Frame(d.at, 1, d.row.role)}
	}
	title := d.row.what
	if d.crash.Bytes > 0 {
		title = strings.Replace(title, "memory", size(float64(d.crash.Bytes))+" of memory", 1)
	}
	f.Title = upperFirst(title) + " at " + place
	if d.at == stacks.NoFrame {
		f.Title = upperFirst(title)
	}
	f.Summary = d.said() + "."
	if d.crash.Caught {
		f.Score = max(caughtScale().Score(float64(d.n)), scoreOfAll)
		f.Impact = casefile.Impact{Resource: effectRequests, Text: things(float64(d.n), "request") + " ended in it"}
		f.Summary = "The server caught " + things(float64(d.n), "panic") + " here. " + d.said() + "."
	}
	if d.row.beside != nil {
		others := d.row.beside(r, d)
		f.Where = append(f.Where, others...)
		f.Summary = extended(f.Summary, besides(others))
	}
	if len(f.Where) == 0 {
		f.Where = []casefile.Frame{{Function: stacks.Nameless(""), Role: "the text ends before the goroutine's stack"}}
	}
	f.Remedies = remediesAt(place, d.row.cure)
	if !d.user && d.at != stacks.NoFrame {
		f.Explanation += " The line is a dependency's: what the program gives it decides, or its next release."
	}
	return f
}

// besides names the first of the places where others are.
func besides(others []casefile.Frame) string {
	if len(others) == 0 {
		return "."
	}
	o := others[0]
	return fmt.Sprintf("; %s: %s.", o.Role, frameText(o))
}

// endOfProcess is the impact of what ended the process.
func endOfProcess() casefile.Impact {
	return casefile.Impact{Resource: effectProcess, Share: 1, Text: "the process ended, with all that it was doing"}
}

// said is what the process said.
func (d *death) said() string {
	said := d.crash.Text
	if d.crash.Kind == stacks.CrashPanic {
		said = "panic: " + said
	}
	if d.crash.Signal != "" && d.crash.Signal != said {
		said = strings.TrimPrefix(said+" ["+d.crash.Signal+"]", " ")
	}
	return fmt.Sprintf("It says %q", said)
}

// alsoThere are the other goroutines in the function that crashed, or in another method of its type.
func alsoThere(r *Reading, d *death) []casefile.Frame {
	if d.at == stacks.NoFrame {
		return nil
	}
	own, count := r.Table.FuncID(d.at), d.set.Count()
	owner, method := stacks.Receiver(r.Table.Func(d.at).Name)
	near := func(s *stacks.Sample) (stacks.FrameID, bool) {
		if slices.Equal(s.Stack, d.crash.Stack) && count(s) <= 1 {
			return stacks.NoFrame, false
		}
		for _, id := range s.Stack {
			other, of := stacks.Receiver(r.Table.Func(id).Name)
			if r.Table.FuncID(id) == own || method && of && other == owner {
				return id, true
			}
		}
		return stacks.NoFrame, false
	}
	total := float64(d.set.Total(count))
	return r.Frames(stacks.SumBy(d.set, count, near), 3, max(total, 1), "other goroutines are there")
}

// mostWaiting is where most goroutines are: each may have a descriptor, or a thread.
func mostWaiting(r *Reading, d *death) []casefile.Frame {
	total := float64(d.set.Total(d.set.Count()))
	for _, p := range r.Piles(d.set) {
		if p.At != d.at && p.N >= waitersLeast {
			return []casefile.Frame{r.Frame(p.At, float64(p.N)/max(total, 1),
				fmt.Sprintf("%s goroutines %s", count(p.N), p.Wait.Does()))}
		}
	}
	return nil
}

// ofDead are the open questions about a process that has died: nothing more can be captured of it.
func ofDead(us []casefile.Undecided) []casefile.Undecided {
	us = slices.DeleteFunc(us, func(u casefile.Undecided) bool { return len(u.Lacks) > 0 })
	for i, u := range us {
		if u.CaptureNext != "" {
			us[i].CaptureNext = "of its next run: " + u.CaptureNext
		}
	}
	return us
}
