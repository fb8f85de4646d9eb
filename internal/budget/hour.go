package budget

import "time"

// bucket is the grain of the sliding hour, and buckets is how many are kept: 60 complete ones and the current one, so
// that they never cover less than the last 60 minutes.
const (
	bucket  = time.Minute
	buckets = 61
)

// An hour is what was spent in each of the last minutes. Its time never goes back: a clock that was set back counts as
// one that stood still, so that nothing is forgiven for it and nothing waits long for the old time to come again. Times
// with a monotonic reading are not touched by that at all.
type hour struct {
	last time.Time         // the latest time that it was given
	at   time.Duration     // its own time then: the wall clock's Unix time at the start, and what has gone by since
	ring [buckets]struct { // by minute modulo buckets
		minute int64 // since 1970, of its own time
		cost   Cost
	}
}

// maxStep is how far its time moves at once. More than an hour makes no difference to it, and so nothing overflows.
const maxStep = 24 * time.Hour

func newHour(now time.Time) hour {
	at := time.Duration(now.UnixNano()) // any number for a year that is out of its range
	return hour{last: now, at: min(max(at, maxStep), ceiling)}
}

// outOfOrder is how far back a time may be without meaning that the clock was set: callers read the clock before they
// take the lock, so their times come out of order.
const outOfOrder = 5 * time.Minute

// advance moves its time to now.
func (h *hour) advance(now time.Time) {
	d := now.Sub(h.last)
	if d > 0 {
		h.at += min(d, maxStep)
	}
	if d > 0 || d < -outOfOrder {
		h.last = now
	}
}

func (h *hour) minute() int64 { return int64(h.at / bucket) }

// spend adds a cost to a minute, which must not be in the future.
func (h *hour) spend(minute int64, c Cost) {
	b := &h.ring[minute%buckets]
	if b.minute > minute { // so long ago that another minute has the place
		return
	}
	if b.minute < minute {
		b.minute, b.cost = minute, Cost{}
	}
	b.cost = b.cost.plus(c)
}

// replace puts another cost in the place of one that is part of what a minute spent. Only the longest stop is not
// taken back.
func (h *hour) replace(minute int64, was, is Cost) {
	b := &h.ring[minute%buckets]
	if b.minute != minute {
		return
	}
	b.cost = Cost{
		CPU: max(b.cost.CPU-was.CPU, 0), Bytes: max(b.cost.Bytes-was.Bytes, 0), Pause: max(b.cost.Pause-was.Pause, 0),
		Longest: b.cost.Longest,
	}.plus(is)
}

// spent is the cost of the last hour.
func (h *hour) spent() Cost {
	var sum Cost
	for _, b := range h.ring {
		if h.minute()-b.minute < buckets {
			sum = sum.plus(b.cost)
		}
	}
	return sum
}

// fits is how long to wait until no more than room is spent of a resource; ok is false if that never comes.
func (h *hour) fits(of func(Cost) int64, room int64) (wait time.Duration, ok bool) {
	if room < 0 {
		return 0, false
	}
	left, now := of(h.spent()), h.minute()
	for m := now - buckets + 1; m <= now && left > room; m++ { // oldest first
		if b := h.ring[m%buckets]; b.minute == m {
			left -= of(b.cost)
			wait = time.Duration(m+buckets)*bucket - h.at
		}
	}
	return wait, left <= room
}

// A State is what a Ledger must not forget at a restart: what was spent in each minute of the last hour. It is plain
// data for JSON. Any content is safe to start from, that of a damaged file too.
type State struct {
	Minutes []Minute `json:"minutes,omitempty"`
}

// A Minute is what captures that were asked for in one minute cost.
type Minute struct {
	Start time.Time `json:"start"`
	Cost
}

// State returns what to keep. What was granted and is not settled yet counts as predicted.
func (l *Ledger) State() State {
	l.mu.Lock()
	defer l.mu.Unlock()
	h := &l.hour
	var st State
	for m := h.minute() - buckets + 1; m <= h.minute(); m++ {
		if b := h.ring[m%buckets]; b.minute == m && b.cost != (Cost{}) {
			age := h.at - time.Duration(m)*bucket
			st.Minutes = append(st.Minutes, Minute{h.last.Add(-age).Round(0).UTC(), b.cost})
		}
	}
	return st
}

// restore spends what a state says of the last hour. What it dates later than now, because a clock was wrong, counts
// as of now: it is neither forgiven nor held against captures for longer than an hour. A minute counts from its end,
// because a clock that was set between two runs may have moved the bounds of minutes.
func (h *hour) restore(st State) {
	for _, m := range st.Minutes {
		age := max(h.last.Sub(m.Start.Add(bucket-1)), 0)
		minute := int64((h.at - min(age, h.at)) / bucket)
		if h.minute()-minute < buckets {
			h.spend(minute, m.Cost.sane())
		}
	}
}
