// Package instance asks a process how it is and takes evidence from it.
//
// The problem: what can be learnt about a process depends on the point of view. Self is the calling process and asks
// the runtime. HTTP is outside and speaks net/http/pprof. When the process runs on this machine, /proc and its cgroup
// say what the Go runtime cannot (CPU used, throttling, limits). Anything a target cannot provide is absent with a
// reason, and the rest continues: a sampler that gives up at the first error is blind exactly when it is needed.
//
// Of both there are signals (Sample), evidence (Capture), what waits where (Census), and what evidence would cost
// (Facts). A capture is whole or not at all, bounded in size alone and with what all other targets of the process send
// at the time (package room), and takes the cheapest way that is known: deltas of big profiles are two snapshots
// subtracted here, and what would stop the world for long is refused.
//
// The limits: how long a capture stopped the world is known of Self only; from outside there is no runtime/metrics;
// /proc is read on Linux only. Nothing here decides whether evidence is wanted or can be afforded: packages rule and
// budget do that.
package instance

import (
	"time"

	"github.com/gocasebook/casebook/internal/room"
)

// A Profile is one artefact taken from a process, in its native format.
type Profile struct {
	Kind    string // casefile.CPU, casefile.Heap …
	Data    []byte
	Taken   time.Time     // when the capture began
	Seconds float64       // what it spans; 0 for a snapshot
	Note    string        // what a reader should know: "the CPU profiler was taken; third try"
	Pause   time.Duration // the longest stop of the world while it was taken; 0 where it cannot be measured
	Cost    time.Duration // how long the target took to answer, beyond Seconds
	Used    time.Duration // CPU time of the whole process meanwhile: what the capture cost at most; 0 where unknown

	lease *room.Lease // of Data; nil where it came from this process
}

// Release says that Data is no longer used, so that other answers have the room that it took in the bound on all
// targets' answers together. Without it that room comes back when the collector frees Data.
func (p *Profile) Release() { p.lease.Release() }

// An EmptyError says that there is nothing of this kind to get without harm, and why. It is not an error: most services
// do not record mutex and block profiles.
type EmptyError struct{ Reason string }

func (e *EmptyError) Error() string { return e.Reason }
