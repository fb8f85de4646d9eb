package spanattributes

import (
	"context"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/trace"
)

func start(ctx context.Context, t trace.Tracer, key string) (context.Context, trace.Span) {
	return t.Start(ctx, "get", trace.WithAttributes(attribute.String("key", key))) // want `if span.IsRecording`
}

func set(span trace.Span, n int) {
	span.SetAttributes(attribute.Int("n", n)) // want `if span.IsRecording`
}

// What follows is fine.

func asked(span trace.Span, n int) {
	if span.IsRecording() {
		span.SetAttributes(attribute.Int("n", n))
	}
}

func plain(ctx context.Context, t trace.Tracer) (context.Context, trace.Span) {
	return t.Start(ctx, "get")
}

func init() {
	_ = trace.WithAttributes(attribute.String("key", "x"))
}
