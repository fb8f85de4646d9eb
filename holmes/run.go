package holmes

import (
	"context"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	"github.com/gocasebook/casebook"
)

// A run is what happens between a Start and its Stop. Four kinds of goroutines belong to it: the watch, the dumper that
// writes files, the reporter, and the waits for a GC cycle or for the moment to shrink. stop joins them all. The first
// three are not started by package own, so that they count as the service's: holmes counts its own three, and limits
// that were found with holmes mean what they meant.
type run struct {
	h     *Holmes
	watch *casebook.Watch

	profiling  bool          // CPU profile windows run always
	profileFor time.Duration // how long the CPU is profiled from a trip on

	cancel context.CancelFunc
	work   sync.WaitGroup // all goroutines but the reporter

	jobs     chan func(context.Context) // to the dumper
	reports  chan report
	dropped  atomic.Uint64
	ended    chan struct{} // no report will come any more
	reported chan struct{} // the reporter has ended

	scale   atomic.Pointer[scale] // what 100 % is
	dumping atomic.Bool           // a CPU dump is under way

	collectFrom time.Time // no collection is asked for before; only the dumper touches it

	seen  observer
	parts cpuParts
}

// startRun watches until stop. h.changing is held.
func startRun(h *Holmes) (*run, error) {
	ctx, cancel := context.WithCancel(context.Background())
	o := h.options()
	s := o.scale(h.machine)
	h.record.set(&o, s)
	r := &run{
		h:         h,
		profiling: o.windows() >= 0, profileFor: o.profileFor(),
		cancel:   cancel,
		jobs:     make(chan func(context.Context), 2*int(numKinds)),
		reports:  make(chan report, reporterQueue),
		ended:    make(chan struct{}),
		reported: make(chan struct{}),
		seen:     newObserver(),
	}
	w, err := casebook.New(casebook.Config{
		Target:     newTarget(h.record),
		Dir:        filepath.Join(o.DumpPath, casesFolder),
		Rules:      o.rules(s),
		Interval:   o.sampling(),
		ProfileFor: o.profileFor(),
		Windows:    o.windows(),
		TraceCost:  -1, // holmes has no execution traces, and they need memory
		Sources:    sources(),
		OnEvent:    func(e casebook.Event) { r.on(ctx, e) },
	})
	if err != nil {
		cancel()
		return nil, err
	}
	r.watch = w
	r.scaled(s)
	r.work.Go(func() { r.keepWatching(ctx) })
	r.work.Go(func() { r.dumpAll(ctx) })
	go r.reportAll() // joined by stop, unless the reporter hangs
	return r, nil
}

// windows is how many CPU profile windows run always: none, and no cost, where CPU is not dumped. 0 is package
// casebook's default. EnableCPUDump after Start does without them.
func (o *options) windows() int {
	if o.kinds[cpu].Enable {
		return 0
	}
	return -1
}

// profileFor is how long the CPU is profiled from a trip on.
func (o *options) profileFor() time.Duration {
	if o.windows() < 0 {
		return cpuProfileFor
	}
	return cpuProfileOn
}

// scaled sets what 100 % is, and says it when it is another than before.
func (r *run) scaled(s scale) {
	old := r.scale.Swap(&s)
	if old == nil || old.cores != s.cores || old.memory != s.memory {
		r.h.Infof("[Holmes] 100 %% is %g cores of CPU and %.0f MiB of memory", s.cores, s.memory/(1<<20))
	}
	if s.noLimit != nil && (old == nil || old.noLimit == nil) {
		r.h.Warnf("[Holmes] %v", s.noLimit)
	}
}

func (r *run) stop() {
	r.cancel()
	r.work.Wait()
	close(r.ended)
	timer := time.NewTimer(reporterPatience)
	defer timer.Stop()
	select {
	case <-r.reported:
	case <-timer.C:
		r.h.Errorf("[Holmes] the reporter did not return within %s; it was left alone", reporterPatience)
	}
	r.h.Infof("[Holmes] stopped")
}

// Waits between tries to watch, when the folder cannot be written.
const (
	firstRetry = time.Second
	lastRetry  = time.Minute
)

// keepWatching runs the watch. A folder that cannot be written today may be tomorrow.
func (r *run) keepWatching(ctx context.Context) {
	for wait := firstRetry; ; wait = min(2*wait, lastRetry) {
		err := r.watch.Run(ctx)
		if ctx.Err() != nil {
			return
		}
		r.h.Errorf("[Holmes] not watching, next try in %s: %v", wait, err)
		if !sleep(ctx, wait) {
			return
		}
	}
}

// dumpAll does jobs one after another.
func (r *run) dumpAll(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case job := <-r.jobs:
			r.guard(ctx, job)
		}
	}
}

// guard runs a job; a panic of it does not reach the host.
func (r *run) guard(ctx context.Context, job func(context.Context)) {
	defer func() {
		if p := recover(); p != nil {
			r.h.Errorf("[Holmes] dumping panicked: %v", p)
		}
	}()
	job(ctx)
}

// submit hands a job to the dumper, which may be behind.
func (r *run) submit(what string, job func(context.Context)) {
	select {
	case r.jobs <- job:
	default:
		r.h.Errorf("[Holmes] the dumper is behind: no dump of %s", what)
	}
}

// sleep waits, and reports false when ctx ended first.
func sleep(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return false
	case <-timer.C:
		return true
	}
}
