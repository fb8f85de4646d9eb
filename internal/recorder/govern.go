package recorder

import "time"

// When the flight recorder may run. Turning it on and off stops the world for a moment each, and turning it off loses
// the ring, in the very moment when a process gets busier than it was: so it is slow to change its mind.
const (
	// armedFactor is how much more than MaxCost an armed recorder may cost: 5 % for a minute, when it is 1 % forever.
	armedFactor = 5
	// lowered is what the cost must fall to, as a share of a limit, before that limit counts as kept again.
	lowered = 0.7
	// settle is how long a change must last before it counts, and settleExcess how long a cost beyond what even an
	// armed recorder may have is borne.
	settle       = 10 * time.Second
	settleExcess = 3 * time.Second
)

// A latch is a condition that holds only once it has lasted.
type latch struct {
	on    bool
	since time.Time // when the opposite of on was first seen, without a break; zero if it is not
}

// step sees whether the condition holds now, and changes on after as long as it must last.
func (l *latch) step(now time.Time, holds bool, after time.Duration) {
	switch {
	case holds == l.on:
		l.since = time.Time{}
	case l.since.IsZero():
		l.since = now
	case now.Sub(l.since) >= after:
		l.on, l.since = holds, time.Time{}
	}
}

// between is true above high, false below low, and otherwise what it was.
func between(x, low, high float64, was bool) bool {
	return x > high || x > low && was
}

// A governor decides whether the flight recorder should run, from what it would cost. It knows nothing of recorders.
type governor struct {
	maxCost  float64 // of an unarmed one, as a share of the available CPU
	maxBytes float64 // of what it may hold
	hold     func(bytesPerSecond float64) float64

	est        estimate
	judged     bool // est is set
	costly     latch
	excess     latch
	armedAt    time.Time
	armedUntil time.Time
	armedBy    string
	run        bool
}

func newGovernor(cfg TraceConfig) governor {
	return governor{
		maxCost: cfg.MaxCost, maxBytes: float64(cfg.MaxBytes), hold: cfg.held,
		costly: latch{on: true}, // until it is known to be cheap
	}
}

// step decides again.
func (g *governor) step(now time.Time, e estimate) {
	g.est, g.judged = e, true
	g.costly.step(now, between(e.share, lowered*g.maxCost, g.maxCost, g.costly.on), settle)
	beyond := g.beyond(1)
	wait := settle
	if beyond {
		wait = settleExcess
	}
	g.excess.step(now, beyond || g.excess.on && g.beyond(lowered), wait)
	g.decide(now)
}

// arm lets it run until a time although it is costly.
func (g *governor) arm(now, until time.Time, why string) {
	if !g.armed(now) {
		g.armedAt, g.armedBy = now, why
	}
	g.armedUntil = until
	if g.judged {
		g.decide(now)
	}
}

func (g *governor) armed(now time.Time) bool { return now.Before(g.armedUntil) }

func (g *governor) decide(now time.Time) {
	may := !g.excess.on && (g.run || !g.beyond(1)) // it is not begun at a cost that would soon end it
	g.run = may && (!g.costly.on || g.armed(now))
}

// beyond reports whether it costs more than a share of what even an armed recorder may cost.
func (g *governor) beyond(share float64) bool {
	return g.est.share > share*armedFactor*g.maxCost || g.hold(g.est.bytes) > share*g.maxBytes
}
