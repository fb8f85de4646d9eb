package batch

import "context"

// A Call is an item that has an answer: Flush sets Result, or Err, of each.
type Call[A, R any] struct {
	Arg    A
	Result R
	Err    error
}

// Do adds a call with this argument, waits for its flush, and returns its answer. When ctx is done first, Flush keeps
// the call, and nobody reads its answer.
func Do[A, R any](ctx context.Context, b *Batcher[*Call[A, R]], arg A) (R, error) {
	c := &Call[A, R]{Arg: arg}
	if err := b.Add(ctx, c); err != nil {
		var none R
		return none, err
	}
	return c.Result, c.Err
}
