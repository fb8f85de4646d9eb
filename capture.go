package casebook

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose"
	"github.com/gocasebook/casebook/target"
	"github.com/gocasebook/casebook/vitals"
)

// A job is a case to be taken.
type job struct {
	id      string
	trigger casefile.Trigger
	also    []casefile.Trigger // rules that tripped meanwhile; guarded by Watch.mu
	kinds   []string
	done    chan<- outcome // where the outcome goes; nil if nobody waits
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

// Capture opens a case now, for a reason a person gives, and waits until it is on disk and diagnosed. The Watch must
// be running.
func (w *Watch) Capture(ctx context.Context, reason string, kinds ...string) (*casefile.Folder, error) {
	now := time.Now()
	done := make(chan outcome, 1)
	j := &job{
		id:      casefile.NewID(now, "manual"),
		trigger: casefile.Trigger{Rule: "manual", Time: now.UTC(), Text: reason},
		kinds:   kinds,
		done:    done,
	}
	if len(kinds) == 0 {
		j.kinds = w.cfg.Rules[0].Captures()
	}
	if _, ok := w.submit(j); !ok {
		if !w.Status().Running {
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

// work takes cases until ctx is done. It also prunes, so that neither the sampling nor who waits for a case waits for
// that.
func (w *Watch) work(ctx context.Context) {
	w.prune()
	for {
		select {
		case <-ctx.Done():
			return
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
	o.err = guard("taking a case", func() (err error) {
		o.folder, err = w.take(ctx, j)
		return err
	})
	w.mu.Lock()
	w.current = nil
	w.mu.Unlock()
	if o.err != nil {
		w.fail(o.err)
		w.emit(Event{Kind: Failed, CaseID: j.id, Err: o.err})
		return o
	}
	w.emit(Event{Kind: Closed, CaseID: j.id, Case: o.folder.Case, Path: o.folder.Path})
	return o
}

// take captures, writes and diagnoses one case. When ctx ends, what is there is written and diagnosed.
func (w *Watch) take(ctx context.Context, j *job) (*casefile.Folder, error) {
	w.mu.Lock()
	before, c := w.history.Samples(), casefile.Case{
		Schema: casefile.Schema, ID: j.id, Tool: w.cfg.Tool, Opened: j.trigger.Time, Target: w.target, Trigger: j.trigger,
	}
	w.mu.Unlock()
	out, err := casefile.Create(w.cfg.Dir, c)
	if err != nil {
		return nil, err
	}
	t := taking{w: w, id: j.id, out: out}
	t.addVitals(before, "vitals-before.jsonl", casefile.Before)
	t.captureAll(ctx, j.kinds)
	t.captureAgain(ctx, j.kinds)
	t.addVitals(w.since(j.trigger.Time), "vitals-during.jsonl", casefile.During)
	w.mu.Lock()
	also := slices.Clone(j.also)
	w.mu.Unlock()
	err = out.Update(func(c *casefile.Case) { c.Closed, c.Also = time.Now().UTC(), also })
	if err != nil {
		return nil, err
	}
	folder, err := out.Commit()
	if err != nil {
		return nil, err
	}
	if err := Diagnose(context.WithoutCancel(ctx), folder); err != nil {
		w.fail(err) // the evidence is safe; `casebook diagnose` can read it again
	}
	w.mu.Lock()
	w.status.Cases++
	w.mu.Unlock()
	return folder, nil
}

// since copies the samples after a time.
func (w *Watch) since(t time.Time) []vitals.Sample {
	w.mu.Lock()
	defer w.mu.Unlock()
	all := w.history.Samples()
	i := slices.IndexFunc(all, func(s vitals.Sample) bool { return s.Time.After(t) })
	if i < 0 {
		return nil
	}
	return all[i:]
}

// A taking is a case while its evidence comes in.
type taking struct {
	w   *Watch
	id  string
	out *casefile.Writer
}

// captureAll takes snapshots one after the other, cheap and perishable ones first, and then what spans time, all at
// once.
func (t *taking) captureAll(ctx context.Context, kinds []string) {
	var spans sync.WaitGroup
	for _, kind := range kinds {
		if !spansTime(kind) {
			t.capture(ctx, kind, casefile.During)
		}
	}
	for _, kind := range kinds {
		if spansTime(kind) {
			spans.Go(func() { t.capture(ctx, kind, casefile.During) })
		}
	}
	spans.Wait()
}

func spansTime(kind string) bool {
	return kind == casefile.CPU || kind == casefile.Mutex || kind == casefile.Block
}

// captureAgain takes a second snapshot of what tells most by how it has changed: two heap profiles give the rate of
// allocation of every site, two goroutine profiles whether a pile grows.
func (t *taking) captureAgain(ctx context.Context, kinds []string) {
	if ctx.Err() != nil { // the watch is being stopped: each would only be missed
		return
	}
	for _, kind := range kinds {
		if kind == casefile.Heap || kind == casefile.Goroutine {
			t.capture(ctx, kind, casefile.After)
		}
	}
}

func (t *taking) capture(ctx context.Context, kind string, phase casefile.Phase) {
	var p target.Profile
	err := guard("capturing "+kind, func() (err error) {
		p, err = t.w.cfg.Target.Capture(ctx, kind, t.w.cfg.ProfileFor)
		return err
	})
	if err != nil && ctx.Err() != nil {
		err = errors.New("the watch was stopped before it was taken")
	}
	if err != nil {
		t.miss(kind, phase, err)
		return
	}
	file := kind + ".pb.gz"
	if phase == casefile.After {
		file = kind + "-after.pb.gz"
	}
	t.add(casefile.Evidence{
		File: file, Kind: kind, Phase: phase, Taken: p.Taken.UTC(), Seconds: p.Seconds, Note: p.Note,
		GoFormat: true,
	}, p.Data)
}

func (t *taking) addVitals(samples []vitals.Sample, file string, phase casefile.Phase) {
	if len(samples) == 0 {
		return
	}
	var b bytes.Buffer
	if err := vitals.WriteJSONL(&b, samples, t.w.cfg.Target.Absent()); err != nil {
		t.miss(casefile.Vitals, phase, err)
		return
	}
	first, last := samples[0].Time, samples[len(samples)-1].Time
	t.add(casefile.Evidence{
		File: file, Kind: casefile.Vitals, Phase: phase, Taken: first.UTC(), Seconds: last.Sub(first).Seconds(),
	}, b.Bytes())
}

// add writes evidence into the case. A failure is recorded in the case by the writer; what is there stays.
func (t *taking) add(e casefile.Evidence, data []byte) {
	if err := t.out.Add(e, data); err != nil {
		t.w.fail(err)
		t.w.emit(Event{Kind: Missed, CaseID: t.id, Err: err})
		return
	}
	e.Bytes = int64(len(data))
	t.w.emit(Event{Kind: Captured, CaseID: t.id, Evidence: e})
}

func (t *taking) miss(kind string, phase casefile.Phase, err error) {
	t.out.Missing(kind, phase, err.Error())
	var empty *target.EmptyError
	if errors.As(err, &empty) { // ordinary: most services do not record mutex and block profiles
		return
	}
	err = fmt.Errorf("%s: %w", kind, err)
	t.w.fail(err)
	t.w.emit(Event{Kind: Missed, CaseID: t.id, Err: err})
}

// Diagnose reads a case's evidence and records the findings in the case. It runs anywhere: in the service, beside it,
// on a laptop.
func Diagnose(ctx context.Context, f *casefile.Folder) error {
	in, problems := diagnose.CaseInput(f)
	report := diagnose.Run(ctx, in)
	err := f.Update(func(c *casefile.Case) { c.Diagnosis = report.Diagnosis })
	return errors.Join(append(problems, err)...)
}
