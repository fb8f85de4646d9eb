package stage

import (
	"bytes"
	"context"
	"fmt"
	"time"

	"github.com/gocasebook/casebook/app/child"
	"github.com/gocasebook/casebook/app/trace"
	"github.com/gocasebook/casebook/diagnose/traces"
)

// Trace is what an execution trace of the next d says.
func (s *Stage) Trace(ctx context.Context, d time.Duration) (*traces.Summary, error) {
	data, err := child.FindPprof(ctx, s.Process).Trace(ctx, d)
	if err != nil {
		return nil, fmt.Errorf("tracing %s: %w", s.Name, err)
	}
	t, err := trace.Read(ctx, s.Name, bytes.NewReader(data))
	if err != nil {
		return nil, fmt.Errorf("reading a trace of %s: %w", s.Name, err)
	}
	return t.Summary(), nil
}
