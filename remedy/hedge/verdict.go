package hedge

// A verdict is the answer to a late call that asks for a hedge.
type verdict uint8

const (
	granted verdict = iota
	overBudget
	overInFlight
	slowNow     // most of the latest calls are late
	slowForLong // the median is above twice what it was
	useless     // hedges do not win
	verdicts    // how many there are
)
