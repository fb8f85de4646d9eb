package stacks

import (
	"strings"

	"github.com/gocasebook/casebook/casefile"
)

// contention is the kind of a profile of contentions and delay until mutexOrBlock has decided which of the two it is.
const contention = "contention"

// kindOf finds out what a profile is by its sample types. It is "" for types that no detector knows.
func kindOf(s *Set, p *proto) string {
	has := func(typ, unit string) bool { return s.Value(typ, unit) >= 0 }
	switch {
	case has("cpu", "nanoseconds"):
		return casefile.CPU
	case has("samples", "count") && has("time", "nanoseconds"):
		return Fgprof
	case has("samples", "count") && p.isCPUPeriod():
		return casefile.CPU // by eBPF: see outside.go
	case has("inuse_space", "bytes") && has("alloc_space", "bytes"):
		if strings.HasPrefix(p.defaults, "alloc") {
			return casefile.Allocs
		}
		return casefile.Heap
	case has("inuse_space", "bytes") && len(s.Types) == 1: // engines export one value a file
		return casefile.Heap
	case has("alloc_space", "bytes") && len(s.Types) == 1:
		return casefile.Allocs
	case has("contentions", "count") && has("delay", "nanoseconds"):
		return contention
	}
	for _, name := range []string{casefile.Goroutine, GoroutineLeak, casefile.ThreadCreate} {
		if has(name, "count") {
			return name
		}
	}
	return ""
}

// mutexOrBlock tells the two profiles of contention apart. A mutex profile blames the goroutine that unlocks, so its
// leaves are Unlock; a block profile the one that waits. If there are no samples, or equally many of each, the name of
// the capture or the file decides.
func (t *Table) mutexOrBlock(s *Set, src Source) string {
	unlock, wait := 0, 0
	for i := range s.Samples {
		if t.unlocks(s.Samples[i].Stack) {
			unlock++
		} else {
			wait++
		}
	}
	switch {
	case unlock > wait:
		return casefile.Mutex
	case wait > unlock:
		return casefile.Block
	case src.Kind == casefile.Block || strings.Contains(strings.ToLower(src.Name), "block"):
		return casefile.Block
	}
	return casefile.Mutex
}

// unlocks reports whether a stack ends in releasing a lock.
func (t *Table) unlocks(stack []FrameID) bool {
	for _, id := range stack {
		f := t.Func(id)
		// Unlock, RUnlock, unlockSlow, runtime.unlock, runtime._LostContendedRuntimeLock
		if strings.Contains(f.Name, "nlock") {
			return true
		}
		if f.Owner != Runtime && f.Class != Lock {
			return false
		}
	}
	return false
}
