package casebook

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/instance"
	"github.com/gocasebook/casebook/internal/blackbox"
	"github.com/gocasebook/casebook/internal/own"
	"github.com/gocasebook/casebook/rule"
	"github.com/gocasebook/casebook/vitals"
)

// Run samples and judges until ctx is done, which is not an error. It fails at once if the target does not answer or
// the directory cannot hold cases; later problems are events. When it returns, everything it started has ended, and a
// case that was being taken is on disk with the evidence so far. It may be called again.
func (w *Watch) Run(ctx context.Context) error {
	s, err := w.prepare(ctx)
	if err != nil {
		return err
	}
	return w.watch(ctx, s)
}

// prepare does everything that must work before the watch starts. After an error nothing runs.
func (w *Watch) prepare(ctx context.Context) (*session, error) {
	s, err := w.begin()
	if err != nil {
		return nil, err
	}
	s.tell()
	var d casefile.Target
	if err = w.checkDir(); err == nil {
		d, err = w.describe(ctx)
	}
	if err != nil {
		s.hush()
		w.end()
		return nil, err
	}
	w.hintUnwrap(s.log, d)
	return s, nil
}

// watch is Run once everything is prepared. It fails only if the watch ends on its own.
func (w *Watch) watch(ctx context.Context, s *session) error {
	defer w.end()
	defer s.hush()
	d := w.described()
	w.restore()
	w.recall(ctx)
	ctx, halt := context.WithCancel(ctx)
	defer halt()
	beside, stop := context.WithCancel(context.WithoutCancel(ctx)) // longer than ctx: the last case needs it
	join := w.start(beside, s)
	defer join()
	defer stop()
	w.recoverCases(ctx, s)
	w.openBox(d)
	w.emit(Event{Kind: Started, Target: d})

	var worker sync.WaitGroup
	own.In(&worker, func() { w.work(ctx, s) })
	err := w.loopOn(ctx)
	halt()
	worker.Wait()
	w.lastCase(ctx)
	w.save()
	w.closeBox()
	w.lastHeapDump()
	return err
}

// loopOn runs the loop. It fails if the loop ends before ctx does: by a bug, or by a Target that ends its goroutine.
func (w *Watch) loopOn(ctx context.Context) error {
	_, err := inTime(context.WithoutCancel(ctx), "the watch", func(context.Context) (struct{}, error) {
		w.loop(ctx)
		return struct{}{}, nil
	})
	if err == nil || ctx.Err() != nil {
		return nil
	}
	err = fmt.Errorf("casebook: the watch ended on its own: %w", err)
	w.mu.Lock()
	w.status.Stopped = err
	w.mu.Unlock()
	w.emit(Event{Kind: Stopped, Err: err})
	return err
}

// checkDir makes sure that the directory can hold cases. On a full disk old cases are removed first.
func (w *Watch) checkDir() error {
	err := casefile.Dir(w.cfg.Dir).Check()
	if !isFull(err) {
		return err
	}
	if p := w.prune(); len(p.Removed) == 0 {
		return err
	}
	return casefile.Dir(w.cfg.Dir).Check()
}

// describe asks the target for its description, and stores it under the configured service name.
func (w *Watch) describe(ctx context.Context) (casefile.Target, error) {
	ctx, cancel := context.WithTimeout(ctx, w.cfg.AnswerWithin)
	defer cancel()
	d, err := w.cfg.Target.Describe(ctx)
	if err != nil {
		return d, err
	}
	if w.cfg.Service != "" {
		d.Name = w.cfg.Service
	}
	if w.cfg.Version != "" {
		d.Build.Version = w.cfg.Version
	}
	d.Labels = w.cfg.Labels
	d.NameResource()
	w.mu.Lock()
	defer w.mu.Unlock()
	w.target = d
	return d, nil
}

// described is the target as describe last found it.
func (w *Watch) described() casefile.Target {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.target
}

func (w *Watch) begin() (*session, error) {
	s, err := w.open()
	if err != nil {
		return nil, fmt.Errorf("casebook: %w", err)
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.session != nil {
		return nil, ErrRunning
	}
	w.session = s
	w.status.Stopped = nil
	w.engine.Reset() // a condition that held before a pause does not hold now
	return s, nil
}

// end accepts no further job, and answers the one that came too late.
func (w *Watch) end() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.past, w.session, w.current = w.session, nil, nil
	select {
	case j := <-w.jobs:
		if j.done != nil {
			j.done <- outcome{err: ErrStopped} // buffered
		}
	default:
	}
}

// A prober samples one target and remembers the results.
type prober struct {
	w        *Watch
	s        *session
	interval time.Duration
	due      time.Time // when the next sample should be taken; zero for the first
	bridge   bool      // the wait for the next tick is not the interval, which was changed
	lost     bool
	untold   bool          // another process took the place of the one before, and nobody was told of it
	gone     departure     // of the process before
	sample   vitals.Sample // kept here, so that a tick allocates nothing
}

func (w *Watch) loop(ctx context.Context) {
	p := prober{w: w, s: w.session, interval: w.Settings().Interval}
	ticker := time.NewTicker(p.interval)
	defer ticker.Stop()
	tick := func() { p.tick(ctx) }
	for w.apart(tick); p.wait(ctx, ticker); {
		w.apart(tick)
	}
}

// apart calls f as the function apart does, but not in the calling process, where a goroutine for every sample would be
// garbage.
func (w *Watch) apart(f func()) {
	if w.self {
		f()
		return
	}
	apart(f)
}

// wait waits for the next tick; false means that there is none. After a change of the interval the next sample comes
// one whole interval later, the shorter one of the old and the new: rates over a fraction of a millisecond would mean
// nothing, and whoever changes 1 s to 1 min is not left without a sample for a minute.
func (p *prober) wait(ctx context.Context, ticker *time.Ticker) bool {
	for {
		select {
		case <-ctx.Done():
			return false
		case <-p.w.retick:
			old := p.interval
			if p.interval = p.w.Settings().Interval; p.interval != old {
				p.due, p.bridge = time.Time{}, true
				ticker.Reset(min(old, p.interval))
			}
		case <-ticker.C:
			if p.bridge {
				p.bridge = false
				ticker.Reset(p.interval)
			}
			return true
		}
	}
}

func (p *prober) tick(ctx context.Context) {
	w, now := p.w, time.Now()
	defer func() { // of the Target's methods besides Sample
		if r := recover(); r != nil {
			p.failed(fmt.Errorf("sampling panicked: %v", r))
		}
	}()
	p.count(now)
	for _, f := range p.s.feeds {
		f.request(now)
	}
	p.sample = vitals.NewSample(now)
	err := p.take(ctx)
	if ctx.Err() != nil {
		return
	}
	p.checkEnd(time.Now())
	if err != nil {
		p.failed(err)
		if _, lives := p.sample.Get(vitals.Unanswered); !lives {
			return // nothing is known that a rule could judge
		}
	}
	awaitFeeds(p.s.feeds, p.s.timer)
	for _, f := range p.s.feeds {
		f.fill(&p.sample)
	}
	if p.lost && err == nil {
		p.lost = false
		w.emit(Event{Kind: Found, Target: w.described()})
	}
	if err == nil && w.cfg.Target.Restarted() { // while nobody answers, nobody has taken its place
		p.restarted()
	}
	if p.untold {
		p.tellRestarted(ctx)
	}
	for _, f := range p.judge() {
		w.trip(f)
	}
	if w.cfg.OnEvent != nil {
		w.emit(Event{Kind: Sampled, Time: now, Sample: p.sample})
	}
	w.spent(time.Since(now), w.self)
}

// count counts the ticks that came late or not at all.
func (p *prober) count(now time.Time) {
	w := p.w
	w.mu.Lock()
	defer w.mu.Unlock()
	if over := now.Sub(p.due); !p.due.IsZero() && over > p.interval/2 {
		w.status.Late++
		w.status.Dropped += uint64(over / p.interval)
	}
	p.due = now.Add(p.interval)
}

// take samples the target. Our own reader of this process answers at once and needs no deadline, which would be three
// allocations; one that wraps it may do more, unless it says that it is prompt.
func (p *prober) take(ctx context.Context) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("sampling panicked: %v", r)
		}
		err = speakable(err)
	}()
	_, ours := p.w.cfg.Target.(*instance.Self)
	if _, says := p.w.cfg.Target.(prompt); !ours && !says {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, p.w.cfg.AnswerWithin)
		defer cancel()
	}
	return p.w.cfg.Target.Sample(ctx, &p.sample)
}

func (p *prober) failed(err error) {
	w := p.w
	w.mu.Lock()
	w.status.Failed++
	w.status.LastError = err
	w.mu.Unlock()
	if !p.lost {
		p.lost = true
		w.emit(Event{Kind: Lost, Err: err})
	}
}

// restarted starts again with the process that replaced the old one.
func (p *prober) restarted() {
	w := p.w
	w.died(p.s)
	w.mu.Lock()
	w.engine.Reset()
	if w.current != nil {
		w.current.also = append(w.current.also, casefile.Trigger{
			Rule: blackbox.Killed, Time: time.Now().UTC(), Text: "the process ended while its evidence was taken, " +
				"and another one now answers",
		})
	}
	w.mu.Unlock()
	p.untold = true
}

// tellRestarted tells of the process that took the place of another, once it says what it is: one that has just
// started, on a busy machine, may need more than one tick.
func (p *prober) tellRestarted(ctx context.Context) {
	d, err := p.w.describe(ctx)
	if err != nil {
		return
	}
	p.untold = false
	p.w.emit(Event{Kind: Restarted, Target: d})
}

// judge shows the rules the sample and then adds it to the history and the black box.
func (p *prober) judge() []rule.Firing {
	w := p.w
	w.mu.Lock()
	defer w.mu.Unlock()
	w.status.Ticks++
	fired := w.engine.Step(&p.sample, w.history)
	w.history.Add(p.sample)
	w.last = p.sample
	w.endTriggers(p.sample.Time)
	why, warned := w.engine.Warning()
	if t := p.s.trace; t != nil {
		t.Observe(p.sample.Time)
		if warned {
			t.Warn(p.sample.Time, why)
		}
	}
	p.s.base.note(p.sample.Time, warned || len(fired) > 0)
	if p.s.box != nil {
		if err := p.s.box.Add(&p.sample); err != nil {
			w.status.LastError = err
		}
	}
	return fired
}

// spent adds to the cost of Casebook itself in this process.
func (w *Watch) spent(d time.Duration, self bool) {
	if !self {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.status.CPU += d
}

// guard turns a panic into an error: a guest does not take its host down.
func guard(doing string, f func() error) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("%s panicked: %v", doing, r)
		}
	}()
	return speakable(f())
}
