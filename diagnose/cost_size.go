package diagnose

import (
	"slices"
	"strings"

	"github.com/gocasebook/casebook/diagnose/stacks"
)

// Objects that a line makes with make, new or a literal are classified by size.
const (
	// oversizedObject: from 32 KiB on (maxSmallSize in runtime/sizeclasses.go) an object is not taken from a cache of
	// its processor but from the heap itself, under its lock, page by page and zeroed. Twice that is certain.
	oversizedObject = 64 << 10
	// poolableObject is where zeroing and filling the cache cost more than a sync.Pool (about 10–20 ns per Get and
	// Put).
	poolableObject = 1 << 10
	// closureObject limits a function literal with its captured variables: a word for the code and a few for variables.
	closureObject = 96
	// closureLines is how far below the line of the allocation the literal's own lines may be.
	closureLines = 12
)

// resolveSizes moves the lines of alloc-poolable, the row of everything that lines make themselves, to the row for the
// mean size of their objects, or to none. Without a heap profile the size is not known and they are dropped.
func (c *costView) resolveSizes() {
	pool, over, closure := c.row("alloc-poolable"), c.row("alloc-oversized"), c.row("alloc-closure")
	if c.cpu == nil {
		c.sizesByHeap(pool)
	}
	closures := newClosureStarts(c.x.t)
	for k, l := range c.byLine {
		if k.kind != pool {
			continue
		}
		mean := 0.0
		if l.objects > 0 {
			mean = l.bytes / l.objects
		}
		switch {
		case mean >= oversizedObject:
			c.move(k, over)
		case mean >= poolableObject:
		case mean > 0 && mean <= closureObject && closures.at(c.x.t, k.line):
			c.move(k, closure)
		default:
			delete(c.byLine, k)
		}
	}
}

// sizesByHeap takes what lines allocated themselves from the heap profile alone.
func (c *costView) sizesByHeap(pool int) {
	for line, d := range c.direct {
		if d.bytes > 0 {
			l := c.at(pool, line)
			l.bytes, l.objects, l.garbage = d.bytes, d.objects, d.garbage
		}
	}
}

// madeBy is the row of what a line asks the runtime for, by half or more of the CPU of its own allocating, and its
// cost; nil where that is none's.
func (c *costView) madeBy(line stacks.FrameID) (row *costKind, of *lineCost) {
	d := c.direct[line]
	for i := range c.x.kinds {
		k := &c.x.kinds[i]
		l := c.byLine[costKey{i, line}]
		if d != nil && l != nil && k.allocates() && l.ticks >= minSeenTicks && 2*l.malloc >= d.malloc {
			row, of = k, l
		}
	}
	return row, of
}

func (c *costView) row(kind string) int {
	for i := range c.x.kinds {
		if c.x.kinds[i].kind == kind {
			return i
		}
	}
	return noKind
}

func (c *costView) move(k costKey, to int) {
	c.byLine[costKey{to, k.line}] = c.byLine[k]
	delete(c.byLine, k)
}

// closureStarts are, by the name of a function, the lines on which the CPU profile shows its function literals.
type closureStarts map[string][]int

func newClosureStarts(t *stacks.Table) closureStarts {
	out := closureStarts{}
	for _, fr := range t.Frames {
		f := &t.Funcs[fr.Func]
		if i := strings.LastIndex(f.Name, ".func"); i > 0 && f.Owner == stacks.User {
			out[f.Name[:i]] = append(out[f.Name[:i]], int(fr.Line))
		}
	}
	return out
}

// at reports whether a function literal begins at a line or just below it: there is a function "F.func1" of the line's
// function F with a line there.
func (c closureStarts) at(t *stacks.Table, line stacks.FrameID) bool {
	from := t.Line(line)
	return slices.ContainsFunc(c[t.Func(line).Name], func(at int) bool { return at >= from && at <= from+closureLines })
}
