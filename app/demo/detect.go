package demo

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/gocasebook/casebook"
	"github.com/gocasebook/casebook/app/lab/stage"
	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/vitals"
)

// patience is how long after the sick state a rule may take to trip, and how long a case may take.
const patience = time.Minute

// detect watches the gateway until the first case is closed.
func (d *demo) detect(ctx context.Context, s *stage.Stage) error {
	d.View.Step("Watching from outside, through net/http/pprof at " + s.PprofAddr + ", with the default rules")
	return s.Watch(ctx, d.Dir, d.Tool, func(ctx context.Context, w stage.Watched) error {
		ctx, cancel := context.WithCancel(ctx)
		var asking sync.WaitGroup
		defer asking.Wait()
		defer cancel()
		ready := make(chan error, 1)
		asking.Go(func() { ready <- awaitReady(ctx, s, nil) })
		return d.follow(ctx, s, w, ready)
	})
}

// follow shows what the watch says until a case is closed.
func (d *demo) follow(ctx context.Context, s *stage.Stage, w stage.Watched, ready chan error) error {
	var sickAt time.Time // when the caches were full
	var deadline <-chan time.Time
	var tripped casefile.Trigger
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case err := <-w.Ended:
			return errors.Join(stage.ErrEnded, err)
		case err := <-ready:
			if err != nil {
				return fmt.Errorf("filling the caches (--entries takes a lower figure): %w", err)
			}
			ready = nil
			sickAt, deadline = time.Now(), time.After(patience)
			d.View.Say(fmt.Sprintf("the caches are full: %s entries; this is the sick state", vitals.Count.Format(float64(d.Entries))))
		case <-deadline:
			if tripped.Rule == "" {
				return ErrNoCase
			}
			return errors.New("the case was not closed within a minute")
		case e := <-w.Events:
			if err := s.Failed(); err != nil {
				return err
			}
			if e.Kind == casebook.Tripped {
				tripped, deadline = e.Trigger, time.After(patience)
				d.opened(sickAt, e.Trigger)
			}
			if done, err := d.show(e); done || err != nil {
				return err
			}
		}
	}
}

// opened records how long after the sick state the case was opened. A rule that trips while the caches are still
// filling was quicker than that: 0.
func (d *demo) opened(sickAt time.Time, t casefile.Trigger) {
	when := "before the caches were full"
	if !sickAt.IsZero() {
		d.result.Opened = max(t.Time.Sub(sickAt), 0)
		when = fmt.Sprintf("%s after the sick state", d.result.Opened.Round(100*time.Millisecond))
	}
	d.View.Say(fmt.Sprintf("rule %s tripped, %s: %s", t.Rule, when, t.Text))
}

// show tells the view of an event; done when the case is on disk.
func (d *demo) show(e casebook.Event) (done bool, err error) {
	switch e.Kind {
	case casebook.Sampled:
		d.View.Progress(stage.Signs(&e.Sample))
	case casebook.Tripped:
		d.View.Say("case " + e.CaseID + " is open; taking evidence")
	case casebook.Joined:
		d.View.Say("rule " + e.Trigger.Rule + " tripped too: " + e.Trigger.Text)
	case casebook.Captured:
		d.View.Say(fmt.Sprintf("  %-21s %-7s %9s", e.Evidence.File, e.Evidence.Phase, vitals.Bytes.Format(float64(e.Evidence.Bytes))))
	case casebook.Missed:
		d.View.Say("  not taken: " + e.Err.Error())
	case casebook.Lost:
		d.View.Say("the gateway does not answer: " + e.Err.Error())
	case casebook.Failed:
		return true, e.Err
	case casebook.Closed:
		d.result.Folder, err = casefile.Open(e.Path)
		return true, err
	}
	return false, nil
}
