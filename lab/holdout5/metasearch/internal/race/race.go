// Package race asks several at once and takes the first good answer.
package race

import (
	"context"
	"errors"
	"time"
)

type outcome[T any] struct {
	value T
	err   error
}

// First returns the first answer that is no error. It waits for at most limit, and fails if all fail.
func First[T any](ctx context.Context, limit time.Duration, runners ...func(context.Context) (T, error)) (T, error) {
	outcomes := make(chan outcome[T])
	for _, run := range runners {
		go func() {
			// Not ctx: a slow supplier that is cut off each time counts it as a failed booking.
			v, err := run(context.WithoutCancel(ctx))
			outcomes <- outcome[T]{v, err}
		}()
	}
	timeout := time.NewTimer(limit)
	defer timeout.Stop()
	var zero T
	var errs []error
	for range runners {
		select {
		case o := <-outcomes:
			if o.err == nil {
				return o.value, nil
			}
			errs = append(errs, o.err)
		case <-timeout.C:
			return zero, errors.Join(append(errs, context.DeadlineExceeded)...)
		case <-ctx.Done():
			return zero, context.Cause(ctx)
		}
	}
	return zero, errors.Join(errs...)
}
