package room

import (
	"context"
	"runtime"
)

// A Gate lets one through at a time, or a few, in the order in which they came.
type Gate chan struct{}

// NewGate returns an open one.
func NewGate() Gate { return make(Gate, 1) }

// perReader is the memory limit for each who reads evidence at the same time. In 400 MiB a page of a case that was made
// to take the most had 300 MiB at the peak, the program itself included.
const perReader = 512 << 20

// NewReadersGate returns one for as many as there is memory to read evidence for, and no more than processors.
func NewReadersGate() Gate {
	n := runtime.GOMAXPROCS(0)
	if limit := Limit(); limit > 0 {
		n = int(min(max(limit/perReader, 1), int64(n)))
	}
	return make(Gate, n)
}

// Do calls do when there is room inside. It fails only if ctx ends while others are in.
func (g Gate) Do(ctx context.Context, do func()) error {
	select {
	case g <- struct{}{}: // even where ctx has ended
	default:
		select {
		case g <- struct{}{}:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	defer func() { <-g }()
	do()
	return nil
}
