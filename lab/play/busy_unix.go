//go:build unix

package play

import (
	"fmt"
	"syscall"
	"time"
)

func ownCPU() (time.Duration, error) {
	var sum time.Duration
	for _, who := range [...]int{syscall.RUSAGE_SELF, syscall.RUSAGE_CHILDREN} {
		var u syscall.Rusage
		if err := syscall.Getrusage(who, &u); err != nil {
			return 0, fmt.Errorf("getrusage: %w", err)
		}
		sum += time.Duration(u.Utime.Nano() + u.Stime.Nano())
	}
	return sum, nil
}
