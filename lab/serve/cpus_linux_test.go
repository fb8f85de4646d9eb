package serve

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
)

// TestCPUs confines a process of its own: the test's own threads must stay as they are.
func TestCPUs(t *testing.T) {
	const asChild = "SERVE_TEST_CONFINE"
	if os.Getenv(asChild) != "" {
		confineWithThreads(t)
		return
	}
	cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestCPUs$", "-test.v")
	cmd.Env = append(os.Environ(), asChild+"=1")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
}

// confineWithThreads confines this process while it has many threads, and checks the mask of each.
func confineWithThreads(t *testing.T) {
	var held sync.WaitGroup
	release := make(chan struct{})
	for range 20 {
		started := make(chan struct{})
		held.Go(func() {
			runtime.LockOSThread()
			close(started)
			<-release
		})
		<-started
	}
	if err := (Flags{CPUs: 1}).SetUp(); err != nil {
		t.Fatal(err)
	}
	threads, err := filepath.Glob("/proc/self/task/*/status")
	if err != nil || len(threads) < 20 {
		t.Fatalf("%d threads, %v; want the 20 that were made", len(threads), err)
	}
	for _, file := range threads {
		data, err := os.ReadFile(file)
		_, mask, ok := strings.Cut(string(data), "Cpus_allowed_list:\t")
		mask, _, _ = strings.Cut(mask, "\n")
		if err != nil || !ok || strings.ContainsAny(mask, "-,") {
			t.Errorf("%s: CPUs %q, %v; want one", file, mask, err)
		}
	}
	if got := runtime.GOMAXPROCS(0); got != 1 {
		t.Errorf("GOMAXPROCS is %d, want 1", got)
	}
	close(release)
	held.Wait()
}

func TestTooManyCPUs(t *testing.T) {
	if err := (Flags{CPUs: 100_000}).SetUp(); err == nil || !strings.Contains(err.Error(), "-cpus 100000: only") {
		t.Errorf("100,000 CPUs: %v; want how many there are", err)
	}
}
