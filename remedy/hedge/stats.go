package hedge

import "sync/atomic"

// counts are kept of every call, by atomic increments. Calls themselves are counted by the budget.
type counts struct {
	late, hedged, won, wasted, panics atomic.Uint64
	denied                            [verdicts]atomic.Uint64
}

// Stats are counters since the policy was made, of all its kinds. They are read one after another, so those of running
// calls may not add up.
type Stats struct {
	Calls  uint64 // begun, hedged or not
	Late   uint64 // not returned when their delay had passed
	Hedged uint64 // hedges sent: the extra load
	Won    uint64 // hedges whose result was taken
	Wasted uint64 // hedges that ended without it
	Panics uint64 // panics in an attempt that no caller waited for any more

	// Late calls that got no hedge when they first asked, by reason. Some of them had one later.
	DeniedBudget   uint64 // the budget was spent
	DeniedInFlight uint64 // Config.MaxInFlight hedges were running
	DeniedSlow     uint64 // the backend was slow for everybody
	DeniedUseless  uint64 // the last 1000 hedges of this kind had all lost

	InFlight int // hedges that run
	Keys     int // kinds known by a key
}

// Stats reads the counters. It costs less than a microsecond.
func (p *Policy) Stats() Stats {
	c := &p.shared.counts
	return Stats{
		Calls: p.shared.budget.calls.Load(), Late: c.late.Load(), Hedged: c.hedged.Load(),
		Won: c.won.Load(), Wasted: c.wasted.Load(), Panics: c.panics.Load(),
		DeniedBudget:   c.denied[overBudget].Load(),
		DeniedInFlight: c.denied[overInFlight].Load(),
		DeniedSlow:     c.denied[slowNow].Load() + c.denied[slowForLong].Load(),
		DeniedUseless:  c.denied[useless].Load(),
		InFlight:       p.shared.budget.running(),
		Keys:           p.shared.kinds.len(),
	}
}
