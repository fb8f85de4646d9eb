package hold

import (
	"cmp"
	"slices"
	"strings"

	"github.com/gocasebook/casebook/diagnose/stacks"
)

// Whose answers who, of the user's, is behind what a dependency began. The stack of a goroutine that a library started
// begins in the library, and so does that of what it allocates there; the line that called the library is on other
// stacks of the same case: on those of what the call allocated, of its CPU, of goroutines that are in it now.
//
// A Chain is built from every set of a case, and may be asked by many at once.
type Chain struct {
	t    *stacks.Table
	sets []*stacks.Set

	byName  map[string]stacks.FuncID
	created map[stacks.FuncID]map[stacks.FrameID]int64 // by a goroutine's function: the go statements of dumps
}

// NewChain reads what dumps say of go statements. The sets share the table.
func NewChain(t *stacks.Table, sets []*stacks.Set) *Chain {
	c := &Chain{t: t, sets: sets, byName: make(map[string]stacks.FuncID, len(t.Funcs)),
		created: make(map[stacks.FuncID]map[stacks.FrameID]int64)}
	for i := range t.Funcs {
		c.byName[t.Funcs[i].Name] = stacks.FuncID(i)
	}
	for _, s := range sets {
		for i := range s.Goroutines {
			by := s.Goroutines[i].CreatedBy
			if by == stacks.NoFrame || i >= len(s.Samples) {
				continue
			}
			root := c.t.FuncID(t.Root(s.Samples[i].Stack))
			if c.created[root] == nil {
				c.created[root] = make(map[stacks.FrameID]int64)
			}
			c.created[root][by]++
		}
	}
	return c
}

// A Begin is who began something.
type Begin struct {
	Line  stacks.FrameID // the user's
	Calls stacks.FrameID // what that line calls: the dependency's function; NoFrame if the line itself began it
	By    stacks.FuncID  // the function that began it, Calls' or one below it
}

// Direct reports whether the function that the user's line calls began it itself.
func (b Begin) Direct(t *stacks.Table) bool {
	return b.Calls == stacks.NoFrame || t.FuncID(b.Calls) == b.By
}

// furthest is how many goroutines may have begun one another between the user's line and what is asked about: a client
// starts a connection, which starts a reader.
const furthest = 4

// Goroutine is who began the goroutines with a function; false where no stack of the case shows it.
func (c *Chain) Goroutine(root stacks.FuncID) (Begin, bool) {
	return c.goroutine(root, furthest)
}

func (c *Chain) goroutine(root stacks.FuncID, left int) (Begin, bool) {
	if left == 0 || root < 0 {
		return Begin{}, false
	}
	if line, ok := most(c.created[root]); ok {
		if c.t.Func(line).Owner == stacks.User {
			return Begin{Line: line, Calls: stacks.NoFrame, By: c.t.FuncID(line)}, true
		}
		if b, ok := c.by(c.t.FuncID(line), left); ok {
			return b, true
		}
	}
	if outer, ok := c.Encloses(root); ok {
		if b, ok := c.by(outer, left); ok {
			return b, true
		}
	}
	return Begin{}, false
}

// Begun is who began the goroutines with a function, as stacks show it, or most likely.
func (c *Chain) Begun(root stacks.FuncID) (Begin, bool) {
	b, ok := c.Goroutine(root)
	if !ok && c.t.Funcs[root].Owner != stacks.Runtime {
		b, ok = c.Likely(root)
	}
	return b, ok
}

// Again reports whether a call comes again: a request makes it, or it has allocated between the heap profiles. False
// without a heap.
func (c *Chain) Again(h *Heap, b Begin) bool {
	return h != nil && slices.ContainsFunc(h.Held, func(x *Held) bool { return x.of(b) && c.recurs(h, x) })
}

// of reports whether a call has allocated it.
func (b *Held) of(call Begin) bool { return b.Line == call.Line && b.Enter == call.Calls }

// KeepsAll reports whether nearly nothing that a call has ever made was freed: then what it began has not ended either,
// and no rise of its number is one of things that come and go. False without a heap.
func (h *Heap) KeepsAll(b Begin) bool {
	if h == nil {
		return false
	}
	s := h.Sum(func(x *Held) bool { return x.of(b) })
	return s != nil && s.Samples >= LeastKept && s.Now.Bytes >= keepsHandle*s.Made.Bytes
}

// Likely is who most likely began the goroutines with a function, where no stack shows it: the user's function whose
// calls into the function's package keep most of the memory that calls into it keep, or make most of what they make.
func (c *Chain) Likely(root stacks.FuncID) (Begin, bool) {
	of := &c.t.Funcs[root]
	ways := c.ways(func(id stacks.FrameID) bool {
		f := c.t.Func(id)
		return f.Owner == of.Owner && f.Package == of.Package
	})
	for _, much := range []func(*way) int64{liveBelow, madeBelow} {
		best, sum := mostWay(ways, much), int64(0)
		byFunc := make(map[stacks.FuncID]int64)
		for _, w := range ways {
			sum += much(w)
			byFunc[c.t.FuncID(w.Line)] += much(w)
		}
		if sum > 0 && float64(byFunc[c.t.FuncID(best.Line)]) >= likelyShare*float64(sum) {
			b := best.Begin
			b.By = c.t.FuncID(b.Calls)
			return b, true
		}
	}
	return Begin{}, false
}

// mostWay is the way with most of the first measure; of equal ones with most of the next; nil without any.
func mostWay(ways map[[2]stacks.FrameID]*way, by ...func(*way) int64) (best *way) {
	for _, w := range ways {
		order := 0
		for i := 0; best != nil && order == 0 && i < len(by); i++ {
			order = cmp.Compare(by[i](w), by[i](best))
		}
		if best == nil || cmp.Or(order, cmp.Compare(best.Line, w.Line), cmp.Compare(best.Calls, w.Calls)) > 0 {
			best = w
		}
	}
	return best
}

// likelyShare is how much of a package's memory one function's calls must have: with less, others may have begun it.
const likelyShare = 0.8

// by is who called a function; where only goroutines of a library's do, who began those.
func (c *Chain) by(fn stacks.FuncID, left int) (Begin, bool) {
	if b, ok := c.Caller(fn); ok {
		return b, true
	}
	for _, root := range c.rootsOf(fn) {
		if b, ok := c.goroutine(root, left-1); ok {
			return b, true
		}
	}
	return Begin{}, false
}

// Encloses is the function around a literal: that of "pkg.(*T).Get.func1", "pkg.(*T).Get.gowrap1" or the body of a loop
// over a function is pkg.(*T).Get. False for what is no literal, and where no stack has that function.
func (c *Chain) Encloses(fn stacks.FuncID) (stacks.FuncID, bool) {
	name := Outermost(c.t.Funcs[fn].Name)
	if name == c.t.Funcs[fn].Name {
		return stacks.NoFunc, false
	}
	outer, ok := c.byName[name]
	return outer, ok
}

// Outermost is the name of the function that a literal is written in: "main.(*server).upload" of
// "main.(*server).upload-range1" and of "main.(*server).upload.func2.1".
func Outermost(name string) string {
	for _, mark := range []string{"-range", ".func", ".gowrap", ".deferwrap"} {
		if i := strings.Index(name, mark); i > strings.LastIndexByte(name, '/') {
			name = name[:i]
		}
	}
	return name
}

// A way is how much leads from a line of the user's to a function.
type way struct {
	Begin
	live, made, seen int64 // bytes alive and allocated below the function, and samples of other evidence
}

func liveBelow(w *way) int64 { return w.live }
func madeBelow(w *way) int64 { return w.made }
func seenBelow(w *way) int64 { return w.seen }

// Caller is the user's line above a function: the nearest on the stacks that have both, the one whose calls keep most
// memory first, then whose calls allocated most, then the one seen most.
func (c *Chain) Caller(fn stacks.FuncID) (Begin, bool) {
	best := mostWay(c.ways(func(id stacks.FrameID) bool { return c.t.FuncID(id) == fn }), liveBelow, madeBelow, seenBelow)
	if best == nil {
		return Begin{}, false
	}
	b := best.Begin
	b.By = fn
	return b, true
}

// ways are the user's lines above what matches, with what each calls: of a dependency the outermost function below the
// line, which may call it through the standard library (io.Copy).
func (c *Chain) ways(match func(stacks.FrameID) bool) map[[2]stacks.FrameID]*way {
	ways := make(map[[2]stacks.FrameID]*way)
	for _, s := range c.sets {
		live, made := stacks.ByValue(s.Value("inuse_space", "bytes")), stacks.ByValue(s.Value("alloc_space", "bytes"))
		for i := range s.Samples {
			x := &s.Samples[i]
			at := slices.IndexFunc(x.Stack, match)
			if at < 0 {
				continue
			}
			line, k := c.t.UserFrame(x.Stack[at:])
			if k <= 0 {
				continue
			}
			key := [2]stacks.FrameID{line, x.Stack[at+k-1]}
			for _, id := range slices.Backward(x.Stack[at : at+k]) {
				if c.t.Func(id).Owner == stacks.Dependency {
					key[1] = id
					break
				}
			}
			w := ways[key]
			if w == nil {
				w = &way{Begin: Begin{Line: line, Calls: key[1]}}
				ways[key] = w
			}
			w.live, w.made, w.seen = w.live+max(live(x), 0), w.made+max(made(x), 0), w.seen+1
		}
	}
	return ways
}

// rootsOf are the functions of the goroutines that a function was seen in, in no order that means anything.
func (c *Chain) rootsOf(fn stacks.FuncID) []stacks.FuncID {
	var out []stacks.FuncID
	for _, s := range c.sets {
		for i := range s.Samples {
			stack := s.Samples[i].Stack
			if !slices.ContainsFunc(stack, func(id stacks.FrameID) bool { return c.t.FuncID(id) == fn }) {
				continue
			}
			if root := c.t.FuncID(c.t.Root(stack)); !slices.Contains(out, root) {
				out = append(out, root)
			}
		}
	}
	return out
}

// most is the key with the highest number; of equal ones the lowest.
func most[K cmp.Ordered](of map[K]int64) (best K, ok bool) {
	for k, n := range of {
		if !ok || n > of[best] || n == of[best] && k < best {
			best, ok = k, true
		}
	}
	return best, ok
}
