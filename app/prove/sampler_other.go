//go:build !linux

package prove

import (
	"errors"
	"runtime"
)

func readProcess(int) (reading, error) {
	return reading{}, errors.New("they come from /proc, which " + runtime.GOOS + " does not have")
}
