package diagnose

import (
	"cmp"
	"slices"
	"strings"

	"github.com/gocasebook/casebook/diagnose/known"
	"github.com/gocasebook/casebook/diagnose/stacks"
)

// A sync.Once lets its first caller work while all others wait for the mutex inside of it (sync/once.go, doSlow);
// sync.OnceFunc, OnceValue and OnceValues have one, too. That is no contention: the mutex is taken once by design, and
// what takes long is what runs inside.

// A firstCall is a sync.Once whose function runs, as one set of goroutines shows it.
type firstCall struct {
	caller   stacks.FrameID // the line that calls the Once, the user's or a dependency's
	waiting  int64          // goroutines that wait for the function to return
	requests int64          // of those, the ones that answer a request
	longest  int64          // minutes that one of them has waited; only a dump with debug=2 tells
	waits    []stacks.FrameID
	running  int64 // goroutines inside: two have two Onces, such as one for each entry of a cache
	runs     []stacks.FrameID
}

// fn is the function that runs inside, as the Once calls it; false where it is not seen.
func (c *firstCall) fn(t *stacks.Table) (stacks.FrameID, bool) {
	i := slices.IndexFunc(c.runs, func(id stacks.FrameID) bool { return t.Func(id).Does(known.RunsOnce) })
	for i--; i >= 0; i-- {
		if !ofSync(t.Func(c.runs[i])) { // OnceValue has a function of its own in between
			return c.runs[i], true
		}
	}
	return stacks.NoFrame, false
}

// firstCalls are the Onces of a set, those with the most waiters first.
func firstCalls(r *Reading, set *stacks.Set) []*firstCall {
	var out []*firstCall
	n := set.Count()
	slow := r.Funcs(withWork(known.RunsOnce))
	for i := range set.Samples {
		s := &set.Samples[i]
		if !slow.In(r.Table, s.Stack) {
			continue
		}
		for k, id := range s.Stack {
			if !r.Table.Func(id).Does(known.RunsOnce) {
				continue
			}
			caller := onceCaller(r.Table, s.Stack[k:])
			at := slices.IndexFunc(out, func(c *firstCall) bool { return c.caller == caller })
			if at < 0 {
				at, out = len(out), append(out, &firstCall{caller: caller})
			}
			if !onlyLocks(r.Table, s.Stack[:k]) {
				out[at].running += n(s)
				out[at].runs = s.Stack
				continue
			}
			out[at].add(r.Table, set, i, n(s))
		}
	}
	slices.SortStableFunc(out, func(a, b *firstCall) int { return cmp.Compare(b.waiting, a.waiting) })
	return out
}

func (c *firstCall) add(t *stacks.Table, set *stacks.Set, i int, n int64) {
	c.waiting += n
	c.waits = set.Samples[i].Stack
	if serves(t, set.Samples[i].Stack) {
		c.requests += n
	}
	if set.Goroutines != nil {
		c.longest = max(c.longest, set.Goroutines[i].Longest)
	}
}

// onceCaller is the first line outside of package sync of a stack that begins inside of it.
func onceCaller(t *stacks.Table, stack []stacks.FrameID) stacks.FrameID {
	for _, id := range stack {
		if !ofSync(t.Func(id)) {
			return id
		}
	}
	return stacks.NoFrame
}

// ofSync reports whether a function is package sync's. Of OnceValue the compiler makes one of the package that calls
// it.
func ofSync(f *stacks.Func) bool {
	return f.Package == "sync" || strings.HasSuffix("/"+f.File, "/"+known.OncePath)
}

// onlyLocks reports whether the frames are a lock's and the runtime's alone.
func onlyLocks(t *stacks.Table, stack []stacks.FrameID) bool {
	return !t.Has(stack, func(f *stacks.Func) bool { return f.Owner != stacks.Runtime && f.Class != stacks.Lock })
}

// waitsForOnce reports whether a stack that ends in a lock, or in giving it back, is at that of a sync.Once.
func waitsForOnce(t *stacks.Table, stack []stacks.FrameID) bool {
	k := slices.IndexFunc(stack, func(id stacks.FrameID) bool { // its deferred Unlock is doSlow.deferwrap1
		return t.Func(id).Does(known.RunsOnce)
	})
	return k >= 0 && onlyLocks(t, stack[:k])
}
