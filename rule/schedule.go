package rule

import (
	"fmt"
	"time"
)

const (
	minEvery = time.Minute
	maxEvery = 7 * 24 * time.Hour
)

// scheduled reports whether a condition depends on the time only. Its rule has no cool-down, warm-up or limit per hour
// unless it sets one: an edge during them is lost, and the schedule already sets the pace.
func (c *Condition) scheduled() bool {
	if c.Every > 0 {
		return true
	}
	for i := range c.Any {
		if !c.Any[i].scheduled() {
			return false
		}
	}
	return len(c.Any) > 0
}

// onTime reads a schedule: it is true when a multiple of the period lies between the sample before and this one, which
// may be at it. The first sample starts the count: it cannot tell whether the last multiple was missed.
func (n *node) onTime(m moment) reading {
	now, every := m.sample.Time.UnixNano(), int64(n.cond.Every)
	slot := now / every
	before := n.slot
	n.slot = slot
	if slot > before && (before != 0 || now%every == 0) {
		return reading{state: yes, enough: true}
	}
	return reading{state: no, enough: true}
}

// scheduleText says when a schedule is due next.
func (n *node) scheduleText(now time.Time) string {
	every := int64(n.cond.Every)
	next := time.Unix(0, (now.UnixNano()/every+1)*every)
	return "next at " + clock(next, now)
}

func validateEvery(c *Condition, path string, fault faultFunc) {
	if d := time.Duration(c.Every); d < minEvery || d > maxEvery {
		fault(path+".every", "wants a period from %s to %s, not %s", short(minEvery), short(maxEvery), c.Every)
	}
	if c.For != 0 {
		fault(path+".for", "is of no use with every, which is true in one sample only")
	}
}

// edged reports whether a condition is true in single samples only, so that it cannot be held and does not end.
func (c *Condition) edged() bool {
	if c.Every != 0 || c.Recovered != nil {
		return true
	}
	for i := range c.All {
		if c.All[i].edged() {
			return true
		}
	}
	for i := range c.Any {
		if c.Any[i].edged() {
			return true
		}
	}
	return false
}

func (c *Condition) everyWords() string {
	return fmt.Sprintf("every %s", short(time.Duration(c.Every)))
}
