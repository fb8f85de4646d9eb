package instance

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/gocasebook/casebook/vitals"
)

// makeCgroup makes a cgroup on this machine with a hundredth of a core, which even a starved process uses up. It skips
// the test where it is not allowed.
func makeCgroup(t *testing.T) (dir string) {
	t.Helper()
	name := fmt.Sprintf("casebook-test-%d", os.Getpid())
	for _, c := range []struct{ parent, file, quota string }{
		{"/sys/fs/cgroup/cpu", "cpu.cfs_quota_us", "1000"}, // v1; its period is 100 ms unless set
		{"/sys/fs/cgroup", "cpu.max", "1000 100000"},       // v2
	} {
		dir := filepath.Join(c.parent, name)
		if os.Mkdir(dir, 0o755) != nil {
			continue
		}
		if os.WriteFile(filepath.Join(dir, c.file), []byte(c.quota), 0o600) == nil {
			t.Cleanup(func() {
				if err := os.Remove(dir); err != nil {
					t.Errorf("the test's cgroup is left: %v", err)
				}
			})
			return dir
		}
		_ = os.Remove(dir) // a folder of the wrong kind of tree; empty
	}
	t.Skip("no cgroup with a CPU quota can be made here: that needs root and the cpu controller")
	return ""
}

// The kernel's throttling of a busy process in a real cgroup is visible.
func TestLiveCgroup(t *testing.T) {
	dir := makeCgroup(t)
	cmd := exec.Command("sh", "-c", "read go; while :; do :; done")
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait() // it was killed
	}()
	if err := os.WriteFile(filepath.Join(dir, "cgroup.procs"), fmt.Appendln(nil, cmd.Process.Pid), 0o600); err != nil {
		t.Fatal(err)
	}
	p, err := newProcess(cmd.Process.Pid)
	if err != nil {
		t.Fatal(err)
	}
	defer p.close()
	if p.limits.CPUQuota != 0.01 || p.limits.CPUs != 0.01 {
		t.Errorf("limits are %+v, want a hundredth of a core", p.limits)
	}
	if _, err := in.Write([]byte("\n")); err != nil {
		t.Fatal(err)
	}
	var absent reasons
	for end := time.Now().Add(goesOn); ; {
		s := vitals.NewSample(time.Now())
		if err := p.sample(&s, s.Time, &absent); err != nil {
			t.Fatal(err)
		}
		if share, ok := s.Get(vitals.Throttled); ok && share > 0 && share <= 1 {
			return
		}
		if time.Now().After(end) {
			t.Fatalf("after %s of a busy loop throttled is %g; %v", goesOn, s.Values[vitals.Throttled], absent.all())
		}
		if err := sleep(t.Context(), 50*time.Millisecond); err != nil {
			t.Fatal(err)
		}
	}
}
