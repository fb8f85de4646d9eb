// Package stacks reads evidence that consists of call stacks into one compact form that all detectors share.
//
// The problem: a CPU profile, a heap profile, a mutex profile and a goroutine dump say different things in different
// formats, and nothing in a file's name can be trusted to tell which it is. The approach: every file becomes a Set of
// samples over one Table of functions and frames, recognised by its content; what a frame is (the runtime's garbage
// collector, a lock, the user's own code) is decided once, when its function is first seen.
//
// Limits: what is read is bounded (see the Max constants); evidence that Go did not make is refused, with that reason;
// all addresses but the low half of the leaf's are dropped, and so are labels that nobody asks for. A Table is filled
// by one goroutine and may then be read by many.
package stacks

import (
	"time"

	"github.com/gocasebook/casebook/diagnose/known"
)

// A FuncID is an index into Table.Funcs, a FrameID one into Table.Frames.
type (
	FuncID  int32
	FrameID int32
)

// NoFrame is the FrameID of no frame, NoFunc the FuncID of its function: a goroutine that runs on another thread has no
// stack in a dump. Func, FuncID and Line accept them too, so that code which looks at the end of an empty stack does
// not panic.
const (
	NoFrame FrameID = -1
	NoFunc  FuncID  = -1
)

// A Func is a function as the evidence names it.
type Func struct {
	Name    string // "github.com/bluele/gcache.(*LRUCache).set"
	Package string // "github.com/bluele/gcache"
	File    string
	Start   int32 // the line on which it begins, which Go's profiles have since 1.20; 0 where it is not known
	Owner   Owner
	Class   Class

	known    known.Function
	parks    Wait   // what a goroutine waits for that is parked in it
	observer bool   // Casebook's, pprof's or another profiler's own capture
	around   bool   // Casebook's, around the service's own work
	border   border // where the kernel begins
}

// A Frame is a line of a function. Inlined calls are frames of their own.
type Frame struct {
	Func FuncID
	Line int32
}

// A ValueType is what one of a sample's values counts, as pprof names it.
type ValueType struct{ Type, Unit string }

// A Sample is one call stack and what was counted there.
type Sample struct {
	Stack  []FrameID // the leaf first
	Values []int64   // in the order of Set.Types
	Class  Class     // what the runtime was doing at the leaf; None in ordinary code
}

// A Set is one piece of evidence.
type Set struct {
	Table   *Table
	Name    string // the file's name, or the names of all that were merged
	Kind    string // a kind of package casefile, or Fgprof, GoroutineLeak
	Taken   time.Time
	Seconds float64 // what it covers; 0 for a snapshot, or for totals since the process began
	Types   []ValueType
	Period  int64 // of the sampling, in its own unit: bytes for a heap profile, ns for a CPU profile
	Samples []Sample

	// Goroutines is parallel to Samples for a goroutine dump with debug=2, and nil for anything else.
	Goroutines []Goroutine
	// Crashes are what a dump says of why it was printed: the end of the process, or panics that a server caught.
	Crashes []*Crash
	// Stats are the numbers at the end of a heap profile with debug=1, by their names in runtime.MemStats.
	Stats map[string]float64
	// Observed is what was left out of Samples because it belongs to the observer, in the order of Types.
	Observed []int64
	// Own are the samples behind Observed, for evidence that has values of memory: code that takes profiles may make
	// garbage.
	Own []Sample
	// Completed is how many samples had lost their outer frames and got them from whole stacks; see truncated.go.
	Completed int
	// Cut says what of the file was not read; empty when all was.
	Cut string
	// Remark says how the file was read if it differs from the profiles that Go writes; otherwise it is empty.
	Remark string
	// Labels are the keys of the samples' labels, if Source.Labels asked for them; those with the largest share first.
	Labels []Label
	// Parts are the files this set was made from by Merge or Subtract; nil for a file as it was read.
	Parts []*Set

	kernel bool // frames of the kernel were left out
}

// Kinds that package casefile does not name.
const (
	Fgprof        = "fgprof"
	GoroutineLeak = "goroutineleak"
)

// Value is the index of the sample type with this type and unit, -1 without one. Types are never selected by position:
// the order differs between profilers.
func (s *Set) Value(typ, unit string) int {
	for i, t := range s.Types {
		if t.Type == typ && t.Unit == unit {
			return i
		}
	}
	return -1
}

// Func is the function of a frame. For NoFrame it has no name and no owner.
func (t *Table) Func(f FrameID) *Func {
	if f < 0 {
		return &Func{Owner: Runtime}
	}
	return &t.Funcs[t.Frames[f].Func]
}

// FuncID is the function of a frame; NoFunc of NoFrame.
func (t *Table) FuncID(f FrameID) FuncID {
	if f < 0 {
		return NoFunc
	}
	return t.Frames[f].Func
}

// Line is the line of a frame; 0 for NoFrame.
func (t *Table) Line(f FrameID) int {
	if f < 0 {
		return 0
	}
	return int(t.Frames[f].Line)
}
