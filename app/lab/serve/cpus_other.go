//go:build !linux

package serve

import (
	"errors"
	"runtime"
)

func useCPUs(int) error {
	return errors.New("-cpus: " + runtime.GOOS + " does not confine a process to CPUs; leave it out")
}
