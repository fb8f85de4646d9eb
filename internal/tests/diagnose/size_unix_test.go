//go:build unix

package diagnose_test

import (
	"syscall"
	"time"
)

// cpuTime is what the process has used. Beside other work it is steadier than the clock.
func cpuTime() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
