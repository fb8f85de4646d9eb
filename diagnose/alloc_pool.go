package diagnose

import (
	"fmt"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose/known"
	"github.com/gocasebook/casebook/diagnose/stacks"
)

// "Keep it in a pool" is no advice for what a pool has made. Objects that come from the New function of a sync.Pool and
// are garbage soon were not put back: Put is missing on the usual way, drops what has grown, or the pool is as new as
// the request.

// A pooling is how a line's garbage is related to pools.
type pooling uint8

const (
	noPool  pooling = iota
	oldPool         // the line's function asks a pool, and makes an object beside it
	newPool         // a pool's New makes the objects
)

// poolingAt tells how most of what a line allocates is related to pools; weight is in bytes.
func poolingAt(r *Reading, set *stacks.Set, weight stacks.Weight, line stacks.FrameID) pooling {
	t, asks := r.Table, r.askers()
	all, fresh, beside := 0.0, 0.0, 0.0
	for i := range set.Samples {
		s := &set.Samples[i]
		id, u := t.UserFrame(s.Stack)
		w := float64(weight(s))
		if id != line || w <= 0 {
			continue
		}
		all += w
		switch made, asked := poolUse(t, s.Stack[:u+1], asks); {
		case made:
			fresh += w
		case asked:
			beside += w
		}
	}
	switch {
	case 2*fresh > all:
		return newPool
	case 2*(fresh+beside) > all:
		return oldPool
	}
	return noPool
}

// poolUse reports whether a stack, up to the user's line, is below a pool's Get, and whether a function on it asks a
// pool elsewhere. The standard library's own pools are its own affair.
func poolUse(t *stacks.Table, stack []stacks.FrameID, asks map[stacks.FuncID]bool) (made, asked bool) {
	for i, id := range stack {
		f := t.Func(id)
		if f.Does(known.TakesPooled) && i+1 < len(stack) && t.Func(stack[i+1]).Owner != stacks.Std {
			return true, false
		}
		asked = asked || asks[t.FuncID(id)]
	}
	return false, asked
}

// findAskers are the functions, the user's and dependencies', that a profile shows asking a sync.Pool, by themselves or
// through one function of a dependency that has the pool.
func findAskers(r *Reading) map[stacks.FuncID]bool {
	out := make(map[stacks.FuncID]bool)
	t := r.Table
	for _, set := range append(r.All(casefile.Heap, casefile.Allocs), r.Best(casefile.CPU)...) {
		for i := range set.Samples {
			stack := set.Samples[i].Stack
			for at, id := range stack {
				if !t.Func(id).Does(known.TakesPooled) {
					continue
				}
				for _, by := range stack[at+1 : min(at+3, len(stack))] {
					f := t.Func(by)
					if f.Owner != stacks.User && f.Owner != stacks.Dependency {
						break
					}
					out[t.FuncID(by)] = true
					if f.Owner == stacks.User {
						break
					}
				}
				break
			}
		}
	}
	return out
}

// pooling is how the garbage of a line is related to pools, for a row about garbage.
func (k costKind) pooling(r *Reading, l *lineCost) pooling {
	c := r.costs()
	if !k.allocates() || c.garbage.set == nil {
		return noPool
	}
	return poolingAt(r, c.garbage.set, c.garbage.weight, l.line)
}

// text says what a pool has to do with a line's garbage; "" without one.
func (p pooling) text() string {
	switch p {
	case newPool:
		return " The New function of a sync.Pool made it: what the pool gives does not come back to it, or not in time."
	case oldPool:
		return " The function asks a sync.Pool, too."
	}
	return ""
}

// remedies are what to do with the pool at a place; none without one.
func (p pooling) remedies(place string) []casefile.Remedy {
	const how = "call Put on every way out (defer pool.Put(x) right after Get), also where an error or a short " +
		"answer " +
		"returns early; put back the object that Get returned, at its full size; and keep the pool in a package " +
		"variable, " +
		"as one that is made for each request is always empty."
	const price = "what was put back must not be used any more"
	switch p {
	case newPool:
		return []casefile.Remedy{doChange("Put back what the pool gave", fmt.Sprintf("At %s: %s", place, how), price)}
	case oldPool:
		return []casefile.Remedy{doChange("Find out why the pool has none", fmt.Sprintf("At %s: if this is what the "+
			"function makes when its pool is empty, %s If it is another object, make it part of the pooled one.", place,
			how), price)}
	}
	return nil
}
