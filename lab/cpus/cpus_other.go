//go:build !linux

// Package cpus confines processes to some of a machine's CPUs, on Linux.
package cpus

import (
	"errors"
	"runtime"
)

// A Set is some of the machine's CPUs.
type Set struct{}

// Allowed fails: this system does not confine processes to CPUs.
func Allowed() (Set, error) {
	return Set{}, errors.New(runtime.GOOS + " does not confine a process to CPUs")
}

// Count is 0.
func (s Set) Count() int { return 0 }

// Split gives empty sets.
func (s Set) Split(int) (first, rest Set) { return s, s }

// Confine does nothing.
func Confine(Set) error { return nil }

// Run calls f.
func Run(_ Set, f func() error) error { return f() }
