//go:build !fixed

// Package form says which form of a service is built: as it was reported, or, by the tag fixed, repaired.
package form

// Fixed is whether the fault is repaired.
const Fixed = false
