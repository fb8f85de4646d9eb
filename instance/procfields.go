package instance

import (
	"os"
	"strings"

	"github.com/gocasebook/casebook/internal/cgroup"
)

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
			n += cgroup.Number(to) - cgroup.Number(from) + 1
		}
		return n
	}
	return 0
}

// machineMemory is MemTotal of /proc/meminfo in bytes, "MemTotal:       24629384 kB"; 0 if it cannot be read.
func machineMemory(proc string) float64 {
	data, _ := os.ReadFile(proc + "/meminfo") // unreadable: 0, not known
	for l := range strings.Lines(string(data)) {
		if rest, ok := strings.CutPrefix(l, "MemTotal:"); ok {
			if f := strings.Fields(rest); len(f) == 2 && f[1] == "kB" {
				return cgroup.Number(f[0]) * 1024
			}
		}
	}
	return 0
}
