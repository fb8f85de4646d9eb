package cli

import (
	"os"
	"runtime/debug"

	"github.com/gocasebook/casebook/internal/room"
)

// aside is left for what is not the Go heap, and for what the heap gets beyond its limit while the collector waits for a
// CPU: beside a busy machine's other work, a watch of hostile targets in 128 MiB with an eighth aside got as much as that.
const aside = 32 << 20

// fitMemory makes the collector respect the memory limit of the cgroup, if GOMEMLIMIT is not set: without it the heap
// may grow to twice what is in use, and the kernel ends the process. An eighth is left for memory outside the heap:
// stacks of threads, the binary's own pages, buffers of the kernel; of a small limit more, up to a quarter.
func fitMemory() {
	limit := room.Cgroup()
	if limit == 0 || os.Getenv("GOMEMLIMIT") != "" {
		return
	}
	debug.SetMemoryLimit(heapOf(limit))
}

// heapOf is the limit of the Go heap in a cgroup.
func heapOf(limit int64) int64 { return limit - max(limit/8, min(limit/4, aside)) }

// manyTargets and mostTargets are from where on the collector runs more often: what a watch keeps of its targets is by
// far the most of its heap, much of it numbers that need no marking. So the heap may grow by half, or by a quarter,
// instead of as much again.
const (
	manyTargets = 50
	mostTargets = 400
)

func fitCollector(targets int) {
	switch {
	case targets < manyTargets || os.Getenv("GOGC") != "":
	case targets < mostTargets:
		debug.SetGCPercent(50)
	default:
		debug.SetGCPercent(25)
	}
}
