package play

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"github.com/gocasebook/casebook"
	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/internal/number"
	"github.com/gocasebook/casebook/lab/stage"
)

// glance is how long the cured form is sampled before its case is taken by hand; closing bounds the taking of a case.
const (
	glance  = 2 * time.Second
	closing = time.Minute
)

// takeCase watches a form until a rule's case is closed; when none trips within patience, it takes a case by hand.
func (p *play) takeCase(ctx context.Context, s *stage.Stage, folder string, patience time.Duration) (*casefile.Folder,
	Opened, error) {
	t := &taking{play: p, stage: s, patience: patience}
	err := s.Watch(ctx, filepath.Join(p.Dir, folder), p.Tool, t.follow)
	p.goroutines = t.goroutines
	return t.folder, t.opened, err
}

// A taking is a case on its way.
type taking struct {
	*play
	stage    *stage.Stage
	patience time.Duration
	folder   *casefile.Folder
	opened   Opened

	goroutines []float64 // in each sample
}

// follow waits for the case.
func (t *taking) follow(ctx context.Context, w stage.Watched) error {
	began := time.Now()
	deadline := time.NewTimer(t.patience)
	defer deadline.Stop()
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case err := <-w.Ended:
			return errors.Join(stage.ErrEnded, err, t.stage.Failed())
		case <-deadline.C:
			if t.opened.Rule != "" {
				return fmt.Errorf("the case was not closed within %v", closing)
			}
			return t.byHand(ctx, w)
		case e := <-w.Events:
			if err := t.stage.Failed(); err != nil {
				return err
			}
			if e.Kind == casebook.Tripped {
				t.opened = Opened{e.Trigger.Rule, e.Trigger.Text, max(e.Trigger.Time.Sub(began).Seconds(), 0)}
				deadline.Reset(closing)
				t.View.Say(fmt.Sprintf("rule %s tripped after %s: %s", e.Trigger.Rule, number.Seconds(t.opened.Seconds),
					e.Trigger.Text))
			}
			if done, err := t.closed(e); done || err != nil {
				return err
			}
		}
	}
}

// closed says whether the case is on disk.
func (t *taking) closed(e casebook.Event) (done bool, err error) {
	switch e.Kind {
	case casebook.Failed:
		return true, e.Err
	case casebook.Closed:
		t.folder, err = casefile.Open(e.Path)
		return true, err
	case casebook.Sampled:
		t.counted(&e.Sample)
		t.View.Progress(stage.Signs(&e.Sample))
	}
	return false, nil
}

// byHand takes the case that no rule opened.
func (t *taking) byHand(ctx context.Context, w stage.Watched) (err error) {
	reason := "the cured form, to see that nothing is found"
	if t.patience > glance {
		reason = fmt.Sprintf("no rule tripped within %v", t.patience)
		t.View.Say(reason + "; taking a case by hand")
	}
	t.opened.Text = reason
	ctx, cancel := context.WithTimeout(ctx, closing)
	defer cancel()
	if t.folder, err = w.Capture(ctx, reason); err != nil {
		return errors.Join(err, t.stage.Failed())
	}
	return t.stage.Failed()
}

// foundText is the findings in a line.
func foundText(all []Finding) string {
	if len(all) == 0 {
		return "no finding"
	}
	words := make([]string, len(all))
	for i, f := range all {
		words[i] = fmt.Sprintf("%s %d", f.Kind, f.Score)
	}
	return "found: " + strings.Join(words, ", ")
}
