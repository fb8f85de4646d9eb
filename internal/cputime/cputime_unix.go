//go:build unix

// Package cputime reads how much CPU time this process has used, so that what waits for work to be done can tell a
// process that works from one that does not get a CPU.
package cputime

import (
	"syscall"
	"time"
)

// Process is the CPU time that this process has used, user and system, of all its threads. ok is false where it is not
// available.
func Process() (d time.Duration, ok bool) {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0, false
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano()), true
}
