//go:build !linux

// Package syscall_long is a program for Linux: it locks a file with flock.
package syscall_long

import "github.com/gocasebook/casebook/lab/faults"

// Fault has no variants here: it locks a file with flock.
func Fault() faults.Fault {
	return faults.Fault{Kind: "syscall-long", Text: "runs on Linux only"}
}
