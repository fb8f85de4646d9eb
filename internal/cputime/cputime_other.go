//go:build !unix

// Package cputime reads how much CPU time this process has used. Here it is not available.
package cputime

import "time"

// Process is not available: ok is false.
func Process() (d time.Duration, ok bool) { return 0, false }
