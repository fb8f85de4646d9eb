package prove

import (
	"fmt"
	"math"

	"github.com/gocasebook/casebook/casefile"
)

// A Cycle is the time between two moments at which a cycle of the garbage collector had just ended, and what was
// collected in it.
//
// What the collector takes is known only then. A round's share that is interpolated between two cycles is that of its
// neighbours too: twenty rounds within one cycle are one number, twenty times. So the cycle is the unit of what is said
// of the collector.
type Cycle struct {
	Seconds float64 `json:"seconds"` // while the service was loaded
	Spent   float64 `json:"spent"`   // of the available CPU: Spent/Seconds is the share that the collector took
	Count   float64 `json:"count"`   // how many cycles ended in it, the last included
}

// fewCycles is how many stretches of a side have no spread that could be relied on. Their number is bounded instead.
const fewCycles = 6

// fewOff is by how many cycles a side with few may be off: the one that was under way at either end, and one more for a
// load that is not quite even. Cycles come at even distances: each when the heap has grown by as much.
const fewOff = 2

// A collected is what the collector took on one side: the share of the CPU, or cycles a second.
type collected struct {
	n         int     // cycles
	value     float64 // in total: Σ taken / Σ seconds
	low, high float64 // if there are few cycles: what the side may be at most and at least; otherwise NaN
	logs      []float64
}

// collect sums up the cycles of a side. taken is what is asked for of each.
func collect(cs []Cycle, taken func(Cycle) float64) collected {
	var sum, seconds, most, count float64
	least := math.Inf(1)
	for _, c := range cs {
		sum, seconds, count = sum+taken(c), seconds+c.Seconds, count+c.Count
		if c.Count > 0 {
			most, least = max(most, taken(c)/c.Count), min(least, taken(c)/c.Count)
		}
	}
	out := collected{n: int(math.Round(count)), value: sum / seconds, low: math.NaN(), high: math.NaN()}
	if len(cs) >= fewCycles && sum > 0 {
		out.logs = pseudoValues(cs, taken, sum, seconds)
		return out
	}
	out.low = 0
	if whole := count - 1; whole > 0 { // the last was forced, and would have ended later
		out.low = min(max(whole-fewOff, 1), whole) * least / seconds
	}
	out.high = (count + fewOff) * most / seconds
	return out
}

// pseudoValues are Tukey's (1958) of the logarithm of the ratio of two sums, by leaving one stretch out at a time:
// their mean is the ratio without its bias, and their scatter that of the ratio.
func pseudoValues(cs []Cycle, taken func(Cycle) float64, sum, seconds float64) []float64 {
	n, whole := float64(len(cs)), math.Log(sum/seconds)
	out := make([]float64, len(cs))
	for i, c := range cs {
		rest := max(sum-taken(c), sum*1e-6) // one stretch had all
		out[i] = n*whole - (n-1)*math.Log(rest/(seconds-c.Seconds))
	}
	return out
}

// estimate returns the logarithm of the side's value; with few cycles the bound that is nearer to the other side,
// without an error.
func (c collected) estimate(rho float64, higher bool) estimate {
	switch {
	case c.logs != nil:
		e := unclipped(c.logs, rho)
		e.centre = math.Log(c.value)
		return e
	case higher:
		return estimate{n: fewCycles, centre: math.Log(c.low), free: math.Inf(1)}
	}
	return estimate{n: fewCycles, centre: math.Log(c.high), free: math.Inf(1)}
}

// A collection is the comparison of both sides' cycles.
type collection struct {
	before, after collected
	rho           float64
	effect        estimate // of the logarithms; its centre is a bound where a side has few cycles
}

// compareCycles compares what the collector took, by cycles; false if a side has none, or they took nothing.
func compareCycles(name string, before, after []Cycle) (collection, bool) {
	taken := func(c Cycle) float64 { return c.Spent }
	if name == GCRate {
		taken = func(c Cycle) float64 { return c.Count }
	}
	out := collection{before: collect(before, taken), after: collect(after, taken)}
	if !(out.before.value > 0 && out.after.value > 0) {
		return out, false
	}
	out.rho, _ = resemblance(out.before.logs, out.after.logs)
	up := out.after.value > out.before.value
	out.effect = less(out.after.estimate(out.rho, up), out.before.estimate(out.rho, !up))
	if out.bounded() && (out.effect.centre > 0) != up {
		out.effect = estimate{n: fewCycles, se: math.Inf(1), free: 1} // the bounds overlap: nothing is known
	}
	return out, true
}

// change returns by how much the side after differs in total, and the 95 % interval of that, by logarithms. Of few
// cycles it goes from the bound to what was measured, at least.
func (c *collection) change() (centre, low, high float64) {
	centre = math.Log(c.after.value / c.before.value)
	low, high = c.effect.interval(confidence)
	return centre, min(low, centre), max(high, centre)
}

// bounded says whether a side has too few cycles for a spread.
func (c *collection) bounded() bool { return c.before.logs == nil || c.after.logs == nil }

// stats returns both sides as the case keeps them.
func (c *collection) stats() [2]casefile.Stat {
	return [...]casefile.Stat{c.before.stat(c.rho), c.after.stat(c.rho)}
}

// doubt says why it cannot tell.
func (c *collection) doubt() string {
	if c.bounded() {
		return fmt.Sprintf("%d and %d GC cycles are too few to tell: measure longer", c.before.n, c.after.n)
	}
	return fmt.Sprintf("%d and %d GC cycles are not enough to tell: measure longer", c.before.n, c.after.n)
}

// stat returns a side as the case keeps it: its value in total, with the bounds or the 95 % interval.
func (c collected) stat(rho float64) casefile.Stat {
	s := casefile.Stat{Value: c.value, Low: c.low, High: c.high, N: c.n}
	if c.logs != nil {
		low, high := c.estimate(rho, false).interval(confidence)
		s.Low, s.High = math.Exp(low), math.Exp(high)
	}
	return s
}
