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
	// Shed is how many arrivals were not sent because MaxInFlight requests were waiting for an answer. They count as
	// errors of the target: it had that many to answer and did not, and a caller would have had to wait.
	Shed uint64 `json:"shed"`
	// Generator is failures on our side: files or ports ran out. They set Result.Limited.
	Generator uint64 `json:"generator"`
	Other     uint64 `json:"other"` // answers that are no HTTP, and what else net/http refuses
}

// Total is the failures of all classes.
func (e *Errors) Total() uint64 {
	return e.Timeout + e.Connection + e.Status5xx + e.Status4xx + e.Shed + e.Generator + e.Other
}

// A class says how a request ended.
type class string

// The classes; those of errors are the JSON names in Errors.
const (
	classOK         class = "ok"
	classTimeout    class = "timeout"
	classConnection class = "connection"
	classStatus5xx  class = "status_5xx"
	classStatus4xx  class = "status_4xx"
	classShed       class = "shed"
	classGenerator  class = "generator"
	classOther      class = "other"
	classAbandoned  class = "abandoned" // the run was cancelled
)

// counter is where the errors of a class are counted; nil for a class that is no error.
func (e *Errors) counter(c class) *uint64 {
	switch c {
	case classTimeout:
		return &e.Timeout
	case classConnection:
		return &e.Connection
	case classStatus5xx:
		return &e.Status5xx
	case classStatus4xx:
		return &e.Status4xx
	case classShed:
		return &e.Shed
	case classGenerator:
		return &e.Generator
	case classOther:
		return &e.Other
	}
	return nil
}

// answered says whether a class counts in Counts.Latency.
func (c class) answered() bool {
	return c == classOK || c == classTimeout || c == classStatus4xx || c == classStatus5xx
}

// errTimeout is the cause with which a request's context ends after Config.Timeout.
var errTimeout = errors.New("no complete answer within the timeout")

// classify says what went wrong with a request that was sent under ctx.
func classify(ctx context.Context, err error) class {
	if context.Cause(ctx) == errTimeout {
		return classTimeout
	}
	if ctx.Err() != nil {
		return classAbandoned
	}
	for _, ours := range []error{syscall.EMFILE, syscall.ENFILE, syscall.EADDRNOTAVAIL, syscall.ENOBUFS} {
		if errors.Is(err, ours) {
			return classGenerator
		}
	}
	var ne net.Error
	if errors.As(err, &ne) && ne.Timeout() {
		return classTimeout // the system's or the dialer's limit
	}
	var op *net.OpError
	if errors.As(err, &op) || errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return classConnection
	}
	return classOther
}

// classOfStatus is the class of a complete answer.
func classOfStatus(status int) class {
	switch {
	case status >= 500:
		return classStatus5xx
	case status >= 400:
		return classStatus4xx
	}
	return classOK
}
