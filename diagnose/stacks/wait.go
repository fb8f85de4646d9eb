package stacks

import (
	"strings"

	"github.com/gocasebook/casebook/diagnose/known"
)

// A Wait is what a goroutine waits for.
type Wait uint8

// The waits. WaitUnknown is what a debug=1 dump gives for channels: it leaves out the runtime's frames.
const (
	WaitUnknown Wait = iota
	WaitNothing      // running or runnable
	WaitSyscall
	WaitReceive
	WaitSend
	WaitSelect
	WaitMutex   // sync.Mutex.Lock
	WaitRLock   // sync.RWMutex.RLock
	WaitRWLock  // sync.RWMutex.Lock
	WaitCond    // sync.Cond.Wait
	WaitGroup   // sync.WaitGroup.Wait
	WaitNetwork // a read, write, accept or connect in the network poller
	WaitSleep
	WaitSemaphore // another user of the runtime's semaphore
	WaitNilChan   // a nil channel: forever
)

func (w Wait) String() string {
	return [...]string{"waiting", "running", "in a system call", "receiving from a channel", "sending to a channel",
		"in a select", "waiting for a sync.Mutex", "waiting to read-lock a sync.RWMutex",
		"waiting to write-lock a sync.RWMutex",
		"waiting on a sync.Cond", "waiting for a sync.WaitGroup", "waiting for the network", "sleeping",
		"waiting on a semaphore", "waiting on a nil channel"}[w]
}

// Does says what several goroutines with this wait do: "wait to receive", "sleep".
func (w Wait) Does() string {
	return [...]string{"are", "run", "are in a system call", "wait to receive", "wait to send", "wait in a select",
		"wait for a lock",
		"wait for a read lock", "wait for a write lock", "wait for a condition", "wait for a WaitGroup",
		"wait for the network", "sleep",
		"wait for a semaphore", "wait on a nil channel"}[w]
}

// ForLock reports whether the wait is for a mutual exclusion lock.
func (w Wait) ForLock() bool { return w == WaitMutex || w == WaitRLock || w == WaitRWLock }

// Wait says what the goroutines of a sample wait for: from the state in a dump, otherwise from the frames at the leaf.
func (s *Set) Wait(i int) Wait {
	byFrames := s.Table.waitOf(s.Samples[i].Stack)
	if s.Goroutines == nil || byFrames.ForLock() {
		return byFrames
	}
	w := waitOfState(s.Goroutines[i].State)
	// before Go 1.24 a WaitGroup's is "semacquire"
	if w == WaitUnknown || w == WaitSemaphore && byFrames != WaitUnknown {
		return byFrames
	}
	return w
}

// Runs says for a dump's sample whether its goroutines run or are about to, wherever their frames are: a goroutine that
// is in Lock and runnable has just got the lock, or is about to try again.
func (s *Set) Runs(i int) bool {
	return s.Goroutines != nil && waitOfState(s.Goroutines[i].State) == WaitNothing
}

// waitOf is the wait of the outermost function that parks: sync.(*Mutex).Lock stands on the semaphore it waits on.
func (t *Table) waitOf(stack []FrameID) Wait {
	wait := WaitUnknown
	for _, id := range stack {
		f := t.Func(id)
		if w := f.parks; w != WaitUnknown {
			if wait == WaitUnknown && (w == WaitReceive || w == WaitSend) && t.parksAtOnce(f, id) {
				return WaitNilChan
			}
			wait = w
		}
		if f.Owner != Runtime && !known.ParksFor(f.Package) {
			break
		}
	}
	return wait
}

// nilCheck is within how many lines of their beginning the runtime's functions for channels park on a nil channel: that
// is the first that they look at (12 at most in Go 1.20 to 1.27), and all else is a hundred lines further down.
const nilCheck = 20

// parksAtOnce reports whether a goroutine is parked in the first lines of a channel's send or receive.
func (t *Table) parksAtOnce(f *Func, id FrameID) bool {
	line := t.Frames[id].Line
	return f.Start > 0 && line > f.Start && line-f.Start <= nilCheck
}

// parks are the waits by what functions are known to do.
var parks = [...]struct {
	work known.Work
	wait Wait
}{{known.ParksToReceive, WaitReceive}, {known.ParksToSend, WaitSend}, {known.ParksInSelect, WaitSelect},
	{known.ParksForMutex, WaitMutex}, {known.ParksToRead, WaitRLock}, {known.ParksToWrite, WaitRWLock},
	{known.ParksInCond, WaitCond}, {known.ParksForGroup, WaitGroup}, {known.ParksInPoller, WaitNetwork},
	{known.ParksToSleep, WaitSleep}, {known.ParksForSemaphore, WaitSemaphore}}

// parksIn is what a goroutine waits for that is parked in a function.
func parksIn(is known.Function, class Class) Wait {
	for _, p := range parks {
		if is.Does(p.work) {
			return p.wait
		}
	}
	if class == Syscall {
		return WaitSyscall
	}
	return WaitUnknown
}

// waitOfState knows the words of runtime/traceback.go.
func waitOfState(state string) Wait {
	for _, remark := range []string{" (scan)", " (durable)", " (leaked)"} { // which goes with any state
		state = strings.TrimSuffix(state, remark)
	}
	switch state {
	case "running", "runnable":
		return WaitNothing
	case "syscall":
		return WaitSyscall
	case "chan receive":
		return WaitReceive
	case "chan send":
		return WaitSend
	case "chan receive (nil chan)", "chan send (nil chan)":
		return WaitNilChan
	case "select", "select (no cases)":
		return WaitSelect
	case "sync.Mutex.Lock":
		return WaitMutex
	case "sync.RWMutex.RLock":
		return WaitRLock
	case "sync.RWMutex.Lock":
		return WaitRWLock
	case "sync.Cond.Wait":
		return WaitCond
	case "sync.WaitGroup.Wait":
		return WaitGroup
	case "IO wait":
		return WaitNetwork
	case "sleep":
		return WaitSleep
	case "semacquire":
		return WaitSemaphore
	}
	return WaitUnknown
}
