package demo

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/gocasebook/casebook"
	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/internal/number"
	"github.com/gocasebook/casebook/lab/stage"
	"github.com/gocasebook/casebook/vitals"
)

// patience is how long after the sick state a rule may take to trip, and how long a case may take.
// a cycle of the collector has taken more than one where the machine gave the gateway an eighth of a CPU
const patience = 3 * time.Minute

// detect loads the gateway, whose caches are full, and watches it until the first case is closed.
func (d *demo) detect(ctx context.Context, s *stage.Stage) error {
	d.View.Say(fmt.Sprintf("the caches are full: %s entries; from here on the gateway is sick",
		vitals.Count.Format(float64(d.Entries))))
	d.View.Step(fmt.Sprintf("Loading it with %.0f requests a second, and watching from outside, through "+
		"net/http/pprof at %s, with the default rules",
		d.Rate, s.PprofAddr))
	s.Resume(ctx)
	return s.Watch(ctx, d.Dir, d.Tool, func(ctx context.Context,
		w stage.Watched) error {
		return d.follow(ctx, s, w, time.Now())
	})
}

// follow shows what the watch says until a case is closed. sickAt is when the load began.
func (d *demo) follow(ctx context.Context, s *stage.Stage, w stage.Watched, sickAt time.Time) error {
	deadline := time.After(patience)
	tripped := false
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case err := <-w.Ended:
			return errors.Join(stage.ErrEnded, err)
		case <-deadline:
			if !tripped {
				return ErrNoCase
			}
			return errors.New("the case was not closed within three minutes")
		case e := <-w.Events:
			if err := s.Failed(); err != nil {
				return err
			}
			if e.Kind == casebook.Tripped {
				tripped, deadline = true, time.After(patience)
				d.result.Opened = max(e.Trigger.Time.Sub(sickAt), 0)
				d.View.Say(fmt.Sprintf("rule %s tripped after %s: %s", e.Trigger.Rule,
					number.Duration(d.result.Opened), e.Trigger.Text))
			}
			if done, err := d.show(e); done || err != nil {
				return err
			}
		}
	}
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
		d.View.Say(fmt.Sprintf("  %-21s %-7s %9s", e.Evidence.File, e.Evidence.Phase,
			vitals.Bytes.Format(float64(e.Evidence.Bytes))))
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
