package diagnose

import (
	"fmt"
	"strings"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose/hold"
	"github.com/gocasebook/casebook/diagnose/stacks"
	"github.com/gocasebook/casebook/diagnose/view"
	"github.com/gocasebook/casebook/vitals"
)

// Not every result that stays open has a goroutine: a query without a context that can end, a driver that reads files.
// What shows it is that files rise in a straight line where goroutines do not, and what a call that takes a connection
// has returned is alive, all that it ever returned.

// filesGoOn is how much of the first half's rise the second half must have: a pool that grows with its load slows down.
const filesGoOn = 0.5

// unclosedResults finds a user's line whose results keep files open.
func unclosedResults(r *Reading) (casefile.Finding, bool) {
	u, ok := newFDUse(r)
	h := r.holds()
	if !ok || h == nil || u.perSecond <= 0 || u.goroutines >= fdMost*u.more || !filesKeepRising(r) {
		return casefile.Finding{}, false
	}
	for _, p := range connPools() {
		takes := r.Funcs(func(f *stacks.Func) bool { return takesConnection(f.Name, p.library) })
		all := h.Sum(func(b *hold.Held) bool { return b.Now.Bytes > 0 && entersBy(r, b, takes) })
		if all == nil || all.Now.Bytes < hold.AllKept*all.Made.Bytes {
			continue
		}
		line := all.Held[0]
		own := h.Sum(func(b *hold.Held) bool { return b.Now.Bytes > 0 && b.Line == line.Line && entersBy(r, b, takes) })
		if own.Now.Bytes >= likelyLine*all.Now.Bytes {
			return unclosedFinding(r, &u, p, line, own), true
		}
	}
	return casefile.Finding{}, false
}

// likelyLine is how much of what is alive must be one line's.
const likelyLine = 0.8

// entersBy reports whether one of the functions is what the user's line of b calls.
func entersBy(r *Reading, b *hold.Held, calls view.FuncSet) bool {
	return b.Line != stacks.NoFrame && b.Enter != stacks.NoFrame && calls[r.Table.FuncID(b.Enter)]
}

// filesKeepRising reports whether the open files rise in the second half of the vitals as in the first.
func filesKeepRising(r *Reading) bool {
	var values []float64
	for i := range r.Vitals {
		if v, ok := r.Vitals[i].Get(vitals.OpenFiles); ok {
			values = append(values, v)
		}
	}
	n := len(values)
	if n < driftSteps {
		return false
	}
	early, late := values[n/2]-values[0], values[n-1]-values[n/2]
	return early > 0 && late >= filesGoOn*early
}

func unclosedFinding(r *Reading, u *fdUse, p connPool, b *hold.Held, s *hold.Sum) casefile.Finding {
	calls, at := short(r.Table.Func(b.Enter).Name), r.Place(b.Line)
	limit := capNotice
	if s.Samples >= hold.LeastKept {
		limit = capUnsure
	}
	f := casefile.Finding{
		Title: fmt.Sprintf("What %s returned at %s is not closed: %s more open files in %s", calls, at, count(u.more),
			seconds(u.span.Seconds())),
		Score: min(connLeakScale().Score(u.perSecond*3600), limit), Confidence: 0.6,
		Summary: fmt.Sprintf("Open files rose by %s in %s to %s, in a straight line, and goroutines did not. All that %s has "+
			"returned at %s is alive, as far as the heap profile samples it (%s).", count(u.more), seconds(u.span.Seconds()),
			count(u.last), calls, at, things(max(s.Samples, 1), "sample")),
		Explanation: "A result that is not closed keeps its connection, and the pool opens another one for the next call: " +
			"files, and memory of the driver and of the other side, until a limit is reached.",
		Evidence: Basis(r.holds().Last),
		Where: []casefile.Frame{r.Frame(b.Line, min(s.Now.Bytes/r.holds().Now.Bytes, 1),
			"takes a connection, and what it returned is alive (share of the live heap)"), r.Frame(b.Enter, 0, "what it calls")},
		Remedies: []casefile.Remedy{
			doChange("Close it on every path", fmt.Sprintf("At %s: defer Close of what %s returned right after the error "+
				"check, so that an early return closes it, too; %s.", at, strings.TrimPrefix(calls, "*"), p.fix), "none"),
			doChange("Find the rest with a linter", "sqlclosecheck and rowserrcheck (in golangci-lint) report rows and "+
				"statements that are not closed on every path.", "a few false alarms"),
		},
	}
	f.Impact = casefile.Impact{Resource: "files", Share: roundShare(min(u.more/max(u.last, 1), 1)),
		Text: fmt.Sprintf("%s open files, %s more a second", count(u.last), count(u.perSecond))}
	return f
}
