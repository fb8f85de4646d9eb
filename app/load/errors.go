package load

import (
	"context"
	"errors"
	"io"
	"net"
	"syscall"
)

// Errors counts the failures of a run by class.
type Errors struct {
	Timeout    uint64 `json:"timeout"`    // no complete answer within Config.Timeout
	Connection uint64 `json:"connection"` // refused, reset, or closed before the answer was complete
	Status5xx  uint64 `json:"status_5xx"`
	Status4xx  uint64 `json:"status_4xx"`
	GRPC       uint64 `json:"grpc"` // answers with a gRPC status other than OK; Counts.Codes says which
	// Shed is how many arrivals were not sent because MaxInFlight requests were waiting for an answer. They count as
	// errors of the target: it had that many to answer and did not, and a caller would have had to wait.
	Shed uint64 `json:"shed"`
	// Generator is failures on our side: files or ports ran out. They set Result.Limited.
	Generator uint64 `json:"generator"`
	Other     uint64 `json:"other"` // answers that are no HTTP, and what else net/http refuses
}

// Total returns the failures of all classes.
func (e *Errors) Total() uint64 {
	var n uint64
	for _, c := range ErrorClasses() {
		n += *e.counter(c)
	}
	return n
}

// Of returns the failures of one class; 0 for a class that is not an error.
func (e Errors) Of(c Class) uint64 {
	if n := e.counter(c); n != nil {
		return *n
	}
	return 0
}

// A Class says how a request ended.
type Class string

// The classes; those of errors are the JSON names in Errors.
const (
	ClassOK         Class = "ok"
	ClassTimeout    Class = "timeout"
	ClassConnection Class = "connection"
	ClassStatus5xx  Class = "status_5xx"
	ClassStatus4xx  Class = "status_4xx"
	ClassGRPC       Class = "grpc"
	ClassShed       Class = "shed"
	ClassGenerator  Class = "generator"
	ClassOther      Class = "other"
	ClassAbandoned  Class = "abandoned" // the run was cancelled
)

// ErrorClasses returns the classes that Errors counts, in its order.
func ErrorClasses() []Class {
	return []Class{ClassTimeout, ClassConnection, ClassStatus5xx, ClassStatus4xx, ClassGRPC, ClassShed, ClassGenerator,
		ClassOther}
}

// counter returns where the errors of a class are counted; nil for a class that is not an error.
func (e *Errors) counter(c Class) *uint64 {
	switch c {
	case ClassTimeout:
		return &e.Timeout
	case ClassConnection:
		return &e.Connection
	case ClassStatus5xx:
		return &e.Status5xx
	case ClassStatus4xx:
		return &e.Status4xx
	case ClassGRPC:
		return &e.GRPC
	case ClassShed:
		return &e.Shed
	case ClassGenerator:
		return &e.Generator
	case ClassOther:
		return &e.Other
	}
	return nil
}

// answered says whether a class counts in Counts.Latency.
func (c Class) answered() bool {
	return c == ClassOK || c == ClassTimeout || c == ClassStatus4xx || c == ClassStatus5xx || c == ClassGRPC
}

// errTimeout is the cause with which a request's context ends after Config.Timeout.
var errTimeout = errors.New("no complete answer within the timeout")

// Classify says what went wrong with a request that was sent under ctx: the context that a Call got.
func Classify(ctx context.Context, err error) Class {
	if context.Cause(ctx) == errTimeout {
		return ClassTimeout
	}
	if ctx.Err() != nil {
		return ClassAbandoned
	}
	for _, ours := range []error{syscall.EMFILE, syscall.ENFILE, syscall.EADDRNOTAVAIL, syscall.ENOBUFS} {
		if errors.Is(err, ours) {
			return ClassGenerator
		}
	}
	var ne net.Error
	if errors.As(err, &ne) && ne.Timeout() {
		return ClassTimeout // the system's or the dialer's limit
	}
	var op *net.OpError
	if errors.As(err, &op) || errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || brokenHTTP2(err) {
		return ClassConnection
	}
	return ClassOther
}

// classOfStatus returns the class of a complete answer.
func classOfStatus(status int) Class {
	switch {
	case status >= 500:
		return ClassStatus5xx
	case status >= 400:
		return ClassStatus4xx
	}
	return ClassOK
}
