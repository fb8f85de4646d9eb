package engine

import (
	"context"
	"time"

	"github.com/google/pprof/profile"
)

// A valueType is one value of the profiles that an engine keeps: an engine keeps each on its own.
type valueType struct {
	id          string // as queries name it
	name        string // process_cpu, memory, goroutines: what the sender called the profile
	typ, unit   string // pprof's: cpu nanoseconds, inuse_space bytes
	period, per string // pprof's period type and unit
	sinceStart  bool   // it counts from the start of the process on, so that its sum over a window means nothing
}

// snapshot reports whether a value is what there was at a moment, so that its sum over a window means nothing.
func (t *valueType) snapshot() bool {
	switch t.typ {
	case "inuse_space", "inuse_objects", "goroutine", "goroutines", "threadcreate":
		return true
	}
	return false
}

// A point is a value at a time.
type point struct {
	at    time.Time
	value float64
}

// A store is an engine with profiles.
type store interface {
	// values lists the values of a label among the series of a window.
	values(ctx context.Context, label string, of selector, w window) ([]string, error)
	// types lists what there is.
	types(ctx context.Context, w window) ([]valueType, error)
	// merged sums one value over all profiles of a window. Without any the profile has no samples.
	merged(ctx context.Context, t valueType, of selector, w window) (*profile.Profile, error)
	// course sums (or with mean averages) the total of the profiles in each step; the time is the end of the step.
	course(ctx context.Context, t valueType, of selector, w window, step time.Duration, mean bool) ([]point, error)
}
