package reporter

import (
	"errors"
	"time"
)

// An Error lets a Send say more than that it failed.
type Error struct {
	Err error
	// Final says that trying again is of no use.
	Final bool
	// After is how long to wait at least before the next try. Zero leaves it to the reporter's Retry.
	After time.Duration
}

func (e *Error) Error() string {
	if e.Err == nil {
		return "the report failed"
	}
	return e.Err.Error()
}

func (e *Error) Unwrap() error { return e.Err }

func final(err error) error { return &Error{Err: err, Final: true} }

func isFinal(err error) bool {
	var e *Error
	return errors.As(err, &e) && e.Final
}

// retryAfter is how long the other side asked to be left alone.
func retryAfter(err error) time.Duration {
	var e *Error
	if errors.As(err, &e) {
		return e.After
	}
	return 0
}
