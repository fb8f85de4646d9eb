package casebook

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/instance"
	"github.com/gocasebook/casebook/rule"
)

// What a rule captures may not say why it tripped. The verdict then names the one kind of evidence that would, and it
// is taken while the trouble lasts: once, before the case is closed, if the target answers and the budget allows.

// wanted takes what the evidence of a case lacks.
func (t *taking) wanted(ctx context.Context) {
	again := t.w.cfg.Again
	if again > 0 && t.w.cfg.AgainAlways {
		t.minutesLater(ctx, again)
		return
	}
	if ctx.Err() != nil || t.job.brief || byPerson(&t.job.trigger) || !t.answers() {
		return
	}
	kind, later := t.wantedKind(ctx)
	switch {
	case later && again > 0 && t.grows():
		t.minutesLater(ctx, again)
	case kind != "" && !slices.Contains(t.job.kinds, kind): // otherwise it was asked for, and is there or missing
		span := t.span(kind)
		if !spansTime(kind) {
			span = 0
		}
		t.capture(ctx, kind, casefile.After, span)
	}
}

// grows reports whether the rule that opened the case looks at growth over minutes: then nobody waits for the case who
// could not wait some more. A case of any other rule is closed at once.
func (t *taking) grows() bool {
	rules := t.w.Settings().Rules
	i := slices.IndexFunc(rules, func(r rule.Rule) bool { return r.Name == t.job.trigger.Rule })
	return i >= 0 && rules[i].When.Grows()
}

// wantedKind is the kind of evidence that the case lacks, "" if none is, and whether it is time that it lacks. To judge
// a case takes CPU, so it is not judged where the verdict could not ask for anything that is not there.
func (t *taking) wantedKind(ctx context.Context) (kind string, later bool) {
	f, err := casefile.Open(t.out.Path())
	if err != nil {
		t.w.fail(err)
		return "", false
	}
	if err := guard("looking for what a case lacks", func() error {
		kind, later = wantedBy(ctx, f, t.w.cfg.Diagnose)
		return nil
	}); err != nil {
		t.w.fail(err)
	}
	return kind, later
}

// byPerson reports whether no signal and no goroutines opened a case, but a person or the clock.
func byPerson(t *casefile.Trigger) bool { return t.Signal == "" && t.Value == 0 }

// quoteTimeout bounds one quote, quotesTimeout all of a case: the target may be gone by then, and the case must end.
const (
	quoteTimeout  = 30 * time.Second
	quotesTimeout = 2 * time.Minute
)

// quotes freezes what others keep of the target. They cost it nothing, so that the budget is not asked.
func (t *taking) quotes(ctx context.Context) {
	if t.job.brief {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, quotesTimeout)
	defer cancel()
	for _, q := range t.w.cfg.Quotes {
		if t.full.Load() {
			t.out.Missing(casefile.Quote, casefile.Before, errFull.Error())
			return
		}
		t.quote(ctx, q)
	}
}

func (t *taking) quote(ctx context.Context, q Quote) {
	ctx, cancel := context.WithTimeout(ctx, quoteTimeout)
	defer cancel()
	p, err := inTime(ctx, "quoting "+q.Name, func(ctx context.Context) (instance.Profile, error) {
		return q.Take(ctx, t.job.trigger.Time)
	})
	if err == nil && len(p.Data) > maxAttachment {
		err = fmt.Errorf("it is larger than %d MiB", maxAttachment>>20)
	}
	var empty *instance.EmptyError
	switch {
	case errors.As(err, &empty): // there is no other version, say
		t.out.Missing(casefile.Quote, casefile.Before, q.Name+": "+empty.Reason)
		return
	case err != nil:
		t.miss(casefile.Quote, casefile.Before, fmt.Errorf("%s: %w", q.Name, err))
		return
	}
	t.add(casefile.Evidence{File: "quote-" + q.Name + ".pb.gz", Kind: casefile.Quote, Phase: casefile.Before,
		Taken: p.Taken.UTC(), Seconds: p.Seconds, Note: p.Note, GoFormat: true}, p.Data)
}
