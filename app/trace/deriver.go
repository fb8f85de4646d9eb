package trace

import (
	"bytes"
	"context"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose"
	"github.com/gocasebook/casebook/diagnose/traces"
)

// Deriver makes a traces.Summary of each execution trace that is evidence, so that detectors can read it.
func Deriver() diagnose.Deriver {
	return diagnose.Deriver{Name: "trace summary", Kind: casefile.Trace, Run: derive}
}

func derive(ctx context.Context, e diagnose.Evidence) ([]diagnose.Evidence, error) {
	t, err := Read(ctx, e.Name, bytes.NewReader(e.Data))
	if err != nil {
		return nil, err
	}
	e.Kind, e.Data = traces.KindSummary, nil
	s := t.Summary()
	e.Value, e.Seconds = s, s.Span.Seconds()
	return []diagnose.Evidence{e}, nil
}
