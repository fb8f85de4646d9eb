package traces

import "time"

// A Joined is the waits of requests for a call that others of them make: singleflight's, or that of a map of calls in
// progress. Who makes the call ends them, in the function through which it calls.
type Joined struct {
	At     Frame // where they wait, in the user's code
	Stack  Stack
	Waits  int64
	Waited time.Duration
}

// Joined are the waits for a call whose own waits take no longer than longest. A semaphore is none: who gives a place
// back has waited for it. Line is the user's line of a wait that may be one, served whether a stack is a request's.
func (s *Summary) Joined(call Stack, longest time.Duration, line func(Wait) (Frame, bool),
	served func(Stack) bool) (j Joined) {
	for _, w := range s.Blocking {
		at, ok := line(w)
		if !ok || len(w.Wakers) == 0 || w.Times.Max > 2*longest || !served(w.Stack) || !call.Has(at.Function) {
			continue
		}
		by := w.Wakers[0]
		if served(by.Stack) && by.Stack.Has(at.Function) && 2*by.Queued <= by.Count {
			j.Waits, j.Waited, j.At, j.Stack = j.Waits+w.Times.Count, j.Waited+w.Times.Total, at, w.Stack
		}
	}
	return j
}
