package casebook

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"time"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/rule"
	"github.com/gocasebook/casebook/vitals"
)

// What a target can do besides the methods of Target is found by asking it for one-method interfaces: a census of its
// goroutines, what captures cost, how the process ended. A target that wraps another one hides these, and a watch would
// do without them, silently. So each is looked for in the target, and then in what it wraps.

// A wrapper is a target around another one.
type wrapper interface{ Unwrap() Target }

// An insider can say that it is the process that Casebook runs in; instance.Self is one.
type insider interface{ InProcess() bool }

// A prompt target's Sample returns at once and ignores its context. It is asked of the outermost target alone, because
// only that one knows all that happens in a sample.
type prompt interface{ Prompt() }

// A rememberer has samples from before the watch, as a database of metrics has.
type rememberer interface {
	Past(ctx context.Context, since time.Time) ([]vitals.Sample, error)
}

// maxLayers bounds how many targets wrap one another: one that wraps itself would be unwrapped forever.
const maxLayers = 16

// unwrap is a target and all that it wraps, the outermost first.
func unwrap(t Target) (layers []Target, err error) {
	err = guard("Unwrap", func() error {
		for t != nil {
			if len(layers) == maxLayers {
				return fmt.Errorf("it wraps %d targets or more: is it one of them?", maxLayers)
			}
			layers = append(layers, t)
			w, ok := t.(wrapper)
			if !ok {
				break
			}
			t = w.Unwrap()
		}
		return nil
	})
	return layers, err
}

// ability is the outermost target of those that wrap one another that can do what T asks for.
func ability[T any](layers []Target) (able T, ok bool) {
	for _, t := range layers {
		if able, ok = t.(T); ok {
			return able, true
		}
	}
	return able, false
}

// inside reports whether the outermost target that can say so is the process that Casebook runs in.
func inside(layers []Target) (yes bool, err error) {
	t, ok := ability[insider](layers)
	if !ok {
		return false, nil
	}
	err = guard("InProcess", func() error {
		yes = t.InProcess()
		return nil
	})
	return yes, err
}

// know finds what a target wraps, and whether it is this process.
func (w *Watch) know(t Target) error {
	var err error
	if w.layers, err = unwrap(t); err == nil {
		w.self, err = inside(w.layers)
	}
	if err != nil {
		return fmt.Errorf("field Target: %w", err)
	}
	return nil
}

// hintUnwrap logs that a target which describes this process hides that it is.
func (w *Watch) hintUnwrap(log *slog.Logger, d casefile.Target) {
	if _, says := ability[insider](w.layers); says || d.URL != "" || d.PID != os.Getpid() {
		return
	}
	log.Warn("the target is this process and does not say so: no CPU windows, no flight recorder, no black box; "+
		"a target that wraps another one has a method Unwrap() casebook.Target", "target",
		fmt.Sprintf("%T", w.cfg.Target))
}

// recall fills the history with what the target knows of the time before. Rules see it as their past and do not judge
// it.
func (w *Watch) recall(ctx context.Context) {
	t, ok := ability[rememberer](w.layers)
	if !ok {
		return
	}
	w.mu.Lock()
	span := max(w.cfg.History, rule.Lookback(w.settings.Rules))
	w.mu.Unlock()
	past, err := inTime(ctx, "asking for the past", func(ctx context.Context) ([]vitals.Sample, error) {
		return t.Past(ctx, time.Now().Add(-span))
	})
	if err != nil {
		w.fail(err)
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.history.Len() > 0 { // of an earlier Run: times must ascend
		return
	}
	for i := range past {
		w.history.Add(past[i])
	}
}
