package vitals

import (
	"math"
	"time"
)

// Which of two signals moves first? A rule trips by one signal; another one that moved before it is a better place to
// look. Two witnesses are asked, because incidents are of two shapes. What goes up and down again and again shows a lag
// (Track.Lag). What goes from one level to another does so once, and shows when (Track.Shift). Both work on ranks, so
// that one huge value decides nothing, and leave out what is absent.
//
// The limits: a lead of less than two ticks is none. What leads need not be a cause: both may follow from a third. A
// signal that is a mean over the last seconds trails by them (ID.Trails).

// A Track is one signal on a grid of even steps of time.
type Track struct {
	Step   time.Duration
	values []float64 // NaN where absent
	moves  bool      // often enough for Lag
	moved  float64   // increments that are not the most frequent one
	ranks  []float64 // of the increments, mean 0 and variance 1; the i-th leads to values[i]; NaN without one
	memory []float64 // autocorrelation of ranks at lags of 1, 2 …
}

// Limits of a Track.
const (
	trackValues = 30  // values, and increments of both for a Lag, at least
	trackSteps  = 4e3 // of the grid, at most: a longer one is left at its beginning
	trackSame   = 0.8 // of the increments may be the same (zero, mostly): ranks of a few moves are no sample
	trackMemory = 30  // lags of the autocorrelation: beyond them it is noise
)

// NewTrack puts a signal on a grid whose step is the usual time between two samples, which ascend. ok is false if there
// is too little of it, or if it never moves.
func NewTrack(samples []Sample, id ID) (t Track, ok bool) {
	t.Step = usualStep(samples)
	if t.Step <= 0 {
		return t, false
	}
	end := samples[len(samples)-1].Time
	n := int(min(end.Sub(samples[0].Time)/t.Step, trackSteps-1)) + 1
	t.values = absent(n)
	for i := range samples {
		at := n - 1 - int((end.Sub(samples[i].Time)+t.Step/2)/t.Step)
		if v, known := samples[i].Get(id); known && at >= 0 {
			t.values[at] = v
		}
	}
	moves := absent(n)
	for i := 1; i < n; i++ {
		moves[i] = t.values[i] - t.values[i-1] // NaN if one is
	}
	var same float64
	t.ranks, same = standardRanks(moves)
	if present(t.values) < trackValues || same == 1 {
		return t, false
	}
	t.moves, t.moved = same <= trackSame, (1-same)*float64(present(t.ranks))
	for k := 1; k <= trackMemory; k++ {
		r, _ := correlate(t.ranks, t.ranks, k)
		t.memory = append(t.memory, r)
	}
	return t, true
}

// A Lag is how the increments of one signal repeat those of another.
type Lag struct {
	By     time.Duration // by which the first is ahead; 0: they move together; below 0 the second is
	R      float64       // rank correlation (Spearman) of the increments; below 0: they move against each other
	N      int           // pairs of increments
	Chance float64       // how likely unrelated signals correlate as well at one of the lags tried; at most 1
	// Sure is true if the lag's sign is certain: the correlation is stronger than at every lag of 0 or of the other sign
	// by more than 95 of 100 chances would make it; and both halves of the time show it.
	Sure bool
}

// Lag compares the increments of two signals of the same samples at all lags of up to most.
//
// The correlation of two series with a memory varies more than that of as many independent values. So the number of
// values is corrected for the memory of both (Bartlett 1946; Pyper and Peterman, "Comparison of methods to account for
// autocorrelation in correlation analyses of fish data", Can. J. Fish. Aquat. Sci. 55 (1998), equation 1), and Fisher's
// z of the correlation is compared with the normal distribution. The chance is multiplied by the number of lags.
func (t *Track) Lag(of *Track, most time.Duration) (best Lag, ok bool) {
	if t.Step != of.Step || len(t.ranks) != len(of.ranks) || !t.moves || !of.moves {
		return best, false
	}
	widest := int(most / t.Step)
	z := make([]float64, 2*widest+1) // Fisher's, in standard errors; 0 where there are too few pairs
	at, strongest := 0, -1.0
	for i := range z {
		k := i - widest
		r, n := correlate(t.ranks, of.ranks, k)
		if n < trackValues {
			continue
		}
		z[i] = math.Atanh(math.Max(math.Min(r, 0.999999), -0.999999)) * math.Sqrt(t.effective(of, n)-3)
		if math.Abs(z[i]) > strongest {
			at, strongest = i, math.Abs(z[i])
			best = Lag{By: time.Duration(k) * t.Step, R: r, N: n}
		}
	}
	if strongest < 0 {
		return best, false
	}
	best.Chance = math.Min(math.Erfc(strongest/math.Sqrt2)*float64(len(z)), 1)
	best.Sure = at != widest && t.repeats(of, best)
	for i, other := range z {
		if k, b := i-widest, at-widest; k*b <= 0 && strongest-math.Abs(other) < z95*math.Sqrt2 {
			best.Sure = false
		}
	}
	return best, true
}

// repeats reports whether each half of the time shows half of a correlation or more. What goes up and down again and
// again does; one burst does not, however many samples lie around it.
func (t *Track) repeats(of *Track, l Lag) bool {
	mid, k := len(t.ranks)/2, int(l.By/t.Step)
	for _, half := range [][2]int{{0, mid}, {mid, len(t.ranks)}} {
		if r, _ := correlate(t.ranks[half[0]:half[1]], of.ranks[half[0]:half[1]], k); r*l.R < l.R*l.R/2 {
			return false
		}
	}
	return true
}

// A Lead is which of two signals moves first, as far as both witnesses agree.
type Lead struct {
	By      time.Duration // by which the first is ahead; below 0 the second is
	Lag     *Lag          // nil: the increments do not show it, and that the two are related is not shown at all
	Shifted bool          // the first went to another level before the second did, or after it if By is below 0
}

// leadSteps is the shortest lead, in steps: a level is of the moment of its sample, and a rate of the time since the
// sample before. So a level seems to lead, by one, the rate that it rises with.
const leadSteps = 2

// leadChance is the chance, over everything that is compared, below which a lag counts.
const leadChance = 0.01

// Leads compares two signals of the same samples. most is the longest lead that is looked for, tries how many pairs are
// compared in all. ok is false if neither is certainly first: they move in the same tick or the next, hardly anything is known, or
// the witnesses contradict each other.
func (t *Track) Leads(of *Track, most time.Duration, tries int) (l Lead, ok bool) {
	most = min(most, time.Duration(len(t.values)/4)*t.Step)
	lag, known := t.Lag(of, most)
	related := known && lag.Chance*float64(tries) <= leadChance
	if related && lag.Sure && lag.By.Abs() >= leadSteps*t.Step {
		lag.Chance = math.Min(lag.Chance*float64(tries), 1)
		l.By, l.Lag = lag.By, &lag
	}
	a, ok1 := t.Shift()
	b, ok2 := of.Shift()
	gap := b.At - a.At
	if !ok1 || !ok2 || gap.Abs() > most || gap.Abs() < leadSteps*t.Step || !a.before(b) && !b.before(a) {
		return l, l.Lag != nil
	}
	if related && l.Lag == nil && lag.By.Abs() < leadSteps*t.Step || l.Lag != nil && (l.By > 0) != (gap > 0) {
		return Lead{}, false
	}
	if l.Shifted = true; l.Lag == nil {
		l.By = gap
	}
	return l, true
}

// Trails reports whether a signal is a mean over the last seconds, so that it follows whatever moves it: what the
// kernel says of pressure is one over ten.
func (id ID) Trails() bool { return id == CPUPressure || id == MemoryPressure }

// z95 is the 95 % quantile of the normal distribution.
const z95 = 1.645

// effective is how many of n pairs count as independent; above 3. They are not more than the increments of both that
// moved: a pair of which neither did says nothing, and where a service stands still for most of the time, a few moves
// that come together by chance would look like the agreement of all.
func (t *Track) effective(of *Track, n int) float64 {
	sum := 0.0
	for k, r := range t.memory[:min(len(t.memory), n/5)] {
		sum += (1 - float64(k+1)/float64(n)) * r * of.memory[k]
	}
	return max(min(float64(n)/max(1+2*sum, 1e-9), float64(n), t.moved+of.moved), 4)
}

// correlate is the correlation of standardized series at a lag of k steps, by which the first is ahead, over the n
// pairs of which both are present.
func correlate(a, b []float64, k int) (r float64, n int) {
	var sab, saa, sbb, sa, sb float64
	for i := max(0, -k); i < len(a) && i+k < len(b); i++ {
		x, y := a[i], b[i+k]
		if x != x || y != y {
			continue
		}
		n++
		sa, sb, sab, saa, sbb = sa+x, sb+y, sab+x*y, saa+x*x, sbb+y*y
	}
	c := float64(n)
	if v := (saa - sa*sa/c) * (sbb - sb*sb/c); n > 2 && v > 0 {
		return (sab - sa*sb/c) / math.Sqrt(v), n
	}
	return 0, n
}
