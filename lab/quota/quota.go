// Package quota runs a process under a CPU quota, as a container with a limit does: in a cgroup of its own, of v1 or
// v2, whichever has the machine's CPU controller. It needs root.
//
// A controller is in one hierarchy at a time. A machine may have v2 mounted beside v1, as a "unified" one without
// controllers; it has cpu.stat there, but no quota.
package quota

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// A Group bounds the CPU of one process; the zero value is none.
type Group struct{ dir string }

// period is the kernel's usual one for quotas, in microseconds.
const period = 100_000

// The largest weights, so that it is the quota that holds the process back, and not its neighbours: cgroups(7) and
// kernel documentation, admin-guide/cgroup-v2.rst.
const (
	mostShares = "262144" // v1
	mostWeight = "10000"  // v2
)

// New makes a group of that many cores.
func New(name string, cores float64) (Group, error) { return newGroup("/sys/fs/cgroup", name, cores) }

// newGroup makes one below root, where cgroups are mounted.
func newGroup(root, name string, cores float64) (Group, error) {
	quota := int(cores * period)
	if _, err := os.Stat(filepath.Join(root, "cpu", "cpu.cfs_quota_us")); err == nil {
		return makeGroup(filepath.Join(root, "cpu"), name, map[string]string{
			"cpu.cfs_period_us": fmt.Sprint(period), "cpu.cfs_quota_us": fmt.Sprint(quota), "cpu.shares": mostShares})
	}
	last := errors.New("there is no CPU controller in " + root)
	for _, v2 := range []string{root, filepath.Join(root, "unified")} {
		if !slices.Contains(words(v2, "cgroup.controllers"), "cpu") {
			continue
		}
		if last = delegate(v2); last != nil {
			continue
		}
		return makeGroup(v2, name, map[string]string{
			"cpu.max": fmt.Sprintf("%d %d", quota, period), "cpu.weight": mostWeight})
	}
	return Group{}, fmt.Errorf("making a cgroup with a CPU quota: %w", last)
}

// delegate has groups below dir get the CPU controller, as systemd does on every machine. In a container, whose own
// processes are in its root, the kernel refuses.
func delegate(dir string) error {
	if slices.Contains(words(dir, "cgroup.subtree_control"), "cpu") {
		return nil
	}
	return os.WriteFile(filepath.Join(dir, "cgroup.subtree_control"), []byte("+cpu"), 0o600)
}

// makeGroup makes a group below root with some settings.
func makeGroup(root, name string, settings map[string]string) (Group, error) {
	dir, err := os.MkdirTemp(root, "casebook-"+name+"-*")
	if err != nil {
		return Group{}, fmt.Errorf("making a cgroup with a CPU quota: %w", err)
	}
	for file, text := range settings {
		err = errors.Join(err, os.WriteFile(filepath.Join(dir, file), []byte(text), 0o600))
	}
	if err != nil {
		os.Remove(dir)
		return Group{}, fmt.Errorf("making a cgroup with a CPU quota: %w", err)
	}
	return Group{dir}, nil
}

// words are those of a small file, none when it cannot be read.
func words(dir, file string) []string {
	data, err := os.ReadFile(filepath.Join(dir, file))
	if err != nil {
		return nil
	}
	return strings.Fields(string(data))
}

// Enter is what a shell does to go into it.
func (c Group) Enter() string {
	if c.dir == "" {
		return ""
	}
	return "echo $$ > " + strings.Join([]string{c.dir, "cgroup.procs"}, "/") + "\n"
}

// Remove removes the group once its process has ended.
func (c Group) Remove() {
	if c.dir != "" {
		os.Remove(c.dir)
	}
}
