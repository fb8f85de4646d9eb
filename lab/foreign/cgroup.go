package foreign

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// A cgroup bounds the CPU of one service; the zero value is none.
type cgroup struct{ dir string }

// period is the kernel's usual one for quotas, in microseconds.
const period = 100_000

// newCgroup makes a cgroup of that many cores, of v1 or v2. It needs root.
func newCgroup(name string, cores float64) (cgroup, error) {
	name = fmt.Sprintf("foreign-%s-%d", name, os.Getpid())
	quota := int(cores * period)
	var last error
	for _, kind := range []struct{ root, file, text string }{
		{"/sys/fs/cgroup/cpu", "cpu.cfs_quota_us", fmt.Sprint(quota)},
		{"/sys/fs/cgroup", "cpu.max", fmt.Sprintf("%d %d", quota, period)},
	} {
		dir := filepath.Join(kind.root, name)
		if last = os.Mkdir(dir, 0o755); last != nil {
			continue
		}
		if last = os.WriteFile(filepath.Join(dir, kind.file), []byte(kind.text), 0o600); last == nil {
			return cgroup{dir}, nil
		}
		os.Remove(dir)
	}
	return cgroup{}, fmt.Errorf("making a cgroup with a CPU quota: %w", last)
}

// enter is what a shell does to go into it.
func (c cgroup) enter() string {
	if c.dir == "" {
		return ""
	}
	return "echo $$ > " + strings.Join([]string{c.dir, "cgroup.procs"}, "/") + "\n"
}

func (c cgroup) remove() {
	if c.dir != "" {
		os.Remove(c.dir) // it is empty when its process has ended
	}
}
