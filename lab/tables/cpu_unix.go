//go:build unix

package tables

import (
	"syscall"
	"time"
)

// processCPU is the CPU time that this process has used, of all its threads: user and system.
func processCPU(time.Time) time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
