package casebook

import (
	"context"
	"fmt"
	"time"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/internal/blackbox"
	"github.com/gocasebook/casebook/internal/recorder"
	"github.com/gocasebook/casebook/reporter"
	"github.com/gocasebook/casebook/vitals"
)

// openBox starts the black box: the vitals of the last minutes in a file that survives a SIGKILL. It is for a process
// that watches itself; the end of another process is seen from outside.
func (w *Watch) openBox(d casefile.Target) {
	if !w.self {
		return
	}
	s := w.Settings()
	box, err := blackbox.Create(blackbox.Config{
		Dir: w.cfg.Dir, Target: d, Catalog: w.catalog, Interval: s.Interval, Samples: boxSamples(s.Interval),
	})
	if err != nil {
		w.fail(err)
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.session.box = box
}

// boxSpan is how much of the past the black box holds.
const boxSpan = 10 * time.Minute

func boxSamples(interval time.Duration) int { return int(boxSpan / interval) }

// closeBox removes the black box of a process that ends normally.
func (w *Watch) closeBox() {
	w.mu.Lock()
	box := w.session.box
	w.session.box = nil
	w.mu.Unlock()
	if box == nil {
		return
	}
	if err := box.Close(); err != nil {
		w.fail(err)
	}
}

// recoverCases finishes what a killed process left behind: its unfinished case, its black box, which becomes a case,
// and the remaining tasks of its last finished case.
func (w *Watch) recoverCases(ctx context.Context, s *session) {
	records, err := blackbox.Find(w.cfg.Dir)
	if err != nil {
		w.recoverFailed(err)
	}
	folders, err := casefile.Dir(w.cfg.Dir).Recover()
	if err != nil {
		w.recoverFailed(err)
	}
	for _, f := range folders {
		w.complete(ctx, Recovered, f)
	}
	for _, r := range records {
		f, err := w.caseOf(r)
		if err == nil {
			err = r.Remove()
		} else {
			r.Release()
		}
		if err != nil {
			w.recoverFailed(err)
		}
		if f != nil {
			w.complete(ctx, Recovered, f)
		}
	}
	w.catchUpAll(ctx, s)
}

// catchUpFor limits how long the first sample waits for the tasks that earlier processes left; the worker does the
// rest.
const catchUpFor = 5 * time.Second

// catchUpAll does the tasks of finished cases that earlier processes left.
func (w *Watch) catchUpAll(ctx context.Context, s *session) {
	list, err := casefile.Dir(w.cfg.Dir).Untold()
	if err != nil {
		w.recoverFailed(err)
	}
	s.backlog = make(chan string, len(list))
	for begun, i := time.Now(), 0; i < len(list); i++ {
		if time.Since(begun) < catchUpFor {
			w.catchUp(ctx, list[i].Path)
			continue
		}
		s.backlog <- list[i].Path // holds all
	}
}

func (w *Watch) recoverFailed(err error) {
	w.fail(err)
	w.emit(Event{Kind: Recovered, Err: err})
}

// caseOf makes a case of what a black box holds.
func (w *Watch) caseOf(r *blackbox.Record) (*casefile.Folder, error) {
	trigger := r.Trigger()
	return w.lateCase(r.Target, trigger, r.Samples, r.Catalog, func(*taking) {})
}

// lateCase writes a case of a process that is gone: its vitals, why it ended, and what more adds.
func (w *Watch) lateCase(d casefile.Target, trigger casefile.Trigger, samples []vitals.Sample, catalog *vitals.Catalog,
	more func(*taking)) (*casefile.Folder, error) {
	out, err := w.create(casefile.Case{
		Schema: casefile.Schema, ID: casefile.NewID(time.Now(), trigger.Rule), Tool: w.cfg.Tool,
		Opened: trigger.Time, Target: d, Trigger: trigger,
	})
	if err != nil {
		return nil, fmt.Errorf("keeping the last vitals of a process that is gone: %w", err)
	}
	if err := out.SetTodo(w.todo()...); err != nil {
		w.fail(err) // complete works without it
	}
	t := taking{w: w, job: &job{id: out.ID()}, out: out}
	t.addSamples(sampling{casefile.Vitals, "vitals-before.jsonl", casefile.Before, samples, catalog, nil})
	more(&t)
	return out.Commit()
}

// An obituary describes a process that was watched from outside and is gone.
type obituary struct {
	target  casefile.Target
	trigger casefile.Trigger
	samples []vitals.Sample
	windows []recorder.Window
}

// died has the worker open a case if the replaced process ended in trouble; a deployment is not trouble. It is for
// targets that cannot report how a process ended. The loop calls it, and it does not wait.
func (w *Watch) died(s *session) {
	if _, ok := w.ended(); ok {
		return // prober.checkEnd does that
	}
	o := w.lastOf(s)
	var trouble bool
	if o.trigger, trouble = blackbox.Obituary(o.target, o.samples); trouble {
		s.announce(o)
	}
}

// recordDeath writes the case of a process that died, with what was recorded of it before.
func (w *Watch) recordDeath(ctx context.Context, o obituary) {
	f, err := w.lateCase(o.target, o.trigger, o.samples, w.catalog, func(t *taking) {
		for i, win := range o.windows {
			t.addProfile(windowProfile(win), fmt.Sprintf("cpu-before-%d.pb.gz", i+1), casefile.Before)
		}
		w.mu.Lock()
		t.s = w.session
		w.mu.Unlock()
		if t.s != nil && len(t.s.base.profiles) > 0 && t.s.base.taken.Before(o.trigger.Time) {
			t.addBaseline()
		}
	})
	if err != nil {
		w.unwritten(casefile.NewID(time.Now(), o.trigger.Rule), o.target, o.trigger, nil, err)
		return
	}
	w.complete(ctx, Closed, f)
}

// reportOf is the report of a case.
func (w *Watch) reportOf(f *casefile.Folder) reporter.Report {
	return reporter.Report{Case: f.Case, Folder: f.Path, Service: f.Case.Target.Name, Labels: w.cfg.Labels}
}
