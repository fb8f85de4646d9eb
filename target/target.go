// Package target asks a process how it is and takes evidence from it.
//
// The problem: what can be learnt of a process depends on where one stands. HTTP stands outside and speaks
// net/http/pprof; when the process runs on this machine, /proc and its cgroup say what the Go runtime cannot (CPU used,
// throttling, limits). Whatever a target cannot give is absent with a reason, and the rest goes on: a sampler that
// gives up at the first error is blind exactly when it is needed.
//
// Nothing here decides anything; package rule does that.
package target

import "time"

// A Profile is one artefact taken from a process, in its native format.
type Profile struct {
	Kind    string // casefile.CPU, casefile.Heap …
	Data    []byte
	Taken   time.Time     // when the capture began
	Seconds float64       // what it spans; 0 for a snapshot
	Note    string        // what a reader should know: "the CPU profiler was taken; third try"
	Pause   time.Duration // the longest stop of the world while it was taken; 0 where it cannot be measured
	Cost    time.Duration // how long the target took to answer, beyond Seconds
}

// An EmptyError says that the target has nothing of this kind, and why.
type EmptyError struct{ Reason string }

func (e *EmptyError) Error() string { return e.Reason }
