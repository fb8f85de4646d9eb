package main

import (
	"context"
	"log/slog"
)

type key int

const (
	messageKey key = iota
	tenantKey
	hopKey
	attemptKey
	userKey
)

func withMessage(ctx context.Context, id string) context.Context {
	return context.WithValue(ctx, messageKey, id)
}

func withTenant(ctx context.Context, tenant string) context.Context {
	return context.WithValue(ctx, tenantKey, tenant)
}

func withHop(ctx context.Context, hop string) context.Context {
	return context.WithValue(ctx, hopKey, hop)
}

func text(ctx context.Context, k key) string {
	s, _ := ctx.Value(k).(string)
	return s
}

// fields are what every line of the log has.
func fields(ctx context.Context) []slog.Attr {
	attrs := []slog.Attr{slog.String("message", text(ctx, messageKey)), slog.String("tenant", text(ctx, tenantKey))}
	if user := text(ctx, userKey); user != "" {
		attrs = append(attrs, slog.String("user", user))
	}
	return attrs
}
