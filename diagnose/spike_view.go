package diagnose

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"time"

	"github.com/gocasebook/casebook/diagnose/stacks"
	"github.com/gocasebook/casebook/internal/number"
	"github.com/gocasebook/casebook/vitals"
)

// A periodic spike is known by its time alone: what was captured in it is compared with what was captured between two
// of them, and every signal with itself. So nothing here depends on what the service does.

// Limits of a spike that is worth a finding.
const (
	spikeTimes = 2.0  // times the value between the spikes
	spikeFelt  = 0.02 // seconds: the article of the feature store wanted a P99 of 15 ms; less is nobody's trouble
	spikeRate  = 10.0 // requests per second; below it the 99th percentile of a second is one request
	// Limits of what another signal does in the spikes. A service under a level load of random requests was at 1.2
	// times its rate in the median of a tenth of its seconds.
	spikeLoad = 1.5 // times the requests: load that comes in spikes
	spikeWork = 1.4 // times the CPU or the bytes of a request: requests do what they do not do between
	// times the reads and writes of a request, in nearly all spikes: a backend that is full lets no more through. A
	// go-cache in front of one that answered 100 of 300 requests had 1.17; requests that always call have 1.
	spikeCalls = 1.1
	spikeOften = 0.8 // of the spikes
	spikeGC    = 3.0 // times the collections
	peakApart  = 2.0 // times the usual value of a spike, from which on its highest is said
	// What is short of a second is known by the CPU alone: it must run out, or nobody waits.
	spikeFull = 0.7 // of the CPUs that it may use
)

// spikes are the spikes of a process that come back at an even pace; nil without any.
type spikes struct {
	vitals.Pulse
	signal  vitals.ID
	samples []vitals.Sample // that have the signal
	step    float64         // seconds between samples
	peak    float64         // the highest value of a spike, in the median: spikes fade while a cache fills
	tail    *tail           // of the requests, where they are known by the second only and the spikes are shorter

	change       spikeChange
	waits, works *spikePlace // what was captured in a spike leads with: of the goroutines, of the CPU; nil: nothing
}

// newSpikes looks for spikes of latency: of requests if they are known, else of the process's answers to the sampler.
// What comes back within seconds no vitals show; but the course does, if it is CPU that runs out.
func newSpikes(r *Reading) *spikes {
	s := spikesOfVitals(r)
	if s == nil {
		s = spikesOfCourse(r)
	}
	if s != nil {
		s.change = s.changes()
		s.waits, s.works = s.places(r)
	}
	return s
}

// spikesOfCourse are the moments in which a process uses up its CPU, of one whose requests have a long tail.
func spikesOfCourse(r *Reading) *spikes {
	t, ok := lastMinute(r)
	if !ok {
		return nil
	}
	p, ok := vitals.FindPulse(r.course, vitals.CPU)
	if !ok || p.In < spikeTimes*p.Between || p.In < spikeFull*r.Limits.CPUs {
		return nil
	}
	return &spikes{Pulse: p, signal: vitals.CPU, samples: r.course, step: spacing(r.course), tail: &t}
}

func spikesOfVitals(r *Reading) *spikes {
	for _, id := range []vitals.ID{vitals.HTTPLatencyP99, vitals.ProbeTime} {
		if _, known := r.Mean(id); !known {
			continue
		}
		p, ok := vitals.FindPulse(r.Vitals, id)
		if !ok || p.In < spikeTimes*p.Between || !enoughRequests(r) {
			return nil
		}
		s := &spikes{Pulse: p, signal: id, samples: r.Vitals, step: spacing(r.Vitals)}
		if s.peak = s.peaks(); s.peak < spikeFelt {
			return nil
		}
		return s
	}
	return nil
}

// peaks is the median of the spikes' highest values.
func (s *spikes) peaks() float64 {
	highest := map[int64]float64{}
	for i := range s.samples {
		if v, ok := s.samples[i].Get(s.signal); ok && s.Covers(s.samples[i].Time) {
			k := s.number(s.samples[i].Time)
			highest[k] = max(highest[k], v)
		}
	}
	sorted := slices.Sorted(maps.Values(highest))
	return sorted[len(sorted)/2] // a pulse has values
}

// enoughRequests reports whether quantiles of a second mean something; where requests are not known they are not used.
func enoughRequests(r *Reading) bool {
	rate, known := r.Mean(vitals.HTTPRate)
	return !known || rate >= spikeRate
}

// spacing is the mean time between samples, in seconds.
func spacing(samples []vitals.Sample) float64 {
	n := len(samples)
	return samples[n-1].Time.Sub(samples[0].Time).Seconds() / float64(max(n-1, 1))
}

// times is how many times as high a signal is in the spikes as between them; ok is false where that is not known.
func (s *spikes) times(of func(*vitals.Sample) (float64, bool)) (times float64, ok bool) {
	in, between, ok := s.MediansOf(s.samples, of)
	if !ok || between <= 0 {
		return 0, false
	}
	return in / between, true
}

// of is a signal as it is.
func of(id vitals.ID) func(*vitals.Sample) (float64, bool) {
	return func(s *vitals.Sample) (float64, bool) { return s.Get(id) }
}

// totalOf is the sum of signals.
func totalOf(ids ...vitals.ID) func(*vitals.Sample) (float64, bool) {
	return func(s *vitals.Sample) (float64, bool) {
		sum, ok := 0.0, true
		for _, id := range ids {
			v, has := s.Get(id)
			sum, ok = sum+v, ok && has
		}
		return sum, ok
	}
}

// perRequest is the sum of signals, by request.
func perRequest(ids ...vitals.ID) func(*vitals.Sample) (float64, bool) {
	total := totalOf(ids...)
	return func(s *vitals.Sample) (float64, bool) {
		rate, ok := s.Get(vitals.HTTPRate)
		sum, has := total(s)
		return sum / rate, ok && has && rate > 0
	}
}

// inSpike reports whether a moment is in a spike. A sample tells of the time since the one before it.
func (s *spikes) inSpike(t time.Time) bool {
	return s.Covers(t) || s.Covers(t.Add(time.Duration(s.step*float64(time.Second))))
}

// meets reports whether evidence was taken in a spike, or covers a part of one.
func (s *spikes) meets(set *stacks.Set) bool {
	step := max(s.step, 0.01)
	for at := 0.0; at <= set.Seconds; at += step {
		if !set.Taken.IsZero() && s.inSpike(set.Taken.Add(time.Duration(at*float64(time.Second)))) {
			return true
		}
	}
	return false
}

// number tells one spike from another.
func (s *spikes) number(t time.Time) int64 {
	return int64(math.Floor((float64(t.UnixNano())/1e9 - s.Start) / s.Period))
}

// share is the part of the time that is in spikes.
func (s *spikes) share() float64 { return s.Width / s.Period }

// when says when the spikes come: "for 8 s of each minute, from second 0 on".
func (s *spikes) when() string {
	text := fmt.Sprintf("for %s of every %s", seconds(math.Round(100*s.Width)/100), number.Setting(s.every()))
	if s.OnClock() && s.Period <= 60 {
		text += fmt.Sprintf(", from second %.0f of the %s on", math.Mod(math.Round(s.Start), s.Period),
			periodName(s.Period))
	}
	return text
}

// periodName is what a period of the clock is called.
func periodName(period float64) string {
	if period == 60 {
		return "minute"
	}
	return fmt.Sprintf("%.0f seconds", period)
}

// every is the period, to the precision that a few cycles allow.
func (s *spikes) every() time.Duration {
	to := time.Second
	if s.Period < 10 {
		to = 100 * time.Millisecond
	}
	return time.Duration(s.Period * float64(time.Second)).Round(to)
}

// level says what the signal is in the spikes and between: "the 99th percentile is 40 ms in them and 6 ms between".
func (s *spikes) level() string {
	if t := s.tail; t != nil {
		return fmt.Sprintf("the process uses %s in them and %s between, and the slowest hundredth of requests takes "+
			"%s, half of all %s", cores(s.In), cores(s.Between), seconds(t.p99), seconds(t.p50))
	}
	unit := s.signal.Signal().Unit
	name := map[vitals.ID]string{vitals.HTTPLatencyP99: "the slowest hundredth of requests takes",
		vitals.ProbeTime: "an answer to the sampler takes"}[s.signal]
	high := ""
	if s.peak >= peakApart*s.In {
		high = ", at the highest " + unit.Format(s.peak) + ","
	}
	return fmt.Sprintf("%s %s in them%s and %s between", name, unit.Format(s.In), high, unit.Format(s.Between))
}

// seen says how sure the period is: "in 9 of 10 periods".
func (s *spikes) seen() string { return fmt.Sprintf("in %d of %d periods", s.Hits, s.Cycles) }
