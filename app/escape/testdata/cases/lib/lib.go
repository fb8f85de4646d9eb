// Package lib is a library of the program.
package lib

// Pair is what it makes.
type Pair struct{ A, B int }

// New returns a new pair; small enough to be inlined.
func New(n int) *Pair { return &Pair{n, n} }

// Copy is not inlined, and allocates its result.
//
//go:noinline
func Copy(b []byte) []byte { return append([]byte(nil), b...) }

// Keep is given what escapes.
var Keep any

// Store lets its argument escape.
//
//go:noinline
func Store(p *Pair) { Keep = p }
