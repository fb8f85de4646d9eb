package rpc

import (
	"context"
	"fmt"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/mem"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"

	"github.com/gocasebook/casebook/app/load"
)

// A Call is one call that is ready to be sent.
type Call struct {
	conn     *grpc.ClientConn
	path     string
	message  []byte
	metadata metadata.MD
}

// Do sends the call and waits for its answer: a load.Call.
func (c *Call) Do(ctx context.Context) load.Outcome {
	callCtx := ctx
	if c.metadata != nil {
		callCtx = metadata.NewOutgoingContext(ctx, c.metadata)
	}
	err := c.conn.Invoke(callCtx, c.path, c.message, nil)
	if err == nil {
		return load.Outcome{Class: load.ClassOK, Code: "OK"}
	}
	s := status.Convert(err)
	if s.Code() == codes.DeadlineExceeded {
		awaitOwn(ctx)
	}
	o := load.Outcome{Code: codeName(s.Code()), Text: fmt.Sprintf("%s: %s: %s", c.path, codeName(s.Code()),
		s.Message())}
	switch {
	case ctx.Err() != nil: // no answer: gRPC only repeats what our context said
		o.Class, o.Code = load.Classify(ctx, err), ""
	case s.Code() == codes.Unavailable:
		o.Class = load.ClassConnection
	default:
		o.Class = load.ClassGRPC
	}
	return o
}

// skew is how much earlier than ours a server may think that our deadline has passed.
const skew = 50 * time.Millisecond

// awaitOwn waits for our own deadline when a server says that it has passed and it is about to. The deadline travels
// with the call, and the server's timer may be the first to fire: that is our timeout, or the end of the run, and no
// answer of the server's.
func awaitOwn(ctx context.Context) {
	if at, ok := ctx.Deadline(); ok && time.Until(at) <= skew {
		<-ctx.Done()
	}
}

// codeName returns a status as gRPC's documentation writes it, which is not as its Go package does.
func codeName(c codes.Code) string {
	names := [...]string{"OK", "CANCELLED", "UNKNOWN", "INVALID_ARGUMENT", "DEADLINE_EXCEEDED", "NOT_FOUND",
		"ALREADY_EXISTS", "PERMISSION_DENIED",
		"RESOURCE_EXHAUSTED", "FAILED_PRECONDITION", "ABORTED", "OUT_OF_RANGE", "UNIMPLEMENTED", "INTERNAL",
		"UNAVAILABLE", "DATA_LOSS", "UNAUTHENTICATED"}
	if int(c) < len(names) {
		return names[c]
	}
	return fmt.Sprintf("CODE_%d", c)
}

// bytesCodec passes messages through: they are encoded already, and answers are dropped.
type bytesCodec struct{}

func (bytesCodec) Marshal(v any) (mem.BufferSlice, error) {
	b, ok := v.([]byte)
	if !ok {
		return nil, fmt.Errorf("a message of type %T, want bytes", v)
	}
	return mem.BufferSlice{mem.SliceBuffer(b)}, nil
}

func (bytesCodec) Unmarshal(mem.BufferSlice, any) error { return nil }

// Name makes the content type application/grpc+proto, which is what the bytes are.
func (bytesCodec) Name() string { return "proto" }
