// Package trace has the names of the real one.
package trace

import (
	"context"

	"go.opentelemetry.io/otel/attribute"
)

type Span interface {
	IsRecording() bool
	SetAttributes(kv ...attribute.KeyValue)
}

type SpanStartOption interface{}

type Tracer interface {
	Start(ctx context.Context, name string, opts ...SpanStartOption) (context.Context, Span)
}

func WithAttributes(kv ...attribute.KeyValue) SpanStartOption { return nil }
