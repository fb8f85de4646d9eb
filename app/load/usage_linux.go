package load

import (
	"os"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// processCPU returns the CPU time of this process.
func processCPU() time.Duration {
	var r syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &r); err != nil {
		return 0
	}
	return time.Duration(r.Utime.Nano() + r.Stime.Nano())
}

// machineCPU returns the time that all CPUs were busy and idle since the start, in ticks; 0 where /proc is not mounted.
// The first line of /proc/stat has: user nice system idle iowait irq softirq steal (proc_stat(5)); guests are part of
// user.
func machineCPU() (busy, idle float64) {
	text, err := os.ReadFile("/proc/stat")
	if err != nil {
		return 0, 0
	}
	line, _, _ := strings.Cut(string(text), "\n")
	fields := strings.Fields(line)
	if len(fields) < 9 || fields[0] != "cpu" {
		return 0, 0
	}
	for i, f := range fields[1:9] {
		n, err := strconv.ParseFloat(f, 64)
		if err != nil {
			return 0, 0
		}
		if i == 3 || i == 4 {
			idle += n
		} else {
			busy += n
		}
	}
	return busy, idle
}
