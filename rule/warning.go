package rule

import (
	"math"
	"time"
)

// A warning prepares evidence that is too expensive to collect all the time: it arms the flight recorder. It comes at
// warnAt of the way to a rule's limit, for up to warnFor: a signal that stays there is a level, not an approach, and
// warns again only from closeAt on.
const (
	warnAt  = 0.80
	closeAt = 0.95
	warnFor = 10 * time.Minute

	// warnLead is how long before a rule may fire again it warns: a recorder needs seconds, not the whole cool-down.
	warnLead = 30 * time.Second
	// wayAge is for how long a test's last judgement is used when the signal is absent.
	wayAge = time.Minute
)

// A way is how far a test was to its limit when it was last judged: 0 far, 1 there.
type way struct {
	share float64
	at    time.Time
}

// Warning reports, after a Step, whether some rule is close to firing, and which. It allocates nothing.
//
// Near is 80 % of the way: above, a value of 0.8 × the limit; below, of 1.25 × the limit; rise, half of the rise;
// trend, 80 % of the limit reached in time; growth likewise; grown, 80 % of the times; stuck, 80 % of the time; a spike
// of periodic when one more is wanted. A condition that holds but not yet for its For is near. A Min counts as a
// separate limit, and beyond Max nothing is near. All is as near as the farthest of its parts, Any as the nearest.
// Schedules and recoveries give no warning, and neither does a rule that may not fire within the next half minute.
func (e *Engine) Warning() (rule string, ok bool) {
	for i := range e.rules {
		r, st := &e.rules[i], &e.state[i]
		if st.near.IsZero() || st.pace.at(r, e.last.Add(warnLead), e.began) != free {
			continue
		}
		if e.last.Sub(st.near) <= warnFor || st.when.nearness(e.last) >= closeAt {
			return r.Name, true
		}
	}
	return "", false
}

// approach notes since when a rule has been close to its limit.
func (st *ruleState) approach(now time.Time) {
	switch {
	case st.when.nearness(now) < warnAt:
		st.near = time.Time{}
	case st.near.IsZero():
		st.near = now
	}
}

// nearness is how far a condition is on the way to its limit.
func (n *node) nearness(now time.Time) float64 {
	switch {
	case n.kind.nearness != nil:
		return n.kind.nearness(n, now)
	case now.Sub(n.way.at) > wayAge:
		return 0
	}
	return n.way.share
}

// approach notes how far a test is on the way, unless it could not be judged.
func (n *node) approach(m moment) {
	if n.read.state == unknown {
		return
	}
	v, _ := n.seen(m.sample)
	n.way = way{n.wayOf(v), m.sample.Time}
}

func (n *node) wayOf(v float64) float64 {
	c, r := n.cond, &n.read
	switch {
	case n.kind.way == nil || !r.enough:
		return 0
	case r.state == yes:
		return 1
	case c.Max != nil && v > *c.Max:
		return 0
	}
	share := n.kind.way(n, v)
	if c.Min != nil && v < *c.Min {
		share = math.Min(share, ratio(v, *c.Min))
	}
	return math.Min(share, 1)
}

// ratio is a share of the way between two positive numbers; there is none to a limit of 0.
func ratio(v, limit float64) float64 {
	if !(v > 0 && limit > 0) {
		return 0
	}
	return v / limit
}
