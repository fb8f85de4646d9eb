package blackbox

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/vitals"
)

// memoryCap is how much memory the child of TestOOMKill may use.
const memoryCap = 64 << 20

// makeCgroup makes a cgroup on this machine with a memory limit. It skips the test where it is not allowed.
func makeCgroup(t *testing.T) (dir string) {
	t.Helper()
	name := fmt.Sprintf("casebook-blackbox-%d", os.Getpid())
	for _, c := range []struct{ parent, file, noSwap string }{
		{"/sys/fs/cgroup/memory", "memory.limit_in_bytes", "memory.memsw.limit_in_bytes"}, // v1
		{"/sys/fs/cgroup", "memory.max", "memory.swap.max"},                               // v2
	} {
		dir := filepath.Join(c.parent, name)
		if os.Mkdir(dir, 0o755) != nil {
			continue
		}
		t.Cleanup(func() {
			if err := os.Remove(dir); err != nil {
				t.Errorf("the test's cgroup is left: %v", err)
			}
		})
		if os.WriteFile(filepath.Join(dir, c.file), []byte(strconv.Itoa(memoryCap)), 0o600) == nil {
			// Missing where swap is not accounted.
			_ = os.WriteFile(filepath.Join(dir, c.noSwap), []byte(strconv.Itoa(memoryCap)), 0o600)
			return dir
		}
	}
	t.Skip("no cgroup with a memory limit can be made here: that needs root and the memory controller")
	return ""
}

// eatMemory uses more and more memory, and samples it, until the kernel kills it.
func eatMemory(dir string) error {
	fmt.Println("ready")
	if _, err := bufio.NewReader(os.Stdin).ReadString('\n'); err != nil { // is moved into the cgroup meanwhile
		return err
	}
	r, err := Create(Config{Dir: dir, Target: casefile.Target{Name: "eater", PID: os.Getpid(),
		Limits: casefile.Limits{MemoryBytes: memoryCap}}})
	if err != nil {
		return err
	}
	var kept [][]byte
	for len(kept) < 1000 {
		s := vitals.NewSample(time.Now())
		rss, err := residentBytes()
		if err != nil {
			return err
		}
		s.Set(vitals.RSS, rss)
		s.Set(vitals.MemoryLimit, memoryCap)
		s.Set(vitals.MemoryShare, rss/memoryCap)
		if err := r.Add(&s); err != nil {
			return err
		}
		block := make([]byte, 256<<10)
		for i := 0; i < len(block); i += 4096 {
			block[i] = 1
		}
		kept = append(kept, block)
		time.Sleep(2 * time.Millisecond) // the pace of the rise, in a process that only the kernel ends
	}
	return fmt.Errorf("%d MiB were not too much", len(kept)/4)
}

func residentBytes() (float64, error) {
	data, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		return 0, err
	}
	pages, err := strconv.ParseFloat(strings.Fields(string(data))[1], 64)
	return pages * float64(os.Getpagesize()), err
}

// TestOOMKill lets the kernel kill a process that ran out of memory. Its black box says so.
func TestOOMKill(t *testing.T) {
	group, dir := makeCgroup(t), t.TempDir()
	cmd := child(t, "eat", dir)
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if _, err := bufio.NewReader(out).ReadString('\n'); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(group, "cgroup.procs"), fmt.Appendln(nil, cmd.Process.Pid),
		0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := in.Write([]byte("\n")); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait()
	if s := cmd.ProcessState.String(); s != "signal: killed" {
		t.Fatalf("the child ended by %q", s)
	}
	r := mustFind(t, dir)
	trigger := r.Trigger()
	t.Log(trigger.Text)
	if trigger.Signal != "memory_share" || trigger.Value < 0.8 || r.OOMKills != 1 {
		t.Errorf("the trigger is %+v, %d OOM kills; want memory_share near 1, and one", trigger, r.OOMKills)
	}
	for _, want := range []string{"killed, most likely out of memory", "memory was at ", "of 64 MiB (memory_share)"} {
		if !strings.Contains(trigger.Text, want) {
			t.Errorf("%q is not in %q", want, trigger.Text)
		}
	}
}
