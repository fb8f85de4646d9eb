// Package flock locks open files against other processes, and against other opens in this one.
package flock

import (
	"errors"
	"os"
	"time"
)

// Errors of Try.
var (
	ErrInUse       = errors.New("another Casebook is working on it")
	ErrUnsupported = errors.New("this file system has no locks")
)

// How old a file is, at least, before it counts as abandoned.
const (
	youngFor  = time.Minute    // it may be between two of its writer's steps, without a lock
	deadAfter = 24 * time.Hour // where there are no locks to tell
)

// Abandoned reports whether no process writes a file any longer: it is not young, and its lock is free.
func Abandoned(root *os.Root, name string, now time.Time) bool {
	f, err := root.OpenFile(name, os.O_RDWR, 0)
	if err != nil {
		return false
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return false
	}
	age := now.Sub(info.ModTime())
	switch err := Try(f); {
	case errors.Is(err, ErrUnsupported):
		return age > deadAfter
	case err != nil:
		return false
	}
	return age > youngFor
}
