package diagnose

import (
	"testing"

	"github.com/gocasebook/casebook/internal/profiletest"
)

// Stacks of a CPU profile, the leaf first.
const (
	gcStack = "runtime.scanobject runtime.gcDrain runtime.gcDrainMarkWorkerDedicated runtime.gcBgMarkWorker.func2 " +
		"runtime.systemstack runtime.gcBgMarkWorker"
	idleStack = "runtime.scanobject runtime.gcDrain runtime.gcDrainMarkWorkerIdle runtime.gcBgMarkWorker.func2 " +
		"runtime.systemstack runtime.gcBgMarkWorker"
	workStack  = "main.work main.main"
	otherStack = "main.other main.main"
	proxyStack = "crypto/sha256.block crypto/sha256.Sum256 github.com/x/y.(*Handler).ServeHTTP main.logging.func1 " +
		"net/http.(*conn).serve"
	netStack = "internal/runtime/syscall.Syscall6 syscall.write internal/poll.(*FD).Write net.(*conn).Write " +
		"main.reply main.main"
)

// cpuProfile is profiletest.Ticks as evidence.
func cpuProfile(t *testing.T, seconds float64, ticks map[string]int64) Evidence {
	t.Helper()
	return Evidence{Name: "cpu.pb.gz", Data: profiletest.Ticks(t, seconds, ticks)}
}
