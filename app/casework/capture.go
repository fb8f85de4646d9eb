package casework

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/gocasebook/casebook"
	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/internal/blackbox"
	"github.com/gocasebook/casebook/rule"
	"github.com/gocasebook/casebook/vitals"
)

// A CaptureRequest says which case to open now.
type CaptureRequest struct {
	Target
	Dir     string          // the folder with the cases
	Reason  string          // for whoever reads the case
	Before  time.Duration   // how long the signals are sampled first, so that the case has rates
	Again   time.Duration   // after which the heap and the goroutines are taken once more; 0: they are not
	Profile time.Duration   // how long CPU, mutex and block profiles run; 0 means casebook.DefaultProfileFor
	Kinds   []string        // of evidence
	Budget  casebook.Budget // shared with a watch that uses the same folder
	Tool    string          // the program that captures, with its version
	On      func(Event)     // told what happens; nil: nobody is told

	Holders *HolderRequest // who holds the memory, by a heap dump; nil: nobody asks
}

// A Captured case is in its folder.
type Captured struct {
	Folder *casefile.Folder
	Ended  *EndedError  // the process ended meanwhile; nil if it did not
	Silent *SilentError // it lives, and answered nothing; nil if it did
}

// DefaultKinds is the evidence that a person gets who names none: what a rule takes if it names none, and an execution
// trace, which says what requests wait for. It ends with the profile or, in a busy service, when it has
// instance.DefaultTraceBytes, which takes such a service a second or so.
func DefaultKinds() []string { return append(rule.DefaultCapture(), casefile.Trace) }

// ErrInterrupted says that a capture was interrupted before its case was opened.
var ErrInterrupted = errors.New("interrupted before a case was opened")

// captureInterval is the time between samples: a few seconds should hold more than a few of them.
const captureInterval = 500 * time.Millisecond

// An overloaded service answers late. A watch asks again; a capture has this one moment.
const (
	captureAnswer = time.Minute      // for one answer: what package instance allows for a profile
	captureNotice = 5 * time.Second  // after which it is said that the first answer is waited for
	captureSilent = 15 * time.Second // after which a process of this machine is looked at from outside
)

// Capture opens one case and closes it. When ctx ends meanwhile, the case has what was taken until then; before it was
// opened, the error is ErrInterrupted. Capture removes no old cases: that is up to the watch that owns the folder.
func Capture(ctx context.Context, r CaptureRequest) (Captured, error) {
	r.Kinds = unique(r.Kinds)
	if _, err := r.rules(nil); err != nil { // before anything is asked of the target
		return Captured{}, err
	}
	started := make(chan struct{})
	cfg := casebook.Config{Dir: r.Dir, Retention: casefile.KeepAll(), Interval: captureInterval, ProfileFor: r.Profile,
		AnswerWithin: captureAnswer, Budget: r.Budget, Tool: r.Tool,
		Again: r.Again, AgainAlways: r.Again > 0}
	if r.Holders != nil {
		last, err := r.Holders.attachment(ctx, &r.Target, r.Dir)
		if err != nil {
			return Captured{}, err
		}
		cfg.Attachments = append(cfg.Attachments, last)
	}
	w, err := r.Target.watchOf(ctx, cfg, r.rules, func(e Event) {
		if r.On != nil {
			r.On(e)
		}
		if e.Kind == casebook.Started {
			close(started) // once: a Watch that runs once starts once
		}
	})
	if err != nil {
		return Captured{}, err
	}
	f, err := r.run(ctx, w, started)
	if err != nil {
		return Captured{Folder: f}, err
	}
	done := Captured{Folder: f}
	if how := blackbox.Ended(&f.Case); how != "" {
		done.Ended = &EndedError{how, f}
	}
	if err := w.Status().LastError; err != nil && done.Ended == nil && w.silent() {
		done.Silent = &SilentError{err, f}
	}
	return done, nil
}

func unique(kinds []string) (out []string) {
	for _, kind := range kinds {
		if !slices.Contains(out, kind) {
			out = append(out, kind)
		}
	}
	return out
}

// rules returns one rule, because a Watch needs one. It never trips: its warm-up outlasts any capture. Validating it
// validates the kinds.
func (r *CaptureRequest) rules(*vitals.Catalog) ([]rule.Rule, error) {
	if len(r.Kinds) == 0 {
		return nil, setting("kinds", errors.New("none is named; for instance cpu and heap"))
	}
	rules := []rule.Rule{{
		Name: "manual", When: rule.Default()[0].When, Capture: r.Kinds, Warmup: rule.Duration(24 * time.Hour),
	}}
	return rules, setting("kinds", rule.Validate(rules, nil))
}

// run runs w until it has taken one case.
func (r *CaptureRequest) run(ctx context.Context, w *watched, started <-chan struct{}) (*casefile.Folder, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	ended := make(chan error, 1)
	go func() { ended <- w.Run(ctx) }()
	late := time.AfterFunc(captureNotice, func() { r.late(w.process.URL()) })
	select {
	case err := <-ended: // the target does not answer, or the folder cannot hold cases
		late.Stop()
		if ctx.Err() != nil {
			err = ErrInterrupted
		}
		return nil, err
	case <-started:
		late.Stop()
	}
	folder, err := r.afterSamples(ctx, w.Watch)
	cancel()
	return folder, errors.Join(err, <-ended)
}

// late says that the first answer does not come, and that it is waited for.
func (r *CaptureRequest) late(url string) {
	if r.On != nil {
		r.On(Event{URL: url, Event: casebook.Event{Kind: casebook.Lost, Time: time.Now(),
			Err: fmt.Errorf("no answer for %s; waiting for it, %s at most, or %s if its process is of this "+
				"machine: then the case has what is seen from outside", captureNotice, captureAnswer, captureSilent)}})
	}
}

// afterSamples opens the case after the signals have been sampled for a while, and waits for it. An interrupt from then
// on ends the capture, not the waiting: the Watch writes what it has and returns the case.
func (r *CaptureRequest) afterSamples(ctx context.Context, w *casebook.Watch) (*casefile.Folder, error) {
	timer := time.NewTimer(r.Before)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return nil, ErrInterrupted
	case <-timer.C:
	}
	folder, err := w.Capture(context.WithoutCancel(ctx), r.Reason, r.Kinds...)
	if errors.Is(err, casebook.ErrStopped) {
		err = ErrInterrupted
	}
	return folder, err
}
