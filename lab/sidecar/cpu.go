package sidecar

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// cpuOf is the CPU time of a process: what each of its threads ran, in nanoseconds, the first number of schedstat
// (kernel documentation, scheduler/sched-stats.rst). /proc/PID/stat counts in steps of 10 ms. Threads that have ended
// are missing; Go and Redis keep theirs.
func cpuOf(pid int) (used time.Duration, _ error) {
	files, err := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/schedstat", pid))
	if err != nil {
		return 0, err
	}
	if len(files) == 0 {
		return 0, errors.New("there is no /proc/PID/task/*/schedstat, which Linux has")
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			continue // the thread has ended since
		}
		first, _, _ := strings.Cut(string(text), " ")
		ns, err := strconv.ParseInt(first, 10, 64)
		if err != nil {
			return 0, fmt.Errorf("%s: %w", file, err)
		}
		used += time.Duration(ns)
	}
	return used, nil
}
