package diagnose

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gocasebook/casebook/internal/checkout"
)

// waitingLines is how many lines the code about waiting has, without tests. It only goes down: what the engine (package
// wait and its rows) does, an older kind does not do beside it.
const waitingLines = 12654

// waitingCode are the files of that code: the engine and its rows; the kinds of locks, channels, pools, calls, system
// calls and goroutines that wait; what they ask of traces and of package known.
func waitingCode() []string {
	return []string{"wait/*.go", "waits*.go", "chan_*.go", "lock_*.go", "goroutine_*.go", "slow_*.go", "net_*.go",
		"pool_*.go", "conn_*.go", "connection_*.go", "syscall_*.go", "overload.go", "calls_out.go", "trace_calls.go"}
}

// costCode are files with such names that are about what takes the CPU.
func costCode() []string {
	return []string{"goroutine_churn.go", "lock_rwmutex.go", "lock_syncmap.go", "lock_share.go",
		"net_dns_tls.go"}
}

// TestWaitingLines prints the lines of each file, the longest first (go test ./diagnose -run WaitingLines -v), and
// holds their sum.
func TestWaitingLines(t *testing.T) {
	checkout.Need(t)
	type file struct {
		name  string
		lines int
	}
	var files []file
	sum := 0
	for _, pattern := range waitingCode() {
		names, err := filepath.Glob(pattern)
		if err != nil || len(names) == 0 {
			t.Fatalf("%s: %d files, %v", pattern, len(names), err)
		}
		for _, name := range names {
			if strings.HasSuffix(name, "_test.go") || slices.Contains(costCode(), name) {
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
	t.Logf("%d lines of code about waiting, %d at most", sum, waitingLines)
	if sum > waitingLines {
		t.Errorf("%d lines are about waiting, want %d or fewer", sum, waitingLines)
	}
	if sum < waitingLines-300 {
		t.Errorf("%d lines are about waiting: lower waitingLines, which is %d", sum, waitingLines)
	}
}
