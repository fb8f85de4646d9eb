package casebook

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/instance"
)

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
