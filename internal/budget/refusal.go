package budget

import (
	"fmt"
	"time"

	"github.com/gocasebook/casebook/internal/number"
)

// A RefusedError says that a capture would cost more than the hour can pay for. Its numbers are texts with their units.
type RefusedError struct {
	Kind      string    // of evidence
	Resource  string    // "CPU", "bytes", "pauses" or "longest stop"
	Predicted string    // what the capture would cost
	Spent     string    // in the last hour; empty for the longest stop
	Limit     string    // an hour; for the longest stop, each
	Reserved  bool      // it would fit, but into the last quarter, which is kept for cheap evidence
	Again     time.Time // when it would be granted if nothing else were; zero if waiting does not help
}

func (e *RefusedError) Error() string {
	if e.Resource == longestStop {
		return fmt.Sprintf("%s refused: it would stop the world for about %s, the limit is %s", e.Kind, e.Predicted,
			e.Limit)
	}
	text := fmt.Sprintf("%s refused: it would cost about %s of %s; %s of the %s for an hour are spent",
		e.Kind, e.Predicted, noun(e.Resource), e.Spent, e.Limit)
	if e.Reserved {
		text += ", and the last quarter is reserved for cheap evidence"
	}
	if e.Again.IsZero() {
		return text + "; waiting does not help: raise the budget's limit to get it"
	}
	return text + "; again from " + e.Again.Format("15:04")
}

// Names of the resources, as RefusedError has them.
const (
	cpuTime     = "CPU"
	bytesKept   = "bytes"
	pauses      = "pauses"
	longestStop = "longest stop"
)

// noun is what follows "12 MiB of".
func noun(resource string) string {
	switch resource {
	case cpuTime:
		return "CPU time"
	case bytesKept:
		return "disk space"
	}
	return "stopped world"
}

// A resource is one of the sums that an hour bounds.
type resource struct {
	name   string
	of     func(Cost) int64
	cheap  int64 // what takes no more than this may use the last quarter, too
	format func(int64) string
}

// resources lists them. Cheap is what fits 25 times and more into the last quarter of the default limits: a CPU
// profile of 10 s on two cores, a goroutine profile of 10,000, a heap profile of 20,000 records, the vitals.
func resources() [3]resource {
	return [...]resource{
		{cpuTime, func(c Cost) int64 { return int64(c.CPU) }, int64(150 * time.Millisecond), timeText},
		{bytesKept, func(c Cost) int64 { return c.Bytes }, 1 << 20, bytesText},
		{pauses, func(c Cost) int64 { return int64(c.Pause) }, int64(5 * time.Millisecond), timeText},
	}
}

// limit is the resource's in l; negative without one.
func (r resource) limit(l Limits) int64 {
	return r.of(Cost{CPU: l.CPU, Bytes: l.Bytes, Pause: l.Pause})
}

func timeText(v int64) string { return number.Duration(time.Duration(v)) }

func bytesText(v int64) string { return number.Bytes(float64(v)) }
