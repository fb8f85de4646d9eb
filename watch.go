package casebook

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"syscall"
	"time"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/rule"
	"github.com/gocasebook/casebook/vitals"
)

// Run samples and judges until ctx is done, which is no error. It fails at once if the target does not answer or the
// directory cannot hold cases; later troubles are events. When it returns, all it started has ended, and a case that
// was being taken is on disk with what it had.
func (w *Watch) Run(ctx context.Context) error {
	if err := w.begin(); err != nil {
		return err
	}
	defer w.end()
	if err := w.checkDir(); err != nil {
		return err
	}
	d, err := w.cfg.Target.Describe(ctx)
	if err != nil {
		return err
	}
	w.setTarget(d)
	w.recoverCases(ctx)
	w.emit(Event{Kind: Started, Target: d})

	var worker sync.WaitGroup
	worker.Go(func() { w.work(ctx) })
	defer worker.Wait()
	w.loop(ctx)
	return nil
}

// checkDir makes sure that the directory can hold cases. On a full disk old cases make room first.
func (w *Watch) checkDir() error {
	err := casefile.CheckDir(w.cfg.Dir)
	if !errors.Is(err, syscall.ENOSPC) && !errors.Is(err, syscall.EDQUOT) {
		return err
	}
	if p := w.prune(); len(p.Removed) == 0 {
		return err
	}
	return casefile.CheckDir(w.cfg.Dir)
}

// recoverCases finishes what a watch that was killed left behind.
func (w *Watch) recoverCases(ctx context.Context) {
	folders, err := casefile.Recover(w.cfg.Dir)
	if err != nil {
		w.fail(err)
		w.emit(Event{Kind: Recovered, Err: err})
	}
	for _, f := range folders {
		if err := Diagnose(ctx, f); err != nil {
			w.fail(err)
		}
		w.emit(Event{Kind: Recovered, CaseID: f.Case.ID, Case: f.Case, Path: f.Path})
	}
}

func (w *Watch) begin() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.running {
		return ErrRunning
	}
	w.running = true
	return nil
}

// end takes no further job, and answers the one that came too late.
func (w *Watch) end() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.running, w.current = false, nil
	select {
	case j := <-w.jobs:
		if j.done != nil {
			j.done <- outcome{err: ErrStopped} // buffered
		}
	default:
	}
}

func (w *Watch) setTarget(d casefile.Target) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.target = d
}

// A prober samples one target and remembers whether the last sample failed.
type prober struct {
	w    *Watch
	due  time.Time // when the next sample should be taken
	lost bool
}

func (w *Watch) loop(ctx context.Context) {
	p := prober{w: w, due: time.Now()}
	ticker := time.NewTicker(w.cfg.Interval)
	defer ticker.Stop()
	for {
		p.tick(ctx)
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
	}
}

// sampleTimeout bounds one sample. A target that needs longer counts as lost for that tick.
const sampleTimeout = 5 * time.Second

func (p *prober) tick(ctx context.Context) {
	w := p.w
	now := time.Now()
	late := now.Sub(p.due) > w.cfg.Interval/2
	p.due = now.Add(w.cfg.Interval)

	s := vitals.NewSample(now)
	sampling, cancel := context.WithTimeout(ctx, sampleTimeout)
	err := guard("sampling", func() error { return w.cfg.Target.Sample(sampling, &s) })
	cancel()
	if ctx.Err() != nil {
		return
	}
	if err != nil {
		p.failed(err)
		return
	}
	if p.lost {
		p.lost = false
		w.emit(Event{Kind: Found, Target: w.target})
	}
	if w.cfg.Target.Restarted() {
		p.restarted(ctx)
	}
	for _, f := range w.judge(s, late) {
		w.trip(f)
	}
	w.emit(Event{Kind: Sampled, Time: now, Sample: s})
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

// restarted begins anew with the process that took the place of the old one.
func (p *prober) restarted(ctx context.Context) {
	w := p.w
	ctx, cancel := context.WithTimeout(ctx, sampleTimeout)
	defer cancel()
	d, err := w.cfg.Target.Describe(ctx)
	if err != nil {
		return // the next tick says that it is lost
	}
	w.setTarget(d)
	w.mu.Lock()
	w.engine.Reset()
	w.mu.Unlock()
	w.emit(Event{Kind: Restarted, Target: d})
}

// judge lets the rules see a sample and then makes it part of the history.
func (w *Watch) judge(s vitals.Sample, late bool) []rule.Firing {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.status.Ticks++
	if late {
		w.status.Late++
	}
	fired := w.engine.Step(&s, w.history)
	w.history.Add(s)
	w.last = s
	return fired
}

// trip hands a firing to the capture worker. While the worker is at a case, the firing is part of that incident.
func (w *Watch) trip(f rule.Firing) {
	trigger := casefile.Trigger{
		Rule: f.Rule.Name, Time: f.Time.UTC(), Text: f.Text,
		Signal: f.Signal.String(), Value: f.Value, Unit: string(f.Signal.Signal().Unit),
	}
	j := &job{id: casefile.NewID(f.Time, f.Rule.Name), trigger: trigger, kinds: f.Rule.Captures()}
	if at, ok := w.submit(j); !ok {
		w.emit(Event{Kind: Joined, Time: f.Time, Trigger: trigger, CaseID: at})
		return
	}
	w.emit(Event{Kind: Tripped, Time: f.Time, Trigger: trigger, CaseID: j.id})
}

// submit makes j the case being taken. If there is one already, j's trigger joins it unless a person waits for j, and
// the other's ID is returned. A watch that has ended takes nothing.
func (w *Watch) submit(j *job) (at string, ok bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if !w.running {
		return "", false
	}
	if w.current != nil {
		if j.done == nil {
			w.current.also = append(w.current.also, j.trigger)
			w.status.Joined++
		}
		return w.current.id, false
	}
	w.current = j
	w.jobs <- j // never blocks: the channel is empty while no case is being taken
	return "", true
}

// guard turns a panic into an error: a guest does not take its host down.
func guard(doing string, f func() error) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("%s panicked: %v", doing, r)
		}
	}()
	return f()
}
