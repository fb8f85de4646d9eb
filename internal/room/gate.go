package room

import "context"

// A Gate lets one through at a time, in the order in which they came.
type Gate chan struct{}

// NewGate returns an open one.
func NewGate() Gate { return make(Gate, 1) }

// Do calls do when no other caller is inside. It fails only if ctx ends while others are in.
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
