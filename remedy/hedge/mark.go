package hedge

import "context"

// A mark is what a context says about a call.
type mark struct {
	hedge      bool // this is the second attempt
	idempotent consent
}

type consent uint8

const (
	unsaid consent = iota
	yes
	no
)

type markKey struct{}

func markOf(ctx context.Context) mark {
	m, _ := ctx.Value(markKey{}).(mark)
	return m
}

// WithIdempotent says of the calls made with a context whether they may run twice. True allows Transport to hedge a
// request of any method, false forbids hedging, to Do as well.
func WithIdempotent(ctx context.Context, may bool) context.Context {
	m := markOf(ctx)
	m.idempotent = no
	if may {
		m.idempotent = yes
	}
	return context.WithValue(ctx, markKey{}, m)
}

// Idempotent is what WithIdempotent said of a context; said is false if it said nothing.
func Idempotent(ctx context.Context) (may, said bool) {
	m := markOf(ctx)
	return m.idempotent == yes, m.idempotent != unsaid
}

// Attempt is 0 in a first attempt and 1 in a hedge: a function that knows its replicas can send a hedge to another one.
func Attempt(ctx context.Context) int {
	if markOf(ctx).hedge {
		return 1
	}
	return 0
}

// asHedge marks the context of a second attempt.
func asHedge(ctx context.Context) context.Context {
	m := markOf(ctx)
	m.hedge = true
	return context.WithValue(ctx, markKey{}, m)
}
