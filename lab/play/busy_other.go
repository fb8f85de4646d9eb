//go:build !unix

package play

import (
	"errors"
	"time"
)

func ownCPU() (time.Duration, error) { return 0, errors.ErrUnsupported }
