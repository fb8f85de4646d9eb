package stacks

import (
	"strings"

	"github.com/gocasebook/casebook/diagnose/known"
)

// A Class says what work of the runtime, or of a lock, a function is. A sample's class is decided at its leaf: of the
// classes of the runtime's frames there, the one listed last wins. So zeroing memory inside an allocation that had to
// assist the garbage collector is GCAssist.
type Class uint8

// The classes, in rising precedence.
const (
	None      Class = iota // ordinary code
	Memmove                // copying and clearing memory
	Hash                   // hashing and comparing keys
	Map                    // lookups, stores and growth of maps
	Chan                   // channels and select
	Clock                  // reading the clock
	Timer                  // timers
	Syscall                // inside a system call
	Lock                   // sync's locks and the runtime's own
	StackGrow              // growing and copying goroutine stacks
	Malloc                 // allocating
	Scheduler              // finding, parking and waking goroutines, polling the network
	Scavenge               // returning memory to the system
	GCOther                // starting and ending a cycle, write barriers
	GCSweep                // freeing what was not marked
	GCMark                 // marking by the background workers
	GCAssist               // marking that an allocating goroutine had to do itself
	GCIdle                 // marking on a CPU that nobody else wanted
)

// GC reports whether the class is the garbage collector's work, idle marking included.
func (c Class) GC() bool { return c >= GCOther }

func (c Class) String() string {
	return [...]string{"none", "memmove", "hash", "map", "chan", "clock", "timer", "syscall", "lock", "stack growth",
		"malloc", "scheduler", "scavenge", "gc other", "gc sweep", "gc mark", "gc assist", "gc idle mark"}[c]
}

// classes are the classes by what functions are known to do, in the order in which they are asked.
var classes = [...]struct {
	work  known.Work
	class Class
}{{known.MarksIdle, GCIdle}, {known.MarksToAllocate, GCAssist}, {known.Marks, GCMark}, {known.Sweeps, GCSweep},
	{known.Collects, GCOther}, {known.Scavenges, Scavenge}, {known.Schedules, Scheduler}, {known.Allocates, Malloc},
	{known.GrowsStack, StackGrow}, {known.Locks, Lock}, {known.CallsSystem, Syscall}, {known.AsksClock, Clock},
	{known.KeepsTimers, Timer}, {known.UsesChannel, Chan}, {known.UsesMap, Map}, {known.Hashes, Hash},
	{known.MovesMemory, Memmove}}

// classOf classifies a function of a package.
func classOf(name, pkg string, is known.Function) Class {
	for _, c := range classes {
		if is.Does(c.work) {
			return c.class
		}
	}
	switch {
	case IsGenerated(pkg):
		return Hash
	case pkg == "" || known.IsAssembly(pkg):
		return assemblyClass(name)
	}
	return None
}

func assemblyClass(name string) Class {
	switch {
	case strings.Contains(name, "hash"):
		return Hash
	case strings.Contains(name, "memeq") || strings.Contains(name, "cmpbody") || strings.Contains(name, "MemEq"):
		return Hash
	case strings.Contains(name, "gcWriteBarrier"):
		return GCOther
	}
	return None
}

// sampleClass is the class that wins at the leaf of a stack.
func (t *Table) sampleClass(stack []FrameID) Class {
	best := None
	for _, id := range stack {
		f := t.Func(id)
		if f.Owner != Runtime && f.Class == None {
			break
		}
		best = max(best, f.Class)
	}
	return best
}
