// Package faults is the proving ground of the detectors: small services that each have one fault, and their healthy
// twins.
//
// The problem: a detector that was tuned to one recorded profile proves nothing. The approach: for every kind of
// finding there is a service doing work, with the fault in a package of its own (faults/<kind>) among healthy code
// (faults/shop), a repaired twin that does the same work without the fault, and one at the limit where a finding begins
// to be worth a person's time. Serve runs one behind a real net/http server with net/http/pprof on another port; Drive
// sends its load from another process, so that the profiles hold the service alone. cmd/fault does both, cmd/record
// records the evidence in evidence/cases that the detectors' tests read.
//
// The limits: one process on the loopback, a few cores, seconds instead of weeks. What takes days to show is shown at a
// higher rate.
//
// Package faults/registry lists all faults; it is apart because the kinds' packages import this one.
package faults

import (
	"context"
	"fmt"
	"net/http"
	"time"

	"github.com/google/pprof/profile"
)

// A Call is one endpoint's load.
type Call struct {
	Method    string             // "" means GET
	Path      string             // absolute, with its query; a %d in it becomes the number of the call, from 0
	Body      func(i int) []byte // of the i-th call; nil means none. It is called in order, by one goroutine
	PerSecond float64            // arrivals a second, whether or not the last is answered (an open model)
}

// A Service is one variant of a fault, ready to be served.
type Service struct {
	Handler    http.Handler              // serves every path outside /shop/; nil when the fault is in Background
	Load       []Call                    // driven from another process over connections that are kept alive
	Background func(ctx context.Context) // runs beside the server until ctx ends; nil when there is nothing
	Cores      float64                   // CPU quota of the process; 0 means none. Recording under one needs root
	Capture    Capture                   // how its evidence is taken, where that is what is wrong
}

// A Capture is how evidence is taken, of the kinds in which the evidence is at fault and not the program. The zero
// value is the recorder's own way.
type Capture struct {
	CPU   time.Duration                // that CPU, mutex and block profiles span
	Alter func(*profile.Profile) error // what another tool on the way made of a CPU profile; nil leaves it as it is
}

// A Fault is one kind of finding as a program. A constructor is called once in the process that serves, in the one that
// drives, for Load, and in the one that records, for Capture: what is large, or runs, belongs into Background or the
// first request.
type Fault struct {
	Kind string // the detector's: "alloc-fmt"
	Name string // of the program, where a kind has more than one: the kind and a word more; "" means Kind
	Text string // one line: what the program does, and wrong
	// Culprit is the end of the name of the function that the finding must name in the first or second place:
	// "alloc_fmt.(*Ledger).line". Empty where the evidence is at fault.
	Culprit string

	Faulty   func() Service
	Repaired func() Service // the same work without the fault
	Limit    func() Service // near the score of 25, where a finding begins

	Warm          time.Duration // before evidence is taken; 0 means DefaultWarm
	MutexFraction int           // for runtime.SetMutexProfileFraction; 0 leaves the profile off, as most services do
	BlockRate     int           // for runtime.SetBlockProfileRate, in nanoseconds; 0 leaves it off
	Env           []string      // of the process: "GOGC=20", "GOMEMLIMIT=64MiB"
	Experiment    string        // GOEXPERIMENT to build with: "goroutineleakprofile" for that profile
	Trace         bool          // an execution trace is recorded, and no profile: what is wrong shows in it alone
	// publishes expvar's numbers of the runtime, and has them recorded; most services do not
	Expvar bool
	Twice  time.Duration // a second set of snapshots is taken this much after the first; 0 means none
}

// DefaultWarm is long enough for pools and caches of a small service to fill and for some collections to run.
const DefaultWarm = 5 * time.Second

// Names of a fault's variants.
const (
	Faulty   = "faulty"
	Repaired = "repaired"
	Limit    = "limit"
)

// Variants are the names in the order in which evidence is recorded.
func Variants() []string { return []string{Faulty, Limit, Repaired} }

// ID is the program's name, by which it is found and its evidence filed.
func (f *Fault) ID() string {
	if f.Name == "" {
		return f.Kind
	}
	return f.Name
}

// Variant is the constructor of a variant.
func (f *Fault) Variant(name string) (func() Service, error) {
	var made func() Service
	switch name {
	case Faulty:
		made = f.Faulty
	case Repaired:
		made = f.Repaired
	case Limit:
		made = f.Limit
	default:
		return nil, fmt.Errorf("%s has no variant %q: want %s, %s or %s", f.ID(), name, Faulty, Limit, Repaired)
	}
	if made == nil {
		return nil, fmt.Errorf("%s has no program for its variant %s yet", f.ID(), name)
	}
	return made, nil
}

// WarmUp is how long the service runs before evidence is taken.
func (f *Fault) WarmUp() time.Duration {
	if f.Warm == 0 {
		return DefaultWarm
	}
	return f.Warm
}
