package recorder

import (
	"context"
	"time"
)

// When the flight recorder may run. Turning it on and off stops the world for a moment each, and turning it off loses
// the ring, in the very moment when a process gets busier than it was: so it is slow to change its mind, within what
// the account (below) allows.
const (
	// armedFactor is how much more than MaxCost an armed recorder may cost: 5 % for a minute, when it is 1 % forever.
	armedFactor = 5
	// lowered is what the cost must fall to, as a share of a limit, before that limit counts as kept again.
	lowered = 0.7
	// settle is how long a change must last before it counts, and settleExcess how long a cost beyond what even an
	// armed recorder may have is borne.
	settle       = 10 * time.Second
	settleExcess = 3 * time.Second
	// advance is how many saturated seconds' worth of MaxCost the recorder may spend before it has earned them: at 6 %
	// it is off after less than a second, at 2 % after three.
	advance = 3 * time.Second
	// forget is how long the last busy second is remembered. What the recorder owes is forgiven then: that is at most
	// advance × MaxCost of all processors in ten minutes.
	forget = 10 * time.Minute
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
	case l.since.IsZero() && after > 0:
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
//
// It keeps an account in CPU seconds. While the recorder runs, a stretch of dt seconds in which the process uses `used`
// cores adds
//
//	(cost − MaxCost × max(used, busyCores)) × dt
//
// to what the recorder owes, never below zero. While it is off, a busy stretch takes MaxCost × used × dt away. Idle
// stretches take nothing away: that was the fault of an earlier governor, which averaged over all time and let the
// recorder take 6 % of the CPU of bursts with pauses between them. Above advance × MaxCost × GOMAXPROCS it is
// turned off, and comes back when nothing is owed and the cost has been low for settle. So over any stretch of time
//
//	cost in busy seconds ≤ MaxCost × CPU used in them + 3 s × MaxCost × GOMAXPROCS
//
// An armed recorder may owe what a minute at armedFactor × MaxCost adds, and pays it back like any other.
type governor struct {
	maxCost  float64 // as a share of the CPU that the process uses
	maxBytes float64 // of what it may hold
	hold     func(bytesPerSecond float64) float64

	est        estimate
	judged     bool // est is set
	at         time.Time
	owed       float64   // CPU seconds
	busyShare  float64   // of the last busy stretch
	busyAt     time.Time // of the last busy stretch
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

// step decides again. The estimate is of the time since the step before.
func (g *governor) step(now time.Time, e estimate) {
	g.charge(now, e)
	g.est, g.judged, g.at = e, true, now
	broke := g.owed > g.allowance()
	costs := between(g.share(), lowered*g.maxCost, g.maxCost, g.costly.on) || broke || g.costly.on && g.owed > 0
	g.costly.step(now, costs, waitUnless(broke, settle))
	beyond := g.beyond(1)
	wait := settle
	if beyond {
		wait = settleExcess
	}
	g.excess.step(now, beyond || g.excess.on && g.beyond(lowered), wait)
	g.decide(now)
}

// charge brings the account up to date, and the memory of busy time.
func (g *governor) charge(now time.Time, e estimate) {
	if g.judged {
		dt := now.Sub(g.at).Seconds()
		switch {
		case g.run && e.busy():
			g.owed += (e.cpu - g.maxCost*e.used) * dt
		case g.run:
			g.owed += max(e.cpu-g.maxCost*busyCores, 0) * dt
		case e.busy():
			g.owed -= g.maxCost * e.used * dt
		}
		g.owed = max(g.owed, 0)
	}
	if e.busy() {
		g.busyShare, g.busyAt = e.share(), now
	} else if now.Sub(g.busyAt) >= forget {
		g.busyShare, g.owed = 0, 0
	}
}

// share is what the recorder costs of the CPU that the process uses: now, or when it was last busy.
func (g *governor) share() float64 { return max(g.est.share(), g.busyShare) }

// allowance is what may be owed without a warning, in CPU seconds.
func (g *governor) allowance() float64 { return advance.Seconds() * g.maxCost * g.est.procs }

// armedAllowance is what a minute at the limit for an armed recorder adds to what is owed.
func (g *governor) armedAllowance() float64 {
	return time.Minute.Seconds() * (armedFactor - 1) * g.maxCost * g.est.procs
}

func waitUnless(now bool, d time.Duration) time.Duration {
	if now {
		return 0
	}
	return d
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
	g.run = may && (!g.costly.on || g.armed(now) && g.owed <= g.armedAllowance())
}

// beyond reports whether it costs more than a share of what even an armed recorder may cost.
func (g *governor) beyond(share float64) bool {
	return g.share() > share*armedFactor*g.maxCost || g.hold(g.est.bytes) > share*g.maxBytes
}

// Ending a window takes CPU time, and a process that is short of it gets it late: a gap is about 1 ms in an idle
// process, and was 0.1 to 1 s on a crowded machine. So that a spike cannot hide in a gap, a window is not ended while
// the process uses more CPU than it did on average. What begins within an idle gap is the residue: 1 ms in 10 s, one
// spike in 10,000.
const (
	// calmProbe is how long the CPU use is measured, at most: a spike of 0.2 s is seen in time.
	calmProbe = 100 * time.Millisecond
	// calmSlack is how much more than the average, in cores, is still calm.
	calmSlack = 0.1
)

// untilCalm waits for d, and then until the process uses no more CPU than it did on average, but not beyond 2 d. cpu
// tells the CPU time used so far; where it cannot, d is all. It ends at once when cut or ctx does.
func untilCalm(ctx context.Context, cut <-chan struct{}, d time.Duration, cpu func() (time.Duration, bool)) {
	began := time.Now()
	first, known := cpu()
	probe := min(calmProbe, d/4)
	if !wait(ctx, cut, d-probe) {
		return
	}
	at := time.Now()
	before, _ := cpu()
	for wait(ctx, cut, probe) && known {
		now := time.Now()
		used, _ := cpu()
		if cores(used-before, now.Sub(at)) <= cores(used-first, now.Sub(began))+calmSlack || now.Sub(began) >= 2*d {
			return
		}
		before, at = used, now
	}
}

func cores(used, in time.Duration) float64 { return used.Seconds() / max(in, 1).Seconds() }
