package instance

import (
	"os"
	"strconv"
	"strings"

	"github.com/gocasebook/casebook/internal/cgroup"
)

// allowedCPUs counts the CPUs of the process's affinity mask; 0: not known.
func allowedCPUs(dir string) float64 {
	n := 0.0
	for _, may := range cpuMask(dir) {
		if may {
			n++
		}
	}
	return n
}

// cpuMask is the process's affinity mask, a byte for each CPU: "Cpus_allowed_list:	0-3,8". Nil: not known.
func cpuMask(dir string) []bool {
	data, _ := os.ReadFile(dir + "/status") // unreadable: not known
	for l := range strings.Lines(string(data)) {
		if list, ok := strings.CutPrefix(l, "Cpus_allowed_list:"); ok {
			return cpuList(list)
		}
	}
	return nil
}

// mostCPUs is how many CPUs a kernel may be built for (NR_CPUS).
const mostCPUs = 8192

// cpuList reads the kernel's form of a set of CPUs: "0-3,8".
func cpuList(list string) (mask []bool) {
	for _, r := range strings.Split(strings.TrimSpace(list), ",") {
		from, to, isRange := strings.Cut(r, "-")
		if !isRange {
			to = from
		}
		first, err1 := strconv.Atoi(from)
		last, err2 := strconv.Atoi(to)
		if err1 != nil || err2 != nil || first < 0 || last >= mostCPUs {
			continue
		}
		for n := first; n <= last; n++ {
			for len(mask) <= n {
				mask = append(mask, false)
			}
			mask[n] = true
		}
	}
	return mask
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
