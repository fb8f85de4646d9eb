package main

import (
	"os"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// usage is what this process has had of the machine.
type usage struct {
	cpu, system time.Duration // system is a part of cpu
	faults      int64         // pages of memory that the kernel had to give
}

func readUsage() usage {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return usage{}
	}
	return usage{time.Duration(u.Utime.Nano() + u.Stime.Nano()), time.Duration(u.Stime.Nano()), u.Minflt}
}

// peakRSS is the largest resident size that this process has had, in bytes.
func peakRSS() int64 {
	data, _ := os.ReadFile("/proc/self/status") // unreadable: 0
	for line := range strings.Lines(string(data)) {
		if rest, ok := strings.CutPrefix(line, "VmHWM:"); ok {
			kb, _ := strconv.ParseInt(strings.Fields(rest)[0], 10, 64)
			return kb << 10
		}
	}
	return 0
}
