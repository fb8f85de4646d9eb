package evidence

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"time"

	"github.com/gocasebook/casebook"
	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/instance"
	"github.com/gocasebook/casebook/rule"
)

// A Plan says what to take.
type Plan struct {
	URL    string
	Warm   time.Duration // before anything
	Before time.Duration // of vitals before the case is opened
	CPU    time.Duration // that CPU, mutex and block profiles span
	Kinds  []string      // casefile's
	Twice  time.Duration // from the first snapshots to a second set; 0 means none
}

// Take opens a case on the target as a person would by `casebook capture`, and returns what it holds, not yet cleaned.
func Take(ctx context.Context, p Plan) (*Manifest, error) {
	if err := wait(ctx, p.Warm-p.Before); err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "casebook-evidence-")
	if err != nil {
		return nil, fmt.Errorf("making a folder for the cases: %w", err)
	}
	defer os.RemoveAll(dir)
	started := make(chan struct{})
	w, err := p.watch(dir, started)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	ended := make(chan error, 1)
	go func() { ended <- w.Run(ctx) }()
	select {
	case err := <-ended:
		return nil, fmt.Errorf("watching %s: %w", p.URL, err)
	case <-started:
	}
	m, err := p.take(ctx, w)
	cancel()
	return m, errors.Join(err, <-ended)
}

// watch is one that takes what it is told to, whatever it costs, and nothing by itself.
func (p Plan) watch(dir string, started chan<- struct{}) (*casebook.Watch, error) {
	t, err := instance.NewHTTP(p.URL)
	if err != nil {
		return nil, err
	}
	never := rule.Rule{Name: "manual", When: rule.Default()[0].When, Warmup: rule.Duration(24 * time.Hour)}
	return casebook.New(casebook.Config{
		Target: t, Dir: dir, Retention: casefile.KeepAll(), Rules: []rule.Rule{never}, Interval: 500 * time.Millisecond,
		ProfileFor: p.CPU, Budget: casebook.Budget{CPU: -1, Bytes: -1, Pause: -1, Longest: -1}, Tool: "casebook lab",
		OnEvent: func(e casebook.Event) {
			if e.Kind == casebook.Started {
				close(started) // once: a Watch that runs once starts once
			}
		},
	})
}

// take opens the case, and a second one later where the plan says so.
func (p Plan) take(ctx context.Context, w *casebook.Watch) (*Manifest, error) {
	if err := wait(ctx, p.Before); err != nil {
		return nil, err
	}
	first, err := w.Capture(ctx, "recorded for the proving ground", p.Kinds...)
	if err != nil {
		return nil, fmt.Errorf("taking evidence of %s: %w", p.URL, err)
	}
	m, err := FromCase(first)
	if err != nil || p.Twice == 0 {
		return m, err
	}
	if err := wait(ctx, time.Until(first.Case.Opened.Add(p.Twice))); err != nil {
		return nil, err
	}
	second, err := w.Capture(ctx, "the second snapshots", snapshots(p.Kinds)...)
	if err != nil {
		return nil, fmt.Errorf("taking the second snapshots of %s: %w", p.URL, err)
	}
	return m, m.addLater(second, first.Case.Closed)
}

func snapshots(kinds []string) []string {
	moments := []string{casefile.Heap, casefile.Goroutine, casefile.GoroutineDump, casefile.GoroutineLeak}
	return slices.DeleteFunc(slices.Clone(kinds), func(kind string) bool { return !slices.Contains(moments, kind) })
}

// FromCase is what a case on disk holds, not yet cleaned.
func FromCase(f *casefile.Folder) (*Manifest, error) {
	target := f.Case.Target
	m := &Manifest{Started: target.Started, Limits: target.Limits, Build: target.Build}
	for _, e := range f.Case.Evidence {
		data, err := f.Read(e.File)
		if err != nil {
			return nil, err
		}
		m.Evidence = append(m.Evidence, file(e, data))
	}
	for _, miss := range f.Case.Missing {
		m.Missing = append(m.Missing, Missing(miss))
	}
	return m, nil
}

func file(e casefile.Evidence, data []byte) File {
	return File{File: e.File, Kind: e.Kind, Phase: e.Phase, Taken: e.Taken.Truncate(time.Millisecond),
		Seconds: e.Seconds, Note: e.Note, Data: data}
}

// addLater adds a second case's first snapshots, and the vitals from the first case's end on.
func (m *Manifest) addLater(f *casefile.Folder, since time.Time) error {
	for _, e := range f.Case.Evidence {
		vitalsBetween := e.Kind == casefile.Vitals && e.Phase == casefile.Before
		if e.Phase != casefile.During && !vitalsBetween || e.Kind == casefile.Vitals && !vitalsBetween {
			continue
		}
		data, err := f.Read(e.File)
		if err == nil && vitalsBetween {
			data, err = samplesAfter(data, since)
		}
		if err != nil {
			return err
		}
		later := file(e, data)
		later.File, later.Phase = laterName(e.File), casefile.After
		m.Evidence = append(m.Evidence, later)
	}
	return nil
}
