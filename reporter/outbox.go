package reporter

import (
	"context"
	"errors"
	"time"
)

// An outbox is what a reporter does that keeps its reports on disk until they have arrived. The queue calls keep and
// deliver from two goroutines, so that a server that is down does not keep a report from the disk.
type outbox struct {
	// keep returns when the report would survive a SIGKILL.
	keep func(context.Context, Report) error
	// deliver sends one of those kept, by this process or an earlier one. Any error other than those below means that
	// it still waits.
	deliver func(context.Context) error
	// tally counts what is kept.
	tally func() tally
}

type tally struct {
	waiting int // kept and not yet delivered nor refused
	dropped int // removed unsent, to stay within bounds, since the reporter was made
}

// Answers of outbox.deliver that are no failures.
var (
	errNothing   = errors.New("nothing waits to be sent")
	errGone      = errors.New("the oldest reports were dropped to make room for newer ones")
	errElsewhere = errors.New("another process is sending the reports of this spool")
)

// refusedError is the answer of outbox.deliver for a report that was refused and does not wait any longer.
type refusedError struct{ err error }

func (e *refusedError) Error() string { return e.err.Error() }
func (e *refusedError) Unwrap() error { return e.err }

// Pauses of an outbox: while another process sends, and until it is looked whether another process left something.
const (
	elsewherePause = time.Second
	lookPause      = time.Minute
)
