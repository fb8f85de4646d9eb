package diagnose

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose/hold"
	"github.com/gocasebook/casebook/diagnose/stacks"
	"github.com/gocasebook/casebook/diagnose/traces"
	"github.com/gocasebook/casebook/diagnose/view"
)

// Goroutines that a library started, and in which no line of the user's is: the place is the user's line that called
// what started them, and what ends them is something that this line was given, or that it calls.

// A begun is who began a pile's goroutines, and what would end them.
type begun struct {
	hold.Begin
	end    hold.Ending
	fn     stacks.FuncID // that they run
	likely bool          // no stack shows it
}

// begunBy finds who began a pile in which no line of the user's is; false where nothing shows it.
func begunBy(r *Reading, p *view.Pile) (begun, bool) {
	root, ok := mostOf(p.Root)
	_, idle := idleConnection(r.Table, p) // a server's, or a client's own
	if p.User || !ok || idle && r.Table.Func(root).Owner == stacks.Std {
		return begun{}, false
	}
	fn := r.Table.FuncID(root)
	b, known := r.begins.Load(fn)
	if !known {
		b, _ = r.begins.LoadOrStore(fn, findBegun(r, fn))
	}
	return b.(begun), b.(begun).fn == fn
}

// namesBegun is who began a pile's goroutines, if sure enough to be named. Who reads a connection may have been begun
// by any of the calls that use it.
func namesBegun(r *Reading, p *view.Pile) (begun, bool) {
	b, ok := begunBy(r, p)
	return b, ok && !(b.likely && p.Wait == stacks.WaitNetwork)
}

// findBegun is who began the goroutines with a function; its fn is another where nobody is known.
func findBegun(r *Reading, fn stacks.FuncID) begun {
	b, ok := r.chain().Begun(fn)
	_, seen := r.chain().Goroutine(fn)
	if !ok && r.Table.Funcs[fn].Owner == stacks.Dependency {
		for _, of := range companions(r, fn) { // one thing has them all
			if b, ok = r.chain().Begun(of); ok && b.Calls != stacks.NoFrame {
				break
			}
		}
	}
	if !ok || b.Calls == stacks.NoFrame {
		return begun{fn: stacks.NoFunc}
	}
	return begun{b, hold.EndOf(r.Table, fn, b, func(of stacks.FuncID) int64 { return last(running(r, of)) }), fn, !seen}
}

// companions are the functions, of the same module or package of the standard library, whose goroutines exist only
// together with those of a function.
func companions(r *Reading, fn stacks.FuncID) (out []stacks.FuncID) {
	f, own := &r.Table.Funcs[fn], running(r, fn)
	if last(own) < riseLeast {
		return nil
	}
	for i := range r.Table.Funcs {
		g, of := &r.Table.Funcs[i], stacks.FuncID(i)
		if of == fn || g.Owner != f.Owner || g.Module() != f.Module() || f.Owner != stacks.Dependency &&
			g.Package != f.Package {
			continue
		}
		if n := running(r, of); last(n) >= riseLeast && hold.Together(own, n) {
			out = append(out, of)
		}
	}
	return out
}

// running is how many goroutines run a function, at each moment.
func running(r *Reading, fn stacks.FuncID) []int64 {
	var out []int64
	for _, s := range r.Moments() {
		out = append(out, runningIn(r, s, fn))
	}
	return out
}

// runningIn is how many goroutines were begun with a function, which has no file in some dumps.
func runningIn(r *Reading, set *stacks.Set, fn stacks.FuncID) (sum int64) {
	for _, p := range r.Piles(set) {
		for root, n := range p.Root {
			if r.Table.Func(root).Name == r.Table.Funcs[fn].Name {
				sum += n
			}
		}
	}
	return sum
}

// last is the last of some numbers; 0 of none.
func last(of []int64) int64 {
	if len(of) == 0 {
		return 0
	}
	return of[len(of)-1]
}

// blockedCallback is the goroutines of a library that have called the user's code, and wait there to send what nobody
// takes, if as many others of that library are there that a call of the user's began: these wait for them, also where
// they have been told to end.
func blockedCallback(r *Reading, p *view.Pile) (of begun, ok bool) {
	root, known := mostOf(p.Root)
	if !known || !p.User || p.Wait != stacks.WaitSend || r.Table.Func(root).Owner != stacks.Dependency {
		return of, false
	}
	for _, q := range r.Piles(lastMoment(r)) {
		if of, ok = namesBegun(r, q); ok && of.end.Module == r.Table.Func(root).Module() && asManyNow(r, p, q) {
			return of, true
		}
	}
	return of, false
}

// asManyNow reports whether two piles are as many in the last capture.
func asManyNow(r *Reading, p, q *view.Pile) bool {
	a, b := r.NumberAt(lastMoment(r), p.At), r.NumberAt(lastMoment(r), q.At)
	return float64(min(a, b)) >= nearlyAsMany*float64(max(a, b))
}

// behindCallback reports whether a pile is of goroutines that such a callback holds up: the same call began them, or
// they are as many, in the same library.
func behindCallback(r *Reading, p *view.Pile) bool {
	root, known := mostOf(p.Root)
	if !known || p.User {
		return false
	}
	own, begun := namesBegun(r, p)
	return slices.ContainsFunc(r.Piles(lastMoment(r)), func(q *view.Pile) bool {
		of, blocked := blockedCallback(r, q)
		return blocked && (begun && of.Line == own.Line ||
			r.Table.Func(root).Module() == of.end.Module && asManyNow(r, p, q))
	})
}

// riseOf is how the number of goroutines of a pile rises, with all that the same call of the user's began.
func riseOf(r *Reading, p *view.Pile) rise {
	own, ok := begunBy(r, p)
	if !ok {
		own, ok = blockedCallback(r, p)
	}
	if !ok {
		return riseAt(r, p)
	}
	g := riseOver(r, func(s *stacks.Set) int64 {
		return numberOf(r, s, func(q *view.Pile) bool {
			b, ok := begunBy(r, q)
			return ok && b.Line == own.Line && b.Calls == own.Calls
		})
	})
	g.significant = g.significant || g.after-g.before >= riseLeast && r.holds().KeepsAll(own.Begin)
	return g
}

func mostOf(of map[stacks.FrameID]int64) (stacks.FrameID, bool) {
	if es := entries(of); len(es) > 0 {
		return es[0].Key, true
	}
	return stacks.NoFrame, false
}

// calls is the function that the user's line calls, for prose.
func (b begun) calls(r *Reading) string { return short(r.Table.Func(b.Calls).Name) }

// what is the thing that must be ended, for prose.
func (b begun) what() string {
	switch {
	case b.end.Is == hold.Receiver:
		return b.receiver()
	case b.end.Is == hold.Either && b.end.Type != "":
		return fmt.Sprintf("what %s returned, or the %s", b.end.Of, b.end.Type)
	}
	return "what " + b.end.Of + " returned"
}

// receiver is the value that the user's line calls a method on.
func (b begun) receiver() string {
	if b.end.Type == "" {
		return "what " + b.end.Of + " is called on"
	}
	return "the " + b.end.Type
}

// remedy is what the user's line can do.
func (b begun) remedy(r *Reading) casefile.Remedy {
	at := r.Place(b.Line)
	if b.end.Row != nil {
		return endAsKnown(at, b.end.Row)
	}
	switch b.end.Is {
	case hold.Receiver:
		return doChange("Make "+b.receiver()+" once, and keep it", fmt.Sprintf("At %s: %s is called on many, and each has "+
			"goroutines of %s of its own, which live as long as it does. Make one for each thing that it is for (a file, an "+
			"address, a customer), not one for each call, and keep it; call its Close or Stop where the thing ends.", at,
			b.calls(r), b.end.Module), "the one is shared: its methods must be safe for concurrent use")
	case hold.Made:
		return doChange("Make one and keep it, or close "+b.what(), fmt.Sprintf("At %s: each call of %s starts goroutines "+
			"of %s, which live until they are told to end. Make one for the process, or for each address, and use it again; "+
			"where it is needed for a moment, defer its Close (Stop, Shutdown) right after the error check, or, if it has "+
			"none, look for a constructor that takes a context, and cancel that.", at, b.calls(r), b.end.Module), "none")
	}
	if b.lasts(r) {
		return doChange("Give "+b.calls(r)+" a context that ends with it", fmt.Sprintf("At %s: the call lasts, and "+
			"returns nothing to close; each starts a goroutine of %s that waits for the end of its context. "+
			"ctx, cancel := context.WithCancel(…), defer cancel(), and hand that on in place of one that outlives the "+
			"call (context.Background()).", at, b.end.Module), "none")
	}
	text := fmt.Sprintf("At %s: each call of %s may start a goroutine of %s that waits until it is told to end. Close %s "+
		"on every path (defer its Close, Stop or Cancel right after the error check), or give the call a context that is "+
		"cancelled when its work is done.", at, b.calls(r), b.end.Module, b.what())
	if b.end.Is == hold.Either {
		text += fmt.Sprintf(" If it returns nothing to close, keep one %s.", strings.TrimPrefix(b.receiver(), "the "))
	}
	return doChange("Close "+b.what(), text, "none")
}

// lasts reports whether the call that began goroutines goes on while they are there: some are in it in each capture, and
// in a trace they wait there for long.
func (b begun) lasts(r *Reading) bool {
	for _, set := range r.Moments() {
		in := func(p *view.Pile) bool { return p.User && slices.Contains(p.Stack, b.Line) }
		if !slices.ContainsFunc(r.Piles(set), in) {
			return false
		}
	}
	return slices.ContainsFunc(r.Summary().Blocking, func(w traces.Wait) bool {
		return w.Times.P50 >= longQueue && slices.ContainsFunc(w.Stack, func(f traces.Frame) bool { return r.IsAt(b.Line, f) })
	})
}

// unread reports whether nobody reads what a pile writes to pipes in the same process. Each is alone in the write of a
// pipe and needs a reader of its own: in every capture there are more than twice as many as could be one.
func unread(r *Reading, p *view.Pile) bool {
	writes := func(q *view.Pile) bool {
		_, ok := otherEnd(r, q)
		return ok
	}
	return writes(p) && !slices.ContainsFunc(r.Moments(), func(s *stacks.Set) bool {
		return numberOf(r, s, writes) <= 2*numberOf(r, s, func(q *view.Pile) bool {
			_, idle := idleConnection(r.Table, q)
			return !idle && !writes(q)
		})
	})
}

// remedies are those of the user's line, and what to do if it has nothing to end.
func (b begun) remedies(r *Reading) []casefile.Remedy {
	out := []casefile.Remedy{b.remedy(r)}
	if r.Table.Func(b.Calls).Owner == stacks.Dependency && b.end.Row == nil {
		out[0].Name = generalRemedy
		out = append(out, newerRelease(b.end.Module))
	}
	return out
}

// hangs is how many live bytes were allocated by the goroutines of a pile, and by the call that began them: the heap
// that their end would free with their stacks, but for what somebody else keeps.
func hangs(r *Reading, b begun) (sum float64) {
	h, by := r.heap(), r.Funcs(these(r.Table, b.By))
	if h == nil {
		return 0
	}
	for s, n := range h.set.Counted(h.space) {
		if r.Table.FuncID(r.Table.Root(s.Stack)) == b.fn || by.In(r.Table, s.Stack) {
			sum += float64(n)
		}
	}
	return sum
}

// asBegun is a finding about a pile's goroutines as their user sees it: the place is the line that called what began
// them.
func asBegun(r *Reading, f casefile.Finding, p *view.Pile) casefile.Finding {
	b, ok := namesBegun(r, p)
	if !ok {
		return f
	}
	f.Where = b.where(r, p, f.Where)
	f.Title = fmt.Sprintf("Goroutines of %s, called at %s, are not ended: %s are left", b.calls(r), r.Place(b.Line),
		count(p.N))
	if held := hangs(r, b); held >= 1<<20 {
		f.Summary += fmt.Sprintf(" They and the calls that began them have allocated %s that are alive.", size(held))
		f.Impact.Text += fmt.Sprintf(", and %s of the heap", size(held))
	}
	f.Summary += fmt.Sprintf(" They run in %s and belong to %s.", short(r.Table.Funcs[b.fn].Name), b.what())
	f.Explanation = "A library's goroutine ends when the thing that it works for is closed, or its context cancelled. " +
		"Until then it keeps its stack and all that it refers to, and nobody else can end it."
	return f
}

// where puts the user's line before the places of a pile that its call began.
func (b begun) where(r *Reading, p *view.Pile, at []casefile.Frame) []casefile.Frame {
	out := append([]casefile.Frame{as(startsPart, r.Frame(b.Line, at[0].Share, "calls what starts them"))}, at...)
	if !b.Direct(r.Table) || r.Table.FuncID(b.Calls) != r.Table.FuncID(p.At) {
		out = append(out, r.Frame(b.Calls, 0, "the library's function that it calls"))
	}
	return out
}

// begunOnce joins findings about goroutines that one call began: a library may start several for it, and a function of
// the user's several for each session, of which there are as many.
func begunOnce(fs []casefile.Finding) (out []casefile.Finding) {
	for _, f := range fs {
		i := slices.IndexFunc(out, func(o casefile.Finding) bool { return begunTogether(o, f) })
		if i < 0 {
			out = append(out, f)
			continue
		}
		if out[i].Where[0].Part == awaitsPart { // what does not end is the cause of who waits for its end
			out[i], f = f, out[i]
		}
		o, gain := &out[i], &out[i].Impact.Gain
		o.Summary, o.Score = o.Summary+" With them: "+f.Summary, max(o.Score, f.Score)
		o.Where = addPlaces(o.Where, f.Where...)
		if f.Where[0].Part != startsPart {
			o.Remedies = slices.Insert(slices.Clone(o.Remedies), 1, f.Remedies[0])
		}
		o.Impact.Share = roundShare(o.Impact.Share + f.Impact.Share)
		*gain = saves(gain.Low+f.Impact.Gain.Low, gain.High+f.Impact.Gain.High, gain.Arithmetic)
	}
	return out
}

// begunTogether reports whether two findings are of goroutines that one line of the user's leads to, or that one
// function starts as many of.
func begunTogether(a, b casefile.Finding) bool {
	if a.Where[0].Part == startsPart || b.Where[0].Part == startsPart {
		return a.Where[0].Part == b.Where[0].Part && a.Where[0].Function == b.Where[0].Function &&
			a.Where[0].Line == b.Where[0].Line
	}
	of := starterOf(a)
	return of != "" && of == starterOf(b) && min(a.Impact.Share, b.Impact.Share) >=
		nearlyAsMany*max(a.Impact.Share, b.Impact.Share)
}

// starterOf is the function that starts the goroutines of a finding; "" where that is not known.
func starterOf(f casefile.Finding) string {
	for _, w := range f.Where[1:] {
		if outer := hold.Outermost(w.Function); w.Part == startedPart || w.Part == rootPart && outer != w.Function {
			return outer
		}
	}
	return ""
}
