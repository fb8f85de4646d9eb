package diagnose

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gocasebook/casebook/internal/checkout"
)

// waitingLines and retentionLines are how many lines the code about waiting and about what is held has, without tests.
// They are to go down, to 9,000 and 5,500: what an engine (packages wait and hold) and its rows do, an older kind does
// not do beside it. A new fact that makes them grow says so in its commit: the last 71 are for who waits for goroutines
// that requests start, pauses between calls, and rings of locks with a channel in them.
const (
	waitingLines   = 11506
	retentionLines = 8078
)

// waitingCode are the files of the first: the engine and its rows; the kinds of locks, channels, pools, calls, system
// calls and goroutines that wait; what they ask of traces and of package known.
func waitingCode() []string {
	return []string{"wait/*.go", "waits*.go", "chan_*.go", "lock_*.go", "goroutine_*.go", "slow_*.go", "net_*.go",
		"pool_*.go", "conn_*.go", "connection_*.go", "syscall_*.go", "overload.go", "calls_out.go", "trace_calls.go"}
}

// costCode are files with such names that are about what takes the CPU: of connections that are opened it is that, too.
func costCode() []string {
	return []string{"goroutine_churn.go", "goroutine_ticks.go", "lock_rwmutex.go", "lock_syncmap.go", "lock_share.go",
		"net_dns_tls.go", "net_dial.go", "net_no_keepalive.go"}
}

// retentionCode are the files of the second: the engine, and the kinds of memory, maps, timers, contexts, finalizers,
// descriptors and pointers that stay.
func retentionCode() []string {
	return []string{"hold/*.go", "mem_*.go", "memory_*.go", "heap_*.go", "holders*.go", "object_age.go", "timer_leak.go",
		"context_chain.go", "fd_*.go", "gc_ballast.go", "gc_finalizers.go", "gc_pointer_heap.go"}
}

// TestWaitingLines holds the lines about waiting (go test ./diagnose -run WaitingLines -v prints them, file by file).
func TestWaitingLines(t *testing.T) { holdLines(t, "waiting", waitingCode(), costCode(), waitingLines) }

// TestRetentionLines holds the lines about what is held in the same way.
func TestRetentionLines(t *testing.T) {
	holdLines(t, "what is held", retentionCode(), nil, retentionLines)
}

// holdLines prints the lines of each file, the longest first, and holds their sum: it is neither more than most, nor so
// much less that most has to be lowered.
func holdLines(t *testing.T, about string, patterns, but []string, most int) {
	t.Helper()
	checkout.Need(t)
	type file struct {
		name  string
		lines int
	}
	var files []file
	sum := 0
	for _, pattern := range patterns {
		names, err := filepath.Glob(pattern)
		if err != nil || len(names) == 0 {
			t.Fatalf("%s: %d files, %v", pattern, len(names), err)
		}
		for _, name := range names {
			if strings.HasSuffix(name, "_test.go") || slices.Contains(but, name) {
				continue
			}
			data, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			n := strings.Count(string(data), "\n")
			files = append(files, file{name, n})
			sum += n
		}
	}
	slices.SortStableFunc(files, func(a, b file) int { return b.lines - a.lines })
	for _, f := range files {
		t.Logf("%4d %s", f.lines, f.name)
	}
	t.Logf("%d lines of code about %s, %d at most", sum, about, most)
	if sum > most {
		t.Errorf("%d lines are about %s, want %d or fewer", sum, about, most)
	}
	if sum < most-300 {
		t.Errorf("%d lines are about %s: lower the bound, which is %d", sum, about, most)
	}
}
