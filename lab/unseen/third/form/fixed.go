//go:build fixed

package form

// Fixed is whether the fault is repaired.
const Fixed = true
