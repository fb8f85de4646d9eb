package traces

import "time"

// What ran when is kept as shares of steps of time: a trace may be of any length, and a picture of it has some hundred
// points.

// Lanes are what the processors were at over the trace.
type Lanes struct {
	Step  time.Duration `json:"step_ns"` // at most 240 of them
	Group int           `json:"group"`   // how many Ps share a lane: 1 of up to 32 Ps, or else a power of two
	Procs []Lane        `json:"procs"`   // at most 32, P 0 first
}

// A Lane is the states of somebody over time. The shares of a step add up to 1,000, but for rounding.
type Lane []Stretch

// A Stretch is one state.
type Stretch struct {
	State string        `json:"state"`    // of a P: see the constants; of a goroutine as in Step
	Total time.Duration `json:"total_ns"` // of all Ps that share the lane together
	// Share is the part of each step in thousandths, of the last of the part that the trace has. Those at the end that
	// are 0 are left out.
	Share []int `json:"share"`
	// Goroutine is the start function of those that ran, of a P; OtherGoroutines for all but a few.
	Goroutine string `json:"goroutine,omitempty"`
}

// The states of a P.
const (
	ProcIdle      = "idle"
	ProcRunning   = "running"
	ProcSyscall   = "syscall"   // its goroutine is in a system call and keeps it
	ProcAssist    = "assist"    // its goroutine marks for the collector
	ProcCollector = "collector" // a worker of the collector runs, or sweeps
	ProcScheduler = "scheduler" // it has no goroutine, and is not idle
	ProcStopped   = "stopped"   // it is idle while the world is stopped
)

// OtherGoroutines stands for types of goroutines that a list has no room for.
const OtherGoroutines = "(others)"

// A Course is what one goroutine was at during a region.
type Course struct {
	Step   time.Duration `json:"step_ns"` // at most 100 of them
	States Lane          `json:"states"`
}
