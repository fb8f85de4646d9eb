// Package cgroup finds a process's control group and reads what limits it.
//
// Linux has two versions of control groups, a container hides the path of its own group, and a limit of any group on
// the way to the root binds all below it. This package knows these things for the packages that ask about limits. On
// other systems the files do not exist, and everything is answered with "none".
package cgroup

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// A Group is where the kernel keeps the limits of a process. v1 keeps one tree a controller, v2 a single one; a
// machine may have both. Empty means that the controller's files were not found.
type Group struct {
	CPU    string // folder with cpu.max (v2) or cpu.cfs_quota_us (v1)
	Memory string // folder with memory.max (v2) or memory.limit_in_bytes (v1)

	Pressure string // folder with cpu.pressure and memory.pressure (v2; v1 has none)
}

// Find reads the content of /proc/PID/cgroup. root is /sys/fs/cgroup, or a recorded tree in tests.
func Find(root, procCgroup string) Group {
	var cg Group
	for _, l := range strings.Split(procCgroup, "\n") {
		parts := strings.SplitN(l, ":", 3) // "4:memory:/path", or "0::/path" for v2
		if len(parts) != 3 {
			continue
		}
		controllers, rel := parts[1], parts[2]
		if controllers == "" {
			for _, base := range []string{root, filepath.Join(root, "unified")} {
				cg.CPU = pick(cg.CPU, base, rel, "cpu.max")
				cg.Memory = pick(cg.Memory, base, rel, "memory.max")
				cg.Pressure = pick(cg.Pressure, base, rel, "cpu.pressure")
			}
			continue
		}
		for _, c := range strings.Split(controllers, ",") {
			switch c {
			case "cpu":
				cg.CPU = pick("", filepath.Join(root, controllers), rel, "cpu.cfs_quota_us")
				cg.CPU = pick(cg.CPU, filepath.Join(root, c), rel, "cpu.cfs_quota_us")
			case "memory":
				cg.Memory = pick("", filepath.Join(root, c), rel, "memory.limit_in_bytes")
			}
		}
	}
	return cg
}

// pick is had, or else the folder below base that holds file. Inside a container the path of the host's view does not
// exist, and the controller's root is the container's own group.
func pick(had, base, rel, file string) string {
	if had != "" {
		return had
	}
	for _, dir := range []string{filepath.Join(base, rel), base} {
		if _, err := os.Stat(filepath.Join(dir, file)); err == nil {
			return dir
		}
	}
	return ""
}

// Quota is the CPU limit in cores, 0 without one, and the folder of the group that sets it: only there the kernel
// counts the throttling. A parent's limit binds its children too, so the smallest on the way up counts.
func (g Group) Quota() (cores float64, dir string) {
	return smallest(g.CPU, func(dir string) float64 {
		if f := Fields(dir, "cpu.max"); len(f) == 2 && f[0] != "max" {
			return Number(f[0]) / Number(f[1])
		}
		q, p := Fields(dir, "cpu.cfs_quota_us"), Fields(dir, "cpu.cfs_period_us")
		if len(q) == 1 && len(p) == 1 && Number(q[0]) > 0 {
			return Number(q[0]) / Number(p[0])
		}
		return 0
	})
}

// NoLimit is what v1 writes for no memory limit: the largest multiple of a page below 1<<63.
const NoLimit = 1 << 62

// MemoryLimit is in bytes, 0 without one.
func (g Group) MemoryLimit() float64 {
	limit, _ := smallest(g.Memory, func(dir string) float64 {
		for _, file := range []string{"memory.max", "memory.limit_in_bytes"} {
			if f := Fields(dir, file); len(f) == 1 && f[0] != "max" && Number(f[0]) < NoLimit {
				return Number(f[0])
			}
		}
		return 0
	})
	return limit
}

// smallest is the smallest positive limit from dir up to the root of its tree, and the folder that sets it.
func smallest(dir string, limit func(dir string) float64) (least float64, at string) {
	for ; dir != "" && dir != "/" && dir != "."; dir = filepath.Dir(dir) {
		if _, err := os.Stat(filepath.Join(dir, "cgroup.procs")); err != nil {
			break // above the root of the tree
		}
		if l := limit(dir); l > 0 && (least == 0 || l < least) {
			least, at = l, dir
		}
	}
	return least, at
}

// Version says which version of cgroups controls the process.
func (g Group) Version() string {
	for _, f := range [...]struct{ dir, file, version string }{
		{g.Memory, "memory.max", "v2"}, {g.Memory, "memory.limit_in_bytes", "v1"},
		{g.CPU, "cpu.max", "v2"}, {g.CPU, "cpu.cfs_quota_us", "v1"},
	} {
		if f.dir == "" {
			continue
		}
		if _, err := os.Stat(filepath.Join(f.dir, f.file)); err == nil {
			return f.version
		}
	}
	return ""
}

// Fields are the words of a small file, none when it cannot be read.
func Fields(dir, file string) []string {
	data, err := os.ReadFile(filepath.Join(dir, file))
	if err != nil {
		return nil
	}
	return strings.Fields(string(data))
}

// Number is 0 for what is not one.
func Number(s string) float64 {
	v, err := strconv.ParseFloat(strings.TrimSpace(s), 64)
	if err != nil {
		return 0
	}
	return v
}
