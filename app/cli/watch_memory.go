package cli

import (
	"os"
	"runtime/debug"

	"github.com/gocasebook/casebook/internal/room"
)

// fitMemory makes the collector respect the memory limit of the cgroup, if GOMEMLIMIT is not set: without it the heap
// may grow to twice what is in use, and the kernel ends the process. An eighth is left for memory outside the heap:
// stacks of threads, the binary's own pages, buffers of the kernel.
func fitMemory() {
	limit := room.Cgroup()
	if limit == 0 || os.Getenv("GOMEMLIMIT") != "" {
		return
	}
	debug.SetMemoryLimit(limit - limit/8)
}
