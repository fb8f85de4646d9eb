//go:build !linux

// Package thread_surge is a program for Linux: it locks files with flock.
package thread_surge

import "github.com/gocasebook/casebook/lab/faults"

// Fault has no variants here: it locks files with flock.
func Fault() faults.Fault {
	return faults.Fault{Kind: "thread-surge", Text: "runs on Linux only"}
}
