package diagnose

import (
	"fmt"
	"strings"
	"time"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose/stacks"
	"github.com/gocasebook/casebook/diagnose/view"
	"github.com/gocasebook/casebook/vitals"
)

// A tripClass is the evidence that explains a signal.
type tripClass int

const (
	ofOthers  tripClass = iota // a signal of the service's own, or a schedule's
	ofLimit                    // a limit explains others
	ofCPU                      // what takes the CPU
	ofHeld                     // what holds the memory
	ofOffHeap                  // who maps memory or calls C
	ofAllocs                   // what allocates
	ofWaits                    // where goroutines stand
	ofLocks                    // who waits for locks
	ofThreads                  // who holds threads
	ofFiles                    // who waits for connections and files
	ofLate                     // where the time of requests goes
)

// classOf is what explains a signal. Every built-in signal but limits has a row: TestTripClasses.
func classOf(name string) tripClass {
	if name == stuckGoroutines {
		return ofWaits
	}
	id, ok := vitals.Lookup(name)
	if !ok {
		return ofExtra(name)
	}
	switch id {
	case vitals.CPULimit, vitals.GoMemoryLimit, vitals.MemoryLimit, vitals.MachineMemory, vitals.GoMaxProcs:
		return ofLimit
	case vitals.CPU, vitals.CPUShare, vitals.Throttled, vitals.ThrottledCores, vitals.CPUPressure,
		vitals.CPUSystem, vitals.OthersCPU, vitals.SpareCPU, vitals.MachineCPU, vitals.MachineSystem,
		vitals.MachineSoftIRQ, vitals.MachineSteal,
		vitals.ReadCalls, vitals.WriteCalls, vitals.ReadRate, vitals.WriteRate,
		vitals.DiskWrites: // system calls take CPU
		return ofCPU
	case vitals.HeapAlloc, vitals.HeapLive, vitals.HeapGoal, vitals.HeapObjects, vitals.GoMemory, vitals.RSS, vitals.RSSAnon,
		vitals.MemoryShare, vitals.MemoryHeadroom, vitals.MemoryPressure:
		return ofHeld
	case vitals.OffHeap, vitals.OffHeapAnon:
		return ofOffHeap
	case vitals.AllocRate, vitals.AllocObjectRate, vitals.GCCPU, vitals.GCAssist, vitals.GCLimiter, vitals.GCRate,
		vitals.GCForced, vitals.GCPause:
		return ofAllocs
	case vitals.Goroutines, vitals.GoroutinesWaiting, vitals.GoroutinesRunnable, vitals.GoroutinesCreated,
		vitals.Stacks, vitals.HTTPInFlight, vitals.TCPAbandoned, vitals.TCPQueued, vitals.TCPUnanswered,
		vitals.TCPWaiting:
		return ofWaits
	case vitals.MutexWait:
		return ofLocks
	case vitals.Threads, vitals.CgoCalls:
		return ofThreads
	case vitals.OpenFiles, vitals.OpenFilesShare, vitals.TCPEstablished, vitals.TCPAccepted,
		vitals.TCPTimeWait:
		return ofFiles
	case vitals.MachineIOWait, vitals.DiskBusy, vitals.DiskAwait, vitals.DiskRate, vitals.TCPRetransmits,
		vitals.SchedLatencyP50, vitals.SchedLatencyP99, vitals.ProbeTime, vitals.Unanswered, vitals.HTTPRate,
		vitals.HTTPLatencyP50, vitals.HTTPLatencyP99, vitals.HTTPErrors:
		return ofLate
	}
	return ofOthers
}

// explain is where in the program a group of signals comes from, and what else is known of it, before that. The first
// line of evidence that has places explains it.
func (c tripClass) explain(r *Reading, g *tripGroup) (*casefile.PictureLine, []string) {
	parts := memoryParts(r, g.trip.Time)
	switch c {
	case ofCPU:
		return firstPlaced(r, cpuLine, goroutineLine), quotaWords(r, g.trip.Time)
	case ofHeld:
		return firstPlaced(r, heldLine, heapPictureLine, allocatedLine, mappedLine), parts
	case ofOffHeap:
		if len(mapperPlaces(r, mappers(r))) == 0 {
			parts = append(parts, "no profile shows a call that maps memory or calls C; beside it")
		}
		return firstPlaced(r, mappedLine, heapPictureLine, cpuLine, goroutineLine), parts
	case ofAllocs:
		return firstPlaced(r, allocatedLine, heapPictureLine, cpuLine), nil
	case ofWaits:
		return firstPlaced(r, goroutineLine, cpuLine), nil
	case ofLocks:
		return firstPlaced(r, lockLine, goroutineLine, cpuLine), nil
	case ofThreads:
		return firstPlaced(r, threadLine, cpuLine, goroutineLine), nil
	case ofFiles:
		return firstPlaced(r, connectionLine, goroutineLine, cpuLine), nil
	}
	if c == ofOthers {
		return alsoMoved(r, g.trip.Time)
	}
	return lateLine(r), quotaWords(r, g.trip.Time)
}

// firstPlaced is the first line that names a place, else the first at all.
func firstPlaced(r *Reading, lines ...func(*Reading) *casefile.PictureLine) *casefile.PictureLine {
	var first *casefile.PictureLine
	for _, line := range lines {
		l := line(r)
		if l != nil && hasPlaces(l) {
			return l
		}
		if first == nil {
			first = l
		}
	}
	return first
}

// hasPlaces reports whether a line names code, and not only libraries at large.
func hasPlaces(l *casefile.PictureLine) bool {
	for _, p := range l.Places {
		if p.Function != "" {
			return true
		}
	}
	return false
}

// lateLine is what requests wait for: for the CPU if it is used up, else where goroutines stand.
func lateLine(r *Reading) *casefile.PictureLine {
	if strain(r) != "" {
		return firstPlaced(r, cpuLine, goroutineLine)
	}
	return firstPlaced(r, goroutineLine, cpuLine)
}

func lockLine(r *Reading) *casefile.PictureLine {
	return goroutinesThat(r, func(p *view.Pile) bool { return p.Wait.ForLock() })
}

func threadLine(r *Reading) *casefile.PictureLine {
	return goroutinesThat(r, func(p *view.Pile) bool { return p.Wait == stacks.WaitSyscall })
}

func connectionLine(r *Reading) *casefile.PictureLine {
	return goroutinesThat(r, func(p *view.Pile) bool { return p.Wait == stacks.WaitNetwork })
}

// quotaWords is the CPU that the process may use, and what it makes of it.
func quotaWords(r *Reading, at time.Time) []string {
	var out []string
	if q := r.Limits.CPUQuota; q > 0 {
		text := "its quota is " + cores(q)
		if procs := r.ValueAt(vitals.GoMaxProcs, at); procs != nil {
			text += fmt.Sprintf(", GOMAXPROCS %s", count(*procs))
		}
		out = append(out, text)
	}
	return out
}

// alsoMoved explains a signal that only the service knows by the built-in one that moved most with it.
func alsoMoved(r *Reading, at time.Time) (*casefile.PictureLine, []string) {
	most, factor := vitals.ID(-1), 1.5 // half more is what load does
	for _, id := range [...]vitals.ID{vitals.Goroutines, vitals.HeapLive, vitals.CPU, vitals.MutexWait,
		vitals.OpenFiles,
		vitals.AllocRate, vitals.Threads} {
		now, before := r.ValueAt(id, at), r.Earlier(id, at)
		if now == nil || before == nil || *before <= 0 {
			continue
		}
		if f := *now / *before; f > factor {
			most, factor = id, f
		}
	}
	if most < 0 {
		return firstPlaced(r, cpuLine, goroutineLine, heapPictureLine), []string{"nothing else moved with it"}
	}
	s, _ := tripSignal(r, casefile.Trigger{Time: at}, most.String())
	by, _ := classOf(most.String()).explain(r, &tripGroup{trip: casefile.Trigger{Time: at}})
	return by, []string{"with it moved " + tripText(s, false)}
}

// ofExtra is what explains a signal that is not built in. Package holmes has a limit for each of its signals, and
// judges the live heap at any time.
func ofExtra(name string) tripClass {
	switch {
	case strings.HasSuffix(name, "_limit"):
		return ofLimit
	case strings.HasSuffix(name, "_live_heap"):
		return ofHeld
	}
	return ofOthers
}
