package batch

import (
	"errors"
	"fmt"
)

var (
	// ErrStopped is the error of items that come after Stop, and of those that Stop could not flush any more. They were
	// not flushed.
	ErrStopped = errors.New("batch: stopped")

	// ErrTooLarge is the error of an item with more bytes than a batch may have. It was not flushed.
	ErrTooLarge = errors.New("batch: the item is too large")

	// ErrInFlight is part of Add's error when its context was done while the item was being flushed: whether the
	// operation took effect is not known, so only an operation that may be done twice should be retried. A context
	// error without it means that the item was not flushed.
	ErrInFlight = errors.New("batch: given up during the flush, its outcome is not known")
)

// Errors is the error of a Flush in which some items went well and others did not: the i-th is that of the i-th item,
// nil if it went well. There must be as many as items.
type Errors []error

// Error says how many failed, and the first of them.
func (e Errors) Error() string {
	failed, first := 0, error(nil)
	for _, err := range e {
		if err != nil && failed == 0 {
			first = err
		}
		if err != nil {
			failed++
		}
	}
	if failed == 0 {
		return fmt.Sprintf("batch: none of %d items failed", len(e))
	}
	return fmt.Sprintf("batch: %d of %d items failed, the first: %v", failed, len(e), first)
}

// A PanicError is the error of items whose Flush panicked, and of a Writer whose io.Writer did.
type PanicError struct {
	Func  string // that panicked: "Flush" or "Write"
	Value any    // what panic was called with
	Stack []byte // of the goroutine that panicked
}

// Error leaves out the stack.
func (e *PanicError) Error() string { return fmt.Sprintf("batch: %s panicked: %v", e.Func, e.Value) }

// Unwrap is the value if that is an error.
func (e *PanicError) Unwrap() error {
	err, _ := e.Value.(error)
	return err
}

// errGoexit stands for a Flush or a Write that ended its goroutine.
var errGoexit = errors.New("batch: the goroutine was ended instead of an answer (runtime.Goexit, or FailNow of a test)")

// errAbandoned is the cause with which the context of a flush ends if no caller waits for it.
var errAbandoned = errors.New("batch: the contexts of all items of this flush are done")

// An outcome is how a flush ended.
type outcome struct {
	all  error  // of each item, unless errs says it
	errs Errors // nil, or one for each item
	died bool   // Flush did not return
}

func (o outcome) of(i int) error {
	if o.errs != nil {
		return o.errs[i]
	}
	return o.all
}

// failures is how many of n items failed.
func (o outcome) failures(n int) (failed uint64) {
	for i := range n {
		if o.of(i) != nil {
			failed++
		}
	}
	return failed
}

// perItem is the outcome of a Flush of n items that returned err.
func perItem(err error, n int) outcome {
	if err == nil {
		return outcome{}
	}
	var errs Errors
	if !errors.As(err, &errs) {
		return outcome{all: err}
	}
	if len(errs) != n {
		return outcome{all: fmt.Errorf("batch: Flush returned %d errors for %d items: it must return one for each: %w",
			len(errs), n, err)}
	}
	return outcome{errs: errs}
}
