package holmes

import (
	"math"
	"sync"
	"time"

	"github.com/gocasebook/casebook/vitals"
)

// A record is what was collected of each kind. It belongs to a Holmes and not to a run, so that it goes on whatever is
// set, enabled or disabled, and from a Stop to the next Start.
type record struct {
	mu        sync.Mutex // guards what follows
	past      [numKinds]past
	collected int               // intervals
	last      time.Time         // when the last one was
	interval  time.Duration     // asked for
	abs       [numKinds]float64 // in the signal's unit
	diffs     [numKinds]int     // percent
}

// A past is the last values of a kind, in the signal's unit. It holds more than a mean needs, because what a trip was
// compared with is asked for a little later.
type past struct {
	values [2 * baselineSamples]float64
	at     [2 * baselineSamples]time.Time
	next   int
}

func (p *past) add(at time.Time, v float64) {
	p.values[p.next], p.at[p.next] = v, at
	p.next = (p.next + 1) % len(p.values)
}

// lately calls see for the last ten values before a time, newest first.
func (p *past) lately(before time.Time, see func(float64)) {
	seen := 0
	for i := range p.values {
		j := (p.next - 1 - i + 2*len(p.values)) % len(p.values)
		if p.at[j].IsZero() || seen == baselineSamples {
			return
		}
		if p.at[j].Before(before) {
			see(p.values[j])
			seen++
		}
	}
}

// mean is over the last ten values before a time; n is how many there are.
func (p *past) mean(before time.Time) (mean float64, n int) {
	sum := 0.0
	p.lately(before, func(v float64) { sum, n = sum+v, n+1 })
	return sum / max(float64(n), 1), n
}

// set tells what the limits depend on.
func (r *record) set(o *options, s scale) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.interval = o.interval
	for k := range numKinds {
		r.diffs[k], r.abs[k] = o.kinds[k].TriggerDiff, float64(o.kinds[k].TriggerAbs)*s.unit(k)
	}
}

// judge puts into a sample what its values are compared with, and then takes them up.
func (r *record) judge(s *vitals.Sample, ids *[numKinds]signalIDs) {
	r.mu.Lock()
	defer r.mu.Unlock()
	step := sampling(r.interval)
	due := r.interval <= step || s.Time.Sub(r.last) > r.interval-step/2
	if due {
		r.collected, r.last = r.collected+1, s.Time
	}
	for k := range numKinds {
		if r.collected >= baselineSamples {
			s.Set(ids[k].limit, r.limit(k, s.Time))
		}
		if v, ok := s.Get(ids[k].value); ok && due {
			r.past[k].add(s.Time, v)
		}
	}
}

// leastBaseline is how many values a mean needs before a rise over it means anything.
const leastBaseline = 5

// limit is what a value must exceed: abs, or what is a rise by diff.
func (r *record) limit(k kind, at time.Time) float64 {
	limit := r.abs[k]
	if mean, n := r.past[k].mean(at); n >= leastBaseline {
		limit = min(limit, k.risen(mean, r.diffs[k]))
	}
	return max(limit, leastLimit)
}

// risen is what a value must exceed to have risen by diff percent over a mean. Goroutines and threads are whole
// numbers, and so are mean and limit, and the limit itself is enough: holmes' arithmetic, which thresholds of small
// numbers depend on ("at least 10 % over 8" is 8).
func (k kind) risen(mean float64, diff int) float64 {
	if k == goroutine || k == thread {
		return math.Floor(math.Floor(mean)*float64(100+diff)/100) - 0.5
	}
	return mean * float64(100+diff) / 100
}

// leastLimit stands for a limit of 0, of which package rule takes no multiple.
const leastLimit = 1e-9

// before is the mean that a trip was compared with.
func (r *record) before(k kind, at time.Time) float64 {
	r.mu.Lock()
	defer r.mu.Unlock()
	mean, _ := r.past[k].mean(at)
	return mean
}

// whole lists the last values, oldest first, as whole numbers of a unit.
func (r *record) whole(k kind, at time.Time, unit float64) []int {
	r.mu.Lock()
	defer r.mu.Unlock()
	list := make([]int, 0, baselineSamples)
	r.past[k].lately(at, func(v float64) { list = append(list, int(v/unit)) })
	for i, j := 0, len(list)-1; i < j; i, j = i+1, j-1 {
		list[i], list[j] = list[j], list[i]
	}
	return list
}
