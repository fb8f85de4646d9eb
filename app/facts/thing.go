package facts

import (
	"github.com/gocasebook/casebook/diagnose/stacks"
	"github.com/gocasebook/casebook/diagnose/wait"
)

// What goroutines wait for: Thing and Enders of a fact of sort Wait, as programs ask for them.
const (
	Running      = "running"    // nothing: they run, or are about to
	ForLock      = "lock"       // a sync.Mutex, or one of which the kind is not known
	ForWriteLock = "write lock" // a sync.RWMutex, to write
	ForReadLock  = "read lock"  // to read
	ForChannel   = "channel"    // in the program's own code
	Inside       = "inside"     // something inside of a dependency
	ForPlace     = "place"      // of a pool or limit: nothing was sent yet
	ForLimiter   = "limiter"    // of rates, the program's own
	ForBatch     = "batch"      // a library that gathers before it sends
	ForAnswer    = "answer"     // of a peer
	ForReader    = "reader"     // a peer that does not read
	ForSleep     = "time"
	ForChild     = "child process"
	ForPipe      = "output" // the end of a child process's
	ForGroup     = "group"  // a WaitGroup
	ForCondition = "condition"
	ForDisk      = "disk"
	ForCollector = "collector"
	ToBeAsked    = "asked" // idle connections, listeners

	OutsideHeap = "outside heap" // what a fact of sort Hold is about: memory of C, and what is mapped
)

// Names of numbers that programs ask for.
const (
	Collecting    = "allocating and collecting" // the part of the CPU that it takes
	ShareOfGrowth = "share of growth"           // the part of what the heap grew by
	Stops         = "stops"                     // of the world, asked for at one line
)

// thingOf is what a pile waits for; "" where that is not known.
func thingOf(p *wait.Pile) string {
	switch {
	case p.For == wait.Lock && p.Park == stacks.WaitRWLock:
		return ForWriteLock
	case p.For == wait.Lock && p.Park == stacks.WaitRLock:
		return ForReadLock
	}
	return map[wait.For]string{wait.Nothing: Running, wait.Lock: ForLock, wait.Channel: ForChannel, wait.Inside: Inside,
		wait.Place: ForPlace, wait.Limiter: ForLimiter, wait.Gather: ForBatch, wait.Answer: ForAnswer,
		wait.Unread: ForReader, wait.Sleep: ForSleep, wait.Child: ForChild, wait.Pipe: ForPipe, wait.Group: ForGroup,
		wait.Cond: ForCondition, wait.Disk: ForDisk, wait.Collector: ForCollector, wait.Asked: ToBeAsked}[p.For]
}
