package budget

import "time"

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
