package casebook

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/internal/budget"
	"github.com/gocasebook/casebook/internal/recorder"
)

// A Budget limits what captures may cost the target in any 60 minutes. A zero field means its default, a negative one
// that there is no limit. What a capture will cost is predicted from the size of the process; one that does not fit is
// not taken, and the case says so. The last quarter of each limit is kept for cheap evidence.
type Budget struct {
	CPU     time.Duration `json:"cpu_ns"`     // processor time, on all cores together; default 36 s, 1 % of one core
	Bytes   int64         `json:"bytes"`      // of evidence to keep; default 512 MiB
	Pause   time.Duration `json:"pause_ns"`   // all stops of the world together; default 500 ms
	Longest time.Duration `json:"longest_ns"` // each single stop of the world; default 10 ms
}

// A BudgetStatus is what the captures of the last hour have cost.
type BudgetStatus struct {
	Spent   Cost               `json:"spent"`   // those that run, as predicted
	Limits  Budget             `json:"limits"`  // with their defaults
	Refused map[string]Refusal `json:"refused"` // by kind of evidence, since the watch was made
}

// A Cost is what captures take from the process under watch.
type Cost struct {
	CPU     time.Duration `json:"cpu_ns,omitempty"`     // processor time, on all cores together
	Bytes   int64         `json:"bytes,omitempty"`      // of evidence to keep
	Pause   time.Duration `json:"pause_ns,omitempty"`   // all stops of the world together
	Longest time.Duration `json:"longest_ns,omitempty"` // the longest single stop of the world
}

// A Refusal counts the captures of one kind that the budget could not pay for.
type Refusal struct {
	Count int       `json:"count"`
	Last  time.Time `json:"last"`
	Why   string    `json:"why"` // the last time
}

// Refused reports whether the Err of a Missed event says that the budget could not pay for a capture. Then nothing is
// broken, and the case says when it could have been taken.
func Refused(err error) bool { return errors.As(err, new(*budget.RefusedError)) }

// A WindowsStatus says how the CPU profile windows fare (Config.Windows).
type WindowsStatus struct {
	State string    // "running", "standing back" while a profile could not be taken, or "stopped"
	Why   string    // why it is not running; empty if it is
	Since time.Time // when State began; zero before the first window

	Taken   int // windows taken
	Failed  int // tries that gave none
	Dropped int // windows larger than 8 MiB, which are not kept
	Kept    int // windows kept now
	Bytes   int // of those

	// Gap and LongestGap are the unrecorded time between two windows, the last and the longest. Their sum, TotalGap, is
	// an upper bound for the CPU time that windows cost beyond the samples themselves.
	Gap, LongestGap, TotalGap time.Duration
}

// A TraceStatus says what the flight recorder of execution traces does (Config.TraceCost).
type TraceStatus struct {
	// Mode is "on"; "armed", on for a while after a warning; "off", too expensive or not wanted; or "taken", when
	// somebody else holds what the runtime has only once.
	Mode  string
	Why   string    // in words, beginning with the mode
	Since time.Time // when it began to run, or ceased to
	Cost  float64   // estimated, as a share of the CPU that the process uses when busy, also while it does not run
	Bytes int64     // estimated memory that it holds, or would hold
	Rate  float64   // estimated bytes of trace a second, of this recorder or any other trace of the process
}

func budgetStatus(s budget.Status) BudgetStatus {
	refused := make(map[string]Refusal, len(s.Refused))
	for kind, r := range s.Refused {
		refused[kind] = Refusal(r)
	}
	return BudgetStatus{Spent: Cost(s.Spent), Limits: Budget(s.Limits), Refused: refused}
}

func windowsStatus(s recorder.CPUStatus) *WindowsStatus {
	return &WindowsStatus{
		State: string(s.State), Why: s.Why, Since: s.Since, Taken: s.Taken, Failed: s.Failed, Dropped: s.Dropped,
		Kept: s.Kept, Bytes: s.Bytes, Gap: s.Gap, LongestGap: s.LongestGap, TotalGap: s.TotalGap,
	}
}

func traceStatus(s recorder.TraceStatus) *TraceStatus {
	return &TraceStatus{Mode: string(s.Mode), Why: s.Why, Since: s.Since, Cost: s.Cost, Bytes: s.Bytes, Rate: s.Rate}
}

// An AdmitFunc decides whether a case is taken now, for whom one watch is one of many: a thousand services that fall
// ill together must not be captured together. It may wait; ctx ends with the watch. release is called when the case is
// written; nil is allowed. An error says why the case is not taken.
type AdmitFunc func(ctx context.Context, t casefile.Trigger) (release func(), err error)

// admit asks Admit. Whatever it returns, release may be called.
func (w *Watch) admit(ctx context.Context, j *job) (release func(), err error) {
	release = func() {}
	if w.cfg.Admit == nil {
		return release, nil
	}
	trigger, _ := w.triggers(j)
	err = guard("admitting a case", func() error {
		r, err := w.cfg.Admit(ctx, trigger)
		if r != nil {
			release = r
		}
		return err
	})
	if err != nil {
		err = fmt.Errorf("the case is not taken: %w", err)
	}
	return release, err
}

// declined ends a job that was not admitted. Reporters are not told: a thousand services would be a thousand messages.
func (w *Watch) declined(j *job, err error) {
	trigger, _ := w.triggers(j)
	w.emit(Event{Kind: Declined, CaseID: j.id, Trigger: trigger, Err: err})
}
