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
	count  [numKinds]int // of trips, for the event IDs
	quiet  time.Time     // until then a thread dump has said what a goroutine dump would
	shrink time.Time     // until then threads are not looked at
	cpu    cpuDump
	ended  endedCase
	procs  float64 // GOMAXPROCS in the last sample
	ids    [numKinds]signalIDs
}

func newObserver() observer { return observer{ids: kindIDs()} }

// on gets every event of the watch. It must be quick: slow work is a job of the dumper.
func (r *run) on(ctx context.Context, e casebook.Event) {
	switch e.Kind {
	case casebook.Sampled:
		r.sampled(ctx, &e.Sample)
	case casebook.Tripped, casebook.Joined:
		r.tripped(ctx, &e)
	case casebook.Captured:
		r.captured(ctx, &e)
	case casebook.Closed:
		r.caseEnded(ctx, endedCase{e.CaseID, e.Path})
	case casebook.Failed:
		r.caseEnded(ctx, endedCase{id: e.CaseID})
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
		v, ok := s.Get(r.seen.ids[k].value)
		if ok && o.logger != nil && o.kinds[k].Enable {
			r.logJudged(o.logger.Debugf, "NODUMP", &o, k, v, s.Time, s100)
		}
	}
	if o.shrink.Enable {
		r.lookAtThreads(ctx, s.Time, o.shrink)
	}
	r.followGoMaxProcs(s, o.goProcs)
}

// logJudged logs a judgement in holmes' uniform format.
func (r *run) logJudged(logf func(string, ...any), verdict string, o *options, k kind, v float64, at time.Time,
	s *scale) {
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
		r.h.record.whole(k, at, unit), int(v/unit))
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
