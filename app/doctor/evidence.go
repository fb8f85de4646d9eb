package doctor

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/instance"
	"github.com/gocasebook/casebook/internal/budget"
	"github.com/gocasebook/casebook/internal/number"
	"github.com/gocasebook/casebook/internal/settings"
	"github.com/gocasebook/casebook/rule"
)

// trySpan is what evidence that spans a time spans here: the shortest that net/http/pprof takes.
const trySpan = time.Second

// tooExpensive is the predicted CPU time from which evidence is not tried.
const tooExpensive = time.Second

// kinds are what a case asks for, without what a host adds itself.
func kinds() []string { return append(rule.DefaultCapture(), casefile.Allocs, casefile.Trace) }

func (e *examination) evidence(ctx context.Context) {
	for _, kind := range kinds() {
		if ctx.Err() != nil {
			return
		}
		e.Evidence = append(e.Evidence, e.try(ctx, kind))
	}
	e.cut = e.CutsAt(ctx, settings.ProfileFor.Default)
}

// try takes one kind of evidence and forgets it.
func (e *examination) try(ctx context.Context, kind string) Evidence {
	if cost := e.predict(kind, trySpan); cost.CPU > tooExpensive {
		return Evidence{Kind: kind, State: Expensive, Text: fmt.Sprintf("it would take about %s of CPU: not tried",
			number.Duration(cost.CPU))}
	}
	p, err := e.Capture(ctx, kind, trySpan)
	defer p.Release()
	if err != nil {
		return e.failed(ctx, kind, err)
	}
	e.linked.read(kind, p.Data)
	return Evidence{Kind: kind, State: Available, Text: p.Note, Bytes: len(p.Data), Seconds: p.Seconds, Took: p.Cost}
}

// failed says what an error means for a kind of evidence.
func (e *examination) failed(ctx context.Context, kind string, err error) Evidence {
	var empty *instance.EmptyError
	var status *instance.StatusError
	switch {
	case errors.As(err, &status) && status.Status == http.StatusNotFound && !errors.As(err, &empty):
		return Evidence{Kind: kind, State: Absent, Text: fmt.Sprintf("%s answered 404", status.URL)}
	case !errors.As(err, &empty):
		return Evidence{Kind: kind, State: Failed, Text: err.Error()}
	}
	if records, listed := e.Records()[kind]; listed {
		switch kind {
		case casefile.Mutex:
			return e.mutex(ctx, records)
		case casefile.Block:
			return blocked(records)
		case casefile.GoroutineLeak:
			return Evidence{Kind: kind, State: Available, Text: "none leaked"}
		case casefile.Allocs:
			return Evidence{Kind: kind, State: Available, Text: empty.Reason}
		}
	}
	return Evidence{Kind: kind, State: Absent, Text: empty.Reason}
}

// mutex tells a program that does not record mutex waits from one in which nothing waited.
func (e *examination) mutex(ctx context.Context, records int) Evidence {
	out := Evidence{Kind: casefile.Mutex, State: Available, Text: "nothing waited for a mutex meanwhile"}
	n, err := e.MutexFraction(ctx)
	switch {
	case err != nil:
		out.State, out.Text = Unknown, fmt.Sprintf("no wait was recorded, and how waits are sampled is not known: %v", err)
	case n == 0 && records == 0:
		out.State, out.Text = Off, "runtime.SetMutexProfileFraction is 0"
	case n == 0:
		out.State, out.Text = Off, fmt.Sprintf("runtime.SetMutexProfileFraction is 0 now; %s from before",
			number.Things(records, "record"))
	}
	return out
}

// blocked says what an empty block profile means.
func blocked(records int) Evidence {
	if records > 0 {
		return Evidence{Kind: casefile.Block, State: Available, Text: "nothing blocked meanwhile"}
	}
	return Evidence{Kind: casefile.Block, State: Unknown,
		Text: "no record: runtime.SetBlockProfileRate was not called, or nothing has blocked for as long as it says"}
}

func (e *examination) predict(kind string, span time.Duration) budget.Cost {
	return budget.Predict(kind, span, budget.Facts(e.Facts()))
}
