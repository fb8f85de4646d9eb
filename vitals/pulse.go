package vitals

import (
	"math"
	"slices"
	"time"
)

// A Pulse is a part of each period in which a signal is higher than in the rest of it: what a job, a full minute, or
// entries that end together do to it.
type Pulse struct {
	Period  float64 // seconds from one pulse to the next
	Start   float64 // seconds from a whole number of periods since 1970, in UTC, to the beginning of the pulse
	Width   float64 // seconds that it lasts, to one sample
	In      float64 // median of the signal's values in the pulses
	Between float64 // and between them
	Cycles  int     // periods that were judged
	Hits    int     // of these, those that have the pulse
	// Chance is how likely a signal without any period has a pulse like this at one of all the periods tried.
	Chance float64
}

// Limits of a pulse.
const (
	pulseValues = 40   // of the signal, at least
	pulseCycles = 3    // two of a kind are a coincidence
	pulseBins   = 8    // samples in a period, at least: with fewer, "the same moment" is a large part of it
	pulsePart   = 3    // a pulse lasts a third of its period at the most; what lasts longer is a wave
	pulseHits   = 0.7  // of the cycles that are judged have the pulse
	pulseLuck   = 0.2  // of the moments of a cycle may be as high as the pulse, and it still has it
	pulseChance = 0.01 // above it the pulse may be noise
	pulseClip   = 8    // of what is usual between two values: the highest are no higher than that
	pulseLags   = 12   // periods that the signal's autocorrelation proposes
	pulseTested = 6    // of all proposals, those with the greatest contrast
)

// clockPeriods are those of cron, of time.Truncate and of tickers, in seconds. They are tried whether or not the
// autocorrelation proposes them, so that three cycles of one can be certain.
var clockPeriods = [...]float64{1, 5, 10, 15, 20, 30, 60, 120, 180, 300}

// FindPulse looks for the period at which a signal is high for a moment; ok is false if there is none, or if it may be
// chance. samples ascend in time; gaps between them do no harm.
//
// The values are scaled and clipped, so that one huge value is not a pulse, and a moving mean over the period is
// subtracted, so that a trend is none. The autocorrelation proposes periods, and the signal is folded at each (Leahy et
// al., "On searches for pulsed emission", ApJ 266 (1983) 160, section III). Neighbouring values are alike, which makes
// the usual test of a folded signal say yes to every walk; so a cycle counts as one observation: the window of the
// pulse is chosen by the other cycles, and how many of the cycle's own moments are at least as high is its p-value.
// Fisher's method puts the cycles together, and the number of periods that were tried multiplies the result.
func FindPulse(samples []Sample, id ID) (p Pulse, ok bool) {
	s, ok := newCourse(samples, id)
	if !ok {
		return p, false
	}
	best := -1.0
	for _, c := range s.candidates() {
		if c.contrast <= best {
			continue
		}
		found, ok := s.judge(c)
		if ok && found.most(samples, id) {
			p, best = found, c.contrast
		}
	}
	return p, best >= 0
}

// most fills in the levels, and reports whether at least half of the values nearer to that of the pulse are in it: of
// spikes at random some come at an even pace.
func (p *Pulse) most(samples []Sample, id ID) (ok bool) {
	if p.In, p.Between, ok = p.Medians(samples, id); !ok || p.In <= p.Between {
		return false
	}
	in, all := 0, 0
	for i := range samples {
		if v, has := samples[i].Get(id); has && v > (p.In+p.Between)/2 {
			all++
			if p.Covers(samples[i].Time) {
				in++
			}
		}
	}
	return 2*in >= all
}

// Covers reports whether a moment is within a pulse.
func (p Pulse) Covers(t time.Time) bool { return phase(seconds(t)-p.Start, p.Period) < p.Width }

// Medians are those of a signal within the pulses and between them; ok is false if it has no values in one of both.
func (p Pulse) Medians(samples []Sample, id ID) (in, between float64, ok bool) {
	return p.MediansOf(samples, func(s *Sample) (float64, bool) { return s.Get(id) })
}

// MediansOf is Medians of something that is computed of each sample.
func (p Pulse) MediansOf(samples []Sample, of func(*Sample) (float64, bool)) (in, between float64, ok bool) {
	var inside, outside []float64
	for i := range samples {
		switch v, has := of(&samples[i]); {
		case !has:
		case p.Covers(samples[i].Time):
			inside = append(inside, v)
		default:
			outside = append(outside, v)
		}
	}
	if len(inside) == 0 || len(outside) == 0 {
		return 0, 0, false
	}
	slices.Sort(inside)
	slices.Sort(outside)
	return quantile(inside, 0.5), quantile(outside, 0.5), true
}

// OnClock reports whether the period is one that clocks have: the pulses are then at the same second of each minute.
func (p Pulse) OnClock() bool { return p.Period >= 2 && slices.Contains(clockPeriods[:], p.Period) }

// seconds is a time since 1970.
func seconds(t time.Time) float64 { return float64(t.Unix()) + float64(t.Nanosecond())/1e9 }

// phase is how far t is into its period, from 0 to below the period.
func phase(t, period float64) float64 {
	if p := t - math.Floor(t/period)*period; p < period {
		return p
	}
	return 0
}

// A course is one signal on a grid of even steps.
type course struct {
	began  float64   // seconds since 1970 of the first cell
	step   float64   // seconds between cells
	values []float64 // scaled; NaN where the signal is absent
	lags   int       // periods that the grid can show
}

// newCourse puts the values of a signal on a grid.
func newCourse(samples []Sample, id ID) (c course, ok bool) {
	var at, values []float64
	for i := range samples {
		if v, has := samples[i].Get(id); has {
			at, values = append(at, seconds(samples[i].Time)), append(values, v)
		}
	}
	if len(values) < pulseValues {
		return c, false
	}
	if c.step = medianStep(at); c.step <= 0 {
		return c, false
	}
	c.began = at[0]
	cells := int((at[len(at)-1]-at[0])/c.step+0.5) + 1
	if cells > 16*len(values) { // mostly gaps
		return c, false
	}
	c.values = make([]float64, cells)
	for i := range c.values {
		c.values[i] = math.NaN()
	}
	for i, r := range scaled(values) {
		c.values[int((at[i]-c.began)/c.step+0.5)] = r
	}
	c.lags = cells/pulseCycles - pulseBins
	return c, c.lags > 0
}

func medianStep(at []float64) float64 {
	steps := make([]float64, 0, len(at))
	for i := 1; i < len(at); i++ {
		steps = append(steps, at[i]-at[i-1])
	}
	slices.Sort(steps)
	return quantile(steps, 0.5)
}

// scaled are the values as multiples of their usual distance from the median, at most pulseClip of them: one huge value
// must not be a pulse.
func scaled(values []float64) []float64 {
	sorted := slices.Sorted(slices.Values(values))
	median := quantile(sorted, 0.5)
	mean := 0.0
	for i, v := range values {
		sorted[i] = math.Abs(v - median)
		mean += sorted[i] / float64(len(values))
	}
	slices.Sort(sorted)
	// Where most values are alike, what the highest twentieth has is no outlier but what is looked for.
	unit := max(quantile(sorted, 0.5), quantile(sorted, 0.95)/pulseClip)
	if unit == 0 { // nearly all values are equal
		unit = mean
	}
	out := make([]float64, len(values))
	for i, v := range values {
		if unit > 0 {
			out[i] = min(max((v-median)/unit, -pulseClip), pulseClip)
		}
	}
	return out
}
