package trace

import (
	"time"

	"github.com/gocasebook/casebook/diagnose/traces"
)

// A course is what a goroutine was at during a region. Most regions have few changes, which are kept as they are; those
// of a region with more go into slots whose step doubles as the region goes on, as in timeline.
type course struct {
	start, at int64 // of the region; up to when it is known
	spans     []span
	step      int64
	slots     []courseSlot // nil while spans are enough
}

// A span is a stretch in one state.
type span struct {
	ns     int64
	bucket bucket
}

// courseSlot is ns by bucket. float32 is exact enough for shares, and a server may have many regions at a time.
type courseSlot [buckets]float32

// Bounds of a course.
const (
	maxSpans    = 64
	courseSlots = 60
	courseSteps = 100 // of the summary, of a course that is kept as spans
	maxCourses  = 10  // in the summary
)

func (c *course) begin(start int64) { c.start, c.at = start, start }

// add adds what the goroutine was at since the last time. What is not known of the time before from stays so.
func (c *course) add(from, to int64, b bucket) {
	if from > c.at {
		c.put(from-c.at, unknown)
		c.at = from
	}
	if to > c.at {
		c.put(to-c.at, b)
		c.at = to
	}
}

func (c *course) put(ns int64, b bucket) {
	last := len(c.spans) - 1
	switch {
	case c.slots != nil:
		c.fill(c.at-c.start, ns, b)
	case last >= 0 && c.spans[last].bucket == b:
		c.spans[last].ns += ns
	case len(c.spans) < maxSpans:
		c.spans = append(c.spans, span{ns, b})
	default:
		c.slot()
		c.fill(c.at-c.start, ns, b)
	}
}

// slot turns spans into slots.
func (c *course) slot() {
	c.slots = make([]courseSlot, courseSlots)
	c.step = max(2*(c.at-c.start)/courseSlots, 1)
	at := int64(0)
	for _, s := range c.spans {
		c.fill(at, s.ns, s.bucket)
		at += s.ns
	}
	c.spans = nil
}

// fill adds ns to the slots from a time of the region on.
func (c *course) fill(at, ns int64, b bucket) {
	for at+ns > courseSlots*c.step {
		c.double()
	}
	c.lay(at, ns, b)
}

// lay adds ns to slots that reach far enough.
func (c *course) lay(at, ns int64, b bucket) {
	for ns > 0 {
		i := at / c.step
		part := min(ns, (i+1)*c.step-at)
		c.slots[i][b] += float32(part)
		at += part
		ns -= part
	}
}

func (c *course) double() {
	for i := range courseSlots / 2 {
		for b := range c.slots[i] {
			c.slots[i][b] = c.slots[2*i][b] + c.slots[2*i+1][b]
		}
	}
	clear(c.slots[courseSlots/2:])
	c.step *= 2
}

// plain is the course in the summary; nil of a region that took no time.
func (c *course) plain() *traces.Course {
	took := c.at - c.start
	if took <= 0 {
		return nil
	}
	if c.slots == nil {
		steps := course{start: c.start, at: c.at, step: (took + courseSteps - 1) / courseSteps,
			slots: make([]courseSlot, courseSteps)}
		at := int64(0)
		for _, s := range c.spans {
			steps.lay(at, s.ns, s.bucket)
			at += s.ns
		}
		return steps.plain()
	}
	out := &traces.Course{Step: time.Duration(c.step)}
	for b := range buckets {
		s := traces.Stretch{State: b.String()}
		total := 0.0
		for i := int64(0); i*c.step < took; i++ {
			ns := float64(c.slots[i][b])
			total += ns
			s.Share = append(s.Share, thousandths(ns, float64(min(c.step, took-i*c.step))))
		}
		if s.Share, s.Total = trimmed(s.Share), time.Duration(total); total > 0 {
			out.States = append(out.States, s)
		}
	}
	return out
}
