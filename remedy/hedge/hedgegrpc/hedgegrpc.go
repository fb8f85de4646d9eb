// Package hedgegrpc hedges unary gRPC calls: a second request when the first is late. Package hedge says when that
// helps, when it does not, and what keeps it in bounds.
//
// Methods are hedged that their .proto marks with idempotency_level NO_SIDE_EFFECTS or IDEMPOTENT, that
// Config.Idempotent names, or whose context hedge.WithIdempotent marks. Which server gets the second request is the
// balancer's choice: use round_robin or better, since pick_first sends both to the same one. A cancelled call resets
// its stream and keeps the connection.
//
// It is a module of its own, so that package hedge brings no dependency.
//
// Limits: unary calls whose reply is a proto.Message; others pass unhedged. Streams are never hedged. Interceptors that
// come after this one in the chain see both attempts. Of the call's options those that return something (Header,
// Trailer, Peer) are filled from the attempt that is returned, and OnFinish is called once.
package hedgegrpc

import (
	"context"
	"errors"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoregistry"

	"github.com/gocasebook/casebook/remedy/hedge"
)

// Config is what the interceptor can be told.
type Config struct {
	// Policy is required, one for each group of servers that answer equally fast; it learns by method. It must be
	// without Detach: gRPC respects its contexts, and a detached attempt would write into a reply that the caller has.
	Policy *hedge.Policy
	// Idempotent names the methods, such as "/users.Users/Get", that may be called twice, in addition to those that
	// their .proto marks. nil names none.
	Idempotent func(method string) bool
}

// UnaryClientInterceptor hedges the calls of a connection. The error says what is wrong with the configuration.
func UnaryClientInterceptor(cfg Config) (grpc.UnaryClientInterceptor, error) {
	if cfg.Policy == nil {
		return nil, errors.New("hedgegrpc: Config.Policy is nil; make one with hedge.New")
	}
	if cfg.Policy.Detached() {
		return nil,
			errors.New("hedgegrpc: Config.Policy was made with Detach; leave it out, gRPC calls end with their context")
	}
	i := &interceptor{Config: cfg, marks: marks{files: protoregistry.GlobalFiles}}
	return i.intercept, nil
}

type interceptor struct {
	Config
	marks marks
}

func (i *interceptor) intercept(ctx context.Context, method string, req, reply any, cc *grpc.ClientConn,
	invoke grpc.UnaryInvoker, opts ...grpc.CallOption) error {
	message, ok := reply.(proto.Message)
	if !ok || !i.repeatable(ctx, method) {
		return invoke(ctx, method, req, reply, cc, opts...)
	}
	opts, finish := withoutFinish(opts)
	call := hedge.Call[*second]{Failed: noAnswer}
	call.Run = func(ctx context.Context) (*second, error) {
		if hedge.Attempt(ctx) == 0 {
			return nil, invoke(ctx, method, req, reply, cc, opts...)
		}
		s := newSecond(message, opts)
		return s, invoke(ctx, method, req, s.reply, cc, s.opts...)
	}
	winner, err := call.Do(ctx, i.Policy.For(method))
	if winner != nil {
		winner.deliver(message, err)
	}
	for _, f := range finish {
		f(err)
	}
	return err
}

// repeatable says whether a call may be made twice. A context's mark has the last word.
func (i *interceptor) repeatable(ctx context.Context, method string) bool {
	if hedge.Attempt(ctx) != 0 {
		return false
	}
	if may, said := hedge.Idempotent(ctx); said {
		return may
	}
	return i.Idempotent != nil && i.Idempotent(method) || i.marks.idempotent(method)
}

// noAnswer says which errors are about this attempt rather than the call: the other attempt may do better. NotFound or
// InvalidArgument are answers.
func noAnswer(_ *second, err error) bool {
	switch status.Code(err) {
	case codes.Canceled, codes.Unknown, codes.DeadlineExceeded, codes.ResourceExhausted, codes.Aborted, codes.Internal,
		codes.Unavailable, codes.DataLoss:
		return true
	}
	return false
}
