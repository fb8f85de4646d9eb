package facts

import (
	"cmp"
	"math"
	"slices"
	"time"

	"github.com/gocasebook/casebook/vitals"
)

// mostSignals is how many signals that moved are facts.
const mostSignals = 8

// leastMove is the factor from which on a signal has moved: what swings by a third does so in any service.
const leastMove = 1.5

// noise is what a signal of a unit is never below: a factor between two numbers that are next to nothing means nothing.
var noise = map[vitals.Unit]float64{vitals.Count: 10, vitals.PerSecond: 5, vitals.Cores: 0.1, vitals.Share: 0.03,
	vitals.Bytes: 4 << 20, vitals.BytesPerSecond: 1 << 20, vitals.Seconds: 0.005}

// A move is a signal that moved.
type move struct {
	id          vitals.ID
	before, now float64
	by          float64 // the logarithm of the factor, without its sign
}

// addSignals adds the signals that moved, the largest change first.
func (b *builder) addSignals() {
	at := b.r.TroubleAt()
	if at.IsZero() {
		return
	}
	for _, m := range b.moves(at) {
		var s text
		s.say("%s: %s before, %s at the %s", clean(b.r.Catalog().Signal(m.id).Name),
			b.signalNumber(m.id, " before", m.before), b.signalNumber(m.id, "", m.now), b.momentName())
		s.end()
		// A signal explains nothing: it comes behind what may.
		b.add(Signal, &s, min(0.1+m.by/50, 0.25))
	}
}

// momentName is what the moment is called at which signals are read.
func (b *builder) momentName() string {
	for _, t := range b.r.Triggers {
		if t.Signal != "" {
			return "trip"
		}
	}
	return "end"
}

// moves are the signals that moved, those that tripped and what is the same as another one's left out.
func (b *builder) moves(at time.Time) (out []move) {
	catalog := b.r.Catalog()
	for i := range catalog.Len() {
		id := vitals.ID(i)
		before, now := b.r.Earlier(id, at), b.r.ValueAt(id, at)
		if before == nil || now == nil || b.isTrip(catalog.Signal(id).Name) {
			continue
		}
		floor := cmp.Or(noise[catalog.Signal(id).Unit], 1)
		m := move{id, *before, *now, math.Abs(math.Log(max(*now, floor) / max(*before, floor)))}
		if m.by >= math.Log(leastMove) {
			out = append(out, m)
		}
	}
	slices.SortStableFunc(out, func(x, y move) int { return cmp.Compare(y.by, x.by) })
	return out[:min(len(out), mostSignals)]
}

func (b *builder) isTrip(name string) bool {
	for _, t := range b.r.Triggers {
		if t.Signal == name {
			return true
		}
	}
	return false
}
