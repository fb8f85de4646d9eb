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

var running atomic.Int64

// A Goroutine is one of Casebook's.
type Goroutine struct{ given atomic.Bool }

// Hold counts one that somebody else starts for Casebook, until GiveUp.
func Hold() *Goroutine {
	running.Add(1)
	return new(Goroutine)
}

// GiveUp counts it as the host's from now on: a function of the host that does not return is a leak of the host, which
// must show. Further calls change nothing.
func (g *Goroutine) GiveUp() {
	if g != nil && g.given.CompareAndSwap(false, true) {
		running.Add(-1)
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
	running.Add(1)
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
	for n := 1; ; n++ {
		before := running.Load()
		all := runtime.NumGoroutine()
		after := running.Load()
		if before == after || n == tries {
			return all - int(min(before, after))
		}
	}
}
