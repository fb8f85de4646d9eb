package recorder

import (
	"fmt"
	"time"

	"github.com/gocasebook/casebook/internal/number"
)

// A Mode says whether there is a flight recorder, and why.
type Mode string

// Modes of a Trace.
const (
	On    Mode = "on"    // it runs, and is cheap enough to run always
	Armed Mode = "armed" // it runs for a while, because of a warning
	Off   Mode = "off"   // it would cost too much, or is not wanted
	Taken Mode = "taken" // somebody else uses what the runtime has only once
)

// TraceStatus tells what a Trace does.
type TraceStatus struct {
	Mode  Mode
	Why   string    // in words, beginning with the mode
	Since time.Time // when it began to run, or ceased to
	Cost  float64   // estimated, as a share of the CPU that the process uses when busy, also while it does not run
	Bytes int64     // estimated memory that it holds, or would hold
	Rate  float64   // estimated bytes of trace a second, also while it does not run
}

// Status tells what the Trace does.
func (t *Trace) Status() TraceStatus {
	now := time.Now()
	t.mu.Lock()
	defer t.mu.Unlock()
	s := TraceStatus{Since: t.changed, Cost: t.gov.share(), Bytes: int64(t.cfg.held(t.gov.est.bytes)),
		Rate: t.gov.est.bytes}
	s.Mode = t.mode()
	switch s.Mode {
	case On:
		s.Why = "on: " + t.costs()
	case Armed:
		s.Why = fmt.Sprintf("armed %s before by %s: %s", number.Duration(now.Sub(t.gov.armedAt)), t.gov.armedBy,
			t.costs())
	case Taken:
		s.Why = fmt.Sprintf("taken: somebody else uses the runtime's flight recorder (%v)", t.blocked)
	case Off:
		s.Why = "off: " + t.whyOff()
	}
	return s
}

// mode is the mode now. mu is held.
func (t *Trace) mode() Mode {
	switch {
	case t.on && t.gov.costly.on:
		return Armed
	case t.on:
		return On
	case t.done != nil && t.blocked != nil:
		return Taken
	}
	return Off
}

func (t *Trace) costs() string {
	return fmt.Sprintf("estimated cost %s of the process's CPU", number.Share(t.gov.share()))
}

// whyOff says why the recorder does not run. mu is held.
func (t *Trace) whyOff() string {
	g, held := &t.gov, t.cfg.held(t.gov.est.bytes)
	switch {
	case t.cfg.MaxCost < 0:
		return "a negative MaxCost forbids it"
	case t.done == nil:
		return "it is not running"
	case !g.judged:
		return "its cost is not known yet"
	case g.run:
		return "it is about to start"
	case held > g.maxBytes:
		return fmt.Sprintf("it would hold an estimated %s of memory, above the limit of %s", number.Bytes(held),
			number.Bytes(g.maxBytes))
	case g.beyond(1) && g.armed(time.Now()):
		return fmt.Sprintf("it would cost an estimated %s of the process's CPU, above the limit of %s for an armed one",
			number.Share(g.share()), number.Share(armedFactor*g.maxCost))
	case g.share() > lowered*g.maxCost:
		return fmt.Sprintf("it would cost an estimated %s of the process's CPU, above the limit of %s",
			number.Share(g.share()), number.Share(g.maxCost))
	case g.owed > 0:
		return fmt.Sprintf("it has cost more than the limit of %s of the process's CPU, and busy seconds without it "+
			"make up for that first", number.Share(g.maxCost))
	}
	return fmt.Sprintf("its cost, now estimated at %s of the process's CPU, must stay below the limit of %s for %s "+
		"first", number.Share(g.share()), number.Share(g.maxCost), settle)
}
