package casebook

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/rule"
	"github.com/gocasebook/casebook/vitals"
)

// A job is a case to be taken.
type job struct {
	id      string
	trigger casefile.Trigger   // its Ended is guarded by Watch.mu
	also    []casefile.Trigger // rules that tripped meanwhile; guarded by Watch.mu
	kinds   []string
	brief   bool           // snapshots only: the process is about to end
	unasked bool           // the CPU profile is only there to explain the trip: a short one does
	done    chan<- outcome // receives the outcome; nil if nobody waits
}

type outcome struct {
	folder *casefile.Folder
	err    error
}

// Errors of Capture.
var (
	ErrBusy    = errors.New("casebook: another case is being taken; try again when it is closed")
	ErrStopped = errors.New("casebook: the Watch is not running")
)

// Capture opens a case now, for a reason that a person gives, and waits until it is on disk and diagnosed. Without
// kinds it takes rule.DefaultCapture(). The Watch must be running. The budget applies here, too: evidence that it
// rejects is listed as missing in the case.
func (w *Watch) Capture(ctx context.Context, reason string, kinds ...string) (*casefile.Folder, error) {
	return w.capture(ctx, newJob("manual", reason, kinds))
}

// CaptureAlert does what Capture does, for an alert of rules that are not Casebook's. alert is an ID that the case's
// trigger keeps, so that the alert is found again when it ends.
func (w *Watch) CaptureAlert(ctx context.Context, alert, reason string, kinds ...string) (*casefile.Folder, error) {
	j := newJob("manual", reason, kinds)
	j.trigger.Alert = alert
	return w.capture(ctx, j)
}

func (w *Watch) capture(ctx context.Context, j *job) (*casefile.Folder, error) {
	done := make(chan outcome, 1)
	j.done = done
	if _, ok := w.submit(j); !ok {
		if w.running() == nil {
			return nil, ErrStopped
		}
		return nil, ErrBusy
	}
	select {
	case o := <-done:
		return o.folder, o.err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// newJob is a case that no rule requested.
func newJob(name, reason string, kinds []string) *job {
	if len(kinds) == 0 {
		kinds = rule.DefaultCapture()
	}
	now := time.Now()
	return &job{
		id:      casefile.NewID(now, name),
		trigger: casefile.Trigger{Rule: name, Time: now.UTC(), Text: reason},
		kinds:   kinds,
	}
}

// running is the session of the current Run; nil if there is none.
func (w *Watch) running() *session {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.session
}

// trip hands a firing to the capture worker. While the worker takes a case, the firing is part of that incident.
func (w *Watch) trip(f rule.Firing) {
	trigger := casefile.Trigger{
		Rule: f.Rule.Name, Time: f.Time.UTC(), Text: f.Text,
		Signal: f.Signal.Name, Value: f.Value, Unit: string(f.Signal.Unit), Signals: f.Rule.When.Signals(),
	}
	if f.Signal.Name == vitals.Unanswered.String() {
		trigger.Text += w.standing()
	}
	j := &job{id: casefile.NewID(f.Time, f.Rule.Name), trigger: trigger, kinds: f.Rule.Captures(),
		unasked: !f.Rule.Lists(casefile.CPU)}
	if at, ok := w.submit(j); !ok {
		w.emit(Event{Kind: Joined, Time: f.Time, Trigger: trigger, CaseID: at})
		return
	}
	w.emit(Event{Kind: Tripped, Time: f.Time, Trigger: trigger, CaseID: j.id})
}

// standing describes the process of a target that does not answer, after a semicolon; "" if that is unknown.
func (w *Watch) standing() (text string) {
	t, ok := ability[interface{ Standing() string }](w.layers)
	if !ok {
		return ""
	}
	_ = guard("looking at the process", func() error {
		if text = t.Standing(); text != "" {
			text = "; " + text
		}
		return nil
	})
	return text
}

// submit makes j the case being taken. If there is one already, j's trigger joins it unless a person waits for j, and
// submit returns the other's ID. A watch that has ended takes nothing.
func (w *Watch) submit(j *job) (at string, ok bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.session == nil {
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

// endTriggers marks, in the case being taken, the rules whose conditions no longer hold. w.mu is held.
func (w *Watch) endTriggers(now time.Time) {
	if w.current == nil {
		return
	}
	end := func(t *casefile.Trigger) {
		if t.Signal != "" && t.Ended.IsZero() && t.Time.Before(now) && !w.engine.Holds(t.Rule) {
			t.Ended = now.UTC()
		}
	}
	end(&w.current.trigger)
	for i := range w.current.also {
		end(&w.current.also[i])
	}
}

// triggers are the present triggers of a job.
func (w *Watch) triggers(j *job) (first casefile.Trigger, also []casefile.Trigger) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return j.trigger, slices.Clone(j.also)
}

// work takes cases until ctx is done. It also prunes and takes baselines, so that neither the sampling nor a caller of
// Capture waits for that.
func (w *Watch) work(ctx context.Context, s *session) {
	w.prune()
	look := time.NewTicker(baselineLook)
	defer look.Stop()
	for {
		select {
		case <-ctx.Done():
			select {
			case o := <-s.obituaries: // of the loop's last ticks
				w.recordDeath(ctx, o)
			default:
			}
			return
		case now := <-look.C:
			w.takeBaseline(ctx, now)
		case at := <-s.backlog:
			w.catchUp(ctx, at)
		case o := <-s.obituaries:
			w.recordDeath(ctx, o)
			w.prune()
		case j := <-w.jobs:
			o := w.finish(ctx, j)
			if j.done != nil {
				j.done <- o
			}
			w.prune()
		}
	}
}

// finish takes one case and makes room for the next.
func (w *Watch) finish(ctx context.Context, j *job) (o outcome) {
	w.save() // a rule that fired is cooling down, even if the process does not live to the end of the case
	release, refusal := w.admit(ctx, j)
	defer release()
	o.err = refusal
	if refusal == nil {
		o.err = guard("taking a case", func() (err error) {
			o.folder, err = w.take(ctx, j)
			return err
		})
	}
	w.mu.Lock()
	w.current = nil
	w.mu.Unlock()
	w.save()
	if refusal != nil {
		w.declined(j, refusal)
		return o
	}
	if o.err != nil {
		trigger, also := w.triggers(j)
		w.unwritten(j.id, w.described(), trigger, also, o.err)
		return o
	}
	w.complete(ctx, Closed, o.folder)
	return o
}

// closed announces a case. drawn is the error that kept its page from being drawn.
func (w *Watch) closed(kind EventKind, f *casefile.Folder, drawn error) {
	w.emit(Event{Kind: kind, CaseID: f.Case.ID, Case: f.Case, Path: f.Path, Err: drawn})
}
