package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// A group is a cgroup made for one run; the zero value stands for none.
type group struct {
	dir string
	v1  bool
}

// newGroup makes a cgroup with a memory limit, of v1 or v2; n tells those that are there at once apart.
func newGroup(n int) (group, error) {
	name := fmt.Sprintf("gctune-bench-%d-%d", os.Getpid(), n)
	var errs []string
	for _, c := range []struct {
		parent, limit string
		v1            bool
	}{
		{"/sys/fs/cgroup/memory", "memory.limit_in_bytes", true},
		{"/sys/fs/cgroup", "memory.max", false},
	} {
		g := group{filepath.Join(c.parent, name), c.v1}
		if err := os.Mkdir(g.dir, 0o755); err != nil {
			errs = append(errs, err.Error())
			continue
		}
		err := os.WriteFile(filepath.Join(g.dir, c.limit), []byte(strconv.Itoa(limit)), 0o600)
		if err == nil {
			return g, nil
		}
		errs = append(errs, err.Error())
		g.remove()
	}
	return group{}, fmt.Errorf("no cgroup with a memory limit can be made: %s", strings.Join(errs, "; "))
}

func (g group) remove() { _ = os.Remove(g.dir) } // busy only if a process is left in it

// peak is the most memory that the group has had, in bytes: the kernel's count, not our samples.
func (g group) peak() int64 {
	name := "memory.peak"
	if g.v1 {
		name = "memory.max_usage_in_bytes"
	}
	data, _ := os.ReadFile(filepath.Join(g.dir, name)) // 0 on kernels before 5.19, v2
	n, _ := strconv.ParseInt(strings.TrimSpace(string(data)), 10, 64)
	return n
}

// kills is how many processes of the group the kernel's OOM killer has killed.
func (g group) kills() int {
	name := "memory.events"
	if g.v1 {
		name = "memory.oom_control"
	}
	data, _ := os.ReadFile(filepath.Join(g.dir, name)) // none: the exit by SIGKILL tells
	for line := range strings.Lines(string(data)) {
		if rest, ok := strings.CutPrefix(line, "oom_kill "); ok {
			n, _ := strconv.Atoi(strings.TrimSpace(rest))
			return n
		}
	}
	return 0
}

// enter puts this process into a group.
func enter(dir string) error {
	return os.WriteFile(filepath.Join(dir, "cgroup.procs"), []byte("0"), 0o600)
}
