package diagnose

import (
	"fmt"
	"maps"
	"strings"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose/hold"
	"github.com/gocasebook/casebook/diagnose/known"
	"github.com/gocasebook/casebook/diagnose/stacks"
	"github.com/gocasebook/casebook/vitals"
)

// Not everything that stays open has a goroutine: a query without a context that can end, a driver that reads files, a
// file itself. What shows it is that files rise in a straight line where goroutines do not, and what a call that takes
// a connection has returned is alive, all that it ever returned; or that as many objects of one line are alive as files
// are open.

// unclosedResults finds a user's line whose results keep files open.
func unclosedResults(r *Reading) (casefile.Finding, bool) {
	u, ok := newFDUse(r)
	h := r.holds()
	if !ok || h == nil || u.perSecond <= 0 || u.goroutines >= fdMost*u.more || !signalOf(r, vitals.OpenFiles).goesOn() {
		return casefile.Finding{}, false
	}
	for _, p := range connPools() {
		takes := r.Funcs(func(f *stacks.Func) bool { return takesConnection(f.Name, p.Library[0]) })
		all := h.Sum(func(b *hold.Held) bool {
			return b.Now.Bytes > 0 && b.Line != stacks.NoFrame && b.Enter != stacks.NoFrame && takes[r.Table.FuncID(b.Enter)]
		})
		if all == nil || all.Now.Bytes < hold.AllKept*all.Made.Bytes {
			continue
		}
		if _, own := hold.By(all.Held, hold.LineOf).Most(hold.AliveBytes); own.Now.Bytes >= likelyLine*all.Now.Bytes {
			return unclosedFinding(r, &u, p, own.Held[0], own), true
		}
	}
	if s := oneForEachFile(&u, h); s != nil {
		return unclosedFinding(r, &u, known.Row{Remedy: "what was opened for it, too"}, s.Held[0], s), true
	}
	return casefile.Finding{}, false
}

// oneForEachFile is what a line of the user's has made of which as many objects are alive as files are open, and of
// which nothing was ever freed; nil without one. Of several lines it is the one with most bytes.
func oneForEachFile(u *fdUse, h *hold.Heap) *hold.Sum {
	at := make(hold.Sums[stacks.FrameID])
	for _, b := range h.Held {
		if b.Line != stacks.NoFrame && b.Enter != stacks.NoFrame && b.WholeIsAlive() && b.About(u.last-u.more, u.last) {
			at.Add(b.Line, b)
		}
	}
	maps.DeleteFunc(at, func(_ stacks.FrameID, s *hold.Sum) bool { return !s.NeverFreed() })
	_, most := at.Most(hold.AliveBytes)
	return most
}

// likelyLine is how much of what is alive must be one line's.
const likelyLine = 0.8

func unclosedFinding(r *Reading, u *fdUse, p known.Row, b *hold.Held, s *hold.Sum) casefile.Finding {
	calls, at := short(r.Table.Func(b.Enter).Name), r.Place(b.Line)
	limit := capNotice
	if s.Samples >= hold.LeastKept {
		limit = capUnsure
	}
	closes := doChange("Close it on every path", fmt.Sprintf("At %s: defer Close of what %s returned right after the "+
		"error check, so that an early return closes it, too. As a rule: %s.", at, strings.TrimPrefix(calls, "*"),
		p.Remedy), "none")
	f := casefile.Finding{
		Title: fmt.Sprintf("What %s returned at %s is not closed: %s more open files in %s", calls, at, count(u.more),
			seconds(u.span.Seconds())),
		Score: min(connLeakScale().Score(u.perSecond*3600), limit), Confidence: 0.6,
		Summary: fmt.Sprintf("Open files rose by %s in %s to %s, in a straight line, and goroutines did not. All that %s "+
			"has returned at %s is alive, as far as the heap profile samples it (%s).", count(u.more), seconds(u.span.Seconds()),
			count(u.last), calls, at, things(max(s.Samples, 1), "sample")),
		Explanation: "A result that is not closed keeps its connection, and the next call opens another one, up to a limit.",
		Evidence:    Basis(r.holds().Last),
		Where: []casefile.Frame{r.Frame(b.Line, min(s.Now.Bytes/r.holds().Now.Bytes, 1),
			"opens, and what was made for it is alive (share of the live heap)"), r.Frame(b.Enter, 0, "what it calls")},
		Remedies: []casefile.Remedy{closeEachRound(r, r.Frame(b.Line, 0, ""), closes), lintForRest()},
	}
	f.Impact = casefile.Impact{Resource: "files", Share: roundShare(min(u.more/max(u.last, 1), 1)),
		Text: fmt.Sprintf("%s open files, %s more a second", count(u.last), count(u.perSecond))}
	return f
}

// closeEachRound is the remedy where something is opened in a function that goes on: as many goroutines are in it at
// each capture, and none of a request's. A Close that is deferred there comes too late.
func closeEachRound(r *Reading, opens casefile.Frame, otherwise casefile.Remedy) casefile.Remedy {
	if !staysIn(r, opens.Function) {
		return otherwise
	}
	return doChange("Close it in the round that opened it", fmt.Sprintf("At %s: %s goes on, and a deferred Close in it "+
		"waits for its end. Make the body of its loop a function of its own, with the defer in there, or call Close without "+
		"defer before the round ends, on every path.", frameText(opens),
		short(opens.Function)), "none")
}

// staysIn reports whether as many goroutines, none of a request's, are in a function at each of several moments.
func staysIn(r *Reading, name string) bool {
	sets, in := r.Moments(), r.Funcs(func(f *stacks.Func) bool { return f.Name == name })
	var before int64
	for i, s := range sets {
		n, count := int64(0), stacks.ByValue(s.Value(s.Kind, "count"))
		for k := range s.Samples {
			switch x := &s.Samples[k]; {
			case !in.In(r.Table, x.Stack):
			case serves(r.Table, x.Stack):
				return false
			default:
				n += count(x)
			}
		}
		if n == 0 || i > 0 && n != before {
			return false
		}
		before = n
	}
	return len(sets) > 1
}

// calledAt is the function of a dependency that a place calls, by which it gets at net/http; nil where it calls that
// itself.
func calledAt(r *Reading, at casefile.Frame) *stacks.Func {
	h := r.holds()
	if h == nil {
		return nil
	}
	for _, b := range h.Held {
		if b.Line == stacks.NoFrame || b.Enter == stacks.NoFrame || r.Table.Func(b.Enter).Owner != stacks.Dependency ||
			!r.Table.Has(b.Inside(), func(f *stacks.Func) bool { return strings.HasPrefix(f.Name, known.HTTPClient) }) {
			continue
		}
		if f := r.Frame(b.Line, 0, ""); f.Function == at.Function && f.Line == at.Line {
			return r.Table.Func(b.Enter)
		}
	}
	return nil
}

// closeOrUpgrade is for a call of a dependency that gets the answer: it may hand on its body, or keep it to itself.
func closeOrUpgrade(at casefile.Frame, by *stacks.Func) casefile.Remedy {
	name, module := short(by.Name), by.Module()
	return doChange("Close what it returned, or upgrade "+shortModule(module), fmt.Sprintf("At %s: if what %s returned has "+
		"a Body or a Close, defer its Close right after the error check, on every path. If it has neither, the module got "+
		"the answer and leaves it open, its own fault: look in its change log for the release that closes it (%s); until "+
		"then give each call a context that ends (context.WithTimeout, defer cancel()), which closes the connection.",
		frameText(at), name, upgradeCommand(module)), "none")
}
