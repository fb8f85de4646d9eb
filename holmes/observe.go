package holmes

import (
	"context"
	"math"
	"runtime"
	"time"

	"github.com/gocasebook/casebook"
	"github.com/gocasebook/casebook/vitals"
)

// An observer is what a run remembers of the events so far. Only OnEvent's goroutine touches it, one call at a time.
type observer struct {
	past    [numKinds]past
	count   [numKinds]int       // of trips, for the event IDs
	quiet   time.Time           // until then a thread dump has said what a goroutine dump would
	shrink  time.Time           // until then threads are not looked at
	waiting map[string][]dump   // trips whose CPU profile comes with the case, by its ID
	procs   float64             // GOMAXPROCS in the last sample
	ids     [numKinds]vitals.ID // of what is judged
}

func newObserver() observer {
	o := observer{waiting: make(map[string][]dump)}
	for k := range numKinds {
		// liveHeap is the only extra signal, so it comes right after the built-in ones.
		o.ids[k] = vitals.ID(vitals.NumSignals)
		if id, ok := vitals.Lookup(k.signal()); ok {
			o.ids[k] = id
		}
	}
	return o
}

// A past is the last values of a kind, in the signal's unit.
type past struct {
	values [baselineSamples]float64
	at     [baselineSamples]time.Time
	next   int
}

func (p *past) add(at time.Time, v float64) {
	p.values[p.next], p.at[p.next] = v, at
	p.next = (p.next + 1) % baselineSamples
}

// mean is over the values before a time; 0 without any.
func (p *past) mean(before time.Time) float64 {
	sum, n := 0.0, 0.0
	for i, at := range p.at {
		if !at.IsZero() && at.Before(before) {
			sum, n = sum+p.values[i], n+1
		}
	}
	return sum / max(n, 1)
}

// whole lists the values, oldest first, as whole numbers of a unit.
func (p *past) whole(unit float64) []int {
	list := make([]int, 0, baselineSamples)
	for i := range p.values {
		if j := (p.next + i) % baselineSamples; !p.at[j].IsZero() {
			list = append(list, int(p.values[j]/unit))
		}
	}
	return list
}

// on gets every event of the watch. It must be quick: slow work is a job of the dumper.
func (r *run) on(ctx context.Context, e casebook.Event) {
	switch e.Kind {
	case casebook.Sampled:
		r.sampled(ctx, &e.Sample)
	case casebook.Tripped, casebook.Joined:
		r.tripped(ctx, &e)
	case casebook.Closed:
		r.closed(ctx, &e)
	case casebook.Failed:
		delete(r.seen.waiting, e.CaseID)
		r.h.Errorf("[Holmes] the case %s could not be written: %v", e.CaseID, e.Err)
	case casebook.Missed:
		r.h.Warnf("[Holmes] the case %s lacks evidence: %v", e.CaseID, e.Err)
	case casebook.Lost:
		r.h.Errorf("[Holmes] nothing could be sampled: %v", e.Err)
	}
}

func (r *run) sampled(ctx context.Context, s *vitals.Sample) {
	o := r.h.options()
	s100 := r.scale.Load()
	for k := range numKinds {
		v, ok := s.Get(r.seen.ids[k])
		if !ok {
			continue
		}
		if o.logger != nil && o.kinds[k].Enable {
			r.logJudged(o.logger.Debugf, "NODUMP", &o, k, v, s100)
		}
		r.seen.past[k].add(s.Time, v)
	}
	if o.shrink.Enable {
		r.lookAtThreads(ctx, s.Time, o.shrink)
	}
	r.followGoMaxProcs(s, o.goProcs)
}

// logJudged logs a judgement in holmes' uniform format.
func (r *run) logJudged(logf func(string, ...any), verdict string, o *options, k kind, v float64, s *scale) {
	defer func() { _ = recover() }() // the logger is not ours
	t, most := o.kinds[k], NotSupportTypeMaxConfig
	if k == goroutine {
		most = o.maxGoroutine
	}
	unit := s.unit(k)
	if unit == 0 {
		return
	}
	logf(UniformLogFormat, verdict, kindTexts[k].check, t.TriggerMin, t.TriggerDiff, t.TriggerAbs, most,
		r.seen.past[k].whole(unit), int(v/unit))
}

// followGoMaxProcs makes the rules again when GOMAXPROCS is 100 % of the CPU and has changed.
func (r *run) followGoMaxProcs(s *vitals.Sample, asked bool) {
	procs, ok := s.Get(vitals.GoMaxProcs)
	if !ok || procs == r.seen.procs {
		return
	}
	first := r.seen.procs == 0
	r.seen.procs = procs
	if asked && !(first && procs == r.scale.Load().cores) {
		r.submit("a new GOMAXPROCS", func(context.Context) { r.rescale() })
	}
}

// rescale makes the rules again, unless options are just being changed, which does the same.
func (r *run) rescale() {
	if !r.h.changing.TryLock() {
		return
	}
	defer r.h.changing.Unlock()
	if err := r.h.apply(r, r.h.options()); err != nil {
		r.h.Errorf("[Holmes] following GOMAXPROCS=%d: %v", runtime.GOMAXPROCS(0), err)
	}
}

// percent is a value in the unit of the thresholds, as holmes' whole number.
func (s *scale) percent(k kind, v float64) int {
	unit := s.unit(k)
	if unit == 0 || math.IsNaN(v) {
		return 0
	}
	return int(v / unit)
}
