//go:build unix

package recorder

import (
	"syscall"
	"time"
)

// cpuTime is the CPU time that this process has used. ok is false where it is not available.
func cpuTime() (d time.Duration, ok bool) {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0, false
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano()), true
}
