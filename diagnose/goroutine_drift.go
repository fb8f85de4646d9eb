package diagnose

import (
	"math"
	"time"

	"github.com/gocasebook/casebook/diagnose/known"
	"github.com/gocasebook/casebook/diagnose/stacks"
	"github.com/gocasebook/casebook/diagnose/view"
	"github.com/gocasebook/casebook/vitals"
)

// A number of goroutines that come and go differs by chance between two looks, by about the square root of how many
// came and went meanwhile, which two profiles do not show: of 30,000 that wait forever 300 more are not random. The
// vitals' number of all does: it is a random walk whose steps scatter as goroutines come and go between two samples.

// A drift is how the number of all goroutines moved between two moments, by the vitals.
type drift struct {
	change float64
	chance float64 // what it may have moved at random
	slows  bool    // it moved much less in the second half than in the first, as when something fills up
}

// driftSteps is how many steps between samples are needed to estimate their scatter: with eight, a steady walk looks
// like a drift one time in 400.
const driftSteps = 8

// driftOver looks at the samples between the first and the last capture.
func driftOver(r *Reading) (drift, bool) {
	sets := r.Moments()
	return driftBetween(r, sets[0].Taken, sets[len(sets)-1].Taken)
}

// driftBetween looks at the samples from one moment to another; ok is false if there are too few.
func driftBetween(r *Reading, from, to time.Time) (d drift, ok bool) {
	var numbers []float64
	for _, s := range r.Vitals {
		if n, ok := s.Get(vitals.Goroutines); ok && s.Time.After(from.Add(-driftSlack)) && s.Time.Before(to.Add(driftSlack)) {
			numbers = append(numbers, n)
		}
	}
	steps := len(numbers) - 1
	if steps < driftSteps {
		return drift{}, false
	}
	d.change = numbers[steps] - numbers[0]
	// A walk of n steps with a variance v each ends at most n·v from its mean, in variance. What requests in flight scatter
	// is in each step and adds up over none: four at once show less of it. The floor is the goroutine of the sample.
	walk := func(scatter float64) float64 { return chanceBand * math.Sqrt(max(scatter, 0.25)*float64(steps)) }
	one := walk(stepScatter(numbers, 1))
	d.chance = one
	if steps >= 2*driftSteps {
		d.chance = min(one, walk(stepScatter(numbers, 4)))
	}
	early := numbers[steps/2] - numbers[0]
	d.slows = early > 0 && d.change-early < slowsBelow*early && early-(d.change-early) > one/2
	return d, true
}

// stepScatter is the variance of a step, measured over so many at once.
func stepScatter(numbers []float64, at int) float64 {
	steps := len(numbers) - 1
	mean, square := (numbers[steps]-numbers[0])/float64(steps), 0.0
	for i := range steps + 1 - at {
		step := numbers[i+at] - numbers[i] - mean*float64(at)
		square += step * step
	}
	return square / float64(steps-at) / float64(at)
}

const (
	driftSlack = time.Second // between a profile and the sample beside it
	slowsBelow = 0.5         // of the first half's growth in the second
)

// nearly is what part of the last number of goroutines an earlier one was, to be as high.
const nearly = 0.9

// isWave reports whether goroutines at a place where hardly any was at first are a wave: the vitals show that the
// process had as many before the last capture, and that as many as came here ended.
func isWave(r *Reading, g rise) bool {
	last := lastMoment(r)
	now, high := float64(last.Total(last.Count())), 0.0
	for _, s := range r.Vitals {
		n, ok := s.Get(vitals.Goroutines)
		if !ok || !s.Time.Before(last.Taken) || 10*g.before > g.after {
			continue
		}
		if high = max(high, n); high >= nearly*now && high-n >= float64(g.after-g.before) {
			return true
		}
	}
	return false
}

// chanceRise is by how much a number of goroutines may have risen at random: at most by the square root of both numbers,
// if all ended and others started meanwhile; by less if the vitals show less scatter in a process that gained as many.
func chanceRise(r *Reading, from, to time.Time, g rise) float64 {
	most := chanceBand * math.Sqrt(float64(g.before+g.after))
	if d, ok := driftBetween(r, from, to); ok && 2*d.change >= float64(g.after-g.before) {
		return min(most, d.chance)
	}
	return most
}

// tiedBand is how far a pile's number per connection may move while it is tied to them, tiedEach how many each may have.
const tiedBand, tiedEach = 0.3, 6

// tied reports whether a pile rose in step with connections and requests, each of which has its goroutines: there is
// more work, and nothing shows that it stays.
func tied(r *Reading, p *view.Pile, g rise) (before, after int64, ok bool) {
	sets := allMoments(r)
	before, after = connections(r, sets[0], p), connections(r, sets[len(sets)-1], p)
	if before <= 0 || g.before <= 0 || after-before < max(riseLeast, before/10) || g.after > tiedEach*after {
		return before, after, false
	}
	step := float64(g.after) / float64(g.before) / (float64(after) / float64(before))
	return before, after, step >= 1-tiedBand && step <= 1/(1-tiedBand)
}

// connections are the goroutines, without those of the pile, that answer a request or wait for the network. An HTTP
// client's are none: requests that call out are counted themselves, and what else calls out opens them.
func connections(r *Reading, set *stacks.Set, but *view.Pile) int64 {
	own, ok := begunBy(r, but)
	ok = ok && r.chain().Again(r.holds(), own.Begin)
	return numberOf(r, set, func(p *view.Pile) bool {
		if b, begun := begunBy(r, p); ok && begun && b.Line == own.Line && b.Calls == own.Calls {
			return false // the same call of a client's dialled them
		}
		return p.At != but.At && !r.Table.Func(p.At).Does(known.OfHTTPClient) &&
			(p.Wait == stacks.WaitNetwork || serves(r.Table, p.Stack))
	})
}
