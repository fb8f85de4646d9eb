package casebook

import (
	"context"
	"fmt"

	"github.com/gocasebook/casebook/casefile"
)

// An AdmitFunc decides whether a case is taken now, for whom one watch is one of many: a thousand services that fall
// ill together must not be captured together. It may wait; ctx ends with the watch. release is called when the case is
// written; nil is allowed. An error says why the case is not taken.
type AdmitFunc func(ctx context.Context, t casefile.Trigger) (release func(), err error)

// admit asks Admit. Whatever it returns, release may be called.
func (w *Watch) admit(ctx context.Context, j *job) (release func(), err error) {
	release = func() {}
	if w.cfg.Admit == nil {
		return release, nil
	}
	trigger, _ := w.triggers(j)
	err = guard("admitting a case", func() error {
		r, err := w.cfg.Admit(ctx, trigger)
		if r != nil {
			release = r
		}
		return err
	})
	if err != nil {
		err = fmt.Errorf("the case is not taken: %w", err)
	}
	return release, err
}

// declined ends a job that was not admitted. Reporters are not told: a thousand services would be a thousand messages.
func (w *Watch) declined(j *job, err error) {
	trigger, _ := w.triggers(j)
	w.emit(Event{Kind: Declined, CaseID: j.id, Trigger: trigger, Err: err})
}
