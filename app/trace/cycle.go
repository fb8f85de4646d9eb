package trace

import (
	"time"

	xtrace "golang.org/x/exp/trace"

	"github.com/gocasebook/casebook/diagnose/traces"
)

// maxCycles bounds the list of mark phases.
const maxCycles = 1000

// A cycle is a mark phase that began within the trace.
type cycle struct {
	at, took       int64
	delay, longest int64
	assisting      map[xtrace.GoID]bool // nil once the next phase has begun, to which nothing of this one is added
	goroutines     int64
}

// cycles lists mark phases. What of a phase ends after it, as an assist that waits for its end does, is still its own.
type cycles struct {
	all  []*cycle
	last *cycle // nil before the first, and after a gap
}

// begin is called at the beginning of a phase. One that began before the trace is not listed.
func (c *cycles) begin(at int64, whole bool) {
	if c.last != nil {
		c.last.assisting = nil
	}
	if c.last = nil; !whole || len(c.all) == maxCycles {
		return
	}
	c.last = &cycle{at: at, assisting: make(map[xtrace.GoID]bool)}
	c.all = append(c.all, c.last)
}

func (c *cycles) end(now int64) {
	if c.last != nil && c.last.took == 0 {
		c.last.took = now - c.last.at
	}
}

// assisted takes in an assist that a goroutine began in the phase.
func (c *cycle) assisted(g xtrace.GoID, delay int64) {
	if c == nil || c.assisting == nil {
		return
	}
	if !c.assisting[g] {
		c.assisting[g] = true
		c.goroutines++
	}
	c.delay += delay
	c.longest = max(c.longest, delay)
}

// list is all of them, those that had not ended left out; start is when the trace began.
func (c *cycles) list(start int64) []traces.Cycle {
	var out []traces.Cycle
	for _, one := range c.all {
		if one.took > 0 {
			out = append(out, traces.Cycle{At: time.Duration(one.at - start), Took: time.Duration(one.took),
				Assisting: one.goroutines, Delay: time.Duration(one.delay), Longest: time.Duration(one.longest)})
		}
	}
	return out
}
