package diagnose

import (
	"fmt"
	"slices"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose/hold"
	"github.com/gocasebook/casebook/diagnose/known"
	"github.com/gocasebook/casebook/diagnose/stacks"
)

// What grows most is seldom what keeps it, but a small thing that each request or job leaves behind: a registration with
// a closure, a subscriber with a channel. All that were ever made are alive, and what hangs on them is not fewer.

// An owner is what most likely keeps something that grows.
type owner struct {
	line  stacks.FrameID // the user's, by which it is made
	count hold.Count
	says  string // what is wrong with it, for a title
	cure  casefile.Remedy
}

// owner is what most likely keeps what a function made; false where nothing shows it.
func (k *kept) owner() (o owner, ok bool) {
	if k.foreign || k.inPlace || k.line == stacks.NoFrame {
		return o, false
	}
	if o, ok = registration(k); !ok {
		return leftBehind(k)
	}
	return o, true
}

// registration is a call on the way to what grows, or the other way round, that keeps what only another call ends.
func registration(k *kept) (o owner, ok bool) {
	r, h := k.r, k.r.holds()
	line, begins, row, ok := endIn(r, func(s *hold.Sum) bool { return h.MayHang(k.Sum, s) })
	if !ok {
		return o, false
	}
	return owner{line, h.KeptWhole()[hold.Call{Line: line, Enter: begins}].MostSampled().Now,
		fmt.Sprintf("What %s begins at %s is not ended", short(r.Table.Func(begins).Name), r.Place(line)),
		endAsKnown(r.Place(line), row)}, true
}

// leftBehind is what requests make before they wait for a channel, in the package of what grows, where those of
// requests that have ended are all still there.
func leftBehind(k *kept) (o owner, ok bool) {
	r, t := k.r, k.r.Table
	for _, c := range r.holds().KeptWhole().Sorted(hold.AliveBytes) {
		line, enter := c.Key.Line, c.Key.Enter
		if line == stacks.NoFrame || t.Func(line).Package != t.Func(k.line).Package || c.Samples < hold.LeastKept/2 ||
			enter != stacks.NoFrame && t.Func(enter).Owner == stacks.Dependency || !hold.NotFewer(k.Sum, c.Sum) ||
			oneForEachGoroutine(r, c.Sum) {
			continue
		}
		if waiting := waitAfter(r, c.Held[0].Stack); waiting > 0 {
			n := c.MostSampled().Now
			return owner{line, n, fmt.Sprintf("What requests make at %s is left behind when they end", r.Place(line)),
				doChange("Take it out when the request ends, or its client has gone", fmt.Sprintf("At %s each request makes "+
					"something, and then waits for a channel. About %s were made and all are kept, while %s wait: most likely "+
					"a map or a list of subscribers still has those of requests that have ended. Defer the delete (an "+
					"unsubscribe) right after the call that adds it.", r.Place(line), count(n.Objects),
					things(float64(waiting), "request")), "none")}, true
		}
	}
	return o, false
}

// waitAfter is how many requests have gone through a function of a stack, are in one of its later lines, and wait there
// for a channel in the user's own code: who made something before it waits is told of more.
func waitAfter(r *Reading, stack []stacks.FrameID) (n int64) {
	t, set := r.Table, r.Goroutines()
	if set == nil || !t.Has(stack, withRole(known.BeginsRequest)) {
		return 0
	}
	later := func(id stacks.FrameID) bool {
		at := slices.IndexFunc(stack, func(made stacks.FrameID) bool { return t.FuncID(made) == t.FuncID(id) })
		return at >= 0 && t.Func(id).Owner == stacks.User && t.Line(id) > t.Line(stack[at])
	}
	for i, s := range set.Samples {
		_, at := t.UserFrame(s.Stack)
		if wait := set.Wait(i); at >= 0 && (wait == stacks.WaitReceive || wait == stacks.WaitSelect) &&
			!t.Has(s.Stack[:at], func(f *stacks.Func) bool { return f.Owner != stacks.Runtime }) &&
			slices.ContainsFunc(s.Stack[at:], later) {
			n += set.Count()(&s)
		}
	}
	return n
}

// tellOwner has a finding about what grows begin with what most likely keeps it, if that is another line.
func (k *kept) tellOwner(f *casefile.Finding, grown string) {
	o, ok := k.owner()
	if !ok || o.line == k.line {
		return
	}
	f.Title = fmt.Sprintf("%s, and keeps what grows: %s", o.says, grown)
	f.Summary += fmt.Sprintf(" About %s made at %s are alive, all that ever were: most likely they keep it.",
		things(o.count.Objects, "object"), k.r.Place(o.line))
	f.Where = append([]casefile.Frame{k.r.Frame(o.line, 0, "makes what most likely keeps it")}, f.Where...)
}
