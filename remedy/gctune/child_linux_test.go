package gctune

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// childRole in the environment makes the test binary a process of a test: "limit" must stay below Config.Limit,
// "cgroup:DIR" below the limit of a cgroup that it enters.
const childRole = "GCTUNE_TEST_CHILD"

// beChild does not return in such a process.
func beChild() {
	if role := os.Getenv(childRole); role != "" {
		os.Exit(child(role))
	}
}

const childLimit = 200 << 20

// child makes garbage over a live heap, while memory that is not Go's grows to 40 MiB. It prints the tuner's counters.
func child(role string) int {
	if dir, ok := strings.CutPrefix(role, "cgroup:"); ok {
		if err := enterAgain(dir); err != nil {
			fmt.Println("entering the cgroup:", err)
			return 1
		}
	}
	var cfg Config
	if role == "limit" {
		cfg.Limit = childLimit
	}
	tuner, err := Start(cfg)
	if err != nil {
		fmt.Println(err)
		return 1
	}
	if err := work(); err != nil {
		fmt.Println(err)
		return 1
	}
	fmt.Printf("%+v, peak RSS %d\n", tuner.Stats(), peakRSS())
	if err := tuner.Stop(); err != nil {
		fmt.Println(err)
		return 1
	}
	return 0
}

// enterAgain enters a cgroup and starts this program again there, because memory that a process already has stays
// charged to its old cgroup.
func enterAgain(dir string) error {
	if err := os.WriteFile(filepath.Join(dir, "cgroup.procs"), []byte("0"), 0o600); err != nil {
		return err
	}
	exe, err := os.Executable()
	if err != nil {
		return err
	}
	if err := os.Setenv(childRole, "entered"); err != nil {
		return err
	}
	return syscall.Exec(exe, os.Args, os.Environ())
}

type node struct {
	next *node
	text [200]byte
}

// work allocates 1 GB in total. Growth follows allocation and not time, so that it asks the same of a slow machine.
func work() error {
	const rounds, others = 2000, 40 << 20
	foreign, err := syscall.Mmap(-1, 0, others, syscall.PROT_READ|syscall.PROT_WRITE,
		syscall.MAP_ANON|syscall.MAP_PRIVATE)
	if err != nil {
		return fmt.Errorf("mapping memory of the child's own: %w", err)
	}
	var live *node
	for range (30 << 20) / 208 {
		live = &node{next: live}
	}
	for i := range rounds {
		for range 200 {
			garbage := &node{next: live}
			garbage.text[0] = byte(i)
			sink = make([]byte, 2048)
			sink[0] = garbage.text[0]
		}
		for at := i * (others / rounds); at < (i+1)*(others/rounds); at += 1024 {
			foreign[at] = 1
		}
		time.Sleep(time.Millisecond)
	}
	runtime.KeepAlive(live)
	return syscall.Munmap(foreign)
}

var sink []byte // so that the compiler cannot remove the garbage

func peakRSS() int64 {
	data, _ := os.ReadFile("/proc/self/status") // unreadable: 0
	for line := range strings.Lines(string(data)) {
		if rest, ok := strings.CutPrefix(line, "VmHWM:"); ok {
			kb, _ := strconv.ParseInt(strings.Fields(rest)[0], 10, 64)
			return kb << 10
		}
	}
	return 0
}

// childBinary is this program. The race detector needs four to eight times the heap for itself, which no target can
// allow. With it, the child is built again without.
func childBinary(ctx context.Context, t *testing.T) string {
	t.Helper()
	if !raceDetector {
		return os.Args[0]
	}
	path := filepath.Join(t.TempDir(), "child.test")
	cmd := exec.CommandContext(ctx, "go", "test", "-c", "-o", path, ".")
	cmd.Env = append(os.Environ(), "GOWORK=off") // in a module cache, go.work names modules that are not there
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("building the child without the race detector: %v\n%s", err, out)
	}
	return path
}

// runChild returns what the child printed.
func runChild(t *testing.T, role string) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 2*goesOn)
	defer cancel()
	cmd := exec.CommandContext(ctx, childBinary(ctx, t))
	cmd.Env = append(os.Environ(), childRole+"="+role, "GOGC=", "GOMEMLIMIT=")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("the child failed: %v\n%s", err, out)
	}
	t.Logf("%s", bytes.TrimSpace(out))
	return string(out)
}

// A real process, whose memory outside Go grows, stays below Config.Limit.
func TestHoldsConfigLimit(t *testing.T) {
	out := runChild(t, "limit")
	_, text, _ := strings.Cut(strings.TrimSpace(out), "peak RSS ")
	peak, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	wantHeld(t, out, peak)
}

// In a real cgroup the kernel's own count of the peak stays below the limit.
func TestHoldsCgroupLimit(t *testing.T) {
	dir, peakFile := memoryCgroup(t, childLimit)
	out := runChild(t, "cgroup:"+dir)
	data, err := os.ReadFile(filepath.Join(dir, peakFile))
	if err != nil {
		t.Skipf("the kernel does not tell the peak: %v", err) // v2 before Linux 5.19
	}
	peak, err := strconv.ParseInt(strings.TrimSpace(string(data)), 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	wantHeld(t, out, peak)
}

var overTarget = regexp.MustCompile(`Looks:(\d+) .*OverTarget:(\d+)`)

// wantHeld wants memory to have stayed below the limit with a margin, and above the target, which is a tenth below,
// only in few looks: on a busy machine a process may allocate more between two looks than the earlier look allowed for.
func wantHeld(t *testing.T, said string, peak int64) {
	t.Helper()
	if want := int64(childLimit / 100 * 97); peak == 0 || peak > want {
		t.Errorf("memory peaked at %d MiB, want %d at most", peak>>20, want>>20)
	}
	m := overTarget.FindStringSubmatch(said)
	if m == nil {
		t.Fatalf("no counters in %q", said)
	}
	looks, _ := strconv.Atoi(m[1]) // digits
	over, _ := strconv.Atoi(m[2])
	if looks == 0 || 10*over > looks {
		t.Errorf("memory was above the target in %d of %d looks", over, looks)
	}
}

// memoryCgroup makes a cgroup on this machine with a memory limit. It skips the test where it is not allowed.
func memoryCgroup(t *testing.T, limit int) (dir, peakFile string) {
	t.Helper()
	name := fmt.Sprintf("gctune-test-%d", os.Getpid())
	for _, c := range []struct{ parent, file, peak string }{
		{"/sys/fs/cgroup/memory", "memory.limit_in_bytes", "memory.max_usage_in_bytes"}, // v1
		{"/sys/fs/cgroup", "memory.max", "memory.peak"},                                 // v2
	} {
		dir := filepath.Join(c.parent, name)
		if os.Mkdir(dir, 0o755) != nil {
			continue
		}
		if os.WriteFile(filepath.Join(dir, c.file), []byte(strconv.Itoa(limit)), 0o600) == nil {
			t.Cleanup(func() {
				if err := os.Remove(dir); err != nil {
					t.Errorf("the test's cgroup is left: %v", err)
				}
			})
			return dir, c.peak
		}
		_ = os.Remove(dir) // a folder of the wrong kind of tree; empty
	}
	t.Skip("no cgroup with a memory limit can be made here: that needs root and the memory controller")
	return "", ""
}
