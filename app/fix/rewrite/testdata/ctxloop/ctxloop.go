// Package ctxloop works through messages.
package ctxloop

import (
	"context"
	"time"
)

type key int

func with(ctx context.Context, id int) context.Context { return context.WithValue(ctx, key(0), id) }

func work(context.Context) error { return nil }

// run is lab/holdout4/mailroom.
func run(ctx context.Context, inbox chan int) {
	for m := range inbox {
		ctx = with(ctx, m)
		ctx = context.WithValue(ctx, key(1), "x")
		if err := work(ctx); err != nil {
			continue
		}
	}
}

// limited has a deadline for each turn.
func limited(ctx context.Context, n int) {
	var cancel context.CancelFunc
	for i := 0; i < n; i++ {
		ctx, cancel = context.WithTimeout(ctx, time.Second)
		work(ctx)
		cancel()
	}
}

// options adds to the context that it returns.
func options(ctx context.Context, values []int) context.Context {
	for _, v := range values {
		ctx = with(ctx, v)
	}
	return ctx
}

// own has one for each turn.
func own(parent context.Context, inbox chan int) {
	for m := range inbox {
		ctx := with(parent, m)
		ctx = with(ctx, m+1)
		work(ctx)
	}
}

// afresh begins with the parent.
func afresh(parent context.Context, inbox chan int) {
	var ctx context.Context
	for m := range inbox {
		ctx = with(parent, m)
		work(ctx)
	}
}

type server struct{ ctx context.Context }

// kept is a field.
func (s *server) kept(inbox chan int) {
	for m := range inbox {
		s.ctx = with(s.ctx, m)
	}
}
