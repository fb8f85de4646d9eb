package demo

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/gocasebook/casebook"
	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/target"
	"github.com/gocasebook/casebook/vitals"
)

// patience is how long after the sick state a rule may take to trip; warmTime bounds the filling of the caches.
const (
	patience = time.Minute
	warmTime = 3 * time.Minute
)

// detect watches the gateway from outside, as `casebook watch` does, until the first case is closed.
func (d *demo) detect(ctx context.Context, s *stage) error {
	d.View.Step("Watching from outside, through net/http/pprof at " + s.at.Pprof + ", with the default rules")
	t, err := target.NewHTTP(s.at.Pprof)
	if err != nil {
		return err
	}
	// Buffered for more than ever comes: OnEvent must not block the watch.
	events := make(chan casebook.Event, 4096)
	w, err := casebook.New(casebook.Config{
		Target: t, Dir: d.Dir, Tool: d.Tool, Retention: casefile.KeepAll(), // a demo removes nobody's cases
		OnEvent: func(e casebook.Event) {
			select {
			case events <- e:
			default:
			}
		},
	})
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	ended := make(chan error, 1)
	go func() { ended <- w.Run(ctx) }()

	ready := make(chan error, 1)
	go func() { ready <- awaitReady(ctx, s, nil) }()
	err = d.follow(ctx, s, events, ready, ended)
	cancel()
	return errors.Join(err, <-ended)
}

// follow shows what the watch says until a case is closed.
func (d *demo) follow(ctx context.Context, s *stage, events <-chan casebook.Event, ready, ended chan error) error {
	var sickAt time.Time // when the caches were full
	var tripped casefile.Trigger
	deadline := time.NewTimer(warmTime)
	defer deadline.Stop()
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case err := <-ended:
			ended <- nil // detect reads it once more
			return errors.Join(errors.New("the watch ended early"), err)
		case err := <-ready:
			if err != nil {
				return err
			}
			ready = nil
			sickAt = time.Now()
			deadline.Reset(patience)
			d.View.Say(fmt.Sprintf("the caches are full: %s entries; this is the sick state", vitals.Count.Format(float64(d.Entries))))
		case <-deadline.C:
			if ready != nil {
				return fmt.Errorf("the caches were not full after %s; this machine is too slow: try --entries with a lower figure", warmTime)
			}
			if tripped.Rule == "" {
				return ErrNoCase
			}
			return errors.New("the case was not closed within a minute")
		case e := <-events:
			if err := s.failed(); err != nil {
				return err
			}
			if e.Kind == casebook.Tripped {
				tripped = e.Trigger
				deadline.Reset(patience)
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
		d.View.Progress(vitalSigns(&e.Sample))
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

// vitalSigns are the signals that show this disease, in one line.
func vitalSigns(s *vitals.Sample) string {
	text := ""
	for _, g := range [...]struct {
		id    vitals.ID
		label string
	}{{vitals.CPU, "cpu"}, {vitals.GCCPU, "gc"}, {vitals.HeapObjects, "objects"}, {vitals.HeapAlloc, "heap"}, {vitals.RSS, "rss"}} {
		value := "…"
		if v, ok := s.Get(g.id); ok {
			value = g.id.Signal().Unit.Format(v)
		}
		text += g.label + " " + value + "  "
	}
	return text
}

// readiness is the gateway's answer at /readyz.
type readiness struct {
	Ready        bool
	Warmed, Goal int64
}

// awaitReady waits until the gateway's caches are full, telling progress, which may be nil, how far they are.
func awaitReady(ctx context.Context, s *stage, progress func(readiness)) error {
	client := &http.Client{Timeout: 5 * time.Second}
	ticker := time.NewTicker(250 * time.Millisecond)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-ticker.C:
		}
		if err := s.failed(); err != nil {
			return err
		}
		r, err := askReady(ctx, client, "http://"+s.at.Listen+"/readyz")
		if err != nil {
			continue // a gateway in trouble may be slow to answer; if it has ended, the next round says so
		}
		if r.Ready {
			return nil
		}
		if progress != nil {
			progress(r)
		}
	}
}

func askReady(ctx context.Context, client *http.Client, url string) (readiness, error) {
	var r readiness
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return r, err
	}
	resp, err := client.Do(req)
	if err != nil {
		return r, err
	}
	defer resp.Body.Close()
	err = json.NewDecoder(resp.Body).Decode(&r)
	return r, err
}
