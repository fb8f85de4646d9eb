// Package own counts the goroutines that Casebook runs in its process.
//
// The problem: a watch of the own process adds a dozen goroutines to it, and a hundred for moments of a diagnosis. A
// rule that trips at 20 goroutines would trip on its watcher.
//
// The approach: what runs inside a service starts its goroutines by Go and In, which count them. That costs one atomic
// addition at either end; to look at stacks instead would stop the world in every sample. The count is one for the
// process, as that of the runtime is, because several watches may run in it.
//
// The limits: goroutines that other packages start for Casebook are counted where Casebook knows that they run (Hold),
// such as runtime/pprof's writer. Those of net/http for a reporter's connections are not, nor those that functions of
// the host start while Casebook calls them.
package own

import (
	"runtime"
	"sync"
	"sync/atomic"
)

// begun and ended only grow: that both are the same before and after something says that no goroutine of Casebook's
// began or ended meanwhile. How many run would also be the same after an end and a beginning.
var begun, ended atomic.Int64

// A Goroutine is one of Casebook's.
type Goroutine struct{ given atomic.Bool }

// Hold counts one that somebody else starts for Casebook, until GiveUp.
func Hold() *Goroutine {
	begun.Add(1)
	return new(Goroutine)
}

// GiveUp counts it as the host's from now on: a function of the host that does not return is a leak of the host, which
// must show. Further calls change nothing.
func (g *Goroutine) GiveUp() {
	if g != nil && g.given.CompareAndSwap(false, true) {
		ended.Add(1)
	}
}

// Go calls f in a goroutine. It is counted here and not by itself: with all CPUs busy it may wait for long until it
// runs. It is counted once it exists, and until just before it ends, so that Others never leaves one out that is the
// host's.
func Go(f func()) *Goroutine {
	g := new(Goroutine)
	go func() {
		defer g.GiveUp()
		f()
	}()
	begun.Add(1)
	return g
}

// In calls f in a goroutine of a group.
func In(group *sync.WaitGroup, f func()) {
	group.Add(1)
	Go(func() {
		defer group.Done()
		f()
	})
}

// tries is how often a count is taken anew because a goroutine of Casebook's began or ended meanwhile.
const tries = 4

// Others is how many goroutines of this process are not Casebook's. Those that begin or end at this moment may be among
// them.
func Others() int {
	most := 0
	for range tries {
		ends, begins := ended.Load(), begun.Load()
		all := inProcess()
		still := begun.Load() == begins
		after := ended.Load()
		others := all - int(begins-after) // at least so many of Casebook's were there all the time
		if still && after == ends {
			return others
		}
		most = max(most, others)
	}
	return most
}

// inProcess is how many goroutines there are. The runtime's number is too low by up to 32 at the moment when one
// begins: it subtracts those that are free in the list of all and then in each P's, and some move to a P meanwhile.
func inProcess() int { return max(runtime.NumGoroutine(), runtime.NumGoroutine()) }
