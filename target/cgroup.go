package target

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// A cgroup is where the kernel keeps the limits of a process. v1 keeps one tree a controller, v2 a single one; a
// machine may have both. Empty means that the controller's files were not found.
type cgroup struct {
	cpu    string // folder with cpu.max (v2) or cpu.cfs_quota_us (v1)
	memory string // folder with memory.max (v2) or memory.limit_in_bytes (v1)

	pressure string // folder with cpu.pressure and memory.pressure (v2; v1 has none)
}

// findCgroup reads the content of /proc/PID/cgroup. root is /sys/fs/cgroup, or a recorded tree in tests.
func findCgroup(root, procCgroup string) cgroup {
	var cg cgroup
	for _, l := range strings.Split(procCgroup, "\n") {
		parts := strings.SplitN(l, ":", 3) // "4:memory:/path", or "0::/path" for v2
		if len(parts) != 3 {
			continue
		}
		controllers, rel := parts[1], parts[2]
		if controllers == "" {
			for _, base := range []string{root, filepath.Join(root, "unified")} {
				cg.cpu = pick(cg.cpu, base, rel, "cpu.max")
				cg.memory = pick(cg.memory, base, rel, "memory.max")
				cg.pressure = pick(cg.pressure, base, rel, "cpu.pressure")
			}
			continue
		}
		for _, c := range strings.Split(controllers, ",") {
			switch c {
			case "cpu":
				cg.cpu = pick("", filepath.Join(root, controllers), rel, "cpu.cfs_quota_us")
				cg.cpu = pick(cg.cpu, filepath.Join(root, c), rel, "cpu.cfs_quota_us")
			case "memory":
				cg.memory = pick("", filepath.Join(root, c), rel, "memory.limit_in_bytes")
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

// quota is the CPU limit in cores, 0 without one, and the folder of the group that sets it: only there the kernel counts
// the throttling. A parent's limit binds its children too, so the smallest on the way up counts.
func (c cgroup) quota() (cores float64, dir string) {
	return smallest(c.cpu, func(dir string) float64 {
		if f := fields(dir, "cpu.max"); len(f) == 2 && f[0] != "max" {
			return number(f[0]) / number(f[1])
		}
		q, p := fields(dir, "cpu.cfs_quota_us"), fields(dir, "cpu.cfs_period_us")
		if len(q) == 1 && len(p) == 1 && number(q[0]) > 0 {
			return number(q[0]) / number(p[0])
		}
		return 0
	})
}

// noLimit is what v1 writes for no memory limit: the largest multiple of a page below 1<<63.
const noLimit = 1 << 62

// memoryLimit is in bytes, 0 without one.
func (c cgroup) memoryLimit() float64 {
	limit, _ := smallest(c.memory, func(dir string) float64 {
		for _, file := range []string{"memory.max", "memory.limit_in_bytes"} {
			if f := fields(dir, file); len(f) == 1 && f[0] != "max" && number(f[0]) < noLimit {
				return number(f[0])
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

// fields are the words of a small file, none when it cannot be read.
func fields(dir, file string) []string {
	data, err := os.ReadFile(filepath.Join(dir, file))
	if err != nil {
		return nil
	}
	return strings.Fields(string(data))
}

// number is 0 for what is not one.
func number(s string) float64 {
	v, err := strconv.ParseFloat(strings.TrimSpace(s), 64)
	if err != nil {
		return 0
	}
	return v
}

// allowedCPUs counts the CPUs of the process's affinity mask: "Cpus_allowed_list:	0-3,8".
func allowedCPUs(dir string) float64 {
	data, _ := os.ReadFile(dir + "/status") // unreadable: 0, not known
	for _, l := range strings.Split(string(data), "\n") {
		list, ok := strings.CutPrefix(l, "Cpus_allowed_list:")
		if !ok {
			continue
		}
		n := 0.0
		for _, r := range strings.Split(strings.TrimSpace(list), ",") {
			from, to, isRange := strings.Cut(r, "-")
			if !isRange {
				to = from
			}
			n += number(to) - number(from) + 1
		}
		return n
	}
	return 0
}
