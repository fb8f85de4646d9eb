package casebook

import (
	"context"
	"slices"

	"github.com/gocasebook/casebook/casefile"
)

// What a rule captures may not say why it tripped. The verdict then names the one kind of evidence that would, and it
// is taken while the trouble lasts: once, before the case is closed, if the target answers and the budget allows.

// wanted takes what the evidence of a case lacks.
func (t *taking) wanted(ctx context.Context) {
	if ctx.Err() != nil || t.job.brief || t.job.trigger.Signal == "" || !t.answers() {
		return
	}
	kind := t.wantedKind(ctx)
	if kind == "" || slices.Contains(t.job.kinds, kind) { // it was asked for, and is there or missing
		return
	}
	span := t.span(kind)
	if !spansTime(kind) {
		span = 0
	}
	t.capture(ctx, kind, casefile.After, span)
}

// wantedKind is the kind of evidence that the case lacks; "" if none is. To judge a case takes CPU, so it is not judged
// where the verdict could not ask for anything that is not there.
func (t *taking) wantedKind(ctx context.Context) (kind string) {
	f, err := casefile.Open(t.out.Path())
	if err != nil {
		t.w.fail(err)
		return ""
	}
	if err := guard("looking for what a case lacks", func() error {
		kind = wantedBy(ctx, f, t.w.cfg.Diagnose)
		return nil
	}); err != nil {
		t.w.fail(err)
	}
	return kind
}
