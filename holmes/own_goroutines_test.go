package holmes

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"
)

// A child is this test binary as a service of eleven goroutines that dumps CPU, memory and, from twenty on, goroutines.
const childDir = "CASEBOOK_HOLMES_CHILD" // where it dumps; set in the child only

type reportFunc func(pType string, scene Scene)

func (f reportFunc) Report(pType, _ string, _ ReasonType, _ string, _ time.Time, _ []byte, s Scene) error {
	f(pType, s)
	return nil
}

// beChild prints the dumps until its CPU was dumped, which takes a case and a diagnosis. Then the service gets thirty
// goroutines more, and it prints five dumps of those.
func beChild(dir string) int {
	park := func(n int) {
		for range n {
			go func() { select {} }()
		}
	}
	park(10)
	dumps := make(chan string, 1000)
	h, err := New(WithCollectInterval("100ms"), WithDumpPath(dir), WithCPUCore(1e-9), WithMemoryLimit(1<<20),
		WithCPUDump(1, 1000, 1, time.Hour), WithMemDump(1, 1000, 1, time.Second),
		WithGoroutineDump(20, 25, 20, 0, time.Millisecond),
		WithProfileReporter(reportFunc(func(pType string, s Scene) { dumps <- fmt.Sprintf("%s %d", pType, s.CurVal) })))
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 2
	}
	h.EnableCPUDump().EnableMemDump().EnableGoroutineDump().Start()
	defer h.Stop()
	show := func(until string, n int) {
		for d := range dumps {
			fmt.Println(d)
			if strings.HasPrefix(d, until) {
				n--
			}
			if n == 0 {
				return
			}
		}
	}
	show("cpu", 1)
	park(30)
	show("goroutine", 5)
	return 0
}

// The service has fewer goroutines than its limit, with the watch it has more.
func TestGoroutinesAreTheHosts(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	cmd := exec.CommandContext(ctx, os.Args[0])
	cmd.Env = append(os.Environ(), childDir+"="+t.TempDir())
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("the child: %v\n%s", err, out)
	}
	before, after, _ := strings.Cut(string(out), "cpu ")
	if strings.Contains(before, "goroutine ") || !strings.Contains(before, "heap ") {
		t.Errorf("these dumps were made while the service had eleven goroutines:\n%s", before)
	}
	least := 1 << 30
	for _, dump := range strings.Split(after, "goroutine ")[1:] {
		n := 0
		_, _ = fmt.Sscan(dump, &n)
		least = min(least, n)
	}
	// 41 of the service, and the three that holmes has of its own; on a busy machine some that are about to end, though
	// not in each of five dumps.
	if least < 44 || least > 48 {
		t.Errorf("goroutines were dumped at %d at the least, want 44, after the dumps:\n%s", least, after)
	}
}
