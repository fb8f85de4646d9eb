package diagnose

import (
	"slices"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose/stacks"
	"github.com/gocasebook/casebook/diagnose/view"
)

// A dependency's code that runs without a line of the user's code above it (a middleware that net/http calls, a worker
// that a library started) still belongs to something in the user's program. Other stacks show to what it belongs.

// waysTo are lines of the user's code by which a dependency's function can be found in the program: what the function
// at which the dependency is entered calls back (the handler that a middleware wraps), and the lines that call the
// packages of the two anywhere in the evidence.
func waysTo(r *Reading, fn stacks.FuncID, entered stacks.FrameID) []casefile.Frame {
	entry := r.Table.FuncID(entered)
	pkgs := []string{r.Table.Funcs[fn].Package, r.Table.Funcs[entry].Package}
	near := r.Funcs(func(f *stacks.Func) bool {
		return f.Owner == stacks.Dependency &&
			slices.Contains(pkgs, f.Package)
	})
	inner, outer := make(map[stacks.FrameID]int64), make(map[stacks.FrameID]int64)
	for _, set := range r.Sets {
		for i := range set.Samples {
			addWays(r, set.Samples[i].Stack, entry, near, inner, outer)
		}
	}
	var out []casefile.Frame
	for _, e := range top(entries(inner), 1) {
		out = append(out, as(insidePart, r.Frame(e.Key, 0, "the program's own code that it calls")))
	}
	for _, e := range top(entries(outer), 2) {
		out = append(out, as(packagePart, r.Frame(e.Key, 0, "the program's own code that calls the package")))
	}
	return out
}

// addWays counts the user's lines of one stack: those that the entry calls, and the first above one of the near
// functions.
func addWays(r *Reading, stack []stacks.FrameID, entry stacks.FuncID, near view.FuncSet, inner,
	outer map[stacks.FrameID]int64) {
	user, below := stacks.NoFrame, false // the last line of the user's, and whether something near is below it
	for _, id := range stack {
		fn := r.Table.FuncID(id)
		switch {
		case r.Table.Funcs[fn].Owner == stacks.User:
			if below {
				outer[id]++
				return
			}
			user = id
		case fn == entry && user != stacks.NoFrame:
			inner[user]++
			return
		case near[fn]:
			below = true
		}
	}
}
