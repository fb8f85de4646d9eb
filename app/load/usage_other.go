//go:build !linux

package load

import "time"

// processCPU is not read on this system: only Linux's calls are used here so far.
func processCPU() time.Duration { return 0 }

// machineCPU needs Linux's /proc/stat.
func machineCPU() (busy, idle float64) { return 0, 0 }
