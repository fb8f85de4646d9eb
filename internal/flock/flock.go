// Package flock locks open files against other processes, and against other opens in this one.
package flock

import "errors"

// Errors of Try.
var (
	ErrInUse       = errors.New("another Casebook is working on it")
	ErrUnsupported = errors.New("this file system has no locks")
)
