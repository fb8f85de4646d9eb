package diagnose

import (
	"context"
	"slices"

	"github.com/gocasebook/casebook/casefile"
)

// A Detector looks for one thing that can be wrong.
type Detector struct {
	ID    string // "GC003", stable forever
	Kind  string // "gc-pointer-heap", a stable slug
	Title string // one line; a finding may have a more exact one
	Text  string // for `casebook explain` and the docs: what it looks for, thresholds and their sources, limits
	Needs []Need // evidence without which it cannot answer; each must be met

	// Remedies are those that are the same whatever the evidence says, in the order in which to try them. A finding has
	// those that apply to its line. Nil where each depends on the evidence; package remedy/catalogue has the choice then.
	Remedies []Remedy

	// Before and After show the fault and its repair as a few lines of Go.
	Before, After string

	// Run judges the evidence. It is called only when all needs are met, from a goroutine of its own, and must not
	// change the reading.
	Run func(ctx context.Context, r *Reading) Answer
}

// A Need is one kind of evidence, or several that do equally well.
type Need struct {
	Kinds   []string // any one of them
	Reason  string   // reported when there is none
	Capture string   // a command that gets it
}

// An Answer is the result of a detector: nothing at all if the evidence is healthy. The engine fills in IDs and kinds.
type Answer struct {
	Findings  []casefile.Finding
	Undecided []casefile.Undecided
}

func found(f casefile.Finding) Answer { return Answer{Findings: []casefile.Finding{f}} }

func undecided(reason, captureNext string) Answer {
	return Answer{Undecided: []casefile.Undecided{{Reason: reason, CaptureNext: captureNext}}}
}

// Detectors lists every detector, in the order of IDs within each family.
func Detectors() []Detector {
	return slices.Concat([]Detector{
		gcCPU(),
		gcPointerHeap(),
		cpuHotFunction(),
		allocSite(),
		goroutineSurge(),
		lockContention(),
	}, costDetectors(), runtimeDetectors())
}

// Commands that get evidence. HOST is the target's address.
const (
	captureCPU       = "curl -fo cpu.pb.gz 'http://HOST/debug/pprof/profile?seconds=30'"
	captureHeap      = "curl -fo heap.pb.gz 'http://HOST/debug/pprof/heap'"
	captureHeapNow   = "curl -fo heap.pb.gz 'http://HOST/debug/pprof/heap?gc=1' (runs a collection first)"
	captureTwoHeaps  = "curl -fo heap1.pb.gz 'http://HOST/debug/pprof/heap'; sleep 60; curl -fo heap2.pb.gz 'http://HOST/debug/pprof/heap'; casebook diagnose heap1.pb.gz heap2.pb.gz"
	captureGoroutine = "curl -fo goroutine.pb.gz 'http://HOST/debug/pprof/goroutine'"
	captureMutex     = "call runtime.SetMutexProfileFraction(100) at start-up, then: curl -fo mutex.pb.gz 'http://HOST/debug/pprof/mutex?seconds=30'"
)
