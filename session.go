package casebook

import (
	"context"
	"log/slog"
	"net/http"
	"sync"
	"time"

	"github.com/gocasebook/casebook/instance"
	"github.com/gocasebook/casebook/internal/blackbox"
	"github.com/gocasebook/casebook/internal/own"
	"github.com/gocasebook/casebook/internal/recorder"
	"github.com/gocasebook/casebook/reporter"
)

// A session is everything that runs next to the loop of one Run. It ends with Run.
type session struct {
	feeds   []*feed
	timer   *time.Timer        // of awaitFeeds
	windows *recorder.CPU      // nil when there are none
	trace   *recorder.Trace    // nil when there is none
	box     *blackbox.Recorder // nil from outside, and if it could not be made
	reports *reporter.Queue
	base    baseline
	events  *mailbox[Event]    // nil without OnEvent
	logs    *mailbox[lateLine] // nil when the log is discarded
	log     *slog.Logger       // by way of logs

	obituaries chan obituary // to the worker; holds one
	backlog    chan string   // to the worker: cases that an earlier process was not done with; nil until they are known

	telling  sync.WaitGroup // goroutines that cross out delivered reports
	reported chan struct{}  // closed when the reporters have ended
}

// open makes a session. It starts nothing.
func (w *Watch) open() (*session, error) {
	s := &session{
		feeds: newFeeds(w.cfg.Sources, w.catalog, w.apart), timer: time.NewTimer(time.Hour),
		obituaries: make(chan obituary, 1), reported: make(chan struct{}),
	}
	s.timer.Stop()
	if w.cfg.OnEvent != nil {
		s.events = newMailbox("OnEvent", w.cfg.OnEvent, w.fail, w.apart)
	}
	if s.log = w.cfg.Logger; s.log.Handler() != slog.DiscardHandler {
		s.logs = newMailbox("the Logger", lateLine.write, w.fail, w.apart)
		s.log = slog.New(lateHandler{s.log.Handler(), s.logs})
	}
	var err error
	s.reports, err = reporter.NewQueue(w.cfg.Reporters, reporter.QueueOptions{Logger: s.log})
	if err != nil {
		return nil, err
	}
	if w.cfg.Windows > 0 {
		s.windows, err = recorder.NewCPU(recorder.CPUConfig{Keep: w.cfg.Windows, Take: w.takeWindow()})
		if err != nil {
			return nil, err
		}
	}
	if w.self && w.cfg.TraceCost >= 0 {
		s.trace, err = recorder.NewTrace(recorder.TraceConfig{MaxCost: w.cfg.TraceCost})
		if err != nil {
			return nil, err
		}
	}
	return s, nil
}

// tell starts to send events to OnEvent and the log.
func (s *session) tell() {
	if s.events != nil {
		s.events.start() // joined by hush, unless it hangs
	}
	if s.logs != nil {
		s.logs.start()
	}
}

// hush ends that: no more events follow.
func (s *session) hush() {
	var both sync.WaitGroup
	own.In(&both, s.events.finish)
	own.In(&both, s.logs.finish)
	both.Wait()
}

// takeWindow is how a CPU profile window is taken; nil for the calling process, which recorder.CPU knows itself.
func (w *Watch) takeWindow() func(context.Context, <-chan struct{}, time.Duration) (recorder.Window, error) {
	if w.self {
		return nil
	}
	return func(ctx context.Context, _ <-chan struct{}, d time.Duration) (recorder.Window, error) {
		p, err := w.cfg.Target.Capture(ctx, "cpu", d)
		ended := p.Taken.Add(time.Duration(p.Seconds * float64(time.Second)))
		return recorder.Window{Began: p.Taken, Ended: ended, Data: p.Data, Note: p.Note}, err
	}
}

// start runs everything beside the loop until ctx ends. The function that it returns waits for it.
func (w *Watch) start(ctx context.Context, s *session) (join func()) {
	var group sync.WaitGroup
	run := func(doing string, f func(context.Context) error) {
		own.In(&group, func() {
			if err := guard(doing, func() error { return f(ctx) }); err != nil && ctx.Err() == nil {
				w.fail(err)
			}
		})
	}
	if len(w.cfg.Reporters) == 0 { // a goroutine that has nothing to do
		close(s.reported)
	} else {
		run("reporting", func(ctx context.Context) error {
			defer close(s.reported)
			return s.reports.Run(ctx)
		})
	}
	if s.windows != nil {
		run("rolling CPU profile", s.windows.Run)
	}
	if s.trace != nil {
		run("flight recorder", s.trace.Run)
	}
	run("looking at stacks", w.takeCensuses)
	signals := w.listen()
	own.In(&group, func() { w.awaitSignals(ctx, signals) })
	joinFeeds := startFeeds(ctx, s.feeds)
	return func() {
		group.Wait()
		s.telling.Wait()
		if err := joinFeeds(); err != nil {
			w.fail(err)
		}
	}
}

// status adds the parts that run next to the loop. Watch.mu is held; nothing called here takes it.
func (s *session) status(to *Status) {
	if s.windows != nil {
		to.Windows = windowsStatus(s.windows.Status())
	}
	if s.trace != nil {
		to.Trace = traceStatus(s.trace.Status())
		if to.TraceRate == 0 {
			to.TraceRate = to.Trace.Rate
		}
	}
	to.Reporters = s.reports.Status()
	to.UnheardEvents, to.UnheardLines = s.events.lost(), s.logs.lost()
}

// CPUProfile profiles the target's CPU for d, from now on. Like those of ProfileHandler it runs beside the rolling
// windows and beside a case that is being taken, and is not charged to the budget. The Watch must be running.
func (w *Watch) CPUProfile(ctx context.Context, d time.Duration) (instance.Profile, error) {
	s := w.running()
	if s == nil {
		return instance.Profile{}, ErrStopped
	}
	return w.profileCPU(ctx, s, d)
}

// ProfileHandler serves CPU profiles as net/http/pprof's /debug/pprof/profile does, from the rolling windows: mount it
// instead of that one, which would answer that the profiler is already in use.
func (w *Watch) ProfileHandler() http.Handler {
	return http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		w.mu.Lock()
		s := w.session
		w.mu.Unlock()
		if s == nil || s.windows == nil {
			http.Error(rw, "no rolling CPU profile windows here: the watch is not running, or Config.Windows is off",
				http.StatusServiceUnavailable)
			return
		}
		s.windows.Handler().ServeHTTP(rw, r)
	})
}
