//go:build !linux

// Package mem_off_heap is a program for Linux: it maps memory with its pages at once.
package mem_off_heap

import "github.com/gocasebook/casebook/lab/faults"

// Fault has no variants here: it maps memory as Linux does.
func Fault() faults.Fault {
	return faults.Fault{Kind: "mem-off-heap", Text: "runs on Linux only"}
}
